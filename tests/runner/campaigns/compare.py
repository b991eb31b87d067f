# SPDX-License-Identifier: MIT
"""tests/compare: compares two logs test by test, and shows important differences first.

A verdict is the machine's own. A recorded deviation (`# TODO`, which only tests/boot prints) does not
change it; a published erratum, which the kernel names, is a verdict of its own.
"""
import argparse
import shutil
import textwrap

from runner import logfile, program
from runner.problems import FAILED, PASSED

DESCRIPTION = """\
Compares two logs of Barecount test by test, on each processor: other verdicts, worse ones first; tests
that only one log has; other failures; values that are only reported; the heads' descriptions of the
machines. A log is a capture of a serial line, or the output of tests/boot. Exit status: 0 the same
verdicts, 1 other verdicts, 2 a log is refused or cannot be read.
"""
OK, NOT_OK, ERROR, SKIP, ABSENT, ERRATUM = "ok", "not ok", "error", "skipped", "absent", "not ok, an erratum"
BAD = (NOT_OK, ERROR)
CHECK_KEYS = ("what", "got", "want", "why")
SHOWN_IDS, SHOWN_VALUES = 6, 2  # of a list, without --all
INDENT = "  "
MOST_COLUMNS, LEAST_COLUMNS = 100, 40


def main(arguments):
    return program.ended("tests/compare", compare, parser().parse_args(arguments))


def compare(asked):
    pair = Pair(*(logfile.read(path, asked.any_version) for path in (asked.a, asked.b)))
    Page(pair, asked.all).show()
    return FAILED if pair.differ else PASSED


def parser():
    made = argparse.ArgumentParser("tests/compare", description=DESCRIPTION)
    made.add_argument("--all", action="store_true", help="equal tests, too, and long lists in full")
    made.add_argument("--any-version", action="store_true",
                      help="take logs of other versions of Barecount with the same schema")
    made.add_argument("a", metavar="A", help="a log")
    made.add_argument("b", metavar="B", help="another log")
    return made


def verdict_of(result):
    """Returns one of OK, NOT_OK, ERROR, SKIP, ABSENT, ERRATUM."""
    if result is None:
        return ABSENT
    if result.directive == "SKIP":
        return SKIP
    if result.ok or result.is_erratum:
        return OK if result.ok else ERRATUM
    return ERROR if result.facts().get("severity") == "error" else NOT_OK


def checks_of(result):
    """Returns what, got, want and why of each failed check."""
    checks = result.failed_checks() if result and not result.ok else []
    return [{key: str(check[key]) for key in CHECK_KEYS if key in check} for check in checks]


def reported_by(result):
    """Returns the values of a result that are not judged, as sentences."""
    entries = result.facts().get("reported", []) if result else []
    return [str(entry["what"]) if isinstance(entry, dict) and "what" in entry else str(entry)
            for entry in entries]


class Test:
    """A test on one processor, in both logs; one may not have it."""

    def __init__(self, a, b):
        self.a, self.b = a, b
        self.id = (a or b).id
        self.test, self.cpu = (a or b).test, (a or b).cpu
        self.verdicts = verdict_of(a), verdict_of(b)
        self.checks = checks_of(a), checks_of(b)
        self.reported = reported_by(a), reported_by(b)
        self.reason = "" if ABSENT in self.verdicts else \
            next((each.reason for each in (b, a) if each.directive == "SKIP"), "")

    @property
    def kind(self):
        """The number of the test's section."""
        a, b = self.verdicts
        if a == b:
            if self.checks[0] != self.checks[1]:
                return OTHER_FAILURE
            return OTHER_VALUES if self.reported[0] != self.reported[1] else EQUAL
        if ABSENT in self.verdicts:
            return ONLY_IN_B if a == ABSENT else ONLY_IN_A
        if b in BAD:
            return WORSE
        if a in BAD:
            return BETTER
        if ERRATUM in (a, b):
            return WORSE if b == ERRATUM else BETTER
        return RUNS_IN_A if b == SKIP else RUNS_IN_B

    def looks(self, is_all):
        """Returns what tests have in common that are shown as one. If a test failed on two processors in different
        ways, the first check is of one of them."""
        if self.kind in SHORT:
            return self.verdicts, self.reason
        return self.test, self.verdicts, str((self.checks, self.reported)) if is_all else ""


# The sections, in their order: (their line; {tests} is the number with its noun).
TITLES = (
    "{tests} failed in B and not in A:",
    "{tests} failed in A and not in B:",
    "{tests} in A alone:",
    "{tests} in B alone:",
    "{tests} ran in A, skipped in B:",
    "{tests} ran in B, skipped in A:",
    "{tests} with the same verdict, failed in another way:",
    "{tests} with the same verdict and other reported values:",
    "{tests} equal:",
)
(WORSE, BETTER, ONLY_IN_A, ONLY_IN_B, RUNS_IN_A, RUNS_IN_B, OTHER_FAILURE, OTHER_VALUES,
 EQUAL) = range(len(TITLES))
SHORT = (ONLY_IN_A, ONLY_IN_B, RUNS_IN_A, RUNS_IN_B, EQUAL)         # a list of names says all
DIFFERENT = range(OTHER_FAILURE)                                    # other verdicts


class Pair:
    """Two logs; `sections` has a list of tests for each of TITLES."""

    def __init__(self, a, b):
        self.logs = a, b
        mine, theirs = ({result.id: result for result in log.results} for log in self.logs)
        tests = [Test(mine.get(name), theirs.get(name)) for name in dict.fromkeys([*mine, *theirs])]
        self.sections = [[test for test in tests if test.kind == kind]
                         for kind in range(len(TITLES))]

    @property
    def differ(self):
        return any(self.sections[kind] for kind in DIFFERENT)

    def heads(self):
        """Returns (key, A's text, B's text) for each difference between the heads."""
        a, b = (log_head(log) for log in self.logs)
        return [(key, a.get(key), b.get(key)) for key in dict.fromkeys([*a, *b])
                if a.get(key) != b.get(key)]


def log_head(log):
    """Returns the log's description of its machine and of the run."""
    said = {"target": log.name if log.target else "", "quirk": log.quirk, "QEMU": log.qemu, "version": log.version,
            "kernel": log.kind, **log.head}
    return {key: text for key, text in said.items() if text}


class Page:
    """Prints a Pair for people."""

    def __init__(self, pair, is_all):
        self.pair = pair
        self.is_all = is_all
        columns = shutil.get_terminal_size((80, 24)).columns
        self.width = max(LEAST_COLUMNS, min(columns, MOST_COLUMNS)) - 1

    def show(self):
        for letter, log in zip("AB", self.pair.logs):
            named = f" ({log.path})" if log.target else ""
            self.say(f"{letter}  {log.name}{named}", "   ")
        print(self.totals())
        for kind, tests in enumerate(self.pair.sections):
            if tests and (kind != EQUAL or self.is_all):
                self.section(kind, tests)
        self.heads()

    def totals(self):
        sections = self.pair.sections
        count = sum(map(len, sections))
        others = sum(len(sections[kind]) for kind in DIFFERENT)
        if not others:
            return f"The same verdicts: {amount(count)}."
        return f"{amount(others)} of {count} with other verdicts."

    def section(self, kind, tests):
        print()
        print(TITLES[kind].format(tests=amount(len(tests))))
        groups = {}
        for test in tests:
            groups.setdefault(test.looks(self.is_all), []).append(test)
        for group in groups.values():
            if kind in SHORT:
                self.names(group)
            else:
                self.group(group)

    def names(self, group):
        """Prints the names of tests, with the reasons of skipped ones."""
        if group[0].reason:
            self.say(f"{INDENT}because {group[0].reason}:", INDENT * 2)
        deep = INDENT * (2 if group[0].reason else 1)
        names = by_test(group)
        shown = names if self.is_all else names[:SHOWN_IDS]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        self.say(f"{deep}{', '.join(shown)}{more}", deep)

    def group(self, group):
        """Prints one test's differences, which are the same on all processors of the group."""
        first = group[0]
        a, b = first.verdicts
        change = f": {a} -> {b}" if a != b else ""
        self.say(f"{INDENT}{by_test(group)[0]}{change}", INDENT * 3)
        if first.kind == OTHER_VALUES:
            self.values(*first.reported)
        for letter, checks, others in zip("AB", first.checks, first.checks[::-1]):
            own = [check for check in checks if check not in others or self.is_all]
            for check in own if self.is_all else own[:1]:
                self.check(letter, check)
            self.more(len(own) - 1, "check")
        if first.reason:
            self.say(f"{INDENT * 2}skipped because {first.reason}", INDENT * 3)

    def check(self, letter, check):
        for key, text in check.items():
            lead = f"{INDENT * 2}{letter if key == 'what' else ' '} {key:5}"
            self.say(f"{lead}{text}", " " * len(lead))

    def values(self, a, b):
        """Prints the values that one log has alone."""
        for letter, mine, theirs in (("A", a, b), ("B", b, a)):
            own = [text for text in mine if text not in theirs] if sorted(a) != sorted(b) else mine
            for text in own if self.is_all else own[:SHOWN_VALUES]:
                self.say(f"{INDENT * 2}{letter} {text}", INDENT * 3)
            self.more(len(own) - SHOWN_VALUES, "value")

    def more(self, count, noun):
        """Prints how many are not shown."""
        if count > 0 and not self.is_all:
            print(f"{INDENT * 3}and {count} more {noun}{'' if count == 1 else 's'} (--all)")

    def heads(self):
        heads = self.pair.heads()
        if heads:
            print("\nThe heads:")
        for key, *texts in heads:
            for letter, text in zip("AB", texts):
                lead = f"{INDENT}{key if letter == 'A' else ''}"
                self.say(f"{lead:16} {letter} {text or '(does not say)'}", " " * 19)

    def say(self, text, indent):
        print(textwrap.fill(text, self.width, subsequent_indent=indent, break_on_hyphens=False,
                            break_long_words=True))


def amount(count):
    return f"{count} test{'' if count == 1 else 's'}"


def by_test(group):
    """Returns names of tests, with the processors if others than the first are among them."""
    cpus = {}
    for test in group:
        cpus.setdefault(test.test, []).append(test.cpu)
    return [name if where == [0] else f"{name} ({processors(where)})"
            for name, where in cpus.items()]


def processors(numbers):
    """Returns a text such as `cpu 2` or `cpus 0-3, 6`."""
    parts, numbers = [], sorted(numbers)
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    text = ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in parts)
    return f"cpu{'' if len(numbers) == 1 else 's'} {text}"
