# SPDX-License-Identifier: MIT
"""tests/quirks: break the model in each known way and see the test that says so turn red.

A quirk is caught if the test that its row names first fails at the register or count that the row
names, and if all other tests that the row names fail, too. A test that dies is not a catch, nor is
one that fails elsewhere. A quirk without a test changes nothing, and must survive; and without a
quirk every CPU's suites must pass.
"""
import dataclasses
import fnmatch
import re
import subprocess
import sys
import threading

from runner import boots, matrix
from runner.problems import BROKEN, FAILED, PASSED, Problem
from targets import bochs, model

USAGE = """\
usage: tests/quirks [--short] [GLOB]...

Boots the model once per quirk whose name a GLOB matches (all without a GLOB), with PMU_QUIRK=NAME
and the test that must catch it, and once without a quirk for each processor, and prints a table.
--short, for after tests/run-matrix: not without a quirk, and only what is not as it must be. Exit
status: 0 all are caught, 1 one is not, 2 this cannot be done, 77 the model cannot be had here.
"""
# The first pattern that the id and the source match says the kind of defect.
KINDS = (
    (r": control$", "control"),
    (r"^D\d.*: (made up|after)\b", "variant"),
    (r": (made up|after)\b", "made up"),
    (r"errat|silicon", "silicon erratum"),
    (r"", "historical"),
)
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
    return [Quirk(**row) for row in model.quirks()]


def boot(cpu, words, quirk=""):
    """Exit status of one run, its results, and what tests/boot complained about."""
    return boots.boot(f"model:{cpu}", [*BOOT, *words], {"PMU_QUIRK": quirk})


def judge(quirk):
    """Whether the quirk is as its row says, and the sentence for the table."""
    status, results, said = boot(quirk.cpu, quirk.arguments, quirk.name)
    if not quirk.test:
        red = [result.id for result in results if result.has_failed]
        return status == PASSED, f"survives, as it must: {len(results)} results" if not red \
            else f"changes nothing, but {red[0]} is red"
    if status == BROKEN:
        return False, f"BROKEN RUN: {said}"
    first, *others = (judge_test(test, what, results, said)
                      for test, what in zip(quirk.tests, [quirk.what, *[""] * len(quirk.tests)]))
    return next((other for other in others if first[0] and not other[0]), first)


def judge_test(test, what, results, said):
    """As judge(), of one of its tests: to be caught on one processor is enough."""
    judged = [judge_result(what, result) for result in results if result.test == test]
    if not judged:
        return False, f"NO TEST {test}: {said}"
    good, sentence = next((catch for catch in judged if catch[0]), judged[0])
    return good, sentence if good else f"{sentence} ({test})"


def judge_result(what, result):
    """The same, of its result on one processor. what: empty where any failed check will do."""
    if result.directive:
        return False, f"SURVIVED: skip, {result.reason}"
    if not result.has_failed:
        return False, "SURVIVED"
    checks = result.failed_checks()
    if checks[0].get("severity") == "error":
        return False, f"THE TEST DIED: {checks[0].get('what', checks[0].get('message', ''))}"
    hit = next((check for check in checks if what in str(check.get("what", ""))), None)
    if hit is None:
        return False, f"RED ELSEWHERE: {checks[0].get('what', '')}"
    where = f" on cpu {result.cpu}" if result.cpu else ""
    return True, f"{hit['what']}: got {hit['got']}, want {hit['want']}{where}"


def judge_healthy(cpu, words, suites):
    """Without a quirk these suites pass on this CPU; else no red test proves anything."""
    status, results, said = boot(cpu, [*words.split(), f"only={','.join(sorted(suites))}"])
    red = [result.id for result in results if result.has_failed]
    good = status == PASSED
    return good, f"{len(results)} results, none red" if good else f"RED: {' '.join(red)} {said}"


def main(arguments):
    globs = [argument for argument in arguments if argument != "--short"]
    try:
        if any(glob.startswith("-") for glob in globs):
            print(USAGE, end="")
            return PASSED if globs[0] in ("-h", "--help") else BROKEN
        return run_all(globs or ["*"], "--short" in arguments)
    except (Problem, OSError, TypeError, subprocess.CalledProcessError) as problem:
        print(f"tests/quirks: {problem}", file=sys.stderr)
        return getattr(problem, "status", BROKEN)
    except KeyboardInterrupt:
        return 128 + 2


def run_all(globs, is_short):
    chosen = [quirk for quirk in load()
              if any(fnmatch.fnmatchcase(quirk.name, glob) for glob in globs)]
    if not chosen:
        raise Problem(f"no quirk is named {' or '.join(globs)}")
    healthy = {}
    for quirk in [] if is_short else chosen:
        healthy.setdefault((quirk.cpu, quirk.words), set()).update(quirk.suites)
    jobs = [(f"without a quirk: {' '.join(machine)}".rstrip(), "",
             lambda machine=machine, suites=suites: judge_healthy(*machine, suites))
            for machine, suites in sorted(healthy.items())]
    bochs.share(model.MODULE)
    jobs += [(quirk.name, quirk.test, lambda quirk=quirk: judge(quirk)) for quirk in chosen]
    print(f"  quirks   {len(chosen)}, each must turn its test red; about {len(jobs) // 4} s of "
          "processor time", flush=True)
    return run_jobs(jobs, is_short)


def run_jobs(jobs, is_short):
    """Run all, a line each as it ends; returns the exit status."""
    width = max(len(name) for name, *_ in jobs)
    test_width = max(len(test) for _, test, _ in jobs)
    lock = threading.Lock()

    def work(job):
        name, test, judge_it = job
        good, sentence = judge_it()
        if not (good and is_short):
            with lock:
                mark = "ok    " if good else "NOT OK"
                print(f"{mark} {name:{width}}  {test:{test_width}}  {sentence}", flush=True)
        return good

    caught = sum(boots.spread(work, jobs))
    print(f"  quirks   {caught} of {len(jobs)} runs as they must be")
    return PASSED if caught == len(jobs) else FAILED
