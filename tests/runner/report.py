# SPDX-License-Identifier: MIT
"""Passes a guest's TAP on, with the target's recorded deviations marked."""
import dataclasses
import json
import re
import shlex

from runner import tap
from runner.whole import totals

REPEAT = re.compile(r"(\s+repeat:\s*)\"([^\"]+)\"$")
ALSO = re.compile(r"  also:\s*$")
PROCESSOR = re.compile(r"@cpu\d+$")

# Skips that follow from the failure of another test of the run: the reason, and the test if the reason does not
# name it (tests/suites/common/needs.c, pmu/core/detect.c).
FOLLOWS = (
    (re.compile(r"after (?P<id>\S+) failed: "), ""),
    (re.compile(r"a dead (PMU|counter): "), "pmu.counts"),
)


@dataclasses.dataclass
class Held:
    """A result that is not printed yet, and the lines after it."""

    result: tap.Result
    rows: list                  # the recorded deviations of its test on its processor
    is_excused: bool            # it was skipped, and should be
    after: list = dataclasses.field(default_factory=list)


class Report:
    """Takes the items of a Transcript and writes lines; counts the results that decide the exit status.

    `deviations` are the target's rows. `command` has the words, PMU_QUIRK=NAME among them, that repeat this run,
    without those that choose its tests. `write` is called with each line. `skips` are the rows of allowed skips, or None
    if every skip is allowed. `run` is the Transcript, which knows the rows that hold; `is_part` says whether words chose
    among the tests.

    A recorded deviation has to happen on one of the processors on which its test ran: results of a
    test that has rows are held until those of its other processors are there.
    """

    def __init__(self, deviations, command, write, skips=None, run=None, is_part=False):
        self.deviations = deviations
        self.skips = skips
        self.command = command
        self.write = write
        self.run = run or tap.Transcript()
        self.is_part = is_part
        self.recorded = self.new = self.gone = self.skip_wrong = 0
        self._red = set()               # the tests that have failed on some processor
        self._instead_of = set()        # the numbers of results that a failure has replaced
        self._replaced = False          # the block of the last result has been replaced
        self._held = []

    @property
    def status(self):
        return int(self.new + self.gone + self.skip_wrong > 0)

    def take(self, items):
        for item in items:
            if isinstance(item, tap.Result):
                self._take_result(item)
            elif isinstance(item, tap.End):
                self.finish()
                self._end(item)
            elif self._held and not tap.VERDICT.match(item.line):
                self._held[-1].after.append(item)
            else:
                self.finish()
                self._pass_on(item)

    def finish(self):
        """Prints the results that are still held, after the last result."""
        held, self._held = self._held, []
        gone = gone_rows(held)
        for each in held:
            mine = [row for row in gone if (ran_with(row, held) or with_row(row, held))[0] is each.result]
            self._result(each.result, each.rows, [gone_entry(row, held) for row in mine])
            for item in each.after:
                self._pass_on(item)

    def _take_result(self, result):
        facts = self.run.facts
        rows = [row for row in self.deviations if row.holds(facts) and row.is_about(result)]
        if self._held and self._held[-1].result.test != result.test:
            self.finish()
        self._held.append(Held(result, rows, self._is_excused(result)))
        if not rows or self.run.cpus == 1:
            self.finish()

    def _is_excused(self, result):
        """Says whether a skip is as it should be: it follows from a failure, or the target's list, if there is one, has it."""
        if result.directive != "SKIP":
            return False
        return self.skips is None or cause_of(result.reason) in self._red or any(
            row.holds(self.run.facts) and row.allows(result, self.is_part) for row in self.skips)

    def _pass_on(self, item):
        if tap.VERDICT.match(item.line):
            self._miss_families()
        if self._instead_of and tap.FAILED.match(item.line):
            return                      # the next line brings it
        if self._instead_of and tap.TOTALS.match(item.line):
            for line in totals.Tally(self.run.lines, self._instead_of).text():
                self.write(line)
        elif not (isinstance(item, tap.BlockLine) and self._replaced):
            self.write(self._with_full_command(self._with_deviations(item.line)))

    def _result(self, result, rows, entries):
        """Prints a result; `entries` are deviations that happened nowhere, if this result has to name them."""
        self._replaced = False
        self._red |= {result.test} if result.has_failed else set()
        wrong_skip = self._wrong_skip(result)
        self.gone += bool(entries)
        if wrong_skip:
            self.skip_wrong += 1
            self._instead(result, [wrong_skip, *entries])
        elif result.has_failed:
            self._failed(result, rows, entries)
        elif entries:
            self._instead(result, entries)
        else:
            self.write(result.line)

    def _failed(self, result, rows, entries):
        covering, all_covered, _ = match(result, rows)
        if all_covered and not entries:
            self.recorded += 1
            result = dataclasses.replace(result, directive="TODO", reason=todo_text(covering[0]))
        self.new += not all_covered
        self.write(result.line)
        for line in with_also(result.block, entries):
            self.write(self._with_full_command(line))

    def _wrong_skip(self, result):
        """Returns a failed check for a wrong or a missing skip, or None."""
        if self.skips is None or result.directive == "TODO":
            return None
        rows = [row for row in self.skips if row.holds(self.run.facts)]
        about = [row for row in rows if row.is_about(result)]
        if result.directive == "SKIP" and cause_of(result.reason) in self._red:
            return None
        if result.directive != "SKIP":
            return skip_entry(about[0], "the test ran") if about and not result.has_failed else None
        if any(row.allows(result, self.is_part) for row in rows):
            return None
        return {"what": "skip", "got": result.reason, "want": "a result",
                "why": "the list of allowed skips of this target does not have this one",
                **({"at": about[0].at} if about else {})}

    def _miss_families(self):
        """Says which families the list of allowed skips has, and a whole run did not skip."""
        skipped = {line.test for line in self.run.lines if line.family}
        for row in self.skips or []:
            if self.is_part or not row.is_family or not row.holds(self.run.facts):
                continue
            for name in row.id.split():
                if name not in skipped:
                    self.skip_wrong += 1
                    self.write(f"# the family {name} is there, and {row.at} has it as skipped: {row.reason}")

    def _instead(self, result, entries):
        """Writes a failed result in the place of another one."""
        self._replaced = True
        self._instead_of.add(result.number)
        self.write(dataclasses.replace(result, ok=False, directive="", reason="").line)
        first, *others = entries
        chosen = f"{result.test}.*" if result.family else result.test
        lines = ["  ---", "  severity: fail",
                 *(f"  {key}: {quoted(value)}" for key, value in first.items()),
                 f"  repeat: {quoted(self._repeat(['only=' + chosen]))}", "  ..."]
        for line in with_also(lines, others):
            self.write(line)

    def _end(self, end):
        known = self.recorded or self.gone or self.skip_wrong
        self.write(f"# end of run: status {self.status if known and end.status < 2 else end.status}")

    def _with_deviations(self, line):
        """Returns the guest's verdict and status, corrected for deviations, which the guest does not know."""
        if not tap.VERDICT.match(line) or not (self.recorded or self.gone or self.skip_wrong):
            return line
        if not self.status:
            plural = "" if self.recorded == 1 else "s"
            return f"# verdict: PASS, except {self.recorded} recorded deviation{plural} of this target"
        skips = f"; wrong skips: {self.skip_wrong}" if self.skip_wrong else ""
        return (f"# verdict: FAIL, not recorded: {self.new}; recorded deviations: "
                f"{self.recorded} as recorded, {self.gone} did not happen{skips}")

    def _with_full_command(self, line):
        """Turns the guest's own words, the only ones that it knows, into a command for the host's shell.

        A test is chosen by its id, with which it runs on every processor.
        """
        found = REPEAT.match(line)
        if not found:
            return line
        words = [PROCESSOR.sub("", word) for word in found[2].split()]
        return found[1] + quoted(self._repeat(words))

    def _repeat(self, words):
        return shlex.join([*(word for word in self.command if word not in words), *words])


def cause_of(reason):
    """Returns the id of the test whose failure a skip follows from, or None."""
    family = tap.FAMILY.match(reason)
    found = ((pattern.match(family[2] if family else reason), test) for pattern, test in FOLLOWS)
    return next((test or hit["id"] for hit, test in found if hit), None)


def match(result, rows):
    """Returns the rows that cover a failed check, whether all checks are covered, and whether all are seen.

    If a test died, or shows only some checks, no row can be said not to have happened.
    """
    try:
        checks = result.failed_checks()
    except ValueError:
        return [], False, False
    severity = checks[0].get("severity", "fail")
    hits = [[row for row in rows if row.covers(check, severity)] for check in checks]
    covering = list(dict.fromkeys(row for hit in hits for row in hit))
    all_seen = severity != "error" and "not_shown" not in checks[0]
    all_covered = all(any(row.is_about_all(result) for row in hit) for hit in hits)
    return covering, bool(result.block) and all_covered, all_seen


def ran_with(row, held):
    """Returns the results that the row is about, without skips."""
    return [each.result for each in held if row in each.rows and not each.result.directive]


def with_row(row, held):
    """Returns the results that the row is about, skips among them."""
    return [each.result for each in held if row in each.rows]


def gone_rows(held):
    """Returns the rows that had to happen, and cover none of the failures of a test's results, on no processor.

    A test that is skipped shows no deviation either, unless it should be skipped on this target.
    """
    rows, happened = {}, set()
    for each in held:
        if each.result.has_failed:
            covering, _, all_seen = match(each.result, each.rows)
            happened.update(covering if all_seen else each.rows)
        if not each.result.directive or each.result.directive == "SKIP" and not each.is_excused:
            rows.update(dict.fromkeys(each.rows))
    return [row for row in rows if row.must_happen and row not in happened]


def todo_text(row):
    return f"{row.reason} ({row.source})"


def gone_entry(row, held):
    ran = [each.id for result in ran_with(row, held) for each in result.each()]
    return {
        "what": "recorded deviation",
        "got": not_happened(ran),
        "want": f"{row.what}: {row.got}",
        "why": f"{row.reason} ({row.source})",
        "at": row.at,
    }


def not_happened(ran):
    if not ran:
        return "did not happen: the test was skipped"
    return "did not happen" + (f" in any of {' '.join(ran)}" if len(ran) > 1 else "")


def skip_entry(row, got):
    return {"what": "allowed skip", "got": got, "want": f"{row.id}: {row.reason}",
            "why": "the list of allowed skips has those that happen, and no others", "at": row.at}


def with_also(block, entries):
    """Returns the block's lines with more entries in its list `also`."""
    if not entries or not block:
        return block
    lines = [f"    {' ' if index else '-'} {key}: {quoted(value)}"
             for entry in entries for index, (key, value) in enumerate(entry.items())]
    for index, line in enumerate(block):
        if ALSO.match(line):
            return [*block[:index + 1], *lines, *block[index + 1:]]
    return [*block[:-1], "  also:", *lines, block[-1]]


def quoted(value):
    """Returns a string as YAML reads it back; JSON's strings are YAML's."""
    return json.dumps(value)
