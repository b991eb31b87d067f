#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whole and broken runs: literal output of a guest, and the verdict on it."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from taptest import checked, resummed                         # noqa: E402
from runner import guest, tap, verdict              # noqa: E402
from runner.checksum import Summed                  # noqa: E402
from runner.report import Report                    # noqa: E402

GOOD = checked("""\
TAP version 13
# Barecount 0.9.0, schema 2, 32-bit
1..3
ok 1 - a.b
ok 2 - c # SKIP CPUID.0AH:EAX[7:0] = 0
not ok 3 - rdpmc.index.invalid
  ---
  severity: fail
  what: "RDPMC, ECX = 80000000H, CPL 0"
  got: "EDX:EAX = 0000000000000000H"
  want: "#GP(0)"
  repeat: "only=rdpmc.index.invalid"
  also:
    - what: "RDPMC, ECX = 80000001H"
      got: "#UD"
      want: "#GP(0)"
      why: "x, y"
  ...
# failed: rdpmc.index.invalid
# passed 1, failed 1, errata 0, errors 0, skipped 1
# verdict: FAIL, 1 of the 2 tests that ran
# end of run: status 1
""")
PASSING = checked("""\
TAP version 13
1..2
ok 1 - a
  ---
  reported: "a value"
  ...
ok 2 - b
# end of run: status 0
""")
SEVERAL = checked("""\
TAP version 13
# Barecount 0.9.0, schema 2, 64-bit
# cpus: 2 run, of 3 in the ACPI MADT: packages 1, cores 1, threads 2, by CPUID.0BH
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 0, core 0, thread 1
1..3
ok 1 - a
ok 2 - a@cpu1
ok 3 - b
# end of run: status 0
""")
# Results that processors share, and a family of tests that is skipped; the plan comes last.
SHARED = checked("""\
TAP version 13
# Barecount 0.9.0, schema 2, 64-bit
# cpus: 3 run, of 3 in the ACPI MADT: packages 1, cores 3, threads 3, by CPUID.0BH
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 0, core 1, thread 0
# cpu 2: APIC ID 2, package 0, core 2, thread 0
# tests: 3
ok 1 - a@cpu0,2
ok 2 - a@cpu1 # SKIP x = 1
ok 3 - b
ok 4 - rdtsc@cpu0-2 # SKIP 2 tests: no TSC
  ---
  tests: "1226,1228"
  ...
1..4
# end of run: status 0
""")
MUTATIONS = 4000


def judge(text, ending=guest.CLOSED, rows=()):
    """Status, sentence and output for a guest that has printed text."""
    run, lines = tap.Transcript(), []
    report = Report(list(rows), ["tests/boot", "x:y"], Summed(lines.append))
    for line in text.split("\n")[:-1]:
        report.take(run.feed(line))
    report.take(run.flush())
    broken = verdict.what_is_broken(run, ending, 10, 300)
    return (2 if broken else report.status), broken, lines


def edited(text, *replacements):
    """Returns the text with these changes, and a check sum that fits."""
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    return checked(text)


# (name, the text, how the output ended, a part of the sentence)
BROKEN = (
    ("nothing at all", "", guest.CLOSED, "without a line of TAP"),
    ("silence from the start", "SeaBIOS\n", guest.SILENT, "printed no TAP"),
    ("firmware's noise only", "\x1b[2Jhello\n", guest.CLOSED, "without a line of TAP"),
    ("the head only", "TAP version 13\n", guest.CLOSED, "before its first result"),
    ("no end", edited(PASSING, ("# end of run: status 0\n", "")), guest.CLOSED, "without an end"),
    ("silence in the middle", "TAP version 13\n1..2\nok 1 - a\n", guest.SILENT,
     "said nothing for 10 s after result 1 of 2 (a)"),
    ("no end of talking", "TAP version 13\n1..2\nok 1 - a\n", guest.OVERLONG, "not over after 300 s"),
    ("a flood", "TAP version 13\n", guest.FLOOD, "prints without end"),
    ("a line that is not TAP", edited(PASSING, ("ok 2", "hello\nok 2")), None, "not TAP: 'hello'"),
    ("half a result", edited(PASSING, ("ok 2 - b", "ok 2")), None, "not TAP: 'ok 2'"),
    ("one result too many", edited(PASSING, ("ok 2 - b", "ok 2 - b\nok 3 - c")), None,
     "announces 2 results, 3 came"),
    ("one result too few", edited(PASSING, ("ok 2 - b\n", "")), None, "announces 2 results, 1 came"),
    ("a result out of order", edited(PASSING, ("ok 2", "ok 3")), None, "result 3 came where 2"),
    ("an id twice", edited(PASSING, ("ok 2 - b", "ok 2 - a")), None, "a has two results"),
    ("no plan", edited(PASSING, ("1..2\n", "")), None, "no plan"),
    ("two plans", edited(PASSING, ("1..2\n", "1..2\n1..2\n")), None, "second plan"),
    ("an empty plan", checked("TAP version 13\n1..0\n# end of run: status 0\n"), None, "no test was run"),
    ("all skipped", edited(PASSING, ("ok 1 - a", "ok 1 - a # SKIP x"), ("ok 2 - b", "ok 2 - b # SKIP x")),
     None, "no test was run"),
    ("a bail-out", "TAP version 13\nBail out! no such word: x\n# end of run: status 2\n", None,
     "no such word: x"),
    ("a block without an end", edited(GOOD, ("  ...\n", "")), None, "has no end"),
    ("a block that is not YAML", edited(GOOD, ("severity: fail", "severity: [")), None,
     "cannot be read"),
    ("a status that hides a failure", edited(GOOD, ("status 1", "status 0")), None, "does not fit"),
    ("a status without a failure", edited(PASSING, ("status 0", "status 1")), None, "does not fit"),
    *((f"a result of no processor, a{tail}", edited(SEVERAL, ("a@cpu1", f"a{tail}")), None,
       f"not one: 'a{tail}'") for tail in ("@", "@cpu", "@cpu0", "@cpu01", "@cpu2", "@cpu-1", "@cpux",
                                           "@1", "@cpu1@cpu1", "@cpu1x", "@CPU1", "@cpu99999")),
    ("a result without a test", edited(SEVERAL, ("a@cpu1", "@cpu1")), None, "not one: '@cpu1'"),
    ("a processor's result twice", edited(SEVERAL, ("ok 3 - b", "ok 3 - a@cpu1")), None,
     "a@cpu1 has two results"),
    ("a processor that the head does not name", edited(SEVERAL, ("# cpu 1:", "# cpu 2:")), None,
     "not one: 'a@cpu1'"),
    *((f"processors that are none, {tail}", edited(SHARED, ("a@cpu0,2", f"a@cpu{tail}")), None, "not one: ")
      for tail in ("0-3", "2,0", "0,0", "0-", "-2", "0,,2", "1-1", "00-2", "2-0")),
    ("a result that two lines have", edited(SHARED, ("a@cpu1", "a@cpu1-2")), None, "a@cpu2 has two results"),
    ("a family without tests", edited(SHARED, ('  ---\n  tests: "1226,1228"\n  ...\n', "")), None,
     "result 4 does not say which tests"),
    ("a family with other tests", edited(SHARED, ("1226,1228", "1,1228")), None, "not those of its family"),
    ("a family with too few tests", edited(SHARED, ("1226,1228", "1226")), None, "not those of its family"),
    ("a family with an unknown test", edited(SHARED, ("1226,1228", "1226,9999")), None, "number 9999"),
    ("a family's test that ran, too", edited(SHARED, ("ok 3 - b", "ok 3 - rdtsc.mode.cpl0")), None,
     "rdtsc.mode.cpl0 has two results"),
    ("a test with a family's block", edited(SHARED, ("SKIP 2 tests: no", "SKIP no")), None, "not those of its family"),
    ("a run that calls itself broken", edited(PASSING, ("status 0", "status 2")), None, "broken"),
)


class Verdicts(unittest.TestCase):
    """Verdicts on literal output."""

    def test_failure(self):
        """a run with a failure is status 1 and its TAP is complete"""
        status, broken, lines = judge(GOOD)
        self.assertEqual((status, broken), (1, ""))
        repeat = '  repeat: "tests/boot x:y only=rdpmc.index.invalid"'
        expected = edited(GOOD, ('  repeat: "only=rdpmc.index.invalid"', repeat))
        self.assertEqual(lines, expected.splitlines())

    def test_pass(self):
        """a run that passes is status 0 and passed on unchanged"""
        self.assertEqual(judge(PASSING), (0, "", PASSING.splitlines()))

    def test_noise(self):
        """the firmware's text before and after the guest's is dropped"""
        status, _, lines = judge(f"BIOS\n\x1b[2J\x1b[0m{PASSING}\x1b[2JBIOS\n")
        self.assertEqual((status, lines), (0, PASSING.splitlines()))

    def test_list(self):
        """the list of tests, and the log of the run before, are status 0; no test is not"""
        for reason, status in (("list", 0), ("lastlog", 0), ("no tests", 2)):
            text = checked(f"TAP version 13\n# a - claims\n1..0 # SKIP {reason}\n# end of run: status 0\n")
            self.assertEqual((judge(text)[0], judge(text)[2]), (status, text.splitlines()))

    def test_processors(self):
        """results of other processors are results, and the head says what runs"""
        self.assertEqual(judge(SEVERAL), (0, "", SEVERAL.splitlines()))
        run = tap.Transcript()
        for line in SEVERAL.splitlines():
            run.feed(line)
        self.assertEqual([(each.test, each.cpu) for each in run.results],
                         [("a", 0), ("a", 1), ("b", 0)])
        self.assertEqual(run.facts, {"bits=64", "smp", "threads"})
        self.assertEqual(tap.Transcript().facts - {"bits=None"}, {"up", "no-threads"})

    def test_shared(self):
        """a line is about each test on each processor that it names, and the plan may come last"""
        self.assertEqual(judge(SHARED), (0, "", SHARED.splitlines()))
        run = tap.Transcript()
        for line in SHARED.splitlines():
            run.feed(line)
        self.assertEqual([(each.id, each.reason) for each in run.results], [
            ("a", ""), ("a@cpu2", ""), ("a@cpu1", "x = 1"), ("b", ""),
            *((f"{test}{cpu}", "no TSC") for test in ("rdtsc.mode.cpl0", "rdtsc.mode.cpl1")
              for cpu in ("", "@cpu1", "@cpu2"))])
        self.assertEqual([each.number for each in run.lines], [1, 2, 3, 4])

    def test_bits(self):
        """a kernel of other bits than were asked for is a broken run"""
        run = tap.Transcript()
        for line in SEVERAL.splitlines():
            run.feed(line)
        for bits, sentence in ((None, ""), (64, ""), (32, "the 32-bit kernel was asked for")):
            broken = verdict.what_is_broken(run, guest.CLOSED, 10, 300, bits)
            self.assertIn(sentence, broken)
            self.assertEqual(bool(broken), bool(sentence))

    def test_todo(self):
        """a deviation that the guest itself knows is no failure"""
        text = resummed(edited(GOOD, ("index.invalid\n", "index.invalid # TODO erratum 1\n"), ("status 1", "status 0")))
        self.assertEqual(judge(text)[0], 0)

    def test_broken(self):
        """every kind of broken run has its sentence"""
        for name, text, ending, sentence in BROKEN:
            with self.subTest(name):
                status, broken, _ = judge(text, ending)
                self.assertEqual(status, 2)
                self.assertIn(sentence, broken)


class CheckSums(unittest.TestCase):
    """A log is whole, and of one run, if its check sum says so."""

    def test_known(self):
        """the sum is CRC-32 of the lines and one line end each"""
        self.assertIn("\n# check: CRC-32 44752AAA, 7 lines\n# end", PASSING)

    def test_wrong(self):
        """a changed character, a line lost, added or of another log, and no sum are broken runs"""
        lines = PASSING.splitlines(keepends=True)
        for text, sentence in (
                (PASSING.replace("a value", "a Value"), "was changed"),
                ("".join(lines[:-3] + lines[-2:]), "announces 2 results"),
                (PASSING.replace("ok 2", "# new\nok 2"), "of 7 lines, and 8 are here"),
                (PASSING.replace(lines[3], "").replace(lines[4], "").replace(lines[5], ""), "were lost"),
                ("".join(lines[:-2] + lines[-1:]), "check sum is missing"),
                (PASSING.replace(lines[-2], lines[-2] * 2), "second check sum")):
            with self.subTest(sentence, text=text):
                status, broken, _ = judge(text)
                self.assertEqual(status, 2)
                self.assertIn(sentence, broken)


class Mutations(unittest.TestCase):
    """Output as a broken guest or a bad line might mangle it."""

    def test_truncated(self):
        """a run cut anywhere before its end is broken"""
        for text in (GOOD, PASSING, SEVERAL, SHARED):
            for length in range(len(text)):
                with self.subTest(length=length):
                    self.assertEqual(judge(text[:length])[0], 2)

    def test_lost_line(self):
        """a lost plan, result or end is never a pass"""
        lines = PASSING.splitlines(keepends=True)
        for index, line in enumerate(lines):
            if not line.startswith(" "):
                with self.subTest(line=line):
                    self.assertEqual(judge("".join(lines[:index] + lines[index + 1:]))[0], 2)

    def test_random(self):
        """random damage never upsets the reader, and never turns a failure into a pass"""
        generator = random.Random(13)
        for index in range(MUTATIONS):
            text = damaged(GOOD, generator)
            with self.subTest(index=index, text=text):
                status, broken, lines = judge(text)
                failed = any(line.startswith("not ok") and "# TODO" not in line for line in lines)
                self.assertFalse(failed and status == 0)
                self.assertEqual(bool(broken), status == 2)


def damaged(text, generator):
    """Returns the text with one to three bytes or lines changed, lost, doubled or swapped."""
    for _ in range(generator.randint(1, 3)):
        lines = text.split("\n")
        one, other = generator.randrange(len(lines)), generator.randrange(len(lines))
        at = generator.randrange(len(text) + 1)
        text = generator.choice((
            lambda: text[:at] + chr(generator.randrange(256)) + text[at + 1:],
            lambda: text[:at] + text[at + 1:],
            lambda: "\n".join(lines[:one] + lines[one + 1:]),
            lambda: "\n".join(lines[:one] + [lines[other]] + lines[one:]),
            lambda: "\n".join([*lines[:one], lines[one][:at % 20]]),
        ))() or "\n"
    return text


if __name__ == "__main__":
    taptest.main()
