# SPDX-License-Identifier: MIT
"""Finds which tests reach which mutants, and the boots that may kill one, the cheapest first."""
import collections
import dataclasses
import fnmatch
import pathlib
import tempfile

from runner import boots
from runner.campaigns import matrix
from runner.problems import BROKEN, FAILED, PASSED, Problem
from targets import model

REACH = "PMU_MUTANT_REACH"      # in the environment: the file that tests/mutation/mutant.c writes
# Each test first runs on so many machines with one processor, and on as many with several.
MACHINES = 2
FIRST_SECONDS = 0.4             # of tests, in the first boot: most mutants die there
IDS_MAX = 30                    # after only=
# The tests of these suites judge one experiment, which the first of them runs.
TOGETHER = ("sampling",)
HANG = ("said nothing", "was not over", "printed no TAP")


@dataclasses.dataclass
class Test:
    id: str
    seconds: float
    reached: int                # bit per mutant


@dataclasses.dataclass
class Machine:
    """A row of the matrix, and what its tests reach."""

    row: matrix.Row
    tests: list
    always: int                 # reached before the first test

    @property
    def has_several(self):
        """True if the machine has several processors."""
        return any(word.startswith("smp=") for word in self.row.words)

    def reaching(self, number):
        """Returns the tests that may kill this mutant, the shortest first."""
        own = [test for test in self.tests if test.reached >> number & 1]
        return own or (self.tests if self.always >> number & 1 else [])


@dataclasses.dataclass
class Death:
    how: str                    # "red", "crash" or "hang"
    test: str                   # that is red, or the sentence about the run
    row: matrix.Row


def rows(globs):
    """Runs of the model."""
    found = [row for row in matrix.rows().values()
             if row.target.startswith("model:")
             and any(fnmatch.fnmatchcase(row.name, glob) for glob in globs)]
    if not found:
        raise Problem(f"no row of tests/matrix that runs the model is named {' or '.join(globs)}")
    return found


def machines(globs, progress):
    """Runs these rows without a mutant, and notes the places that each test reaches."""
    with tempfile.TemporaryDirectory() as folder:
        def work(row):
            machine = record(row, pathlib.Path(folder) / row.name)
            progress(row.name)
            return machine
        return list(boots.spread(work, rows(globs)))


def record(row, path):
    status, results, said = boot(row, row.words, 0, {REACH: str(path)})
    if status != PASSED:
        red = [result.id for result in results if result.has_failed]
        raise Problem(f"{row.name} is not green without a mutant: {' '.join(red)} {said}")
    tests, always = {}, 0
    for line in path.read_text(encoding="ascii").splitlines():
        name, seconds, reached = reach_of(line)
        name = name.partition("@")[0]
        if name == "-":
            always |= reached
        elif name != "=":
            suite = name.partition(".")[0]
            name = f"{suite}.*" if suite in TOGETHER else name
            test = tests.setdefault(name, Test(name, 0, 0))
            test.seconds += seconds
            test.reached |= reached
    return Machine(row, sorted(tests.values(), key=lambda test: (test.seconds, test.id)), always)


def reach_of(line):
    """Returns the id, the seconds and the places, a bit for each, of a line that tests/mutation/mutant.c has written."""
    name, seconds, digits = line.split()
    # The first digit has mutants 0 to 3; of a number that int() reads it is the last.
    return name, float(seconds), int(digits[::-1], 16)


def boot(row, words, number, environment=()):
    """Does the same as boots.boot(), with this mutant, or with none if the number is 0."""
    return boots.boot(row.target, words, {model.MUTANT: str(number), **dict(environment)})


def plan(all_machines, number):
    """Yields the boots for this mutant: (machine, ids of tests); each may already kill it."""
    found = [(machine, machine.reaching(number)) for machine in all_machines]
    found = sorted(((machine, tests) for machine, tests in found if tests),
                   key=lambda pair: sum(test.seconds for test in pair[1]))
    said, later = collections.Counter(), []
    for machine, tests in found:
        several = machine.has_several
        now = [test for test in tests if said[test.id, several] < MACHINES]
        said.update((test.id, several) for test in now)
        later.append((machine, [test for test in tests if test not in now]))
        yield from ((machine, chunk) for chunk in chunks(now, machine is found[0][0]))
    for machine, tests in later:
        yield from ((machine, chunk) for chunk in chunks(tests, False))


def chunks(tests, is_first):
    """Ids for one boot each; of the very first machine a short one before."""
    ids, seconds = [], 0
    for test in tests:
        seconds += test.seconds
        if ids and (len(ids) == IDS_MAX or (is_first and seconds > FIRST_SECONDS)):
            yield ids
            ids, is_first = [], False
        ids.append(test.id)
    if ids:
        yield ids


def run(machine, ids, number):
    """Returns how these tests kill this mutant, or None."""
    words = [word for word in machine.row.words if not word.startswith(("only=", "skip="))]
    status, results, said = boot(machine.row, [*words, f"only={','.join(ids)}"], number)
    red = next((result.id for result in results if result.has_failed), "")
    if status == FAILED:
        return Death("red", red or said, machine.row)
    if status == BROKEN:
        is_hang = any(words in said for words in HANG)
        return Death("hang" if is_hang else "crash", said.removeprefix("tests/boot: "), machine.row)
    return None
