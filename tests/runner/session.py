# SPDX-License-Identifier: MIT
"""A guest in its monitor, for a program that types commands and reads their output."""
import contextlib
import itertools
import re
import select
import time

from runner import cli, line, logs, machine, program, targets
from runner.guest import CLOSED, SILENT, Guest
from runner.handover import Handover
from runner.problems import Problem

PROMPT = re.compile(rb"(?:\A|\n)((?:cpu \d+)?> )\Z")
FIRST_WORDS = "TAP version"     # of the guest
SILENCE_SECONDS = 20            # a command prints something within MONITOR_SECONDS, or is ended


class Session(contextlib.ExitStack):
    """A context manager: boots the target with these words, and `monitor`, up to the prompt.

    `head` has the lines before the prompt, `prompt` is the monitor's prompt.  Raises Problem if there is no
    prompt.  `options` are for the target's command(): Bochs takes ips.
    """

    def __init__(self, target, words=(), silence=SILENCE_SECONDS, **options):
        super().__init__()
        self.silence, self.pending, self.prompt = silence, b"", ""
        module, cpu, board, kernel_words = choose(target, [*words, "monitor"])
        with contextlib.ExitStack() as so_far:
            log = so_far.enter_context(contextlib.closing(logs.Logs(target, [*words, "monitor"])))
            handover = Handover(board, cli.words_for(module, board, kernel_words))
            so_far.enter_context(contextlib.closing(handover))
            self.line = handover.open_line(getattr(module, "LINE", line.Terminal))
            so_far.callback(self.line.close)
            argv = module.command(cpu, board, handover, **options)
            self.log, self.handover = log, handover
            self.guest = so_far.enter_context(Guest(argv, handover, log.emulator, silence))
            self.line.connect(self.guest.process)
            self.boot_seconds = module.BOOT_SECONDS
            self.push(so_far.pop_all().__exit__)

    def __enter__(self):
        super().__enter__()
        try:
            said = self.until_prompt(max(self.boot_seconds, self.silence))
        except BaseException:
            self.close()
            raise
        # What the emulator itself said before that came by the debug console, too.
        self.head = [*itertools.dropwhile(lambda line: not line.startswith(FIRST_WORDS), said)]
        return self

    def command(self, text):
        """Returns the lines that the command prints, without the echo."""
        self.type(text.encode() + b"\r")
        return self.until_prompt(self.silence)[1:]

    def type(self, data):
        """Keys, and nothing is waited for."""
        self.line.write(data)

    def wait_for_echo(self, data):
        """Waits for the echo of keys that end no line."""
        end = time.monotonic() + self.silence
        while not self.pending.rstrip(b"\b").endswith(data):
            self._read(end - time.monotonic())

    def until_prompt(self, seconds):
        """Returns the lines before the next prompt."""
        end = time.monotonic() + seconds
        while not (asked := PROMPT.search(self.pending)):
            self._read(end - time.monotonic())
        self.prompt = asked[1].decode()
        said, self.pending = self.pending[:asked.start(1)], b""
        return said.decode("utf-8", "replace").replace("\r", "").split("\n")[:-1]

    def _read(self, seconds):
        if seconds <= 0 or not select.select([self.line], [], [], seconds)[0]:
            raise Problem(self._broken(SILENT))
        data = self.read_some()
        if not data:
            raise Problem(self._broken(CLOSED))
        self.pending += data

    def read_some(self):
        """Waits for output and returns it; returns nothing if the guest has ended."""
        data = self.line.read()
        with program.writing(self.log.shown):
            self.log.serial.write(data)
        return data

    def _broken(self, ending):
        how = {SILENT: "did not come back to its prompt", CLOSED: "ended"}[ending]
        last = self.pending.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"the monitor {how}; its last line is {last!r}; the raw log is {self.log.shown}"


def choose(target, words):
    """Returns the target's module, CPU, machine and words; takes the fastest line if the words choose none."""
    board, _, kernel_words = machine.split(words)
    module, cpu = targets.find(target, board)
    if not any(word.startswith("serial=") for word in words) and "debug" in module.OFFERS["serial"]:
        board, _, kernel_words = machine.split([*words, "serial=debug"])
    return module, cpu, board, kernel_words
