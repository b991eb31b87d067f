#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Defects of the model behind KVM: a guest sees what KVM passes on, and not what KVM does itself."""
import os
import subprocess
import sys
import unittest

HOST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HOST)
import taptest                                      # noqa: E402

TARGET = "kvm-on-model:corei7_haswell_4770"
# The guest's counters are the model's, through perf: it counts what they count.
SEEN = (("usr-is-cpl-3", "arch.filters.cpl1", "CPL 1, OS = 1, USR = 0: IA32_PMC0"),
        ("far-branches-uncounted", "arch.branches.far_jmp", "far_jmp, rounds: 1: IA32_PMC0"),
        ("misses-are-branches", "arch.branches.misses.constant", "a branch never taken"))
# The guest's RDPMC exits to KVM, which emulates it.
HIDDEN = ("rdpmc-uses-upper-rcx", "rdpmc.wide")


def boot(quirk, test, *words):
    return subprocess.run([taptest.TESTS / "boot", TARGET, *words, f"only={test}"], capture_output=True, text=True, check=False,
                          env={**os.environ, "PMU_QUIRK": quirk} if quirk else None)


class Kvm(unittest.TestCase):

    def test_seen(self):
        """three defects of counters fail the guest's tests at the count that they change"""
        for quirk, test, what in SEEN:
            run = boot(quirk, test)
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertIn(f'what: "{what}"', run.stdout)

    def test_hidden(self):
        """a defect of RDPMC, which KVM emulates, is not seen by the guest"""
        quirk, test = HIDDEN
        run = boot(quirk, test)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, rf"(?m)^ok 1 - {test}$")

    def test_refused(self):
        """a run that asks for a mediated PMU and does not get it is broken, with the reason"""
        run = boot("", "rdpmc.wide", "linux=7.3", "vpmu=mediated")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("KVM has not taken enable_mediated_pmu=1", run.stderr)

    def test_words(self):
        """words that do not go together are refused before a boot"""
        for words, said in ((["vpmu=mediated"], "vpmu=mediated goes with linux=7.3 and linux=newest, not with 6.1"),
                            (["features=pmu=off"], "features= goes with vmm=qemu"),
                            (["vmm=qemu", "features=pmu"], "the word 'features=pmu' is not understood")):
            run = boot("", "rdpmc.wide", *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
            self.assertIn(said, run.stderr)

    def test_green(self):
        """without a defect the same tests pass"""
        run = boot("", ",".join((*(test for _, test, _ in SEEN), HIDDEN[1])))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    taptest.main()
