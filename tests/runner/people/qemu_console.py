# SPDX-License-Identifier: MIT
"""A guest in its monitor with a keyboard and a screen, in QEMU, as a person at a console has it."""
import contextlib
import time

from runner import cli, logs, machine, screen, watch
from runner.guest import Guest
from runner.handover import Handover
from runner.problems import Problem
from targets import qemu

POLL_SECONDS = 0.02
PATIENCE_SECONDS = 30
STATUS_PORT = 0x64              # of the keyboard controller
OUTPUT_FULL = 1
# QEMU's keyboard keeps 16 bytes for a guest that does not look; a character with shift is 4.
AT_ONCE = 4

SHIFTED = dict(zip('~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
                   '`1234567890-=qwertyuiop[]\\asdfghjkl;\'zxcvbnm,./'))
NAMES = {                       # QEMU's names of the keys that are not letters or digits
    "`": "grave_accent", "-": "minus", "=": "equal", "[": "bracket_left", "]": "bracket_right",
    "\\": "backslash", ";": "semicolon", "'": "apostrophe", ",": "comma", ".": "dot", "/": "slash",
    " ": "spc", "\n": "ret", "\t": "tab",
}


class Keyboard:
    """QEMU's PS/2 keyboard, by its monitor."""

    def __init__(self, monitor):
        self.monitor = monitor

    def type(self, text):
        """Types a text by the keys that a person would press."""
        for start in range(0, len(text), AT_ONCE):
            for character in text[start:start + AT_ONCE]:
                plain = SHIFTED.get(character, character)
                name = NAMES.get(plain, plain)
                self._press(*(("shift", name) if character in SHIFTED else (name,)))
            self._until_taken()

    def press(self, *names):
        """Keys by QEMU's names, together."""
        self._press(*names)
        self._until_taken()

    def _press(self, *names):
        for down, keys in ((True, names), (False, names[::-1])):
            events = [{"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}}
                      for key in keys]
            self.monitor.execute("input-send-event", events=events)

    def _until_taken(self):
        """Waits until the guest has read all keys, because the keyboard loses those that it cannot keep."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self._status() & OUTPUT_FULL:
            if time.monotonic() > end:
                raise Problem("the guest does not take the keys that were typed")

    def _status(self):
        said = self.monitor.execute("human-monitor-command",
                                    **{"command-line": f"i /xb {STATUS_PORT:#x}"})
        return int(said.partition("=")[2], 16)


class QemuConsole(contextlib.ExitStack):
    """A context manager: boots QEMU's processor `cpu`, without a serial line, into its monitor.

    `lines`: those on the screen, down to the last one with text, the cursor's cell as if it were
    not there; `cursor`: (row, column, the character there), or None, as one that blinks may be.
    """

    def __init__(self, cpu, words=()):
        super().__init__()
        words = [*words, "serial=no", "monitor"]
        board, _, kernel_words = machine.split(words)
        with contextlib.ExitStack() as so_far:
            log = so_far.enter_context(contextlib.closing(logs.Logs(f"qemu:{cpu}", words)))
            handover = Handover(board, cli.words_for(qemu, board, kernel_words))
            so_far.enter_context(contextlib.closing(handover))
            argv = qemu.command(cpu, board, handover)
            so_far.enter_context(Guest(argv, handover, log.emulator, PATIENCE_SECONDS))
            self.view = watch.Screen(handover)
            self.lines, self.cursor = [], None
            self.keyboard = Keyboard(self.view.monitor)
            self.push(so_far.pop_all().__exit__)

    def _look(self):
        """Takes a screenshot; sets lines and cursor."""
        if not self.view.look():
            return
        lines = list(self.view.lines)
        self.cursor = screen.find_cursor(screen.Image(self.view.ppm), self.view.fonts)
        if self.cursor:
            row, column, character = self.cursor
            lines[row] = (lines[row][:column].ljust(column) + character
                          + lines[row][column + 1:]).rstrip()
        while lines and not lines[-1]:
            lines.pop()
        self.lines = lines

    def wait_for(self, what, is_there):
        """Looks until is_there(self); raises Problem with the screen's text otherwise."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self._look() or not is_there(self):
            if time.monotonic() > end:
                shown = "\n".join(self.lines)
                raise Problem(f"not on the screen: {what}; but, the cursor at {self.cursor}:\n{shown}")
            time.sleep(POLL_SECONDS)

    def wait_for_prompt(self):
        """Waits for the prompt; from then on the screen is read only with the font of this screen."""
        self.wait_for_last(">")
        self.view.fonts = [screen.font_of(screen.Image(self.view.ppm), self.view.fonts)]

    def wait_for_last(self, line):
        self.wait_for(f"{line!r} as the last line", lambda console: console.lines[-1:] == [line])
