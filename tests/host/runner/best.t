#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The target `best`: its choice on several hosts, and the sentence with the reason."""
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import best, machine                    # noqa: E402
from runner.problems import Unavailable             # noqa: E402
from targets import bochs, kvm, model, qemu         # noqa: E402

PLAIN = machine.Machine()


def missing(*_, **__):
    raise Unavailable("it is not here")


class Best(unittest.TestCase):
    """Tests hosts with and without the better targets."""

    def choose(self, **differences):
        """Returns the choice on a host whose targets these functions describe."""
        host = {"kvm": mock.Mock(), "model": mock.Mock(), "bochs": mock.Mock(),
                "qemu": mock.Mock(), **differences}
        with mock.patch.object(kvm, "prepare", host["kvm"]), \
                mock.patch.object(model, "prepare", host["model"]), \
                mock.patch.object(bochs, "prepare", host["bochs"]), \
                mock.patch.object(qemu, "prepare", host["qemu"]):
            return best.choose(PLAIN)

    def test_kvm(self):
        """KVM with a virtual PMU is the best"""
        target, sentence = self.choose()
        self.assertEqual(target, "kvm:host")
        self.assertNotIn("because", sentence)

    def test_model(self):
        """without such a KVM the PMU model is chosen"""
        self.assertEqual(self.choose(kvm=missing)[0], "model:arrow_lake")

    def test_bochs(self):
        """without KVM and the model Bochs is chosen, and the sentence says why"""
        target, sentence = self.choose(kvm=missing, model=missing)
        self.assertEqual(target, "bochs:corei7_haswell_4770")
        self.assertIn("kvm: it is not here", sentence)

    def test_qemu(self):
        """without these three QEMU's translator is chosen"""
        host = {"kvm": missing, "model": missing, "bochs": missing}
        self.assertEqual(self.choose(**host)[0], "qemu:Nehalem")

    def test_nothing(self):
        """without any of them the target is not available"""
        with self.assertRaisesRegex(Unavailable, "no target"):
            self.choose(kvm=missing, model=missing, bochs=missing, qemu=missing)

    def test_no_device(self):
        """a missing /dev/kvm is named"""
        with mock.patch.object(kvm, "DEVICE", "/nowhere/kvm"):
            self.assertIn("does not exist", kvm.why_no_kvm())

    def test_no_permission(self):
        """a /dev/kvm that cannot be opened is named with the reason"""
        refused = PermissionError(13, "Permission denied")
        with mock.patch.object(kvm, "DEVICE", "/dev/null"), \
                mock.patch.object(kvm.os, "open", side_effect=refused):
            _, sentence = self.choose(kvm=REAL_PREPARE)
        self.assertIn("/dev/null cannot be opened: Permission denied", sentence)

    def test_no_pmu(self):
        """a KVM without a virtual PMU is passed over with the values that say so"""
        with mock.patch.object(kvm, "DEVICE", "/dev/null"), \
                mock.patch.object(kvm.fcntl, "ioctl", return_value=0):
            target, sentence = self.choose(kvm=REAL_PREPARE)
        self.assertNotEqual(target, "kvm:host")
        self.assertIn("KVM_CAP_PMU_CAPABILITY is 0", sentence)


REAL_PREPARE = kvm.prepare

if __name__ == "__main__":
    taptest.main()
