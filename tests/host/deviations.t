#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recorded deviations: a recorded failure is quiet, a new one is red, and so is one that is gone."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import taptest                                      # noqa: E402
from runner import deviations, guest, layout, tap, verdict      # noqa: E402
from runner.problems import Problem                 # noqa: E402
from runner.report import Report                    # noqa: E402

RUN = """\
TAP version 13
1..3
ok 1 - passes
  ---
  reported: "7"
  ...
not ok 2 - fails
  ---
  severity: fail
  what: "PMC[0]"
  got: "#UD"
  also:
    - what: "PMC[1]"
      got: "#UD"
  ...
ok 3 - skips # SKIP x = 0
# end of run: status 1
"""
HEAD = ",".join(deviations.COLUMNS)


def row(test, what="*", got="*", severity=""):
    return deviations.Row("*", test, what, got, "no PMU", "manual", severity, "x.csv:2")


def skip(test, reason):
    return deviations.SkipRow("*", test, reason, "s.csv:2")


def judge(text, *rows, skips=None):
    """Exit status and output of a run where these deviations are recorded, and these skips."""
    run, lines = tap.Transcript(), []
    report = Report(rows, ["tests/boot", "x:y"], lines.append, skips)
    for line in text.splitlines():
        report.take(run.feed(line))
    assert not verdict.what_is_broken(run, guest.CLOSED, 10, 300)
    again = tap.Transcript()
    for line in lines:
        again.feed(line)
    assert not again.malformed, again.malformed         # what is printed is TAP again
    return report.status, lines


class Skips(unittest.TestCase):
    """Where a list says which skips are allowed, no other one passes for a result."""

    def test_allowed(self):
        """a skip that the list has is a skip"""
        status, lines = judge(RUN, row("fails"), skips=[skip("ski*", "x = *")])
        self.assertEqual(status, 0)
        self.assertIn("ok 3 - skips # SKIP x = 0", lines)

    def test_several_globs(self):
        """a row may name several tests; a target that no row names is not checked"""
        self.assertEqual(judge(RUN, row("fails"), skips=[skip("x.* sk*s", "*")])[0], 0)
        self.assertIsNone(deviations.load_skips("model", "no_such_processor"))
        self.assertTrue(deviations.load_skips("model", "corei7_haswell_4770"))

    def test_not_listed(self):
        """a skip that the list does not have is a failure with the reason"""
        status, lines = judge(RUN, row("fails"), skips=[])
        self.assertEqual(status, 1)
        self.assertIn("not ok 3 - skips", lines)
        self.assertIn('  got: "x = 0"', lines)
        self.assertIn("# end of run: status 1", lines)

    def test_other_reason(self):
        """a skip for another reason than the list's is a failure that names the row"""
        status, lines = judge(RUN, row("fails"), skips=[skip("skips", "y = *")])
        self.assertEqual(status, 1)
        self.assertIn('  at: "s.csv:2"', lines)

    def test_did_not_happen(self):
        """a test that runs although the list has it is a failure: the list is wrong"""
        status, lines = judge(RUN, row("fails"), skips=[skip("*s*s", "*"), skip("skips", "*")])
        self.assertEqual(status, 1)
        self.assertIn("not ok 1 - passes", lines)
        self.assertIn('  got: "the test ran"', lines)


class Marking(unittest.TestCase):
    """What becomes of a result for which deviations are recorded."""

    def test_recorded(self):
        """a failure with all its checks recorded is TODO, with its block"""
        status, lines = judge(RUN, row("fails", "PMC[?]", "#UD"))
        self.assertEqual(status, 0)
        self.assertIn("not ok 2 - fails # TODO no PMU (manual)", lines)
        self.assertIn('  what: "PMC[0]"', lines)
        self.assertEqual(lines[-1], "# end of run: status 0")

    def test_two_rows(self):
        """two rows may cover one test"""
        self.assertEqual(judge(RUN, row("fails", "PMC[0]"), row("fails", "PMC[1]"))[0], 0)

    def test_partly(self):
        """one new failed check makes the test red"""
        status, lines = judge(RUN, row("fails", "PMC[0]"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 2 - fails", lines)

    def test_other_value(self):
        """another wrong value than the recorded one is red"""
        self.assertEqual(judge(RUN, row("fails", "*", "#GP(0)"))[0], 1)

    def test_gone(self):
        """a test that passes against its record is red and says so in its block"""
        status, lines = judge(RUN, row("fails"), row("passes"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 1 - passes", lines)
        self.assertIn('  got: "did not happen"', lines)
        self.assertIn('  at: "x.csv:2"', lines)
        self.assertNotIn('  reported: "7"', lines)

    def test_gone_beside_recorded(self):
        """a row that covers nothing is red even if another one covers the failure"""
        status, lines = judge(RUN, row("fails"), row("fails", "PMC[9]"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 2 - fails", lines)
        self.assertTrue(any("did not happen" in line for line in lines))

    def test_skipped(self):
        """a skipped test and one that did not run say nothing about their records"""
        self.assertEqual(judge(RUN, row("fails"), row("skips"), row("not.there"))[0], 0)

    def test_error(self):
        """a test that dies is red unless the row is about dying"""
        text = RUN.replace("severity: fail", "severity: error")
        self.assertEqual(judge(text, row("fails"))[0], 1)
        self.assertEqual(judge(text, row("fails", severity="error"))[0], 0)

    def test_not_shown(self):
        """checks that the guest counts but does not show are covered by a row of their own only"""
        text = RUN.replace('  also:', '  not_shown: 7\n  also:')
        self.assertEqual(judge(text, row("fails", "PMC*"))[0], 1)
        self.assertEqual(judge(text, row("fails", "PMC*"), row("fails", "not_shown", "7"))[0], 0)

    def test_no_block(self):
        """a failure without a block is never a recorded one"""
        text = "TAP version 13\n1..1\nnot ok 1 - fails\n# end of run: status 1\n"
        self.assertEqual(judge(text, row("fails"))[0], 1)


class Tables(unittest.TestCase):
    """The files in tests/targets/deviations."""

    def load(self, text, cpu="Nehalem", version="7.2.22", words=()):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "x.csv").write_text(text)
            return deviations.load("x", cpu, version, words, pathlib.Path(folder))

    def test_targets(self):
        """a row holds for the CPUs its glob names"""
        text = f'# SPDX\n{HEAD}\nx Neh*,a,"w, x",g,r,s,\npentium,b,w,g,r,s,error\n'
        rows = self.load(text)
        self.assertEqual([(r.id, r.what, r.at.rpartition(":")[2]) for r in rows], [("a", "w, x", "3")])
        self.assertEqual([r.severity for r in self.load(text, "pentium")], ["error"])

    def test_versions(self):
        """a row with a version holds for that version of the emulator alone"""
        text = f"{HEAD}\npentium Neh*@7.*,a,w,g,r,s,\n"
        for cpu, version, count in (("Nehalem", "7.2.22", 1), ("Nehalem", "10.0.13", 0),
                                    ("Nehalem", "", 0), ("pentium", "10.0.13", 1),
                                    ("EPYC", "7.2.22", 0)):
            with self.subTest(cpu=cpu, version=version):
                self.assertEqual(len(self.load(text, cpu, version)), count)

    def test_words(self):
        """a row with a word holds for runs with that word alone"""
        text = f"{HEAD}\nNeh*+x2apic,a,w,g,r,s,\n"
        self.assertEqual(self.load(text), [])
        self.assertEqual(len(self.load(text, words=["list", "x2apic"])), 1)

    def test_bad_rows(self):
        """a row with a missing column, reason or source is named by file and line"""
        for bad in ("a,b,c", "*,a,w,g,,s,", "*,a,w,g,r,,", "*,a,w,g,r,s,loud"):
            with self.subTest(bad), self.assertRaisesRegex(Problem, r"x\.csv:2: "):
                self.load(f"{HEAD}\n{bad}\n")

    def test_globs(self):
        """only * and ? are special in a glob"""
        for glob, string, matches in (("*", "", True), ("a*c", "abc", True), ("a?c", "ac", False),
                                      ("CR4[8]", "CR4[8]", True), ("CR4[8]", "CR48", False),
                                      ("a.c", "abc", False), ("A", "a", False)):
            with self.subTest(glob):
                self.assertEqual(deviations.glob_matches(glob, string), matches)

    def test_ours(self):
        """the tables of the project can be read"""
        for folder, columns in ((layout.DEVIATIONS, deviations.COLUMNS),
                                (layout.SKIPS, deviations.SKIP_COLUMNS)):
            for path in sorted(folder.glob("*.csv")):
                with self.subTest(path.name):
                    self.assertIsInstance(list(deviations.rows_of(path, columns)), list)


if __name__ == "__main__":
    taptest.main()
