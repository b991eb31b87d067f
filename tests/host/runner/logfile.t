#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The reader of logs: it accepts whole logs, and refuses others with a sentence and a line."""
import os
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import damage                                       # noqa: E402
import taptest                                      # noqa: E402
from taptest import checked                         # noqa: E402
from runner import logfile, tap, tapwriter, version         # noqa: E402

MUTATIONS = 6000
HEAD = version.head("64-bit")
RAW = checked(f"""\
TAP version 13
{HEAD}
# cpu: GenuineIntel family 6H model 3CH stepping 3H
# pmu: architectural, version 3, 8 counters of 48 bits, fixed counters 7H of 48 bits
# cpus: 2 run, of 2 in the ACPI MADT: packages 1, cores 2, threads 2, by CPUID.0BH
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 0, core 1, thread 0
1..4
ok 1 - arch.pmi.delivery
ok 2 - arch.pmi.delivery@cpu1
#
# after it  | PEBS
not ok 3 - arch.pmi.mask
  ---
  severity: fail
  claim: "a PMI sets LVTPC's mask bit"
  what: "NMI: LVTPC in the handler"
  got: "400H"
  want: "10400H"
  source: "SDM 3A, \\"Local Vector Table\\""
  repeat: "only=arch.pmi.mask"
  also:
    - what: "LVTPC"
      got: "0"
      want: "1"
  not_shown: 3
  reported:
    - what: "cycles: 7"
  ...
ok 4 - p5.counters # SKIP family 6H
# failed: arch.pmi.mask
# passed 2, failed 1, errata 0, errors 0, skipped 1
# verdict: FAIL, 1 of the 3 tests that ran
# end of run: status 1
""")
BOOT = checked(RAW.replace("TAP version 13\n", "TAP version 13\n# target: model:x smp=1:2:1 'only=a b'\n"
                           "# quirk: pmi-leaves-lvtpc-unmasked\n")) + "# seconds: 1.5\n"
PASSING = checked(f"TAP version 13\n{HEAD}\n# cpu: AuthenticAMD family FH\n1..2\nok 1 - a\nok 2 - b\n"
                  "# passed 2, failed 0, errata 0, errors 0, skipped 0\n# verdict: PASS, all 2 tests that ran\n# end of run: status 0\n")


def program(kind="quirks"):
    lines = []
    writer = tapwriter.Writer(kind, lines.append, ["seed: 7", "target: linux:x '\u00e4 b'"])
    writer.result(True, "lvtpc-stays", {"id": "D12", "what": "LVTPC \u00b5 \"1\"", "got": 7})
    writer.result(True, "smm", skip="no SMM # here")
    writer.result(False, "model/a.c:7:2", {"why": "it\nlives"})
    assert writer.end() == 1
    return "".join(f"{line}\n" for line in lines)


class Case(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="barecount, logs ")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "a.log"

    def read(self, text, **options):
        self.path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return logfile.read(self.path, **options)

    def refused(self, text, line, sentence, **options):
        with self.assertRaises(logfile.Refused) as caught:
            self.read(text, **options)
        self.assertIn(sentence, str(caught.exception))
        self.assertTrue(str(caught.exception).startswith(f"{self.path}:{line}: "), caught.exception)
        self.assertEqual(caught.exception.status, 2)


class Accepted(Case):
    """Contents of a log that was accepted."""

    def test_boot(self):
        """the output of tests/boot, timed by tests/run-matrix, is accepted"""
        log = self.read(BOOT)
        self.assertEqual((log.target, log.words, log.quirk), ("model:x", ("smp=1:2:1", "only=a b"),
                                                              "pmi-leaves-lvtpc-unmasked"))
        self.assertEqual((log.bits, log.status, log.seconds), (64, 1, 1.5))
        self.assertEqual((log.version, log.schema), version.read())
        self.assertEqual(log.head["cpu"], "GenuineIntel family 6H model 3CH stepping 3H")
        self.assertEqual([result.id for result in log.results],
                         ["arch.pmi.delivery", "arch.pmi.delivery@cpu1", "arch.pmi.mask", "p5.counters"])
        self.assertEqual(BOOT.splitlines()[log.results[2].at - 1], log.results[2].line)
        self.assertEqual(log.results[2].failed_checks()[1]["got"], "0")
        self.assertEqual(log.comments[:2], ["#", "# after it  | PEBS"])

    def test_captured(self):
        """a capture with CR LF, a firmware's text and escape sequences before it, and text after it is accepted"""
        noise = b"\x1b[2J\xff\x00SeaBIOS\r\nBooting\x1b[0m"
        data = noise + RAW.replace("\n", "\r\n").encode() + b"\x1b[2J\xfereset\r\n"
        log = self.read(data)
        self.assertEqual(facts(log), facts(self.read(RAW)))
        self.assertEqual(log.name, str(self.path))

    def test_program(self):
        """the log of a program, with anything in its texts, is accepted"""
        log = self.read(program())
        self.assertEqual((log.kind, log.bits, log.head), ("quirks", None, {"seed": "7"}))
        self.assertEqual((log.target, log.words), ("linux:x", ("\\xe4 b",)))
        self.assertEqual(log.results[0].facts(), {"id": "D12", "what": 'LVTPC \u00b5 "1"', "got": "7"})
        self.assertEqual(log.results[1].reason, "no SMM # here")
        self.assertEqual(log.results[2].facts()["why"], "it\nlives")

    def test_version(self):
        """another version with the same schema is accepted only if asked for"""
        ours = version.read()[0]
        other = checked(PASSING.replace(ours, "0.0.1"))
        self.refused(other, 2, f"of Barecount 0.0.1, this is {ours}")
        self.assertEqual(self.read(other, any_version=True).version, "0.0.1")
        schema = checked(PASSING.replace(f"schema {version.read()[1]}", "schema 999"))
        self.refused(schema, 2, "has schema 999", any_version=True)


LINES = RAW.splitlines(keepends=True)
# (the text, the line that the sentence names, a part of the sentence)
REFUSED = (
    ("", 1, "no log of Barecount"),
    ("hello\n", 1, "no log of Barecount"),
    (RAW.replace("ok 1", "hello\nok 1"), 9, "not TAP: 'hello'"),
    (RAW.replace("ok 1", "\x1b[2Jok 1"), 9, "bytes that Barecount does not print"),
    (RAW.replace("arch.pmi.mask", "arch.p\xffi.mask", 1), 13, "bytes that Barecount"),
    (RAW.replace("  got:", "  gut:", 1), 18, "not a line of a result's block"),
    (RAW.replace('  got: "400H"', '  got: "400H'), 18, "not a line of a result's block"),
    (RAW.replace("# pmu:", "# pnu:"), 4, "not a line of the head"),
    (RAW.replace(LINES[2], LINES[2] * 2), 4, "one that was there before"),
    (RAW.replace(LINES[1], ""), 2, "should be here"),
    (checked(RAW.replace(", 64-bit", ", 65-bit")), 2, "no known kind: 65-bit"),
    ("".join(LINES[:10]), 10, "cut off here, after result 2 of 4 (arch.pmi.delivery@cpu1)"),
    ("".join(LINES[:20]), 20, "cut off here, after result 3 of 4"),
    (RAW[:400], 10, "cut off in the middle of this line"),
    ("".join(LINES[:-1]), len(LINES) - 1, "cut off here"),
    ("".join(LINES[:-2] + LINES[-1:]), len(LINES) - 1, "check sum is missing"),
    ("".join(LINES[:6] + LINES[7:]), 9, "not one: "),
    ("".join(LINES[:8] + LINES[9:]), 9, "result 2 came where 1 was due"),
    ("".join(LINES[:17] + LINES[18:]), len(LINES) - 2, "lines were lost"),
    (RAW.replace("400H", "401H", 1), len(LINES) - 1, "one was changed"),
    (RAW + PASSING, len(LINES) + 1, "after the end of the log"),
    ("".join(LINES[:12]) + PASSING, 13, "a second log begins here, after result 2 of 4"),
    ("".join(PASSING.splitlines(True)[4:]) + RAW, 1, "before the log begins"),
    ("".join(LINES[:7] + PASSING.splitlines(True)[3:]), 13, "of 8 lines, and 12 are here"),
    ("TAP version 13\n" + HEAD + "\nBail out! no word: x\n# end of run: status 2\n", 3, "gave up: no word"),
    (checked(PASSING.replace("status 0", "status 1")), 10, "does not fit its results"),
    (checked(PASSING.replace("status 0", "status 2")), 10, "broken"),
    (BOOT.replace("'only=a b'", "'only=a b"), 2, "quotation mark"),
)


class Refusals(Case):
    """Files that are not one whole log."""

    def test_refused(self):
        """every kind of refused log has a sentence that names the line"""
        for text, line, sentence in REFUSED:
            with self.subTest(sentence, text=text):
                self.refused(text, line, sentence)

    def test_cut(self):
        """a log cut off anywhere is refused"""
        for text in (RAW, BOOT, program()):
            last = text.index("# end of run: status") + len("# end of run: status N")
            for length in range(0, last, 3):
                with self.subTest(length=length), self.assertRaises(logfile.Refused):
                    self.read(text[:length])

    def test_mutations(self):
        """damage and mixing never make another good log, nor anything but a refusal"""
        generator = random.Random(8)
        good = [text.encode() for text in (RAW, BOOT, PASSING, program(), program("mutants"))]
        known = [facts(self.read(text)) for text in good]
        for index in range(MUTATIONS):
            text = damage.mutated(good, generator)
            try:
                log = logfile.Reader(str(self.path), False).read(text)
            except logfile.Refused:
                continue
            with self.subTest(index=index, text=text):
                self.assertIn(facts(log), known)


def facts(log):
    """Returns all that the reader takes from inside a log."""
    every = {**vars(log), "results": [(result.line, *result.block) for result in log.results]}
    return {key: value for key, value in every.items() if key not in ("path", "seconds")}


if __name__ == "__main__":
    taptest.main()
