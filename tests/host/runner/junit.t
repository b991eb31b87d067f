#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""JUnit XML of a matrix: what passed, failed, was skipped or recorded, and programs that ended early."""
import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import numbers                          # noqa: E402
from runner.turns import junit                  # noqa: E402

GUEST = """TAP version 13
1..5
ok 1 - a.one
not ok 2 - a.two@cpu1
  ---
  what: "IA32_PMC0"
  got: "7"
  want: "8"
  also:
    - what: "IA32_PMC1"
      got: "9"
  ...
ok 3 - a.three # SKIP CPUID.1:ECX[15] = 0
not ok 4 - a.four # TODO the emulator's own
ok 5 - rdtsc@cpu0-1 # SKIP 2 tests: no TSC
  ---
  tests: "%s"
  ...
"""
RDTSC = [number for number, name in numbers.names().items() if name.startswith("rdtsc.")][:2]
GUEST %= "-".join(map(str, RDTSC))


class JUnit(unittest.TestCase):

    def write(self, text, **facts):
        """Returns the suite of one program, as an XML reader sees it."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "junit.xml"
            junit.write(path, [junit.Suite("build/matrix/a.t", text, **facts)])
            self.root = ET.parse(path).getroot()
        return self.root[0]

    def test_kinds(self):
        """each result is what TAP says, by its name without a number, with reason or values"""
        suite = self.write(GUEST, seconds=2.5)
        self.assertEqual({key: suite.get(key) for key in ("name", "time", "tests", "failures", "errors", "skipped")},
                         {"name": "build/matrix/a.t", "time": "2.500", "tests": "8", "failures": "1", "errors": "0",
                          "skipped": "5"})
        self.assertEqual([case.get("name") for case in suite], [
            "a.one", "a.two@cpu1", "a.three", "a.four",
            *(f"{numbers.names()[number]}{cpu}" for number in RDTSC for cpu in ("", "@cpu1"))])
        self.assertEqual(suite[7][0].get("message"), "no TSC")
        self.assertEqual({case.get("classname") for case in suite}, {"build.matrix.a_t"})
        self.assertEqual(suite[1][0].get("message"), 'what "IA32_PMC0", got "7", want "8"')
        self.assertIn('what: "IA32_PMC1"', suite[1][0].text)
        self.assertEqual(suite[2][0].get("message"), "CPUID.1:ECX[15] = 0")
        self.assertEqual([child.tag for child in suite[3]], ["system-out"])

    def test_erratum(self):
        """an erratum is no failure, and told apart from a recorded deviation"""
        suite = self.write("1..2\nnot ok 1 - a # TODO erratum SKL091: REP\nnot ok 2 - b # TODO the emulator's own\n")
        self.assertEqual([case[0].text for case in suite], ["erratum SKL091: REP", "TODO the emulator's own"])
        self.assertEqual(suite.get("failures"), "0")

    def test_early(self):
        """a program that says less than its plan, or nothing, is an error"""
        self.assertEqual(self.write("1..2\nok 1 - one\n")[-1][0].get("message"), "1 results, planned were 2")
        self.assertEqual(self.write("")[-1][0].get("message"), "0 results, planned were none")
        self.assertEqual(self.root.get("errors"), "1")

    def test_whole_skip(self):
        """a program that skips all has one skipped case with the reason"""
        suite = self.write("1..0 # SKIP no /dev/kvm\n")
        self.assertEqual((suite.get("tests"), suite.get("errors"), suite[0][0].get("message")),
                         ("1", "0", "no /dev/kvm"))

    def test_characters(self):
        """a character that no XML may have is replaced"""
        suite = self.write("1..1\nnot ok 1 - a\x1b[1m\n# odd \x00\n")
        self.assertEqual((suite[0].get("name"), suite[0][0].text), ("a?[1m", "# odd ?"))

    def test_times(self):
        """prove's file of states gives the seconds of each program, and a missing one none"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "prove.yml"
            self.assertEqual(junit.elapsed(path), {})
            path.write_text("---\ntests:\n  build/matrix/a.t:\n    elapsed: 0.75\n    gen: 1\n...\n")
            self.assertEqual(junit.elapsed(path), {"build/matrix/a.t": 0.75})


if __name__ == "__main__":
    taptest.main()
