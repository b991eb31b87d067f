# SPDX-License-Identifier: MIT
"""A session whose prompt is waited for by the caller, who may type what comes to no prompt."""
import select
import time

import taptest                                      # noqa: F401  (it says where runner is)
from runner.problems import Problem
from runner.session import Session

BOOT_SECONDS = 60
PATIENCE = 0.02                 # seconds in which an echo comes, as a rule
QUIET = 0.1                     # seconds in which what was still to come has come
TRIES = 5


class OpenSession(Session):

    def __init__(self, target, words=(), **options):
        super().__init__(target, ["via=kernel", *words], BOOT_SECONDS, **options)

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

    def write_line(self, text):
        """Until it stands there as it should, whatever keys were half typed before; without Enter."""
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
