# SPDX-License-Identifier: MIT
"""Writes a log for programs that judge without a kernel: quirks, mutants, Linux, false alarms.

    writer = tapwriter.Writer("quirks", print, ["seed: 7"])
    writer.plan(2)                              # before the results or after them
    writer.result(True, "lvtpc-stays", {"id": "D12", "what": "LVTPC"})
    writer.result(True, "smm", skip="the model has no SMM")
    status = writer.end()
"""
import json
import re

from runner import version
from runner.checksum import Summed
from runner.problems import FAILED, PASSED, Problem
from runner.tap import ID

BEFORE_VERSION = ("target: ", "quirk: ")
NOT_IN_NAMES = re.compile(r"[\s#@]+")


class Writer:
    """Writes one log; calls `write` with each line.

    `head` has `key: text` for lines of the head; those of BEFORE_VERSION come first, as in tests/boot.
    """

    def __init__(self, kind, write, head=()):
        self._write = Summed(write)
        self._planned = None
        self._results = self._failed = self._skipped = 0
        first = [line for line in head if line.startswith(BEFORE_VERSION)]
        rest = [line for line in head if line not in first]
        self._write("TAP version 13")
        for line in [*(f"# {plain(line)}" for line in first), version.head(kind),
                     *(f"# {plain(line)}" for line in rest)]:
            self._write(line)

    def plan(self, count):
        self._planned = count
        self._write(f"1..{count}")

    def result(self, good, name, facts=None, skip=""):
        """Writes one result; `facts` are the keys of its YAML block, `skip` is the reason why it was not run."""
        if not ID.fullmatch(name) or NOT_IN_NAMES.search(name):
            raise Problem(f"a log's result cannot be named {name!r}: no blank, # or @ in a name")
        self._results += 1
        self._failed += not good
        self._skipped += bool(skip)
        directive = f" # SKIP {plain(skip)}" if skip else ""
        self._write(f"{'ok' if good else 'not ok'} {self._results} - {name}{directive}")
        if facts:
            self._block(facts)

    def _block(self, facts):
        self._write("  ---")
        for key, value in facts.items():
            self._write(f"  {key}: {json.dumps(str(value))}")
        self._write("  ...")

    def end(self):
        """Writes the last lines; returns the status in them, for the program to exit with."""
        if self._planned is None:
            self.plan(self._results)
        passed = self._results - self._failed - self._skipped
        status = FAILED if self._failed else PASSED
        self._write(f"# passed {passed}, failed {self._failed}, errata 0, errors 0, skipped {self._skipped}")
        self._write(f"# verdict: {'FAIL' if self._failed else 'PASS'}, "
                    f"{self._failed or passed} of {self._results}")
        self._write(f"# end of run: status {status}")
        return status


def plain(text):
    """Returns one line of printable ASCII, as all lines of a log are."""
    line = " ".join(str(text).split())
    return line.encode("ascii", "backslashreplace").decode()
