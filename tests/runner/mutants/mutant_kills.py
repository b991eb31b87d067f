# SPDX-License-Identifier: MIT
"""Which cases of the model's unit tests kill which mutants. A case is spare if others kill all that it kills."""
import collections
import csv
import dataclasses
import pathlib
import re
import tempfile
import time

from runner import boots, layout
from runner.mutants import mutant_boots, mutant_units
from runner.problems import PASSED, Problem

TABLE = layout.BUILD / "mutants" / "kills.csv"
COLUMNS = ("program", "case", "kills", "spare")
ENOUGH = 3                      # cases that kill a mutant; whether others do, too, is not asked
SLOW = 0.5                      # seconds; a program that takes longer is not asked
HANGS = 2                       # seconds after which a program hangs that is not slow
RESULT = re.compile(r"^((?:not )?ok) \d+ - (\S+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Program:
    """A program of unit tests, and what it does without a mutant."""

    name: str
    cases: tuple                # their names, in their order
    reached: int                # a bit for each mutant
    seconds: float

    def red(self, number):
        """Returns the cases that fail with this mutant; one in which the program dies or hangs fails, too."""
        ended = RESULT.findall(mutant_units.output(self.name, number, HANGS))
        red = [name for word, name in ended if word != "ok"]
        has_died = len(ended) < len(self.cases) and (not ended or ended[-1][0] == "ok")
        return red + ([self.cases[len(ended)]] if has_died else [])


def measured(name):
    """Returns the Program of this name, which must be green without a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        path, start = pathlib.Path(folder) / "reach", time.monotonic()
        ended = RESULT.findall(mutant_units.output(name, 0, mutant_units.SECONDS_MAX, {mutant_boots.REACH: str(path)}))
        seconds, reached = time.monotonic() - start, 0
        for line in path.read_text(encoding="ascii").splitlines():
            reached |= mutant_boots.reach_of(line)[2]
    if not ended or any(word != "ok" for word, _ in ended):
        raise Problem(f"{name} is not green without a mutant")
    return Program(name, tuple(case for _, case in ended), reached, seconds)


def killers(number, programs):
    """Returns PROGRAM.CASE of ENOUGH cases that kill a mutant, or of all if they are fewer."""
    found = []
    for program in programs:
        if program.reached >> number & 1 and len(found) < ENOUGH:
            found += [f"{program.name}.{case}" for case in program.red(number)]
    return found


def spare(kills):
    """Returns cases without which each mutant has a killer still, those that kill few first; kills has sets by case."""
    left = collections.Counter(number for numbers in kills.values() for number in numbers)
    found = []
    for case in sorted(kills, key=lambda case: (len(kills[case]), case)):
        if all(left[number] > 1 for number in kills[case]):
            left.subtract(kills[case])
            found.append(case)
    return found


def run(count, say):
    """Puts each mutant of the build, 1 to count, to the unit tests; writes the table; returns the exit status."""
    measures = sorted(boots.side_by_side(measured, mutant_units.names()), key=lambda program: program.seconds)
    programs = [program for program in measures if program.seconds <= SLOW]
    kills = {f"{program.name}.{case}": set() for program in programs for case in program.cases}
    numbers = range(1, count + 1)
    for number, found in zip(numbers, boots.side_by_side(lambda number: killers(number, programs), numbers)):
        for case in found:
            kills[case].add(number)
        if number % 100 == 0:
            say(f"{number}/{count} mutants")
    say(f"not asked, as they take longer than {SLOW} s: {' '.join(program.name for program in measures[len(programs):])}")
    killed = set().union(*kills.values())
    say(f"{len(killed)} of {count} mutants are killed")
    write(kills, spare(kills), say)
    return PASSED


def write(kills, unneeded, say):
    """Writes a row for each case."""
    with open(TABLE, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for case, numbers in sorted(kills.items()):
            out.writerow([*case.split(".", 1), len(numbers), "yes" if case in unneeded else "no"])
    say(f"{len(kills)} cases, {len(unneeded)} of which are spare: {layout.shown(TABLE)}")
