# SPDX-License-Identifier: MIT
"""Shows prove's progress: each program that fails, with V=1 each that ends, and the running ones while none ends.

On a terminal the last line is rewritten each second; in a log a line is added after a long silence.
"""
import os
import re
import select
import signal
import subprocess

from runner.guest import die_with
from runner.people import ending
from runner.people.show import Position

READ_BYTES = 1 << 16
TICK_SECONDS = 1
FILES = re.compile(r"Files=(\d+), Tests=(\d+),")
REPORT = re.compile(r"(Test Summary Report|All tests successful\.)$")


class Progress:
    """Shows the progress of `programs`, in the order in which prove starts them, `jobs` at a time."""

    def __init__(self, programs, jobs, screen):
        self.programs, self.jobs, self.screen = programs, jobs, screen
        self.left = dict.fromkeys(programs)
        self.outcomes = {}              # by program: ok, skipped: REASON, or what prove says of a failure
        self.results = 0                # of all programs
        self.about = None               # the program that prove's next lines are about
        self.position = Position(screen, len(programs))

    def take(self, line):
        """Takes a line of prove; in front of a program's line it shows also the number of ended programs."""
        name, dots, outcome = line.partition(" ..")
        if dots and name in self.left:
            del self.left[name]
            self.about, self.outcomes[name] = name, outcome.lstrip(". ").strip()
            line = f"{self.position.at(self.ended())} {line}"
            if ending.is_whole() or self.kind(name) == "failed":
                self.screen.say(line)
            else:
                self.tick()
        else:
            self._take_more(line)

    def _take_more(self, line):
        """Takes what prove adds to a program's line at once, and to those of failed programs at its end."""
        name = line.partition(" (Wstat: ")[0].strip()
        if files := FILES.match(line):
            self.results = int(files[2])
        self.about = name if name in self.outcomes else None if REPORT.match(line) else self.about
        if self.about and self.kind(self.about) == "failed" and name != self.about:
            self.outcomes[self.about] = f"{self.outcomes[self.about]} {line.strip()}".strip()
        if ending.is_whole():
            self.screen.say(line)

    def kind(self, name):
        """Returns passed, skipped or failed; a program of which prove says nothing has failed."""
        outcome = self.outcomes.get(name, "")
        return "skipped" if outcome.startswith("skipped") else "passed" if outcome.startswith("ok") else "failed"

    def tick(self):
        """Shows the running programs: the first ones that have not ended, because prove takes them in order."""
        self.position.show(self.ended(), f"running: {' '.join(list(self.left)[:self.jobs])}")

    def ended(self):
        return len(self.programs) - len(self.left)


def follow(argv, progress, **options):
    """Runs prove with this command line and shows its progress; returns its exit status.

    prove gets a signal to end when this program is gone, and its programs when prove is gone (matrix.run_row).
    """
    with subprocess.Popen(argv, stdout=subprocess.PIPE, **options, preexec_fn=lambda
                          parent=os.getpid(): die_with(parent, signal.SIGTERM)) as prove:
        rest = b""
        while True:
            if not select.select([prove.stdout], [], [], TICK_SECONDS)[0]:
                progress.tick()
                continue
            data = os.read(prove.stdout.fileno(), READ_BYTES)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                progress.take(line.decode("utf-8", "replace"))
            if not data:
                break
    return prove.returncode
