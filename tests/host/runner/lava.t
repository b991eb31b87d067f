#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/fleet: LAVA's monitor turns TAP into test cases, and some jobs of LAVA are not believed."""
import json
import os
import re
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from taptest import checked                         # noqa: E402
from runner import tap, version               # noqa: E402
from runner.guests import lava               # noqa: E402
from runner.report import Report                    # noqa: E402

LOG = checked(f"""\
TAP version 13
{version.head("64-bit")}
# cpus: 2 run, of 2 in the ACPI MADT: packages 1, cores 2, threads 2, by CPUID.0BH
# cpu 0: APIC ID 0, package 0, core 0, thread 0
# cpu 1: APIC ID 1, package 0, core 1, thread 0
1..5
ok 1 - t.good
ok 2 - t.good@cpu1
not ok 3 - t.bad
  ---
  severity: fail
  claim: "it says \\"ok 9 - t.nothing\\" here"
  ...
ok 4 - t.skipped # SKIP not ok 7 - t.nothing
not ok 5 - t.known # TODO not yet
# end of run: status 1
""")
CASES = [("t.good", "pass"), ("t.good@cpu1", "pass"), ("t.bad", "fail"), ("t.skipped", "skip"),
         ("t.known", "skip")]


def entry(level, message):
    """Returns a line of LAVA's log."""
    return json.dumps({"dt": "2026-11-21", "lvl": level, "msg": message}).encode() + b"\n"


class Lava(taptest.Case):
    def setUp(self):
        self.monitor = lava.read("job.yaml")["actions"][2]["test"]["monitors"][0]
        nowhere = open(os.devnull, "wb")
        self.addCleanup(nowhere.close)
        self.log = types.SimpleNamespace(serial=nowhere, emulator=nowhere)

    def cases(self, text):
        """Returns the test cases that the monitor makes of the text, as LAVA does."""
        found = re.finditer(self.monitor["pattern"], text)
        words = self.monitor["fixupdict"]
        return [(match["test_case_id"], words[match["result"]]) for match in found]

    def job(self, cases, status=0, text=LOG, **outcome):
        """Returns the sentence on what is broken in a job with this guest, these test cases and this end."""
        guest = tap.Transcript()
        job = lava.Job(guest, Report([], [], lambda line: None, run=guest), [])
        for line in text.splitlines():
            job.take(entry("target", line.replace('"', '\\"')), self.log)
        for name, verdict in cases:
            case = {"case": re.sub(r"\W+", "_", name), "extra": {"test_case_id": name}}
            job.take(entry("results", {"definition": lava.SUITE, "result": verdict, **case}),
                     self.log)
        job.take(b"a library's own words\n", self.log)
        end = {"definition": "lava", "case": "job", "result": "pass", **outcome}
        job.take(entry("results", end), self.log)
        job.status = status
        return job.what_is_broken(None)

    def test_pattern(self):
        """Each result, and nothing else, is a test case: ok, not ok, a skip, a known deviation."""
        for end in ("\n", "\r\n", "\r\r\n"):
            self.assertEqual(self.cases(LOG.replace("\n", end)), CASES, repr(end))

    def test_half_a_line(self):
        """An unfinished line is no test case yet: LAVA reads the text that is there."""
        self.assertEqual(self.cases("TAP version 13\nok 1 - t.go"), [])

    def test_end(self):
        """A run that calls itself broken has no end for LAVA, and its job is incomplete."""
        for status, ends in ((0, True), (1, True), (2, False)):
            found = re.search(self.monitor["end"], f"# end of run: status {status}\r\n")
            self.assertEqual(bool(found), ends, status)

    def test_believed(self):
        """A complete job with the guest's verdicts is good, for all that LAVA does to quotes."""
        self.assertEqual(self.job(CASES), "")

    def test_not_believed(self):
        """Another verdict, a lost test, a job or a guest without an end: each has its sentence."""
        other = [*CASES[:2], ("t.bad", "pass"), *CASES[3:]]
        self.assertIn("the guest says t.bad fail, and LAVA says t.bad pass", self.job(other))
        self.assertIn("the guest has 5 results, and LAVA has 4", self.job(CASES[:4]))
        self.assertIn("the guest says t.good@cpu1 pass", self.job([CASES[0], *CASES[2:]]))
        failed = {"result": "fail", "error_type": "Infrastructure", "error_msg": "closed"}
        self.assertIn("not complete (Infrastructure: closed)", self.job(CASES, 1, **failed))
        self.assertIn("not complete", self.job(CASES, 1))
        self.assertIn("the output stops", self.job(CASES[:2], text=LOG.partition("not ok 3")[0]))

    def test_device(self):
        """The device gets the options of a run, each once, and keeps its others."""
        options = lava.device({"-cpu": "pentium", "-m": 16})["actions"]["boot"]["methods"]["qemu"][
            "parameters"]["options"]
        names = [option.split()[0] for option in options]
        self.assertEqual(len(names), len(set(names)), options)
        self.assertIn("-cpu pentium", options)
        self.assertIn("-serial stdio", options)

    def test_refused(self):
        """A target that is not LAVA's, and an impossible word, get one sentence and status 2."""
        for words, sentence in (("qemu:pentium", "not a target of LAVA"), ("lava:", "not a target"),
                                ("lava:Nehalem via=usb", "cannot do via=usb")):
            run = taptest.Run(*words.split(), program="fleet/lava")
            self.check(run, 2, sentence)


if __name__ == "__main__":
    taptest.main()
