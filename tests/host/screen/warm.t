#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The log that memory keeps over a reset: of a run that ended, of a run that hung, and its readers."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import hands                                        # noqa: E402
import taptest                                      # noqa: E402

END = "# end of run: status "
FAILING = "only=rdtsc.mode.*,broken.fails", "broken"
HANGING = "only=broken.fails,broken.silence", "broken"


def kept(printed):
    """Returns the log that `lastlog` printed: the text after the mark in its lines."""
    return "".join(line.removeprefix("# | ") for line in printed.splitlines(True)
                   if line.startswith("# | "))


def head(printed):
    return [line for line in printed.splitlines() if line.startswith("# previous run")]


class Warm(unittest.TestCase):

    def complete(self, machine):
        """Returns the output of a run that ends, without the text that firmware left on the first line."""
        said = machine.until(END) + machine.until("\n")
        return said[said.index("TAP version 13"):]

    def outcome(self, run):
        """Returns the line that the next run has to print about this one."""
        verdict = run.partition("# verdict: ")[2].partition("\n")[0]
        self.assertRegex(verdict, r"^FAIL, 1 of the \d+ tests")
        return [f"# previous run: complete, {run.count(chr(10))} lines: {verdict}"]

    def test_ended(self):
        """a run that ended is shown after a reset, byte by byte; on a machine of 16 MB"""
        with hands.Machine("pentium", "mem=16", *FAILING) as machine:
            first = self.complete(machine)
            self.assertEqual(head(first), [])
            machine.reset("lastlog")
            second = self.complete(machine)
            self.assertEqual((head(second), kept(second)), (self.outcome(first), first))

    def test_hung(self):
        """a run that hung is reported as cut off; the monitor shows its log up to the last line"""
        with hands.Machine("Nehalem", *HANGING) as machine:
            first = machine.until("broken.fails\n") + machine.until("  ...\n")
            first = first[first.index("TAP version 13"):]
            machine.reset("monitor")
            second = machine.until("\n> ")
            lines = first.count("\n")
            self.assertEqual(head(second), [f"# previous run: cut off after {lines} lines: "
                                            "not ok 1 - broken.fails"])
            machine.type("log\r")
            self.assertEqual(machine.until("\n> "), f"log\n{first}> ")


if __name__ == "__main__":
    taptest.main()
