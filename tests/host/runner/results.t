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

RESULTS = taptest.ROOT / "results"
HASWELL = "model-corei7_haswell_4770-2026-11-23.log"


def page(folder=RESULTS):
    return subprocess.run([taptest.TESTS / "generate" / "results-page", folder], text=True, capture_output=True,
                          check=False)


class Results(unittest.TestCase):

    def test_committed(self):
        """results/README.md is what the logs say"""
        made = page()
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertEqual((RESULTS / "README.md").read_text(encoding="utf-8"), made.stdout, "run make docs")

    def test_rules(self):
        """a wrong name, a log that names its owner, and one that is cut off are named; others are shown"""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="barecount, results "))
        self.addCleanup(shutil.rmtree, folder)
        text = (RESULTS / HASWELL).read_text(encoding="ascii")
        for name, content in ((HASWELL, text), ("haswell.log", text),
                              ("hardware-x-2026-11-23.log", f"bob\n{text}"), ("kvm-x-2026-11-23.log", text[:9000])):
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
        text = (RESULTS / HASWELL).read_text(encoding="ascii")
        failed = taptest.resummed(text.replace("\nok 20 - ", "\nnot ok 20 - ", 1).replace("status 0", "status 1"))
        test = text.partition("\nok 20 - ")[2].split()[0]
        (folder / HASWELL).write_text(text, encoding="ascii")
        (folder / "hardware-desk-2026-11-24.log").write_text(failed, encoding="ascii")
        made = page(folder)
        self.assertEqual(made.stderr, "")
        self.assertIn(f"- 1 failed here alone: `{test}`\n", made.stdout)
        self.assertIn("| [desk](hardware-desk-2026-11-24.log) | real machine | 2026-11-24 |", made.stdout)
        self.assertNotIn("No real machine's log", made.stdout)


if __name__ == "__main__":
    taptest.main()
