# SPDX-License-Identifier: MIT
"""Shows prove's progress: in front of each program that ends, and while none ends.

On a terminal the last line is rewritten each second; in a log a line is added after a long silence.
"""
import os
import select
import signal
import subprocess

from runner.guest import die_with
from runner.people.show import Position

READ_BYTES = 1 << 16
TICK_SECONDS = 1


class Progress:
    """Shows the progress of `programs`, in the order in which prove starts them, `jobs` at a time."""

    def __init__(self, programs, jobs, screen):
        self.programs, self.jobs, self.screen = programs, jobs, screen
        self.left = dict.fromkeys(programs)
        self.position = Position(screen, len(programs))

    def take(self, line):
        """Shows a line of prove; in front of a program's line also the number of ended programs."""
        name, dots, _ = line.partition(" ..")
        if dots and name in self.left:
            del self.left[name]
            line = f"{self.position.at(self.ended())} {line}"
        self.screen.say(line)

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
