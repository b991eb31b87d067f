#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How long a log is: a line for a family that is not there, and for processors that agree."""
import concurrent.futures
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import tap                              # noqa: E402

TARGET = ("qemu:Nehalem", "via=kernel")
MOST_TESTS = "skip=platform.*"          # those wait, on each processor
RUNS = {"one": (MOST_TESTS,), "sixteen": ("smp=1:16:1", MOST_TESTS), "list": ("list", MOST_TESTS),
        "a family": ("only=p6.*,rdtsc.mode.cpl0", "bits=32")}
MOST = 1.5                      # times the bytes of one processor


def boot(words):
    return taptest.Run(*TARGET, *words)


class Lines(taptest.Case):
    """Runs without a PMU, of which most tests are skipped."""

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cls.runs = dict(zip(RUNS, pool.map(boot, RUNS.values())))
        cls.read = {}
        for name, run in cls.runs.items():
            cls.read[name] = tap.Transcript()
            for line in run.out:
                cls.read[name].feed(line)

    def test_each(self):
        """every test that is listed has one result on the boot processor, in a line of its own or of its family"""
        listed = [line.split()[2] for line in self.runs["list"].out if line.startswith("# test ")]
        self.assertGreater(len(listed), 900)
        for name in ("one", "sixteen"):
            self.assertEqual(sorted(each.id for each in self.read[name].results if each.cpu == 0), sorted(listed))

    def test_family(self):
        """a family is one line with its need, and the plan counts lines"""
        run = self.read["one"]
        self.assertLess(len(run.lines), 150)
        self.assertEqual(run.plan, len(run.lines))
        reasons = {line.test: line.family[2] for line in run.lines if line.family}
        self.assertRegex(reasons["netburst"], "^the PMU is none, not NetBurst: ")
        self.assertEqual(reasons["pebs"], "CPUID.1:EDX[21] (DS) = 0")
        self.assertEqual([line.id for line in self.read["a family"].lines], ["p6", "rdtsc.mode.cpl0"])

    def test_processors(self):
        """sixteen processors say each what they gave, in at most half as much again as one"""
        one, sixteen = (sum(len(line) + 1 for line in self.runs[name].out) for name in ("one", "sixteen"))
        self.assertLess(sixteen, MOST * one)
        results = self.read["sixteen"].results
        self.assertEqual({each.cpu for each in results if each.test == "rdtsc.mode.cpl0"}, set(range(16)))
        counted = {"passed": 0, "failed": 0, "errata": 0, "errors": 0, "skipped": 0}
        for each in results:
            counted["skipped" if each.directive == "SKIP" else "passed" if each.ok else "failed"] += 1
        self.assertIn("# " + ", ".join(f"{kind} {number}" for kind, number in counted.items()),
                      self.runs["sixteen"].out)

    def test_end(self):
        """a run with several processors has its plan at the end, and says before how many lines there are at least"""
        lines = self.runs["sixteen"].out
        self.assertLess(lines.index(f"# tests: {self.read['sixteen'].planned_lines}"),
                        next(place for place, line in enumerate(lines) if line.startswith("ok 1 ")))
        self.assertGreater(lines.index(f"1..{len(self.read['sixteen'].lines)}"),
                           next(place for place, line in enumerate(lines) if " - sampling" in line))


if __name__ == "__main__":
    taptest.main()
