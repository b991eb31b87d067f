#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recorded deviations: a recorded failure passes; a new one fails, and so does one that did not happen."""
import csv
import dataclasses
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import deviations, guest, layout, numbers, tap, verdict     # noqa: E402
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
FAILS = """\
  ---
  severity: fail
  what: "PMC[0]"
  got: "#UD"
  repeat: "only=fails"
  ...
"""
SEVERAL = f"""\
TAP version 13
# Barecount 0.9.0, schema 2, 64-bit
# cpus: 3 run, of 3 in the MP table: packages 3, cores 3, threads 3, by CPUID.1
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 1, core 0, thread 0
# cpu 2: APIC ID 2, package 2, core 0, thread 0
1..7
ok 1 - passes
  ---
  reported: "7"
  ...
ok 2 - passes@cpu1
ok 3 - passes@cpu2 # SKIP x = 0
not ok 4 - fails
{FAILS}ok 5 - fails@cpu1
not ok 6 - fails@cpu2
{FAILS}ok 7 - last
# verdict: FAIL
# end of run: status 1
"""
RANGES = f"""\
{SEVERAL[:SEVERAL.index("1..7")]}1..3
ok 1 - passes@cpu0-2
ok 2 - fails
not ok 3 - fails@cpu1-2
{FAILS}# verdict: FAIL
# end of run: status 1
"""
HEAD = ",".join(deviations.COLUMNS)


def row(test, what="*", got="*", severity=""):
    return deviations.Row("*", test, what, got, "no PMU", "manual", severity, "x.csv:2")


def skip(test, reason):
    return deviations.SkipRow("*", test, reason, "s.csv:2")


def family(count):
    """Returns a run that skips this many tests of a family."""
    tests = [number for number, name in numbers.names().items() if name.startswith("rdtsc.")][:count]
    return (f"TAP version 13\n1..2\nok 1 - a\nok 2 - rdtsc # SKIP {count} tests: no TSC\n  ---\n"
            f"  tests: \"{','.join(map(str, tests))}\"\n  ...\n# verdict: x\n# end of run: status 0\n")


def judge(text, *rows, skips=None, is_part=False):
    """Returns exit status and output of a run where these deviations are recorded, and these skips."""
    run, lines = tap.Transcript(), []
    report = Report(rows, ["tests/boot", "x:y", "smp=3:1:1"], lines.append, skips, run, is_part)
    for line in taptest.resummed(text).splitlines():
        report.take(run.feed(line))
    assert not verdict.what_is_broken(run, guest.CLOSED, 10, 300)
    again = tap.Transcript()
    for line in lines:
        again.feed(line)
    assert not again.malformed, again.malformed         # what is printed is TAP again
    return report.status, lines


class Skips(unittest.TestCase):
    """If a list says which skips are allowed, any other skip fails."""

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

    def test_family(self):
        """a family's skip is allowed with its number of tests; in a part of a run with any, and for one test alone"""
        allowed = skip("rdtsc", "2 tests: no *")
        for count, is_part, status in ((2, False, 0), (3, False, 1), (3, True, 0)):
            self.assertEqual(judge(family(count), skips=[allowed], is_part=is_part)[0], status, (count, is_part))
        alone = "TAP version 13\n1..2\nok 1 - a\nok 2 - rdtsc.x # SKIP no TSC\n# verdict: x\n# end of run: status 0\n"
        for is_part, status in ((False, 1), (True, 0)):
            self.assertEqual(judge(alone, skips=[allowed], is_part=is_part)[0], status)
        status, lines = judge(family(3), skips=[allowed])
        self.assertIn("not ok 2 - rdtsc", lines)
        self.assertIn('  got: "3 tests: no TSC"', lines)
        self.assertIn('  repeat: "tests/boot x:y smp=3:1:1 \'only=rdtsc.*\'"', lines)

    def test_family_there(self):
        """a family that the list has, and a whole run does not skip, fails it with a sentence"""
        text = "TAP version 13\n1..1\nok 1 - a\n# verdict: x\n# end of run: status 0\n"
        status, lines = judge(text, skips=[skip("rdtsc", "2 tests: no *")])
        self.assertEqual(status, 1)
        self.assertIn("# the family rdtsc is there, and s.csv:2 has it as skipped: 2 tests: no *", lines)
        self.assertEqual(judge(text, skips=[skip("rdtsc", "2 tests: no *")], is_part=True)[0], 0)

    def test_follows(self):
        """a skip that follows from another test's failure in the same run needs no row"""
        for reason in ("after fails failed: it has 1H", "after fails failed: "):
            text = RUN.replace("# SKIP x = 0", f"# SKIP {reason}")
            self.assertEqual(judge(text, row("fails"), skips=[])[0], 0, reason)
        for reason in ("after passes failed: it has 1H", "after nothing failed: ", "a dead PMU: 0"):
            text = RUN.replace("# SKIP x = 0", f"# SKIP {reason}")
            self.assertEqual(judge(text, row("fails"), skips=[])[0], 1, reason)
        text = RUN.replace("fails", "pmu.counts").replace("x = 0", "a dead PMU: 0")
        self.assertEqual(judge(text, row("pmu.counts"), skips=[])[0], 0)

    def test_did_not_happen(self):
        """a test that runs although the list has it is a failure: the list is wrong"""
        status, lines = judge(RUN, row("fails"), skips=[skip("*s*s", "*"), skip("skips", "*")])
        self.assertEqual(status, 1)
        self.assertIn("not ok 1 - passes", lines)
        self.assertIn('  got: "the test ran"', lines)


class Marking(unittest.TestCase):
    """Results with recorded deviations are marked."""

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
        """one new failed check makes the test fail"""
        status, lines = judge(RUN, row("fails", "PMC[0]"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 2 - fails", lines)

    def test_other_value(self):
        """another wrong value than the recorded one is a failure"""
        self.assertEqual(judge(RUN, row("fails", "*", "#GP(0)"))[0], 1)

    def test_gone(self):
        """a test that passes against its record fails, and its block says so"""
        status, lines = judge(RUN, row("fails"), row("passes"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 1 - passes", lines)
        self.assertIn('  got: "did not happen"', lines)
        self.assertIn('  at: "x.csv:2"', lines)
        self.assertNotIn('  reported: "7"', lines)

    def test_gone_beside_recorded(self):
        """a row that covers nothing is a failure even if another row covers the failed check"""
        status, lines = judge(RUN, row("fails"), row("fails", "PMC[9]"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 2 - fails", lines)
        self.assertTrue(any("did not happen" in line for line in lines))

    def test_skipped(self):
        """a skipped test and one that did not run say nothing about their records"""
        self.assertEqual(judge(RUN, row("fails"), row("skips"), row("not.there"))[0], 0)

    def test_skipped_wrongly(self):
        """a record did not happen if the target's list does not have the skip of its test"""
        reason = "the memory is not free"
        text = f"TAP version 13\n1..2\nok 1 - a\nok 2 - b # SKIP {reason}\n# verdict: x\n# end of run: status 0\n"
        self.assertEqual(judge(text, row("b"), skips=[skip("b", reason)])[0], 0)
        status, lines = judge(text, row("b"), skips=[skip("c", reason)])
        self.assertEqual(status, 1)
        self.assertIn('      got: "did not happen: the test was skipped"', lines)

    def test_error(self):
        """a test that dies fails unless the row is about dying"""
        text = RUN.replace("severity: fail", "severity: error")
        self.assertEqual(judge(text, row("fails"))[0], 1)
        self.assertEqual(judge(text, row("fails", severity="error"))[0], 0)

    def test_sometimes(self):
        """what happens in some runs alone may fail, die or pass"""
        often = row("fails", severity="sometimes")
        self.assertEqual(judge(RUN, often)[0], 0)
        self.assertEqual(judge(RUN.replace("severity: fail", "severity: error"), often)[0], 0)
        self.assertEqual(judge(RUN, row("fails"), row("passes", severity="sometimes"))[0], 0)

    def test_not_shown(self):
        """checks that the guest counts but does not show are covered by a row of their own only"""
        text = RUN.replace('  also:', '  not_shown: 7\n  also:')
        self.assertEqual(judge(text, row("fails", "PMC*"))[0], 1)
        self.assertEqual(judge(text, row("fails", "PMC*"), row("fails", "not_shown", "7"))[0], 0)

    def test_no_block(self):
        """a failure without a block is never a recorded one"""
        text = "TAP version 13\n1..1\nnot ok 1 - fails\n# end of run: status 1\n"
        self.assertEqual(judge(text, row("fails"))[0], 1)


class Processors(unittest.TestCase):
    """Records of a test that several processors run."""

    def test_one_is_enough(self):
        """a row covers the test on every processor, and has to happen on one of them"""
        status, lines = judge(SEVERAL, row("fails"))
        self.assertEqual(status, 0, lines)
        self.assertIn("not ok 4 - fails # TODO no PMU (manual)", lines)
        self.assertIn("ok 5 - fails@cpu1", lines)
        self.assertIn("not ok 6 - fails@cpu2 # TODO no PMU (manual)", lines)
        self.assertIn("# verdict: PASS, except 2 recorded deviations of this target", lines)
        self.assertEqual([line for line in lines if line in SEVERAL.splitlines()],
                         [line for line in SEVERAL.splitlines() if line in lines])

    def test_shared(self):
        """a result of several processors is recorded if a row, or several, have it on all of them"""
        text = RANGES
        for rows, new, gone in (((row("fails"),), 0, 0), ((row("fails@cpu1"), row("fails@cpu2")), 1, 0),
                                ((row("fails@*"),), 0, 0), ((row("fails@cpu1"),), 1, 0),
                                ((row("fails"), row("passes@cpu2")), 0, 1)):
            status, lines = judge(text, *rows)
            self.assertEqual(status, int(new + gone > 0), rows)
            self.assertEqual(any(line.startswith("not ok 3 - fails@cpu1-2 # TODO") for line in lines), not new, rows)
            self.assertEqual("did not happen in any of passes passes@cpu1 passes@cpu2" in "\n".join(lines), bool(gone))

    def test_not_recorded(self):
        """an unrecorded failure on another processor is a failure, whatever the first processor does"""
        status, lines = judge(SEVERAL, row("fails@cpu2"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 4 - fails", lines)
        self.assertIn("not ok 6 - fails@cpu2 # TODO no PMU (manual)", lines)

    def test_gone(self):
        """a row that happens nowhere fails the first processor's result, which names all processors that ran"""
        status, lines = judge(SEVERAL, row("fails"), row("passes"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 1 - passes", lines)
        self.assertIn('  got: "did not happen in any of passes passes@cpu1"', lines)
        self.assertIn("ok 2 - passes@cpu1", lines)
        self.assertNotIn('  reported: "7"', lines)

    def test_gone_of_others(self):
        """a row for the other processors says nothing of the first"""
        status, lines = judge(SEVERAL, row("fails"), row("passes@*"))
        self.assertEqual(status, 1)
        self.assertIn("ok 1 - passes", lines)
        self.assertIn("not ok 2 - passes@cpu1", lines)
        self.assertIn('  got: "did not happen"', lines)

    def test_gone_beside_recorded(self):
        """of two rows the one that happens on no processor is reported beside the other's failure"""
        status, lines = judge(SEVERAL, row("fails"), row("fails", "PMC[9]"))
        self.assertEqual(status, 1)
        self.assertIn("not ok 4 - fails", lines)
        self.assertIn('      got: "did not happen in any of fails fails@cpu1 fails@cpu2"', lines)
        self.assertIn("not ok 6 - fails@cpu2 # TODO no PMU (manual)", lines)

    def test_died(self):
        """of a test that died on one processor no row can be said not to have happened"""
        died = SEVERAL.replace("cpu2\n  ---\n  severity: fail", "cpu2\n  ---\n  severity: error")
        status, lines = judge(died, row("fails"), row("fails", "PMC[9]"))
        self.assertEqual(status, 1)
        self.assertNotIn('got: "did not happen', "".join(lines))

    def test_repeat(self):
        """the command to repeat a result has the machine's words, and the test's id alone"""
        for text in (SEVERAL, SEVERAL.replace("only=fails", "only=fails@cpu2")):
            _, lines = judge(text)
            repeats = [line for line in lines if line.startswith("  repeat: ")]
            self.assertEqual(repeats, ['  repeat: "tests/boot x:y smp=3:1:1 only=fails"'] * 2)

    def test_skips(self):
        """a row of allowed skips is for a test on all processors, or for one of them"""
        rows = [row("fails")]
        self.assertEqual(judge(SEVERAL, *rows, skips=[skip("passes@cpu2", "x = *")])[0], 0)
        self.assertEqual(judge(SEVERAL, *rows, skips=[])[0], 1)
        status, lines = judge(SEVERAL, *rows, skips=[skip("passes", "x = *")])
        self.assertEqual(status, 1)
        self.assertIn("not ok 2 - passes@cpu1", lines)
        self.assertIn("ok 3 - passes@cpu2 # SKIP x = 0", lines)

    def test_cut_off(self):
        """results that are held are printed when the output stops"""
        run, lines = tap.Transcript(), []
        report = Report([row("fails")], ["tests/boot", "x:y"], lines.append, None, run)
        for line in SEVERAL.partition("ok 5")[0].splitlines():
            report.take(run.feed(line))
        self.assertNotIn("not ok 4 - fails # TODO no PMU (manual)", lines)
        report.finish()
        self.assertIn("not ok 4 - fails # TODO no PMU (manual)", lines)

    def test_page(self):
        """each row of KVM's names a section of its page"""
        page = (layout.ROOT / "docs" / "kvm.md").read_text(encoding="utf-8").lower()
        for at, values in deviations.rows_of(layout.DEVIATIONS / "kvm-on-model.csv", deviations.COLUMNS):
            section = values[deviations.COLUMNS.index("source")].partition("; ")[0].removeprefix("docs/kvm.md, ")
            self.assertIn(f"\n## {section.lower()}\n", page, at)

    def test_facts(self):
        """a row may hold only for a fact in the head of the run"""
        for need, status in ((("bits=64",), 0), (("bits=32",), 1), (("smp",), 0), (("up",), 1),
                             (("bits=64", "smp"), 0), (("bits=64", "threads"), 1)):
            with self.subTest(need):
                one = dataclasses.replace(row("fails"), needs=(frozenset(need),))
                self.assertEqual(judge(SEVERAL, one)[0], status)


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

    def test_lost(self):
        """a file that is not there, or is empty, is a broken run: every recorded deviation would be red"""
        with self.assertRaisesRegex(Problem, "is missing: restore it"):
            deviations.load("no_such_emulator", "Nehalem")
        for text in ("", "# SPDX\n", "x Neh*,a,w,g,r,s,\n"):
            with self.subTest(text), self.assertRaisesRegex(Problem, "names of its columns: restore it"):
                self.load(text)

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

    def test_facts(self):
        """a row may need a fact that only the guest knows: it is loaded, and asked again later"""
        text = f"{HEAD}\nNeh*+bits=64 pentium+up,a,w,g,r,s,\nNeh*+x2apic+bits=32,b,w,g,r,s,\n"
        rows = self.load(text)
        self.assertEqual([row.id for row in rows], ["a"])
        self.assertTrue(rows[0].holds({"bits=64", "up"}))
        self.assertFalse(rows[0].holds({"bits=32", "up"}))
        both = self.load(text, words=["x2apic", "bits=32"])
        self.assertEqual([row.id for row in both if row.holds({"bits=32", "smp"})], ["b"])

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

    def test_ids(self):
        """every id of the project's tables is one of a test, or a pattern that some match"""
        runs = [taptest.Run("model:corei7_haswell_4770", "via=kernel", "serial=debug", f"bits={bits}", "list")
                for bits in (32, 64)]
        ids = {line.split()[2] for run in runs for line in run.out if line.startswith("# test ")}
        self.assertGreater(len(ids), 1000)
        self.assertEqual(list(without_test(["rdpmc.nothing", "rdpmc.e*@cpu1"], ids)), ["rdpmc.nothing"])
        for path in [*layout.DEVIATIONS.glob("*.csv"), *layout.SKIPS.glob("*.csv")]:
            with self.subTest(path.name), open(path, encoding="utf-8") as lines:
                rows = csv.DictReader(line for line in lines if not line.startswith("#"))
                globs = {glob for row in rows for glob in row["id"].split()}
                self.assertEqual(list(without_test(sorted(globs), ids)), [])

    def test_ours(self):
        """the tables of the project can be read"""
        for folder, columns in ((layout.DEVIATIONS, deviations.COLUMNS),
                                (layout.SKIPS, deviations.SKIP_COLUMNS)):
            for path in sorted(folder.glob("*.csv")):
                with self.subTest(path.name):
                    self.assertIsInstance(list(deviations.rows_of(path, columns)), list)


def without_test(globs, ids):
    """Returns the patterns that match none of the ids."""
    return (glob for glob in globs
            if not any(deviations.glob_matches(glob.partition("@")[0], test) or test.startswith(f"{glob}.")
                       for test in ids))


if __name__ == "__main__":
    taptest.main()
