# SPDX-License-Identifier: MIT
"""Shows prove's progress: in front of each program that ends, and while none ends.

On a terminal the last line is rewritten each second; in a log a line is added after a long silence.
"""
import os
import select
import signal
import subprocess
import time

from runner.guest import die_with

READ_BYTES = 1 << 16
TICK_SECONDS = 1
QUIET_SECONDS = 20              # seconds of silence in a log after which a line is printed


class Progress:
    """Shows the progress of `programs`, in the order in which prove starts them, `jobs` at a time."""

    def __init__(self, programs, jobs, screen):
        self.programs, self.jobs, self.screen = programs, jobs, screen
        self.left = dict.fromkeys(programs)
        self.start = self.said = time.monotonic()

    def take(self, line):
        """Shows a line of prove; in front of a program's line also the number of ended programs."""
        name, dots, _ = line.partition(" ..")
        if dots and name in self.left:
            del self.left[name]
            line = f"[{self.position()}] {line}"
        self.screen.say(line)
        self.said = time.monotonic()

    def tick(self):
        """Shows the running programs: the first ones that have not ended, because prove takes them in order."""
        text = f"[{self.position()}] running: {' '.join(list(self.left)[:self.jobs])}"
        if self.screen.is_live:
            self.screen.progress(text)
        elif time.monotonic() - self.said > QUIET_SECONDS:
            self.screen.say(text)
            self.said = time.monotonic()

    def position(self):
        """Returns a text such as "12/140 1:05"."""
        seconds, whole = int(time.monotonic() - self.start), len(self.programs)
        done = f"{whole - len(self.left):{len(str(whole))}}/{whole}"
        return f"{done} {seconds // 60}:{seconds % 60:02}"


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
