#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What people see on a machine without timers, at 1 s, at 5 s and at the end: never a screen that stands still.

The screenshots go to build/screens; docs/screens has copies of them.
"""
import pathlib
import sys
import time

HOST = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HOST), str(HOST / "screen")]
import hands                                        # noqa: E402
import taptest                                      # noqa: E402
from runner import screen                           # noqa: E402

SCREENS = taptest.ROOT / "build" / "screens"
WITHOUT_TIMERS = ("machine=q35", "via=kernel", "serial=no", "pit=off", "hpet=off", "i8042=off")
FIRST = "TAP version 13"
WAIT = "# cpus wait: "
END = "# end of run: status "
UNDER_WAY = "elapsed  "
BOOT_SECONDS, RUN_SECONDS = 30, 90
SOON_SECONDS = 2                # progress comes each second by the TSC, on a busy host a little later
STILL_SECONDS = 4               # a test's own time, on a busy host
POLL_SECONDS = 0.05


class Recorder:
    """The screens of a run, each with its time in seconds after the kernel's first line."""

    def __init__(self, name, *words):
        self.seen, pictures = [], {"1s": 1, "5s": 5, "end": RUN_SECONDS}
        with hands.Machine("Nehalem", *WITHOUT_TIMERS, *words) as machine:
            machine.view.fonts = screen.known_fonts()
            machine.screen_until(lambda lines: FIRST in lines, BOOT_SECONDS)
            start = time.monotonic()
            self.seen.append((0.0, machine.view.lines))
            while not self.has(END) and time.monotonic() - start < RUN_SECONDS:
                time.sleep(POLL_SECONDS)
                if machine.view.look():
                    self.seen.append((time.monotonic() - start, machine.view.lines))
                for moment in [moment for moment, due in pictures.items()
                               if time.monotonic() - start >= due or self.has(END)]:
                    hands.write_png(SCREENS / f"{name}-{moment}.png", machine.view.ppm)
                    del pictures[moment]

    def at(self, seconds):
        """Returns what was on the screen at this time."""
        return [lines for when, lines in self.seen if when <= seconds][-1]

    def has(self, text):
        return any(line.startswith(text) for line in self.seen[-1][1])

    def first(self, *texts):
        """Returns when a line that begins with one of the texts was first seen, or None."""
        return next((when for when, lines in self.seen if any(line.startswith(texts) for line in lines)), None)

    def longest_still(self):
        times = [when for when, _ in self.seen]
        return max(after - before for before, after in zip(times, times[1:]))

    def text(self):
        return "\n".join(f"{when:.2f} s: {line}" for when, lines in self.seen[-3:] for line in lines if line)


class Moments(taptest.Case):
    def test_run(self):
        """22 processors without an 8254, an HPET and a keyboard controller: progress at 2 s and 5 s, then a verdict"""
        run = Recorder("no-timers", "smp=1:11:2")
        self.assertIn("# Barecount", "\n".join(run.seen[0][1]), "no first line before the slow parts")
        for seconds in (SOON_SECONDS, 5):
            self.assertTrue(any(line.startswith((WAIT, UNDER_WAY, END)) for line in run.at(seconds)), run.text())
        self.assertTrue(run.has(END), run.text())
        self.assertLess(run.longest_still(), STILL_SECONDS, run.text())

    def test_start(self):
        """64 processors start within two seconds, or the screen says how many were tried"""
        run = Recorder("no-timers-64", "smp=1:32:2", "only=platform.clock.*")
        self.assertTrue(run.has(END), run.text())
        self.assertLess(run.first(WAIT, UNDER_WAY, END), SOON_SECONDS, run.text())


if __name__ == "__main__":
    taptest.main()
