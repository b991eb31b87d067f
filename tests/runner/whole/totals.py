# SPDX-License-Identifier: MIT
"""The one rule by which a log's totals follow from its results: `# failed:`, `# passed`, and `# verdict:`."""
import re

PASSED, FAILED, ERRATA, ERRORS, SKIPPED = "passed", "failed", "errata", "errors", "skipped"
NAMES = (PASSED, FAILED, ERRATA, ERRORS, SKIPPED)       # in the order of the log's line
MORE = re.compile(r"(?:(.*) )?and (\d+) more$")         # the kernel names only some
SHOWN = 3                                               # names in a sentence

# The verdicts of a kernel, of a program, and of tests/boot with recorded deviations: a pattern, and what has to be
# true of its numbers. `t` is a Tally.
VERDICTS = (
    (r"none, every test was skipped", lambda t: t.ran == 0),
    (r"PASS, (\d+) of the (\d+) tests that ran; the others fail by published errata",
     lambda t, passed, ran: t.bad == 0 and t.counts[ERRATA] and (passed, ran) == (t.counts[PASSED], t.ran)),
    (r"PASS, all (\d+) tests that ran", lambda t, ran: t.bad == 0 and not t.counts[ERRATA] and ran == t.ran > 0),
    (r"FAIL, (\d+) of the (\d+) tests that ran", lambda t, bad, ran: t.bad and (bad, ran) == (t.bad, t.ran)),
    (r"PASS, (\d+) of (\d+)", lambda t, passed, lines: t.bad == 0 and (passed, lines) == (t.counts[PASSED], t.lines)),
    (r"FAIL, (\d+) of (\d+)", lambda t, bad, lines: t.bad and (bad, lines) == (t.bad, t.lines)),
    (r"PASS, except (\d+) recorded deviations? of this target",
     lambda t, recorded: not t.unrecorded and recorded == t.recorded > 0),
    (r"FAIL, not recorded: (\d+); recorded deviations: (\d+) as recorded, (\d+) did not happen(?:; wrong skips: (\d+))?",
     lambda t, new, recorded, gone, skips=0: new + gone + skips > 0 and recorded == t.recorded),
)


def category(line):
    """Returns the NAME under which a line's results count. A recorded deviation counts as the failure that it is."""
    if line.ok:
        return SKIPPED if line.directive == "SKIP" else PASSED
    if line.is_erratum:
        return ERRATA
    return ERRORS if severity(line) == "error" else FAILED


def severity(line):
    try:
        return line.facts().get("severity", "fail")
    except ValueError:
        return "fail"


class Tally:
    """The totals that follow from lines with results; those whose numbers are in `failed` count as failures."""

    def __init__(self, lines, failed=()):
        self.counts = dict.fromkeys(NAMES, 0)
        self.names = []                 # of what failed, as the lines have them
        self.lines = self.recorded = self.unrecorded = 0
        for line in lines:
            self._add(line, FAILED if line.number in failed else category(line))

    def _add(self, line, name):
        self.lines += 1
        self.counts[name] += len(line.each())
        self.recorded += line.directive == "TODO" and not line.is_erratum
        self.unrecorded += line.has_failed
        if name in (FAILED, ERRORS):
            self.names.append(line.id)

    @property
    def bad(self):
        return self.counts[FAILED] + self.counts[ERRORS]

    @property
    def ran(self):
        return self.counts[PASSED] + self.counts[ERRATA] + self.bad

    def text(self):
        """Returns the first two lines of the totals, as a kernel prints them."""
        failed = [f"# failed: {' '.join(self.names)}"] if self.names else []
        return [*failed, f"# passed {self.counts[PASSED]}, " + ", ".join(
            f"{name} {self.counts[name]}" for name in NAMES[1:])]


def complaint(run):
    """Returns a sentence if the summary of a tap.Transcript does not follow from its results, or ""."""
    if not run.kind:
        return ""
    tally = Tally(run.lines)
    got = tuple(tally.counts.values())
    if run.totals is None:
        return "the line that counts the results, `# passed`, is missing"
    if run.totals != got:
        wrong = next(index for index, counts in enumerate(zip(run.totals, got)) if counts[0] != counts[1])
        return f"the log says {NAMES[wrong]} {run.totals[wrong]}, and its results are {got[wrong]}"
    return wrong_names(run, tally) or wrong_verdict(run.verdict, tally)


def wrong_names(run, tally):
    """Returns a sentence if `# failed:` names others than those that failed; programs have no such line."""
    if run.bits is None:
        return ""
    more = MORE.match(run.failed or "")
    named = ((more[1] if more else run.failed) or "").split()
    hidden = int(more[2]) if more else 0
    wrong = [name for name in named if name not in tally.names]
    if wrong:
        return f"the log says that {' '.join(wrong[:SHOWN])} failed, and no result says so"
    if len(set(named)) + hidden != len(tally.names):
        return f"the log names {len(set(named)) + hidden} failures, and its results are {len(tally.names)}"
    return ""


def wrong_verdict(text, tally):
    for pattern, holds in VERDICTS:
        found = re.fullmatch(pattern, text)
        if found and holds(tally, *(int(number or 0) for number in found.groups())):
            return ""
    return f"the verdict {text!r} does not follow from the results"
