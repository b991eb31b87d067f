#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs that hang in more ways than those of guest.t: each waits for the watchdog, or for an emulator that is slow.

The word `broken` gives the kernel tests that hang, die and lie (tests/suites/broken/broken.c).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import runtest                                      # noqa: E402

QEMU, BOCHS = "qemu:Nehalem", "bochs:p3_katmai"

# By name: target, words, exit status, a part of the sentence on stderr, parts of the output.
RUNS = {
    "a test that hangs at CPL 3 is an error":
        (QEMU, "via=kernel bits=64 broken only=broken.hang_at_cpl3", 1, "",
         ("severity: error", "ended by the watchdog")),
    "a check of what a test needs that hangs is an error, and the run goes on":
        (QEMU, "via=kernel broken only=broken.hang_in_needs,rdtsc.mode.cpl0", 1, "",
         ("not ok 1 - broken.hang_in_needs\n", "the check of what the test needs hung: ended by the watchdog",
          "ok 2 - rdtsc.mode.cpl0\n", "errors 1", "# end of run: status 1")),
    "a reset after a test that hangs is an error, and the run goes on, on each processor":
        (QEMU, "via=kernel smp=1:2:1 broken only=broken.hang_in_reset,rdtsc.mode.cpl0", 1, "",
         ("- broken.hang_in_reset", "the reset between two tests hung: ended by the watchdog",
          "- rdtsc.mode.cpl0@cpu0-1\n", "errors 2", "# end of run: status 1")),
    "a test that hangs on every processor is an error of each":
        (QEMU, "smp=1:2:2 broken only=broken.hang", 1, "",
         ("- broken.hang\n", "- broken.hang@cpu1-3\n", "errors 4",
          "tests/boot qemu:Nehalem smp=1:2:2 only=broken.hang broken", "# end of run: status 1")),
    "one that hangs where no NMI reaches it is ended by INIT, and goes on":
        (QEMU, "via=kernel smp=1:1:2 broken only=broken.hang_in_nmi,rdtsc.mode.cpl0", 1, "",
         ("not ok 2 - broken.hang_in_nmi@cpu1\n", "not even by NMI: ended by INIT",
          "ok 3 - rdtsc.mode.cpl0@cpu0-1\n", "# end of run: status 1")),
    "one that INIT takes out of real mode leaves low memory to the others":
        (QEMU, "via=kernel smp=1:1:2 broken only=broken.hang_real_again,rdtsc.mode.real", 1, "",
         ("not ok 2 - broken.hang_real_again@cpu1\n", "not even by NMI: ended by INIT",
          "ok 3 - rdtsc.mode.real@cpu0-1\n", "# end of run: status 1")),
    "a guest that falls silent on the debug console of Bochs is a broken run":
        (BOCHS, "via=kernel serial=debug broken only=broken.silence timeout=3", 2,
         "said nothing for 3 s", ()),
    "a PMU that the word uarch forces on another processor faults, and the run goes on":
        (BOCHS, "via=kernel uarch=netburst only=netburst.registers.*", 1, "",
         ("# driver: NetBurst, because: uarch says so", "#GP(0)", "MSR_BPU_COUNTER0",
          "# end of run: status 1")),
    "the 64-bit kernel on a processor of Bochs without long mode says so":
        (BOCHS, "bits=64", 2, "has no long mode", ("Bail out!", "# end of run: status 2")),
    "without a serial port a failure is read from the screen":
        (QEMU, "serial=no broken only=broken.hang", 1, "", ("not ok 1 - screen.verdict",)),
}


class Hangs(runtest.Case):
    """Each test is one run."""


if __name__ == "__main__":
    runtest.main(Hangs, RUNS)
