# SPDX-License-Identifier: MIT
"""A session with a machine whose time is short: a second of its own is over in few instructions.

So what it waits for by its own clock (a hang's end, a character on the line) costs the host little.
But its UART, of 115200 baud by that clock, takes keys faster than it can echo them, and has room for
16: keys are typed in pieces, each when the one before it was echoed.
"""
import re
import select
import time

import taptest                                      # noqa: F401  (it says where runner is)
from runner.problems import Problem
from runner.session import Session

IPS = 4_000_000                 # instructions in a second of the guest's
BOOT_SECONDS = 60
FIFO = 12                       # bytes typed at once
BREATH = 0.001                  # seconds: what is silent so long has taken those
PATIENCE = 0.02                 # seconds in which an echo comes, as a rule
QUIET = 0.1                     # seconds in which what was still to come has come
TRIES = 5
PLAIN = re.compile(rb"[ -~]{,70}\r?")           # each key is echoed as itself


class SlowSession(Session):
    """Its prompt is waited for by the caller."""

    def __init__(self, target, words=()):
        super().__init__(target, ["via=kernel", *words], BOOT_SECONDS, ips=IPS)

    def take(self, seconds):
        """What it prints within that time goes to pending; False: it has ended."""
        if not select.select([self.line], [], [], seconds)[0]:
            return True
        data = self.read_some()
        self.pending += data
        return bool(data)

    def drain(self, seconds):
        """Takes what it prints, until it is silent so long."""
        while select.select([self.line], [], [], seconds)[0] and self.take(0):
            pass

    def type_slowly(self, keys):
        """No faster than it echoes: where each key is shown as itself, that can be seen."""
        is_plain = PLAIN.fullmatch(keys)
        for at in range(0, len(keys), FIFO):
            self.type(keys[at:at + FIFO])
            if at + FIFO >= len(keys):
                return
            if is_plain:
                self._await(lambda echoed=at + FIFO: len(self.pending) >= echoed, PATIENCE * 3)
            else:
                self.drain(BREATH)

    def write_line(self, text):
        """Until it stands there as it should; without Enter."""
        for _ in range(TRIES):
            self.pending = b""
            self.type_slowly(text.encode())
            if self._await(lambda: self.pending.endswith(text.encode()), QUIET * 5):
                return
            self.type(b"\x03")
            self.drain(QUIET)
        raise Problem(f"the monitor does not echo {text!r}")

    def command(self, text):
        self.write_line(text)
        self.type(b"\r")
        return self.until_prompt(self.silence)[1:]

    def _await(self, is_there, seconds):
        end = time.monotonic() + seconds
        while not (here := is_there()) and time.monotonic() < end and self.take(PATIENCE):
            pass
        return here
