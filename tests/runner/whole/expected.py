# SPDX-License-Identifier: MIT
"""What a run of tests/boot must contain: everything that the runner knows before the guest says a word.

These are the kernel's tests with the words that choose among them, the sum of the kernel that was handed over, and
lines of the head that are always the same on a target.
"""
import csv
import dataclasses

from runner import deviations, layout
from runner.deviations import glob_matches
from runner.whole import contents

NOT_A_RUN = ("monitor", "lastlog")      # with these words there are no results
COLUMNS = ("targets", "key", "text")
SHOWN = 5                               # names in a sentence


@dataclasses.dataclass(frozen=True)
class Head(deviations.Meant):
    """A row of tests/targets/heads/EMULATOR.csv; `id` is the key of the head's line."""

    text: str
    at: str
    needs: tuple = (frozenset(),)


def load_heads(emulator, cpu, version="", words=(), folder=layout.HEADS):
    """Returns the rows for this target, as deviations.load() does; the first row of a key holds.

    `bits` as a key means the kernel's width, which is not a line of its own.
    """
    path = folder / f"{emulator}.csv"
    return deviations.meant_rows(path, COLUMNS, Head, cpu, version, words) if path.exists() else []


def chosen(tests, words):
    """Returns the Tests that these words choose, in the order in which `list` prints them."""
    only, skip = (deviations.any_of(globs_of(words, key)) for key in ("only=", "skip="))
    unwanted = None if "broken" in words else "broken"
    found = [contents.Test._make(row) for row in tests.values()
             if (not only or only(row[0])) and row[2] != unwanted and not (skip and skip(row[0]))]
    return sorted(found, key=lambda test: (test.kind != "first", test.id))


def globs_of(words, key):
    return [glob for word in words if word.startswith(key) for glob in word.removeprefix(key).split(",")]


class Expected:
    """Judges a tap.Transcript. `words` are the kernel's, `handover` has the kernels, `heads` are rows of Head."""

    def __init__(self, words, handover, heads=(), cpus=None):
        self.words = words
        self.handover = handover
        self.heads = heads
        self.cpus = cpus

    def complaint(self, run):
        """Returns a sentence on what the run lacks or has in addition, or "". Raises Problem without the lists."""
        if run.bits is None:
            return "the head does not say which kernel runs"
        if any(word in self.words for word in NOT_A_RUN):
            return self._wrong_sum(run)
        return self._wrong_sum(run) or self._wrong_head(run) or wrong_tests(run, self.words)

    def _wrong_sum(self, run):
        handed = self.handover.sums
        for when, value in (("at its start", run.kernel_sum), ("at its end", run.kernel_end_sum)):
            if value not in handed:
                return (f"{when} the kernel's sum of itself is {value or 'missing'}, and that of the kernel that was "
                        f"handed over is {' or '.join(sorted(handed)) or 'unknown'}")
        return ""

    def _wrong_head(self, run):
        seen = {}
        for row in self.heads:
            if row.holds(run.facts):
                seen.setdefault(row.id, row)
        for key, row in seen.items():
            got = str(run.bits) if key == "bits" else run.head.get(key, "missing")
            if not glob_matches(row.text, got):
                return f"the head's {key} is {got!r}, and on this target it is {row.text!r} ({row.at})"
        if self.cpus not in (None, run.cpus):
            return f"the head says that {run.cpus} processors run, and this machine has {self.cpus}"
        if run.cpus != len(run.running):
            return f"the head says that {run.cpus} processors run, and names {len(run.running)}"
        return ""


def of_log(run, words):
    """Returns what is wrong with a log of a file, or "": with its kernel's sums, and with its tests if all is known.

    `words` are those of tests/boot, or None where nobody wrote down what the kernel's words were.
    """
    if not run.bits or not run.kernel_sum:
        return ""                       # a program, or a kernel from before it summed itself
    if run.kernel_end_sum != run.kernel_sum:
        return f"the kernel's sum of itself is {run.kernel_sum} at its start and {run.kernel_end_sum} at its end"
    if words is None or any(word in words for word in NOT_A_RUN) or not is_built(run):
        return ""
    return wrong_tests(run, words)


def is_built(run):
    """Says whether the log is of the kernel that lies in the build."""
    return layout.CONTENTS[run.bits].exists() and contents.of(run.bits).sum == run.kernel_sum


def wrong_tests(run, words):
    """Returns a sentence if the results are not those of the tests that the kernel's words choose, or ""."""
    tests = chosen(contents.of(run.bits).tests, words)
    if "list" in words:
        if run.listed == [test.id for test in tests]:
            return ""
        return difference({test.id for test in tests}, set(run.listed), "listed")
    on = {"boot": {0}, "kinds": {0, *run.kinds.values()}}
    wanted = {(test.id, cpu) for test in tests for cpu in on.get(test.runs, run.running)}
    got = {name_of(*each) for each in results_of(run, wanted)}
    return difference({name_of(*each) for each in wanted}, got, "among the results")


def difference(wanted, got, where):
    """Returns a sentence on the names that are missing or too many in this place."""
    lost, extra = wanted - got, got - wanted
    if lost:
        return f"{len(lost)} of the {len(wanted)} tests of this kernel and these words are not {where}: {some(lost)}"
    if extra:
        return f"{len(extra)} tests are {where} that this kernel and these words do not have: {some(extra)}"
    return "the tests are listed in another order" if where == "listed" else ""


def some(names):
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return " ".join(sorted(names)[:SHOWN]) + more


def results_of(run, wanted):
    """Returns (test, processor) of each result; a family's line stands for its tests on the processors they run on."""
    found = {(each.test, each.cpu) for line in run.lines if not line.tests for each in line.each()}
    of_families = {(each.test, each.cpu) for line in run.lines if line.tests for each in line.each()}
    return found | {each for each in of_families if each in wanted or each[1] == 0}


def name_of(test, cpu):
    return f"{test}@cpu{cpu}" if cpu else test


def rows_of(path):
    """Returns the rows of a table of heads, for the table's own test."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))
