#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The two kernels: under the same id both give the same verdict, wherever a test exists in both.

If the target deviates in one mode only, its table of deviations has a row for that mode (+bits=64).
"""
import concurrent.futures
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import deviations, tap, targets   # noqa: E402
from runner.people import show   # noqa: E402

TARGETS = ("model:corei7_haswell_4770", "qemu:Nehalem")
LINES = ("serial=debug", "serial=com1")                 # words for these; a line is slow in Bochs
WORDS = ("via=kernel", "skip=p5.*,p6.*,netburst.*")     # skipped there by both kernels
BITS = {"bits=32", "bits=64"}
ONLY32 = ("p5.", "p6.")         # suites of processors without long mode
# Tests that one of the kernels skips because of its width: instructions and registers of 64-bit mode, and
# addresses that are wider than the kernel's.
SKIPPED = ("arch.passages.syscall", "bts.records.syscall", "lbr.records.syscall", "pebs.record.r8_to_r15",
           "pebs.record.upper_halves", "pebs.rings.compatibility")
MOST = 3 / 4                    # the least share of each kernel's other tests that the other kernel has


def verdicts(text):
    """Returns {id: passed, failed, known or skipped} of a run."""
    run = tap.Transcript()
    for line in text.splitlines():
        run.feed(line)
    run.flush()
    return {result.id: show.kind_of(result) for result in run.results}


def deviating(target):
    """Returns the tests for which a deviation is recorded that one of the kernels has and not the other."""
    emulator, _, cpu = target.partition(":")
    rows = deviations.load(emulator, cpu, targets.emulator(emulator).version())
    return {row.id for row in rows if not all(need.isdisjoint(BITS) for need in row.needs)}


def differences(one, other, recorded=()):
    """Returns a sentence for each difference between two runs, given as {id: verdict}.

    recorded: tests that pass in one and fail in the other as the table of deviations says.
    """
    common = [test for test in one if test in other]
    said = [f"{test}: {one[test]} in 32 bits, {other[test]} in 64"
            for test in common if one[test] != other[test]
            and not (test in recorded and {one[test], other[test]} == {"passed", "known"})
            and not (test in SKIPPED and {one[test], other[test]} == {"passed", "skipped"})]
    either = max(sum(not test.startswith(ONLY32) for test in tests) for tests in (one, other))
    if len(common) < MOST * max(either, 1):
        said.append(f"only {len(common)} tests are in both, of {len(one)} and {len(other)}")
    return said


def missing(one, other):
    """Returns the tests of one kernel that the other does not have."""
    return " ".join(test for test in one if test not in other) or "none"


class Bits(taptest.Case):
    """Two boots of each target."""

    def same(self, target):
        runs = {bits: self.RUNNING[target, bits].result() for bits in (32, 64)}
        for bits, run in runs.items():
            self.check(run, 0)
            self.assertIn(f", {bits}-bit", run.out[2])
        one, other = (verdicts("\n".join(runs[bits].out)) for bits in (32, 64))
        print(f"# {target}: in the 32-bit kernel only: {missing(one, other)}")
        print(f"# {target}: in the 64-bit kernel only: {missing(other, one)}")
        print(f"# {target}: deviates in one of them only: {' '.join(sorted(deviating(target)))}")
        self.assertEqual(differences(one, other, deviating(target)), [])

    def test_model(self):
        """both kernels have the same verdicts on the model, with every suite"""
        self.same(TARGETS[0])

    def test_qemu(self):
        """both kernels have the same verdicts in QEMU, with its deviations"""
        self.same(TARGETS[1])


class Doctored(unittest.TestCase):
    """The comparison finds differences in doctored output."""

    def setUp(self):
        self.text = "\n".join(Bits.RUNNING[TARGETS[1], 64].result().out)
        self.whole = verdicts(self.text)

    def doctored(self, old, new):
        text, count = re.subn(old, new, self.text, count=1, flags=re.MULTILINE)
        self.assertEqual(count, 1)
        return differences(self.whole, verdicts(text))

    def test_verdicts(self):
        """a pass that became a failure or a skip, and a known failure that became a pass, are found"""
        for old, new, words in ((r"^(ok \d+ - \S+)$", r"not \1", ("passed", "failed")),
                                (r"^(ok \d+ - \S+) # SKIP (?!\d+ tests).*", r"\1", ("skipped", "passed")),
                                (r"^(not ok \d+ - \S+) # TODO.*", r"\1", ("known", "failed"))):
            with self.subTest(old):
                said = self.doctored(old, new)
                self.assertEqual(len(said), 1, said)
                self.assertRegex(said[0], f": {words[0]} in 32 bits, {words[1]} in 64")

    def test_recorded(self):
        """a deviation of one kernel has to be recorded, and excuses no new failure"""
        one, other = {"a": "passed"}, {"a": "known"}
        self.assertEqual(differences(one, other, {"a"}), [])
        self.assertEqual(len(differences(one, other, {"b"})), 1)
        self.assertEqual(len(differences(one, {"a": "failed"}, {"a"})), 1)
        self.assertEqual(len(differences(one, {"a": "skipped"}, {"a"})), 1)

    def test_lost(self):
        """an end that comes too early is found"""
        self.assertEqual(differences(self.whole, self.whole), [])
        part = dict(list(self.whole.items())[:len(self.whole) // 2])
        self.assertEqual(len(differences(self.whole, part)), 1)
        self.assertRegex(differences(self.whole, part)[0], "^only .* are in both")
        self.assertNotEqual(missing(self.whole, part), "none")


def main():
    """Starts all boots, as many at a time as there are processors, then looks at each."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        Bits.RUNNING = {(target, bits): pool.submit(taptest.Run, target, f"bits={bits}", line, *WORDS)
                        for target, line in zip(TARGETS, LINES) for bits in (32, 64)}
        taptest.main()


if __name__ == "__main__":
    main()
