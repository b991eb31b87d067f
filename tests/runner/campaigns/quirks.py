# SPDX-License-Identifier: MIT
"""tests/quirks: break the model in each known way and see the test that says so turn red.

A quirk is caught if the test that its row names first fails at the register or count that the row
names, and if all other tests that the row names fail, too. A test that dies is not a catch, nor is
one that fails elsewhere. A quirk without a test changes nothing, and must survive; and without a
quirk every CPU's suites must pass.
"""
import dataclasses
import re
import subprocess

from runner import boots, layout
from runner.campaigns import matrix
from runner.defects import rows
from runner.problems import BROKEN, PASSED

# The first pattern that the id and the source match says the kind of defect.
KINDS = (
    (r": control$", "control"),
    (r"^D\d.*: (made up|after)\b", "variant"),
    (r": (made up|after)\b", "made up"),
    (r"errat|silicon", "silicon erratum"),
    (r"", "historical"),
)
THIRDS = 3
BOOT = matrix.FASTEST           # GRUB and a UART would take longer than the test


@dataclasses.dataclass(frozen=True)
class Quirk:
    name: str
    id: str
    cpu: str
    test: str                   # those that must turn red, with blanks between
    what: str                   # where the first of them does
    defect: str
    source: str
    words: str = ""             # for tests/boot, with blanks between: the machine that it needs

    @property
    def tests(self):
        return self.test.split()

    @property
    def arguments(self):
        return [*self.words.split(), f"only={','.join(self.tests or self.suites)}"]

    @property
    def suites(self):
        """Of its tests: the one that breaks nothing is for the architectural PMU's."""
        return sorted({f"{test.split('.')[0]}.*" for test in self.tests}) or ["arch.*"]

    @property
    def kind(self):
        return kind_of(self.id, self.source)


def kind_of(number, source):
    """Of a defect: what has no number was made up here."""
    return next(kind for pattern, kind in KINDS if re.search(pattern, f"{number or 'none'}: {source}"))


def load():
    """The model's quirks."""
    empty = dict.fromkeys(rows.TEXTS, "")
    return [Quirk(name=row.name, **{**empty, **row.texts}) for row in rows.quirks()]


def commit():
    """Returns the checkout's commit, 40 digits; an empty string where git does not know it."""
    try:
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=layout.ROOT, text=True, check=True,
                              capture_output=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def turn(name):
    """Returns which third is a commit's turn, from 1 on; without a commit it is the first."""
    return int(name or "0", 16) % THIRDS + 1


def third(known, number):
    """Returns the quirks of one third. Neighbours in the list are of one topic and in different thirds.

    A quirk without a test is in each third.
    """
    chosen = {quirk.name for quirk in [quirk for quirk in known if quirk.test][number - 1::THIRDS]}
    return [quirk for quirk in known if not quirk.test or quirk.name in chosen]


def boot(cpu, words, quirk=""):
    """Exit status of one run, its results, and what tests/boot complained about."""
    return boots.boot(f"model:{cpu}", [*BOOT, *words], {"PMU_QUIRK": quirk})


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Whether a run was as it had to be, a sentence on it, and the finding that caught a quirk."""
    good: bool
    sentence: str
    finding: dict = dataclasses.field(default_factory=dict)     # what, got, want


def judge(quirk):
    """Whether the quirk is as its row says."""
    status, results, said = boot(quirk.cpu, quirk.arguments, quirk.name)
    if not quirk.test:
        red = [result.id for result in results if result.has_failed]
        return Verdict(status == PASSED, f"survives, as it must: {len(results)} results" if not red
                       else f"changes nothing, but {red[0]} is red")
    if status == BROKEN:
        return Verdict(False, f"BROKEN RUN: {said}")
    first, *others = (judge_test(test, what, results, said)
                      for test, what in zip(quirk.tests, [quirk.what, *[""] * len(quirk.tests)]))
    return next((other for other in others if first.good and not other.good), first)


def judge_test(test, what, results, said):
    """As judge(), of one of its tests: to be caught on one processor is enough."""
    judged = [judge_result(what, result) for result in results if result.test == test]
    if not judged:
        return Verdict(False, f"NO TEST {test}: {said}")
    best = next((verdict for verdict in judged if verdict.good), judged[0])
    return best if best.good else Verdict(False, f"{best.sentence} ({test})")


def judge_result(what, result):
    """The same, of its result on one processor. what: empty where any failed check will do."""
    if result.directive:
        return Verdict(False, f"SURVIVED: skip, {result.reason}")
    if not result.has_failed:
        return Verdict(False, "SURVIVED")
    checks = result.failed_checks()
    if checks[0].get("severity") == "error":
        died = checks[0].get("what", checks[0].get("message", ""))
        return Verdict(False, f"THE TEST DIED: {died}")
    if checks[0].get("what") in ("skip", "allowed skip"):
        return Verdict(False, f"SURVIVED: {checks[0].get('got')}")
    hit = next((check for check in checks if what in str(check.get("what", ""))), None)
    if hit is None:
        return Verdict(False, f"RED ELSEWHERE: {checks[0].get('what', '')}")
    where = f" on cpu {result.cpu}" if result.cpu else ""
    return Verdict(True, f"{hit['what']}: got {hit['got']}, want {hit['want']}{where}",
                   {key: hit[key] for key in ("what", "got", "want")})


def judge_healthy(cpu, words, suites):
    """Without a quirk these suites pass on this CPU; else no red test proves anything."""
    status, results, said = boot(cpu, [*words.split(), f"only={','.join(sorted(suites))}"])
    red = [result.id for result in results if result.has_failed]
    good = status == PASSED
    return Verdict(good, f"{len(results)} results, none red" if good
                   else f"RED: {' '.join(red)} {said}")
