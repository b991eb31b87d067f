#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The folder of logs of machines: its page is today's, and a log that breaks its rules is named."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import version                          # noqa: E402

RESULTS = taptest.ROOT / "results"
HASWELL = "model-corei7_haswell_4770-2026-11-23.log"
LOG = taptest.checked(f"""\
TAP version 13
{version.head("64-bit")}
# cpu: GenuineIntel family 6H model 3CH stepping 3H, microcode 28H
# boot: multiboot 1 by GRUB 2.06, BIOS, 127 MB
1..2
ok 1 - a.one
ok 2 - a.two
# end of run: status 0
""")


def page(folder=RESULTS):
    return subprocess.run([taptest.TESTS / "generate" / "results-page", folder], text=True, capture_output=True,
                          check=False)


class Results(unittest.TestCase):

    def test_committed(self):
        """results/README.md is what the logs say"""
        made = page()
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertEqual((RESULTS / "README.md").read_text(encoding="utf-8"), made.stdout, "run make docs")
        self.assertIn("**No log of hardware is here yet.**\n", page(pathlib.Path("/nowhere")).stdout)

    def test_rules(self):
        """a wrong name, a log that names its owner, and one that is cut off are named; others are shown"""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount, results "))
        self.addCleanup(shutil.rmtree, folder)
        for name, content in ((HASWELL, LOG), ("haswell.log", LOG), ("hardware-x-2026-11-23.log", f"bob\n{LOG}"),
                              ("kvm-x-2026-11-23.log", LOG.partition("ok 2")[0])):
            (folder / name).write_text(content, encoding="ascii")
        made = page(folder)
        self.assertEqual(made.returncode, 1)
        self.assertRegex(made.stderr, r"hardware-x-2026-11-23.log: tests/anonymise would change it\n"
                                      r"haswell.log: not HOW-MACHINE-DATE.log\n"
                                      r"kvm-x-2026-11-23.log: .*:\d+: the log is cut off")
        self.assertEqual(made.stdout.count("\n| ["), 1)

    def test_compared(self):
        """a machine's log is beside the model's of the same family and model, test by test"""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount, results "))
        self.addCleanup(shutil.rmtree, folder)
        failed = taptest.resummed(LOG.replace("\nok 2 - ", "\nnot ok 2 - ").replace("status 0", "status 1"))
        (folder / HASWELL).write_text(LOG, encoding="ascii")
        (folder / "hardware-desk-2026-11-24.log").write_text(failed, encoding="ascii")
        made = page(folder)
        self.assertEqual(made.stderr, "")
        self.assertIn("tests ran in both.\n- 1 failed here alone: `a.two`\n", made.stdout)
        self.assertIn("| [desk](hardware-desk-2026-11-24.log) | real machine | 2026-11-24 |", made.stdout)
        self.assertNotIn("No log of hardware", made.stdout)


if __name__ == "__main__":
    taptest.main()
