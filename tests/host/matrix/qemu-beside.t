#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The model in QEMU beside the model in Bochs: what tests report and do not judge is the same, but for a known few."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import qemutest                                     # noqa: E402
import taptest                                      # noqa: E402
from runner import logfile                          # noqa: E402
from runner.campaigns import compare                # noqa: E402

WHY_NOT = qemutest.why_not()
# What the two machines have otherwise: the TSC's ticks in a HLT, the firmware's handler of SMIs. docs/qemu-model.md.
MACHINES = {"arch.cycles.halted_inverted", "smm.lbr", "ibs.smm"}
# By chance: what IBS tags depends on where the kernel's data lies in caches that the loader has used.
SAMPLED = {"ibs.experiment.samples"}
RUNS = (
    ("corei7_haswell_4770",),
    ("zambezi",),
    ("ryzen", "as=zen4"),
)
WITHOUT = "skip=platform.*,vmx.*"


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Beside(unittest.TestCase):

    def log(self, folder, target, *words):
        run = taptest.Run(target, *words, "via=kernel", "bits=64", WITHOUT)
        self.assertEqual(run.status, 0, run)
        path = pathlib.Path(folder, target.partition(":")[0])
        path.write_text("\n".join([*run.out, ""]))
        return logfile.read(path, False)

    def test_reported(self):
        """no reported value differs but those of the machines, and none but QEMU's deviations is judged otherwise"""
        for cpu, *words in RUNS:
            with self.subTest(cpu=cpu), tempfile.TemporaryDirectory() as folder:
                pair = compare.Pair(*(self.log(folder, f"{target}:{cpu}", *words) for target in ("model", "qemu-model")))
                other = {test.test for test in pair.sections[compare.OTHER_VALUES]}
                self.assertEqual(other - MACHINES - SAMPLED, set())


if __name__ == "__main__":
    taptest.main()
