# SPDX-License-Identifier: MIT
"""A session whose caller waits for the prompt itself, and so may type lines that lead to no prompt."""
import select
import time

import taptest                                      # noqa: F401  (it says where runner is)
from runner.problems import Problem
from runner.session import Session

BOOT_SECONDS = 60
PATIENCE = 0.02                 # seconds; an echo mostly comes within this time
QUIET = 0.1                     # seconds of silence after which no more output comes
TRIES = 5


class OpenSession(Session):

    def __init__(self, target, words=(), **options):
        super().__init__(target, ["via=kernel", *words], BOOT_SECONDS, **options)

    def take(self, seconds):
        """Adds the output within that time to `pending`; returns False if the guest has ended."""
        if not select.select([self.line], [], [], seconds)[0]:
            return True
        data = self.read_some()
        self.pending += data
        return bool(data)

    def drain(self, seconds):
        """Takes what it prints, until it is silent so long."""
        while select.select([self.line], [], [], seconds)[0] and self.take(0):
            pass

    def write_line(self, text):
        """Types a line, without Enter, until it is there as it should be, whatever was half typed before."""
        for _ in range(TRIES):
            self.pending = b""
            self.type(text.encode())
            if self._await(lambda: self.pending.endswith(text.encode()), QUIET * 5):
                return
            self.type(b"\x03")
            self.drain(QUIET)
        raise Problem(f"the monitor does not echo {text!r}")

    def _await(self, is_there, seconds):
        end = time.monotonic() + seconds
        while not (here := is_there()) and time.monotonic() < end and self.take(PATIENCE):
            pass
        return here
