#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/show: it shows a run as a table, and keeps the command's own exit status."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

RUN = """\
TAP version 13
# cpu: a test
1..5
ok 1 - arch.a.one
not ok 2 - arch.a.two
  ---
  severity: fail
  what: "IA32_PMC0"
  got: "1"
  want: "2"
  why: "it counts"
  ...
ok 3 - arch.b.one # SKIP version 1
not ok 4 - arch.b.two # TODO known (manual)
not ok 5 - arch.b.three # TODO erratum SKL091: it counts twice
# verdict: FAIL, 1 of 4
# end of run: status 1
"""


SEVERAL = """\
TAP version 13
# cpu 0: APIC ID 0
# cpu 1: APIC ID 1
# cpu 2: APIC ID 2
1..6
ok 1 - arch.a.one # SKIP version 1
ok 2 - arch.a.one@cpu1 # SKIP version 1
ok 3 - arch.a.one@cpu2 # SKIP version 1
not ok 4 - arch.a.two
  ---
  what: "IA32_PMC0"
  got: "1"
  ...
not ok 5 - arch.a.two@cpu1
  ---
  what: "IA32_PMC0"
  got: "1"
  ...
not ok 6 - arch.a.two@cpu2
  ---
  what: "IA32_PMC0"
  got: "2"
  ...
# verdict: FAIL
# end of run: status 1
"""


def show(*command):
    return subprocess.run([taptest.TESTS / "show", *command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False,
                          timeout=taptest.NEVER_LONGER)


class Show(unittest.TestCase):

    def test_summary(self):
        """head, table, failure, skip and verdict are shown; the status is the command's"""
        done = show("sh", "-c", f"cat <<'END'\n{RUN}END\nexit 1")
        lines = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, 1)
        for wanted in (["cpu:", "a", "test"], ["arch.a", "1", "1", "-", "-", "-"],
                       ["arch.b", "-", "-", "1", "1", "1"], ["all", "1", "1", "1", "1", "1"],
                       ["FAILED", "arch.a.two"], ["what", "IA32_PMC0"], ["want", "2"],
                       ["skipped:", "version", "1:", "arch.b.one"]):
            self.assertIn(wanted, lines)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("FAIL, 1 of 4"))
        self.assertNotIn("\033", done.stdout)       # colours are for terminals

    def test_processors(self):
        """results on all processors are one suite; equal failures are shown once, skips by test"""
        done = show("sh", "-c", f"cat <<'END'\n{SEVERAL}END\nexit 1")
        lines = [line.split() for line in done.stdout.splitlines()]
        for wanted in (["arch.a", "-", "3", "-", "-", "3"], ["FAILED", "arch.a.two", "arch.a.two@cpu1"],
                       ["FAILED", "arch.a.two@cpu2"],
                       ["skipped:", "version", "1:", "arch.a.one"]):
            self.assertIn(wanted, lines)
        self.assertEqual(lines.count(["what", "IA32_PMC0"]), 2)

    def test_no_output(self):
        """a silent command has no verdict"""
        done = show("sh", "-c", "exit 77")
        self.assertEqual(done.returncode, 77)
        self.assertIn("the run has no verdict", done.stdout)

    def test_unreadable(self):
        """a block that cannot be read is a sentence and status 2, whatever the command's status is"""
        done = show("printf", "TAP version 13\\n1..1\\nnot ok 1 - a\\n  ---\\n  got: \"x\\n  ...\\n# end of run: status 1\\n")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("a result's block cannot be read", done.stderr)

    def test_no_command(self):
        """a missing command is a sentence and status 2"""
        done = show("/no/such/command")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^tests/show: /no/such/command: No such file")

    def test_nobody_reads(self):
        """a reader that leaves ends it without a traceback"""
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([taptest.TESTS / "show", "echo", "TAP version 13"], stdout=writer,
                              stderr=subprocess.PIPE, text=True, check=False,
                              timeout=taptest.NEVER_LONGER)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (2, ""))


if __name__ == "__main__":
    taptest.main()
