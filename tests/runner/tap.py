# SPDX-License-Identifier: MIT
"""Reads a guest's TAP 13 line by line, and notes mistakes of the run as a whole."""
import dataclasses
import re

from runner import numbers
from runner.checksum import CHECK, END, CheckSum

VERSION = re.compile(r"TAP version 13$")        # firmware may have left escape sequences before it
PLAN = re.compile(r"1\.\.(\d{1,9})(?: # SKIP ?(.*))?$")
RESULT = re.compile(r"(not )?ok (\d{1,9}) - ([^\s#]+)(?: \(([A-Za-z0-9-]+)\))?(?: # (SKIP|TODO)(?: (.*))?)?$")
# A test or a family of tests, and its processors unless it ran on the first one alone.
ID = re.compile(rf"([^@]+)(?:@cpu({numbers.RANGES}))?")
FAMILY = re.compile(r"(\d{1,4}) tests: (.*)$")          # the reason of a family's skip
PLANNED = re.compile(r"# tests: (\d{1,9})$")            # in the place of the plan, where that comes last
KIND = re.compile(r"# Barecount \S+, schema \d+, (?:(32|64)-bit|(\S+))$")
CPUS = re.compile(r"# cpus: (\d+) run\b(?:.*\bcores (\d+), threads (\d+))?.*$")
CPU = re.compile(r"# cpu (\d+): APIC ID \d+(, does not run: )?.*?(?:, type ([A-Za-z0-9-]+))?$")
FACT = re.compile(r"# ([A-Za-z][\w ]*): (.*)$")
LISTED = re.compile(r"# test (\S+) - .*$")
SUM_AT_END = re.compile(r"# kernel at the end: sum ([0-9A-F]{8})$")
TOTALS = re.compile(r"# passed (\d+), failed (\d+), errata (\d+), errors (\d+), skipped (\d+)$")
FAILED = re.compile(r"# failed: (.*)$")
BAIL_OUT = re.compile(r"Bail out! ?(.*)$")
VERDICT = re.compile(r"# verdict: (.*)$")
BLOCK_START, BLOCK_END, INDENT = "  ---", "  ...", "  "
SHOWN_CHARACTERS = 80


@dataclasses.dataclass
class Result:
    """One line with a result; a failed one has its YAML block with it, as the lines were received.

    It may be about several processors, and, if a family of tests is skipped, about several tests: each() has
    one Result for each of them on each processor.
    """

    ok: bool
    number: int
    id: str
    directive: str = ""         # "", "SKIP" or "TODO"
    reason: str = ""
    block: list = dataclasses.field(default_factory=list)
    at: int = dataclasses.field(default=0, compare=False)       # the number of its line
    tests: tuple = ()           # of a family that is skipped: their ids
    kind: str = ""              # on a hybrid, the type of core of these processors, if they have one and others another

    @property
    def test(self):
        """The test's id, the same on every processor."""
        return self.id.partition("@")[0]

    @property
    def cpus(self):
        """The numbers of the processors that ran the test; 0 is the boot processor."""
        return numbers.ranges(self.id.partition("@cpu")[2] or "0")

    @property
    def cpu(self):
        """The number of the first of these processors."""
        return self.cpus[0]

    @property
    def family(self):
        """A match of FAMILY if this line is about a family of tests, else None."""
        return FAMILY.match(self.reason) if self.directive == "SKIP" else None

    def take_family(self):
        """Takes the tests of a family from the block; raises ValueError if they are not those of this family."""
        text = self.facts().get("tests", "")
        if not text and not self.family:
            return
        names = numbers.names()
        tests = tuple(names.get(number, f"number {number}") for number in numbers.ranges(str(text)))
        wrong = [test for test in tests if not test.startswith(f"{self.test}.")]
        if not self.family or wrong or len(tests) != int(self.family[1]):
            raise ValueError(f"its tests are not those of its family: {' '.join(wrong) or len(tests)}")
        self.tests = tests

    def each(self):
        """Returns one Result for each test on each processor."""
        if not self.tests and "@" not in self.id:
            return [self]
        reason, block = (self.family[2], []) if self.tests else (self.reason, self.block)
        return [dataclasses.replace(self, id=f"{test}@cpu{cpu}" if cpu else test, reason=reason,
                                    block=block, tests=())
                for test in self.tests or (self.test,) for cpu in self.cpus]

    @property
    def line(self):
        directive = f" # {self.directive} {self.reason}".rstrip() if self.directive else ""
        kind = f" ({self.kind})" if self.kind else ""
        return f"{'ok' if self.ok else 'not ok'} {self.number} - {self.id}{kind}{directive}"

    @property
    def is_erratum(self):
        """True if the guest says that a published erratum of its processor makes the test fail."""
        return self.directive == "TODO" and self.reason.startswith("erratum ")

    @property
    def has_failed(self):
        return not self.ok and not self.directive

    def facts(self):
        """Returns the block as a dictionary of strings; raises ValueError if it is not readable."""
        from runner import fast_yaml    # here: a run in which nothing fails starts without it, 70 ms sooner

        facts = fast_yaml.load("\n".join(self.block[1:-1]))
        if not isinstance(facts, dict) or not isinstance(facts.get("also", []), list):
            raise ValueError("it is not a list of keys")
        return facts

    def failed_checks(self):
        """Returns every failed check of the result: the first, then those under `also`; dictionaries."""
        facts = self.facts()
        checks = [facts, *facts.get("also", [])]
        if "not_shown" in facts:        # more failed than the guest keeps: they count as a check
            checks.append({"what": "not_shown", "got": facts["not_shown"]})
        if not all(isinstance(check, dict) for check in checks):
            raise ValueError("a check under also: is not a list of keys")
        return checks


@dataclasses.dataclass
class Text:
    """A line to be passed on as it is."""

    line: str


@dataclasses.dataclass
class BlockLine(Text):
    """A line of the YAML block of a result that has not failed, passed on before its block."""


@dataclasses.dataclass
class End:
    """The last line of a run, with the guest's own status."""

    status: int


class Transcript:
    """The guest's output so far; feed() takes it line by line."""

    def __init__(self):
        self.started = False
        self.plan = None
        self.planned_reason = None      # of `1..0 # SKIP reason`
        self.lines = []                 # with a result
        self.planned_lines = None       # if the plan comes last: how many if all processors agree
        self.end = None
        self.bail_out = None
        self.verdict = ""
        self.kind = None                # "32-bit", "64-bit" or a program's name: whose log it is, by its own word
        self.bits = None                # 32 or 64: which kernel runs
        self.cpus = 1                   # how many processors run
        self.named_cpus = set()         # the numbers that the head names, running or not
        self.running = {0}              # of these, those that run
        self.kinds = {}                 # on a hybrid, the first processor of each kind, by the kind's name
        self.head = {}                  # the lines before the first result: by key, the text
        self.listed = []                # the tests that the word `list` prints
        self.kernel_end_sum = None      # the kernel's sum of itself at the end, as it is printed
        self.totals = None              # numbers: passed, failed, errata, errors, skipped
        self.failed = None              # the text that names what failed
        self.has_threads = False                # two of them are threads of one core
        self.malformed = None           # the first thing that is not as TAP wants it, a sentence
        self.misnumbered = None         # the first result with a wrong number or an id twice
        self.is_checked = False         # the check sum came, right or wrong
        self.miscounted = None          # why it is wrong, a sentence
        self.line_count = 0             # of all lines, what firmware printed included
        self._sum = CheckSum()
        self._ids = set()               # of all results
        self._fresh = None              # the result of the line before: a block may follow
        self._open = None               # the result whose block is being read
        self._waiting = None            # the failed result that is still to be passed on

    @property
    def results(self):
        """The results so far, each of one test on one processor."""
        return [result for line in self.lines for result in line.each()]

    def feed(self, line):
        """Takes one line; returns the items to pass on now (Result, Text, BlockLine, End)."""
        self.line_count += 1
        if not self.started:
            return self._feed_start(line)
        if self.end is not None:
            return []                   # what firmware prints after the guest is not the guest's
        items = self._feed_started(line)
        self._sum.take(line)
        return items

    def _feed_start(self, line):
        self.started = bool(VERSION.search(line))
        if not self.started:
            return []
        self._sum.take("TAP version 13")
        return [Text("TAP version 13")]

    def _feed_started(self, line):
        fresh, self._fresh = self._fresh, None
        if self._open is None and fresh and line == BLOCK_START:
            self._open = fresh
        if self._open:
            return self._feed_block(self._open, line)
        if fresh and fresh.family:
            self._complain(f"result {fresh.number} does not say which tests it is about")
        return [*self.flush(), *self._feed_line(line)]

    def reads_block(self, line):
        """Says whether this line, the next one, belongs to the block of the last result."""
        return self._open is not None or bool(self._fresh) and line == BLOCK_START

    def flush(self):
        """Returns a failed result that still waits for the rest of its block, with the part that came."""
        waiting, self._waiting, self._open = self._waiting, None, None
        return [waiting] if waiting else []

    def _feed_block(self, result, line):
        if line and not line.startswith(INDENT):
            self._complain(f"the YAML block of result {result.number} has no end")
            return [*self.flush(), *self._feed_line(line)]
        result.block.append(line)
        done = line == BLOCK_END
        if done:
            self._open = None
            self._check_block(result)
        if self._waiting is None:
            return [BlockLine(line)]
        return self.flush() if done else []

    def _check_block(self, result):
        try:
            result.failed_checks()
            self._take_family(result)
        except ValueError as error:
            problem = " ".join(str(error).split())
            self._complain(f"the YAML block of result {result.number} cannot be read: {problem}")

    def _take_family(self, result):
        result.take_family()
        if result.tests:
            self._note_ids(result)

    def _note_ids(self, result):
        """Notes the tests of a line, each of which may have one result on each processor."""
        ids = [each.id for each in result.each()]
        twice = next((name for name in ids if name in self._ids), None)
        if twice and not self.misnumbered:
            self.misnumbered = f"{twice} has two results"
        self._ids.update(ids)

    def _feed_line(self, line):
        fact = FACT.match(line) if self.plan is None and not self.lines else None
        if fact:
            self.head.setdefault(fact[1], fact[2])
        for pattern, take in self.LINES:
            match = pattern.match(line)
            if match:
                return take(self, match)
        if line and not line.startswith("#"):
            self._complain(f"a line is not TAP: {line[:SHOWN_CHARACTERS]!r}")
        return [Text(line)]

    def _take_plan(self, match):
        if self.plan is not None:
            self._complain("a second plan is announced")
        self.plan, self.planned_reason = int(match[1]), match[2]
        return [Text(match[0])]

    def _take_result(self, match):
        if not self._is_id(match[3]):
            self._complain(f"a result's id is not one: {match[3][:SHOWN_CHARACTERS]!r}")
            return [Text(match[0])]
        result = Result(not match[1], int(match[2]), match[3], match[5] or "", match[6] or "",
                        at=self.line_count, kind=match[4] or "")
        due = len(self.lines) + 1
        if result.number != due and not self.misnumbered:
            self.misnumbered = f"result {result.number} came where {due} was due"
        self._note_ids(result)
        self.lines.append(result)
        self._fresh = result
        if result.has_failed:
            self._waiting = result
            return []
        return [result]

    def _is_id(self, text):
        """Says whether the id is TEST, or TEST@cpuN-M,... of processors that the head has named."""
        found = ID.fullmatch(text)
        try:
            cpus = numbers.ranges(found[2] or "0") if found else []
        except ValueError:
            return False
        return bool(found) and (not found[2] or cpus != [0] and self.named_cpus.issuperset(cpus))

    def _take_planned(self, match):
        self.planned_lines = int(match[1])
        return [Text(match[0])]

    def _take_kind(self, match):
        self.kind = match[2] or f"{match[1]}-bit"
        self.bits = int(match[1]) if match[1] else None
        return [Text(match[0])]

    def _take_cpus(self, match):
        self.cpus = int(match[1])
        self.has_threads = int(match[3] or 0) > int(match[2] or 0)
        return [Text(match[0])]

    def _take_cpu(self, match):
        self.named_cpus.add(int(match[1]))
        if not match[2]:
            self.running.add(int(match[1]))
        if match[3]:
            self.kinds.setdefault(match[3], int(match[1]))
        return [Text(match[0])]

    def _take_listed(self, match):
        self.listed.append(match[1])
        return [Text(match[0])]

    def _take_sum_at_end(self, match):
        self.kernel_end_sum = match[1]
        return [Text(match[0])]

    def _take_totals(self, match):
        if self.totals:
            self._complain("the results are counted twice")
        self.totals = tuple(map(int, match.groups()))
        return [Text(match[0])]

    def _take_failed(self, match):
        if self.failed:
            self._complain("the failures are named twice")
        self.failed = match[1]
        return [Text(match[0])]

    def _take_bail_out(self, match):
        self.bail_out = self.bail_out or match[1] or "no reason given"
        return [Text(match[0])]

    def _take_end(self, match):
        self.end = int(match[1])
        return [End(self.end)]

    def _take_check(self, match):
        """Checks the sum and does not pass it on, because a program that prints other lines needs its own sum."""
        if self.is_checked:
            self._complain("a second check sum is announced")
        self.is_checked = True
        self.miscounted = self.miscounted or self._sum.complaint(match[0])
        return []

    def _take_verdict(self, match):
        self.verdict = match[1]
        return [Text(match[0])]

    LINES = (
        (RESULT, _take_result),
        (PLAN, _take_plan),
        (CHECK, _take_check),
        (END, _take_end),
        (VERDICT, _take_verdict),
        (BAIL_OUT, _take_bail_out),
        (PLANNED, _take_planned),
        (KIND, _take_kind),
        (CPUS, _take_cpus),
        (CPU, _take_cpu),
        (LISTED, _take_listed),
        (SUM_AT_END, _take_sum_at_end),
        (TOTALS, _take_totals),
        (FAILED, _take_failed),
    )

    def _complain(self, sentence):
        self.malformed = self.malformed or sentence

    @property
    def kernel_sum(self):
        """The kernel's sum of itself at the start, as it is printed, or None."""
        return self.head.get("kernel", "").removeprefix("sum ") or None

    @property
    def facts(self):
        """The facts in the head, in the words of rows of deviations: bits=64, smp, ..."""
        return {f"bits={self.bits}", "smp" if self.cpus > 1 else "up",
                "threads" if self.has_threads else "no-threads"}

    @property
    def expected(self):
        """How many lines with results there will be, or None; processors that do not agree make more."""
        return self.planned_lines if self.plan is None else self.plan

    @property
    def position(self):
        """The place that the run has reached, for a sentence."""
        if not self.lines:
            return "before its first result"
        last = self.lines[-1]
        return f"after result {last.number} of {self.expected or 'an unknown number'} ({last.id})"
