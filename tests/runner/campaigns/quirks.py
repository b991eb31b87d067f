# SPDX-License-Identifier: MIT
"""tests/quirks: breaks the model in each known way, and checks that the named tests fail.

A quirk is caught if the test that its row names first fails at the register or count that the row
names, and if all other tests of the row fail, too; and if it shows as each erratum that the row says it is. A test that dies, or fails elsewhere, does not
catch the quirk. A quirk without a test changes nothing, and must survive. Without a quirk every
CPU's suites must pass.
"""
import csv
import dataclasses
import functools
import re
import subprocess

from runner import boots, layout
from runner.campaigns import matrix
from runner.defects import rows
from runner.problems import BROKEN, PASSED

# The first pattern that the id and the source match decides the kind of defect.
KINDS = (
    (r": control$", "control"),
    (r"^D\d.*: (made up|after)\b", "variant"),
    (r": (made up|after)\b", "made up"),
    (r"errat|silicon", "silicon erratum"),
    (r"", "historical"),
)
SHARES = 5                      # of which `make test` runs one
BOOT = matrix.FASTEST           # GRUB and a UART would take longer than the test
EXACT_ONLY = layout.ROOT / "tests/defects/exact.csv"
NOT_SEEN = "only exact sees it, as tests/defects/exact.csv says"
IDLE = re.compile(r"model: quirk \d+: its lines ran 0 times")


@dataclasses.dataclass(frozen=True)
class Quirk:
    name: str
    id: str
    cpu: str
    test: str                   # the tests that must fail, with blanks between
    what: str                   # the `what` of the first one's failure
    defect: str
    source: str
    words: str = ""             # for tests/boot, with blanks between: the machine that it needs
    errata: tuple = ()          # of rows.Erratum

    @property
    def tests(self):
        return self.test.split()

    @property
    def arguments(self):
        return [*self.words.split(), f"only={','.join(self.tests or self.suites)}"]

    @property
    def suites(self):
        """The suites of the quirk's tests; those that break nothing take those of the architectural PMU."""
        return sorted({f"{test.split('.')[0]}.*" for test in self.tests}) or ["arch.*", "rdpmc.*"]

    @property
    def kind(self):
        return kind_of(self.id, self.source)


def kind_of(number, source):
    """Returns a defect's kind; a defect without a number was made up here."""
    return next(kind for pattern, kind in KINDS if re.search(pattern, f"{number or 'none'}: {source}"))


def load():
    """Returns the model's quirks."""
    empty = dict.fromkeys(rows.TEXTS, "")
    return [Quirk(name=row.name, **{**empty, **row.texts}, errata=tuple(row.errata)) for row in rows.quirks()]


def commit():
    """Returns the checkout's commit, 40 digits; an empty string where git does not know it."""
    try:
        return subprocess.run(["git", "rev-parse", "HEAD"], cwd=layout.ROOT, text=True, check=True,
                              capture_output=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def turn(name):
    """Returns which share is a commit's turn, from 1 on; without a commit it is the first."""
    return int(name or "0", 16) % SHARES + 1


def share(known, number):
    """Returns the quirks of one share. Neighbours in the list are of one topic and in different shares.

    A quirk without a test is in each share.
    """
    chosen = {quirk.name for quirk in [quirk for quirk in known if quirk.test][number - 1::SHARES]}
    return [quirk for quirk in known if not quirk.test or quirk.name in chosen]


def boot(cpu, words, quirk=""):
    """Returns the exit status of one run, its results, and the complaints of tests/boot."""
    return boots.boot(f"model:{cpu}", [*BOOT, *words], {"PMU_QUIRK": quirk})


@dataclasses.dataclass(frozen=True)
class Verdict:
    """A verdict on a run, a sentence on it, and the finding that caught a quirk."""
    good: bool
    sentence: str
    finding: dict = dataclasses.field(default_factory=dict)     # what, got, want


def judge(quirk):
    """Says whether the quirk does what its row says."""
    status, results, said = boot(quirk.cpu, quirk.arguments, quirk.name)
    if not quirk.test:
        red = [result.id for result in results if result.has_failed]
        return Verdict(status == PASSED, f"survives, as it must: {len(results)} results" if not red
                       else f"changes nothing, but {red[0]} fails")
    if status == BROKEN:
        return Verdict(False, f"BROKEN RUN: {said}")
    if IDLE.search(said):
        return Verdict(False, "ITS LINES NEVER RAN")
    first, *others = (judge_test(test, what, results, said)
                      for test, what in zip(quirk.tests, [quirk.what, *[""] * len(quirk.tests)]))
    errata = (judge_erratum(quirk, erratum) for erratum in quirk.errata if first.good)
    return next((other for other in (*others, *errata) if first.good and not other.good), first)


def judge_inexact(quirk):
    """Does the same as judge() without `exact`: what a sound machine may do, too, leaves fewer checks, and any of them will do."""
    if not quirk.test:
        return judge(quirk)
    _, results, said = boot(quirk.cpu, quirk.arguments, quirk.name)
    judged = [judge_result("", result) for result in results if result.test in quirk.tests]
    best = next((verdict for verdict in judged if verdict.good), judged[0] if judged else Verdict(False, f"BROKEN RUN: {said}"))
    if quirk.name not in exact_only():
        return best
    return Verdict(False, f"SEEN WITHOUT exact, so take it off exact.csv: {best.sentence}") if best.good else Verdict(True, NOT_SEEN)


@functools.cache
def exact_only():
    """Returns the names of the quirks that no test sees without `exact`: what they do a sound machine may do, too."""
    with open(EXACT_ONLY, encoding="ascii") as file:
        return {row["quirk"] for row in csv.DictReader(line for line in file if not line.startswith("#"))}


def judge_erratum(quirk, erratum):
    """Says whether the quirk fails by itself on the erratum's processor, and as this erratum on its stepping."""
    test = erratum.test or quirk.tests[0]
    words = [*erratum.words, f"only={test}"]
    _, plain, said = boot(erratum.cpu, words, quirk.name)
    status, posed, _ = boot(erratum.cpu, [erratum.stepping, *words], quirk.name)
    if not any(result.has_failed for result in plain):
        return Verdict(False, f"SURVIVED on {erratum.cpu}: {test} {said}")
    named = f"erratum {erratum.id}: "
    shown = [result for result in posed if result.directive == "TODO" and result.reason.startswith(named)]
    if shown and status == PASSED:
        return Verdict(True, f"erratum {erratum.id}")
    got = "; ".join(f"{result.id}: {result.directive} {result.reason}" for result in posed) or "no result"
    return Verdict(False, f"NOT ERRATUM {erratum.id} on {erratum.cpu} {erratum.stepping}: {got}")


def judge_test(test, what, results, said):
    """Does the same as judge() for one of its tests; it is enough if one processor catches the defect."""
    judged = [judge_result(what, result) for result in results if result.test == test]
    if not judged:
        return Verdict(False, f"NO TEST {test}: {said}")
    best = next((verdict for verdict in judged if verdict.good), judged[0])
    return best if best.good else Verdict(False, f"{best.sentence} ({test})")


def judge_result(what, result):
    """Says the same of a test's result on one processor. `what` is empty if any failed check will do."""
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
    """Checks that these suites pass on this CPU without a quirk; otherwise a failing test proves nothing."""
    status, results, said = boot(cpu, [*words.split(), f"only={','.join(sorted(suites))}"])
    red = [result.id for result in results if result.has_failed]
    good = status == PASSED
    return Verdict(good, f"{len(results)} results, none red" if good
                   else f"RED: {' '.join(red)} {said}")
