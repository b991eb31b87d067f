#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs that go wrong, with the real kernel in a real emulator.

The word `broken` gives the kernel tests that hang, die and lie (tests/suites/broken/broken.c); each of them
must be distinguished from a failure, and none may stop the host.
"""
import contextlib
import fcntl
import io
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import runtest                                      # noqa: E402
import taptest                                      # noqa: E402

from runner import machine, problems                # noqa: E402
from runner.checksum import END                     # noqa: E402
from runner.guest import Guest as Emulator          # noqa: E402
from runner.handover import Handover                # noqa: E402
from targets import qemu                            # noqa: E402

QEMU, BOCHS, MODEL = "qemu:Nehalem", "bochs:p3_katmai", "model:p4_willamette"
P55C, PCE = "qemu:pentium,stepping=4", "via=kernel only=rdpmc.cr4_pce,rdtsc.mode.cpl0"

# (target, words, exit status, a part of the sentence on stderr, parts of the output)
RUNS = {
    "a test that leaves a control register changed is an error":
        (QEMU, "via=kernel bits=64 broken only=broken.leftover", 1, "", ("severity: error", "left CR0 changed")),
    "a run of skipped tests alone is a broken run":
        (QEMU, "via=kernel bits=64 broken only=broken.skipped", 2, "no test was run", ()),
    "a test that an erratum makes dangerous is skipped by the erratum's name":
        (f"{P55C},hypervisor=off", PCE, 0, "",
         ("- rdpmc.cr4_pce # SKIP Pentium erratum 74, CPUID.1:EAX = 544H", "# end of run: status 0")),
    "it is skipped on a Pentium Pro of stepping 8, too":
        (f"{P55C},family=6,model=1,stepping=8,hypervisor=off", PCE, 0, "",
         ("- rdpmc.cr4_pce # SKIP Pentium Pro erratum 26, CPUID.1:EAX = 618H", "# end of run: status 0")),
    "the word errata runs it":
        (f"{P55C},hypervisor=off", f"{PCE} errata", 0, "", ("ok 1 - rdpmc.cr4_pce\n", "# end of run: status 0")),
    "it runs under a hypervisor":
        (P55C, PCE, 0, "", ("ok 1 - rdpmc.cr4_pce\n", "# end of run: status 0")),
    "code under test that hangs in real mode fails":
        (QEMU, "via=kernel broken only=broken.hang_in_real_mode", 1, "", ("severity: fail", 'got: "#NMI"')),
    "a test that hangs is an error, and the run goes on":
        (QEMU, "via=kernel bits=64 broken only=broken.hang", 1, "", ("severity: error", "# end of run: status 1")),
    "a test that hangs is an error in Bochs, too":
        (BOCHS, "via=kernel broken only=broken.hang", 1, "", ("severity: error", "# end of run: status 1")),
    "a processor that firmware lists and that does not start is a failure, and the run goes on":
        (QEMU, "via=kernel smp=1:2:1 absent_cpu=9 only=platform.smp.started", 1, "",
         ("# cpus: 2 run, of 3", "# cpu 2: APIC ID 9, does not run", "# end of run: status 1")),
    "a test that leaves PEBS or BTS on is an error of its own":
        (MODEL, "via=kernel broken only=broken.pebs,broken.bts", 1, "",
         ("IA32_PEBS_ENABLE = 2000000H: PEBS was left on", "IA32_DEBUGCTL = CH: BTS was left on",
          "# end of run: status 1")),
    "an unexpected fault is an error":
        (QEMU, "via=kernel bits=64 broken only=broken.fault", 1, "", ("severity: error", "# end of run: status 1")),
    "a test that destroys the stack is an error":
        (QEMU, "via=kernel bits=64 broken only=broken.stack", 1, "", ("severity: error", "# end of run: status 1")),
    "a test that destroys the stack is an error in Bochs, too":
        (BOCHS, "via=kernel broken only=broken.stack", 1, "", ("severity: error", "# end of run: status 1")),
    "a fault in the fault handler is an error":
        (QEMU, "via=kernel bits=64 broken only=broken.handler", 1, "", ("severity: error", "# end of run: status 1")),
    "an unexpected vector between two tests is an error of the one before it, and the run goes on":
        (MODEL, "via=kernel broken only=broken.stray,rdtsc.mode.cpl0", 1, "",
         ("not ok 1 - broken.stray\n", 'what: "between two tests"', "unexpected interrupt 99H at",
          "ok 2 - rdtsc.mode.cpl0\n", "errors 1", "# end of run: status 1")),
    "one on another processor is an error of its own":
        (MODEL, "via=kernel smp=2:1:1 broken only=broken.stray,platform.apic.*", 1, "",
         ("not ok 1 - broken.stray@cpu0-1\n", "errors 2",
          "# end of run: status 1")),
    "a test that fails because the watchdog's tick fell into its window is repeated":
        (MODEL, "via=kernel broken only=broken.tick", 0, "",
         ("ok 1 - broken.tick\n", "disturbed by an SMI or a tick, and repeated: 1")),
    "the sentence of a run that gives up names the test":
        (QEMU, "via=kernel bits=64 broken only=broken.panic", 2, "on purpose, in the test broken.panic",
         ("Bail out! on purpose, in the test broken.panic\n",)),
    "a test without an expectation is an error":
        (QEMU, "via=kernel bits=64 broken only=broken.no_expectation", 1, "", ("severity: error",)),
    "a guest that falls silent is a broken run":
        (QEMU, "via=kernel bits=64 broken only=broken.silence timeout=3", 2, "said nothing for 3 s", ()),
    "a triple fault is a broken run":
        (QEMU, "via=kernel bits=64 broken only=broken.triple_fault", 2, "the output stops", ()),
    "a triple fault is a broken run in Bochs, too":
        (BOCHS, "via=kernel broken only=broken.triple_fault", 2, "the output stops", ()),
    "and where it speaks to the debug console":
        (BOCHS, "via=kernel serial=debug broken only=broken.triple_fault", 2, "the output stops", ()),
    "a guest that leaves early is a broken run where it speaks to the debug console, too":
        (BOCHS, "via=kernel serial=debug broken only=broken.truncate", 2, "the output stops", ()),
    "a fault in NetBurst's debug store area is a broken run, and said to be one":
        (MODEL, "via=kernel broken only=broken.ds_fault", 2,
         "a fault in the debug store area: the processor shuts down", ()),
    "a PMU that nobody knows is a broken run":
        (QEMU, "via=kernel uarch=p7", 2, "uarch=p7: not a known PMU", ()),
    "a guest that leaves early is a broken run":
        (QEMU, "via=kernel bits=64 broken only=broken.truncate", 2, "the output stops", ()),
    "a line that is not TAP is a broken run":
        (QEMU, "via=kernel bits=64 broken only=broken.garbage", 2, "not TAP", ()),
    "a result too many is a broken run":
        (QEMU, "via=kernel bits=64 broken only=broken.extra", 2, "announces", ()),
    "a word that the kernel does not know is named":
        (QEMU, "nonsense=1", 2, "nonsense", ("Bail out!", "# end of run: status 2")),
    "the 64-bit kernel on a processor without long mode says so":
        ("qemu:pentium3", "bits=64", 2, "has no long mode", ("Bail out!", "# end of run: status 2")),
    "GRUB picks the 32-bit kernel for a processor without long mode":
        ("qemu:pentium3", "list only=rdtsc.*", 0, "", (", 32-bit\n",)),
    "GRUB picks the 64-bit kernel for one with it":
        (QEMU, "list only=rdtsc.*", 0, "", (", 64-bit\n",)),
    "QEMU's own loader is given the 64-bit kernel on demand":
        (QEMU, "via=kernel bits=64 list only=rdtsc.*", 0, "", (", 64-bit\n", "multiboot 1 by qemu")),
    "x2apic on a processor without x2APIC is named":
        ("qemu:pentium3", "x2apic", 2, "CPUID.1:ECX[21] (x2APIC) = 0", ()),
    "only= that matches nothing is a broken run":
        (QEMU, "only=no.such.test", 2, "only=", ("Bail out!", "# end of run: status 2")),
    "a serial port that cannot be is named":
        (QEMU, "via=kernel console=io,0xffff9", 2, "0xffff9", ("Bail out!", "# end of run: status 2")),
    "the list of tests is no failure":
        (QEMU, "list", 0, "", ("1..0 # SKIP list", "# end of run: status 0")),
    "too little memory is a sentence":
        (QEMU, "via=kernel mem=4", 2, "memory", ("Bail out!", "# end of run: status 2")),
    "a machine without a local APIC is no broken run":
        (QEMU, "via=kernel apic=no only=rdpmc.*", 0, "", ("# end of run: status 0",)),
    "without a serial port a silent guest is a broken run":
        (QEMU, "serial=no timeout=3 broken only=broken.silence", 2, "did not change for 3 s", ()),
    "without a serial port a triple fault is a broken run":
        (QEMU, "serial=no broken only=broken.triple_fault", 2, "the emulator ended", ()),
}


class Guest(runtest.Case):
    """Each test is one run."""

    def test_late_reader(self):
        """a host that does not read for a second loses nothing of the guest's output"""
        board, _, words = machine.split(["only=platform.exceptions.*"])
        with contextlib.closing(Handover(board, words)) as handover:
            fcntl.fcntl(handover.serial_reader, fcntl.F_SETPIPE_SZ, 4096)
            try:
                argv = qemu.command("Nehalem", board, handover)
            except problems.Unavailable as reason:
                self.skipTest(str(reason))
            with Emulator(argv, handover, subprocess.DEVNULL, qemu.BOOT_SECONDS) as guest:
                lines = guest.lines(io.BytesIO(), taptest.NEVER_LONGER)
                said = [next(lines)]
                time.sleep(1)
                for line in lines:
                    said.append(line)
                    if END.match(line):             # the guest stays on
                        break
        self.assertEqual(said[-1], "# end of run: status 1", said[-5:])


if __name__ == "__main__":
    runtest.main(Guest, RUNS)
