#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/quirks: which results catch a quirk, and which do not."""
import argparse
import contextlib
import dataclasses
import io
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402,F401  (finds the runner)
from runner.people.show import Screen                      # noqa: E402
from runner import logfile, tap # noqa: E402
from runner.campaigns import liberties, quirks, quirks_run # noqa: E402
from runner.defects import rows # noqa: E402

FAILED = ["  ---", "  severity: fail", '  what: "LVTPC[16]: mask"', '  got: "0"', '  want: "1"', "  ..."]
DIED = ["  ---", "  severity: error", '  what: "the test hung"', '  got: "a hang"', "  ..."]


def judged(*results, status=1, test="a.b", what="LVTPC[16]"):
    """Returns the verdict on a quirk whose run gave these results."""
    quirk = quirks.Quirk("name", "D1", "cpu", test, what, "defect", "source")
    with mock.patch.object(quirks, "boot", lambda *_: (status, list(results), "complaint")):
        verdict = quirks.judge(quirk)
    return verdict.good, verdict.sentence


def run(known, booted=(0, [], "")):
    """Returns the output of a whole run of these quirks, its log, and its boots."""
    boots, said = [], io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "quirks.tap"
        with mock.patch.object(quirks, "boot", lambda *a: boots.append(a) or booted), \
                mock.patch.object(quirks, "load", lambda: known), \
                mock.patch.object(quirks_run, "TAP", path), \
                mock.patch.object(quirks_run.bochs, "share"), \
                mock.patch.object(quirks_run, "Screen", lambda: Screen(said)):
            quirks_run.run_all(["*"], False)
        return said.getvalue(), logfile.read(path), boots


def result(ok=False, directive="", block=FAILED, test="a.b"):
    return tap.Result(ok, 1, test, directive, "reason", block)


class Judging(unittest.TestCase):

    def test_caught(self):
        """a failure of the named test at the named register is a catch, with the values"""
        self.assertEqual(judged(result()), (True, "LVTPC[16]: mask: got 0, want 1"))

    def test_elsewhere(self):
        """a failure at another register is no catch"""
        self.assertEqual(judged(result(), what="IA32_PMC0"), (False, "RED ELSEWHERE: LVTPC[16]: mask (a.b)"))

    def test_survived(self):
        """a pass, or a skip, is no catch"""
        self.assertEqual(judged(result(ok=True, block=[]), status=0), (False, "SURVIVED (a.b)"))
        self.assertIn("SURVIVED", judged(result(ok=True, directive="SKIP", block=[]), status=0)[1])

    def test_died(self):
        """a test that dies is no catch"""
        self.assertFalse(judged(result(block=DIED))[0])
        self.assertIn("DIED", judged(result(block=DIED))[1])

    def test_broken(self):
        """a broken run, and a missing test, are no catch"""
        self.assertEqual(judged(status=2), (False, "BROKEN RUN: complaint"))
        self.assertIn("NO TEST a.b", judged(result(test="x.y"))[1])

    def test_processors(self):
        """a failure on any processor is a catch, which names the processor"""
        green = [result(ok=True, block=[]), result(ok=True, block=[], test="a.b@cpu1")]
        self.assertEqual(judged(*green, result(test="a.b@cpu2")),
                         (True, "LVTPC[16]: mask: got 0, want 1 on cpu 2"))
        self.assertEqual(judged(*green, status=0), (False, "SURVIVED (a.b)"))
        self.assertFalse(judged(*green, result(test="x.y@cpu2"))[0])

    def test_words(self):
        """a quirk may have words for its machine; the suites are run healthy on that machine, too"""
        quirk = quirks.Quirk("name", "D1", "cpu", "a.b", "what", "defect", "source", "smp=1:1:2 x")
        self.assertEqual(quirk.arguments, ["smp=1:1:2", "x", "only=a.b"])
        plain = quirks.Quirk("plain", "D1", "cpu", "", "what", "defect", "source")
        self.assertEqual(plain.arguments, ["only=arch.*,rdpmc.*"])
        said, _, boots = run([quirk, plain, dataclasses.replace(quirk, name="again")])
        self.assertIn(("cpu", ["only=arch.*,rdpmc.*"]), boots)
        self.assertEqual(boots.count(("cpu", ["smp=1:1:2", "x", "only=a.*"])), 1)
        self.assertIn("\nFAIL, 0 of 2 quirks caught, 1 tests (", said)
        self.assertIn(["historical", "1", "2"], [line.split() for line in said.splitlines()])
        self.assertIn("\nFAILED   again\n         NO TEST a.b:\nrepeat   tests/quirks again\n", said)

    def test_several(self):
        """every named test must fail, the first one at the named place"""
        both = "a.b c.d"
        green = result(ok=True, block=[], test="c.d")
        self.assertTrue(judged(result(), result(test="c.d"), test=both)[0])
        self.assertEqual(judged(result(), green, test=both), (False, "SURVIVED (c.d)"))
        self.assertIn("NO TEST c.d", judged(result(), test=both)[1])
        self.assertIn("DIED", judged(result(), result(test="c.d", block=DIED), test=both)[1])
        self.assertFalse(judged(green, result(test="c.d"), test="c.d a.b", what="other")[0])

    def test_log(self):
        """build/quirks.tap has a result for each quirk, with its row and what was seen"""
        caught = quirks.Quirk("caught", "D1", "cpu", "a.b", "LVTPC[16]", "defect", "erratum X")
        gone = dataclasses.replace(caught, name="gone", test="x.y")
        _, found, _ = run([caught, gone], (1, [result()], ""))
        self.assertEqual([(each.id, each.ok) for each in found.results],
                         [("caught", True), ("gone", False), ("without-a-quirk:-cpu", False)])
        facts = found.results[0].facts()
        self.assertEqual((facts["id"], facts["cpu"], facts["test"], facts["kind"], facts["what"],
                          facts["got"], facts["want"]),
                         ("D1", "cpu", "a.b", "silicon erratum", "LVTPC[16]: mask", "0", "1"))

    def test_inexact(self):
        """without exact one red test of several is enough; what tests/defects/exact.csv lists has to survive"""
        quirk = quirks.Quirk("name", "D1", "cpu", "a.b c.d", "what", "defect", "source")
        green, red = result(ok=True, block=[]), result(test="c.d")
        for listed, results, good, said in (
                (set(), [green, red], True, "LVTPC[16]: mask: got 0"), (set(), [green], False, "SURVIVED"),
                ({"name"}, [green], True, "only exact sees it"), ({"name"}, [green, red], False, "take it off exact.csv"),
                (set(), [], False, "BROKEN RUN: complaint")):
            with mock.patch.object(quirks, "boot", lambda *_, results=results: (1, results, "complaint")), \
                    mock.patch.object(quirks, "exact_only", lambda listed=listed: listed):
                verdict = quirks.judge_inexact(quirk)
            self.assertEqual(verdict.good, good, verdict.sentence)
            self.assertIn(said, verdict.sentence)

    def test_nothing(self):
        """a quirk that changes nothing must survive"""
        self.assertTrue(judged(result(ok=True, block=[]), status=0, test="")[0])
        self.assertFalse(judged(result(), test="")[0])


class Liberties(unittest.TestCase):

    def test_ending(self):
        """each class of PMU has a row; a boot with a failed test is named with its command, and is status 1"""
        jobs = [liberties.Job(cpu, (rows.Row("", "late"),), 1) for cpu in ("pentium", "p4_willamette", "ryzen")]
        for red, status in (("ryzen", 1), ("none", 0)):
            said = io.StringIO()
            with mock.patch.object(liberties, "judge", lambda job, red=red: "1 red: a.b" if job.cpu == red else ""), \
                    mock.patch.object(liberties, "Screen", lambda said=said: Screen(said)):
                self.assertEqual(liberties.follow(jobs), status)
            lines = [line.split() for line in said.getvalue().splitlines()]
            for wanted in (["P5", "1", "-"], ["NetBurst", "1", "-"], ["AMD", *("-1" if status else "1-")]):
                self.assertIn(wanted, lines)
            self.assertIn(f"\n{'FAIL, 2' if status else 'PASS, 3'} of 3 boots without a failed test (", said.getvalue())
            self.assertEqual(bool(status), "FAILED   late on ryzen, seed 1\n         1 red: a.b\nrepeat   tests/boot "
                             "model:ryzen via=kernel serial=debug seed=1\n" in said.getvalue(), said.getvalue())


    def test_packed(self):
        """sets need one machine and have few liberties; each is in one set, on a processor of its own"""
        known = rows.liberties()
        jobs = liberties.packed(known, argparse.Namespace(cross=False, seed=1))
        self.assertEqual(sorted(row.name for job in jobs for row in job.taken), sorted(row.name for row in known))
        for job in jobs:
            self.assertLessEqual(len(job.taken), liberties.MOST)
            for key in ("words", "drops", "suites"):
                self.assertEqual(len({row.texts.get(key) for row in job.taken}), 1)
            for row in job.taken:
                self.assertIn(job.cpu, row.texts["cpu"].split() if row.texts["cpu"] != "all" else liberties.ALL)

    def test_set(self):
        """a set that fails is judged by its liberties alone: one that another hides passes, a set that fails together does not"""
        pair = liberties.Job("ryzen", (rows.Row("", "a"), rows.Row("", "b")), 1)
        for whole, alone, wanted in (("", "1 red: x", ""), ("the lines of a never ran", "", ""),
                                     ("1 red: x", "", "1 red: x; none of them fails alone"),
                                     ("1 red: x", "1 red: y", "1 red: x; a alone: 1 red: y; b alone: 1 red: y")):
            made = []

            def judge_boot(job, whole=whole, alone=alone, made=made):
                made.append("+".join(row.name for row in job.taken))
                return whole if len(job.taken) > 1 else alone
            with mock.patch.object(liberties, "judge_boot", judge_boot):
                self.assertEqual(liberties.judge(pair), wanted)
            self.assertEqual(made[1:], [] if not whole else ["a"] if "of a never" in whole else ["a", "b"])


class Shares(unittest.TestCase):
    """The quirks that `make test` runs."""

    def setUp(self):
        row = quirks.Quirk("nothing", "", "cpu", "", "", "", "")
        self.known = [row, *(dataclasses.replace(row, name=f"q{number}", test="a.b") for number in range(20))]

    def test_partition(self):
        """each quirk is in one of five shares, whose sizes differ by one at most; the control is in all"""
        shares = [quirks.share(self.known, number) for number in range(1, 6)]
        names = [[quirk.name for quirk in share if quirk.test] for share in shares]
        self.assertEqual(sorted(sum(names, [])), sorted(quirk.name for quirk in self.known[1:]))
        self.assertEqual(sorted(map(len, names)), [4] * 5)
        for share in shares:
            self.assertEqual(share[0].name, "nothing")

    def test_commit(self):
        """a commit has the same share each time, any share can be a commit's, and without git it is the first"""
        self.assertEqual({quirks.turn(f"{number:040x}") for number in range(15)}, {1, 2, 3, 4, 5})
        self.assertEqual(quirks.turn(quirks.commit()), quirks.turn(quirks.commit()))
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            self.assertEqual((quirks.commit(), quirks.turn("")), ("", 1))
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(quirks.layout, "ROOT", pathlib.Path(folder)):
            self.assertEqual(quirks.commit(), "")

    def test_said(self):
        """a run of a share says which one, of which commit, how many of how many, how to run all"""
        said = io.StringIO()
        for commit, sentence in (("f" * 40, "share 1/5, the turn of commit ffffffff: 5 of 21"),
                                 ("", "share 1/5, as git knows no commit here: 5 of 21")):
            with mock.patch.object(quirks, "commit", lambda commit=commit: commit), \
                    contextlib.redirect_stdout(said):
                chosen = quirks_run.choose_share(self.known)
            self.assertEqual(len(chosen), 5)
            self.assertIn(f"{sentence}; make test QUIRKS=all runs all\n", said.getvalue())

    def test_words(self):
        """--some and a name exclude each other"""
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(quirks_run.main(["--some", "nothing"]), 2)
        self.assertIn("usage: tests/quirks", said.getvalue())

    def test_log(self):
        """a run of a share leaves the log of the last run of all alone"""
        with mock.patch.object(quirks, "boot", lambda *_: (0, [], "")), \
                mock.patch.object(quirks, "load", lambda: self.known), \
                mock.patch.object(quirks_run, "write_log") as write, \
                mock.patch.object(quirks_run.bochs, "share"), \
                mock.patch.object(quirks_run, "Screen", lambda: Screen(io.StringIO())), \
                contextlib.redirect_stdout(io.StringIO()):
            quirks_run.run_all(["*"], True, True)
            write.assert_not_called()
            quirks_run.run_all(["*"], True)
            write.assert_called_once()


if __name__ == "__main__":
    taptest.main()
