#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/compare: the differences that it finds between two logs, their order, and the logs that it refuses."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from taptest import checked                         # noqa: E402
from runner import version                          # noqa: E402

CPUS = """\
# cpus: 2 run, of 2 in the ACPI MADT: packages 1, cores 2, threads 2, by CPUID.0BH
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 0, core 1, thread 0
"""
FAILED = """\
  ---
  severity: fail
  what: "LVTPC"
  got: "{got}"
  want: "10400H"
  why: "the APIC sets the mask bit"
  ...
"""
REPORTED = """\
  ---
  reported:
    - what: "cycles: {value}"
  ...
"""
FAILS, PASSES, ERRS = ("not ok", FAILED.format(got="400H")), ("ok", ""), \
    ("not ok", FAILED.format(got="400H").replace("severity: fail", "severity: error"))
SKIPPED = ("ok", " # SKIP the PMU is P6\n")
MODEL = ("model:p3_katmai", "via=kernel", "serial=debug", "only=p6.enable.*,p6.registers.*")


def log(results, pmu="P6, 2 counters", before=""):
    """Returns a whole log with these results: {id: (how its line begins, what follows)}."""
    lines, plan = [], f"1..{len(results)}\n"
    for number, (name, (begins, rest)) in enumerate(results.items(), 1):
        skip = rest if rest.startswith(" #") else f"\n{rest}"
        lines.append(f"{begins} {number} - {name}{skip}")
    status = int(any(begins == "not ok" and " # TODO" not in rest
                     for begins, rest in results.values()))
    return checked(f"TAP version 13\n{before}{version.head('64-bit')}\n# pmu: {pmu}\n{CPUS}{plan}"
                   f"{''.join(lines)}# end of run: status {status}\n")


class Compare(taptest.Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="barecount, logs ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compare(self, a, b, *options):
        """Runs tests/compare on these two texts; returns its status, its output and its complaint."""
        paths = [self.folder / "a", self.folder / "b"]
        for path, text in zip(paths, (a, b)):
            path.write_text(text)
        done = subprocess.run([taptest.TESTS / "compare", *options, *paths], text=True, check=False,
                              capture_output=True, env={**os.environ, "COLUMNS": "80"}, timeout=60)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout, done.stderr

    def check_order(self, text, *parts):
        """Checks that the parts are in the text, in this order."""
        place = 0
        for part in parts:
            place = text.find(part, place)
            self.assertGreaterEqual(place, 0, f"{part!r} is not there, or too early:\n{text}")

    def test_sections(self):
        """Other verdicts come first, the worse ones before the better ones, and the status is 1."""
        a = {"t.worse": PASSES, "t.worse@cpu1": PASSES, "t.better": FAILS, "t.alone": PASSES,
             "t.skipped": PASSES, "t.other": FAILS, "t.value": ("ok", REPORTED.format(value=1)),
             "t.same": PASSES, "t.dead": PASSES}
        b = {"t.value": ("ok", REPORTED.format(value=2)), "t.worse": FAILS, "t.worse@cpu1": FAILS,
             "t.better": PASSES, "t.skipped": SKIPPED, "t.new@cpu1": PASSES, "t.same": PASSES,
             "t.other": ("not ok", FAILED.format(got="800H")), "t.dead": ERRS}
        status, out, _ = self.compare(log(a), log(b, pmu="P6, 3 counters"))
        self.assertEqual(status, 1, out)
        self.check_order(
            out, "7 tests of 10 with other verdicts", "3 tests failed in B and not in A",
            "t.worse (cpus 0-1): ok -> not ok", "B what LVTPC", "got  400H", "want 10400H",
            "why  the APIC sets the mask bit", "t.dead: ok -> error",
            "1 test failed in A and not in B", "t.better: not ok -> ok", "1 test in A alone",
            "t.alone",
            "1 test in B alone", "t.new (cpu 1)", "1 test ran in A, skipped in B",
            "because the PMU is P6", "t.skipped",
            "1 test with the same verdict, failed in another way",
            "t.other", "A what", "got  400H", "B what", "got  800H", "other reported values",
            "t.value", "A cycles: 1", "B cycles: 2", "The heads:", "pmu", "A P6, 2", "B P6, 3")
        self.assertNotIn("t.same", out)
        self.assertLess(max(map(len, out.splitlines())), 80, out)
        self.assertIn("t.same", self.compare(log(a), log(b), "--all")[1])

    def test_erratum(self):
        """An erratum is a verdict between passed and failed."""
        erratum = ("not ok", " # TODO erratum SKL091: REP\n")
        a = {"t.fails": FAILS, "t.passes": PASSES, "t.same": erratum}
        status, out, _ = self.compare(log(a), log(dict.fromkeys(a, erratum)))
        self.assertEqual(status, 1, out)
        self.check_order(out, "2 tests of 3", "1 test failed in B and not in A", "t.passes: ok -> not ok, an erratum",
                         "1 test failed in A and not in B", "t.fails: not ok -> not ok, an erratum")

    def test_equal(self):
        """Equal verdicts are status 0, whatever else differs, and in which order they come."""
        a = {"t.a": PASSES, "t.b": FAILS, "t.v": ("ok", REPORTED.format(value=1))}
        b = {"t.v": ("ok", REPORTED.format(value=7)), "t.b": ("not ok", FAILED.format(got="0")),
             "t.a": PASSES}
        status, out, _ = self.compare(log(a), log(b))
        self.assertEqual(status, 0, out)
        self.assertIn("The same verdicts: 3 tests.", out)

    def test_processors(self):
        """A test that fails on one processor alone is named with it."""
        status, out, _ = self.compare(log({"t.a": PASSES, "t.a@cpu1": PASSES}),
                                      log({"t.a": PASSES, "t.a@cpu1": FAILS}))
        self.assertEqual(status, 1, out)
        self.assertIn("t.a (cpu 1): ok -> not ok", out)

    def test_refused(self):
        """Garbage, a cut log, another version, two logs in one: refused, by file and line."""
        good = log({"t.a": PASSES, "t.b": PASSES})
        ours, schema = version.read()
        cases = (
            ("\x01\x02\n", ":1: ", "no line `TAP version 13`"),
            (good.replace("ok 2", "ok\x01 2"), ":9: ", "does not print"),
            ("".join(good.splitlines(True)[:8]), ":8: ", "cut off here"),
            (good.replace(f"Barecount {ours}", "Barecount 0.0.1"), ":2: ", "Barecount 0.0.1"),
            (good.replace(f"schema {schema}", f"schema {schema + 1}"), ":2: ", "schema"),
            ("".join(good.splitlines(True)[:8]) + good, ":9: ", "a second log begins here"),
            (good.replace("ok 2 - t.b", "ok 2 - t.c"), ":12: ", "check sum"),
        )
        for number, (text, line, sentence) in enumerate(cases):
            pair = (text, good) if number % 2 else (good, text)
            status, out, said = self.compare(*pair)
            self.assertEqual((status, out), (2, ""), said)
            self.assertIn(f"{self.folder / ('a' if number % 2 else 'b')}{line}", said)
            self.assertIn(sentence, said)
            self.assertEqual(said.count("\n"), 1, said)

    def test_command_line(self):
        """Help is status 0; a file that is not there, or one log alone, is status 2."""
        for words, status in ((["-h"], 0), (["nowhere", "nowhere"], 2), (["one"], 2), ([], 2)):
            done = subprocess.run([taptest.TESTS / "compare", *words], capture_output=True,
                                  text=True, cwd=self.folder, check=False, timeout=60)
            self.assertEqual(done.returncode, status, done)
            self.assertNotIn("Traceback", done.stderr)

    def test_model(self):
        """A machine and the same with one defect: the defect's test is the worse one, and why."""
        runs = []
        for quirk in ("", "p6-enable-gates-counter-0"):
            run = taptest.Run(*MODEL, env={**os.environ, "PMU_QUIRK": quirk})
            if run.status == 77:
                self.skipTest(run.err[-1])
            runs.append("\n".join(run.out) + "\n")
        status, out, said = self.compare(*runs)
        self.assertEqual(status, 1, said)
        self.check_order(out, "failed in B and not in A", "p6.enable.off: ok -> not ok",
                         "why  EN = 0 in PerfEvtSel0, so nothing counts", "The heads:",
                         "quirk", "B p6-enable-gates-counter-0")
        self.assertEqual(self.compare(runs[1], runs[1])[0], 0)


if __name__ == "__main__":
    taptest.main()
