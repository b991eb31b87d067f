#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The kernel writes to ports of the machine only: to no emulator's, unless a word asks for it."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import layout                           # noqa: E402

# A boot of these words without leave=, which the target adds: the emulator is stopped at the last line.
BOOT = """
import sys
sys.path.insert(0, {tests!r})
from runner import cli, guest
from targets import bochs, model
guest.LEAVE_SECONDS = 0.5        # in which the kernel would write to the port
if {is_bare}:
    model.words = lambda _: ("exact",)
sys.exit(cli.run("model:corei7_haswell_4770", {words!r}))
"""
WORDS = ["via=kernel", "skip=smm.*,pebs.exits.*"]       # both write to ports of a PC on purpose, to see an exit
LEAST_TESTS = 300               # of the platform, and of the suites of one processor's counters
LOGGED = re.compile(r"the kernel writes to port ([0-9A-F]+)H")

# First port, last port: what is there on every PC, and so the machine's own.
OWN = (
    (0x20, 0x21, "the first 8259"),
    (0x40, 0x43, "the 8254"),
    (0x60, 0x60, "the keyboard controller's data"),
    (0x61, 0x61, "the PC's port B"),
    (0x64, 0x64, "the keyboard controller's command"),
    (0x70, 0x71, "the RTC"),
    (0x80, 0x80, "the port of POST codes"),
    (0xa0, 0xa1, "the second 8259"),
    (0x2e8, 0x2ef, "COM4"), (0x2f8, 0x2ff, "COM2"), (0x3e8, 0x3ef, "COM3"), (0x3f8, 0x3ff, "COM1"),
    (0x3c0, 0x3df, "the VGA adapter"),
)
DEBUG = (0xe9, 0xe9, "the console that console=debug asks for")


def boot(is_bare, words):
    """Returns the ports that the kernel wrote to, and the run's exit status."""
    code = BOOT.format(tests=str(layout.ROOT / "tests"), is_bare=is_bare, words=[*WORDS, *words])
    run = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=False,
                         env={**os.environ, "PMU_PORTS_LOG": "1"})
    return {int(port, 16) for port in LOGGED.findall(run.stderr)}, run


def foreign(ports, own=OWN):
    return sorted(f"{port:X}H" for port in ports if not any(first <= port <= last for first, last, _ in own))


class Ports(taptest.Case):
    def wrote(self, ports, run):
        """A log with too few ports would prove nothing."""
        self.assertIn(0x43, ports, run.stderr)
        self.assertIn(0x21, ports, run.stderr)

    def test_own(self):
        """a whole run without leave= writes to no port that is not the machine's own"""
        ports, run = boot(True, ["serial=com1", "only=platform.*,rdpmc.*,arch.*"])
        self.wrote(ports, run)
        self.assertIn("# end of run: status 0", run.stdout)
        self.assertGreater(run.stdout.count("\nok "), LEAST_TESTS)
        self.assertEqual(foreign(ports), [])

    def test_panic(self):
        """nor does a panic"""
        ports, run = boot(True, ["serial=com1", "there_is_no_such_word"])
        self.assertIn("Bail out!", run.stdout)
        self.assertIn(0x3F8, ports)
        self.assertEqual(foreign(ports), [])

    def test_asked(self):
        """with leave= the emulator's port is written to, and seen; so is a debug console"""
        ports, run = boot(False, ["serial=debug", "only=platform.pit.*"])
        self.wrote(ports, run)
        self.assertEqual(foreign(ports), ["8900H", "E9H"])
        self.assertEqual(foreign(ports, (*OWN, DEBUG)), ["8900H"])


if __name__ == "__main__":
    taptest.main()
