# SPDX-License-Identifier: MIT
"""Runs targets one after the other; ends with a table if there are several, and writes JUnit XML if that was asked for."""
import contextlib
import dataclasses
import time
import xml.etree.ElementTree as ET

from runner import best, layout, machine, problems, program, targets
from runner.turns import asked, junit

# From the best exit status to the worst.
ORDER = (problems.PASSED, problems.UNAVAILABLE, problems.FAILED, problems.BROKEN)
VERDICTS = {problems.PASSED: "pass", problems.UNAVAILABLE: "not available", problems.FAILED: "FAIL", problems.BROKEN: "broken"}
COLUMNS = ("target", "verdict", "passed", "failed", "recorded", "skipped", "seconds")
UNFINISHED = f"{layout.command('boot')} was ended before the run was over"


@dataclasses.dataclass
class Turn:
    """The run on one target; until it is over, it is a broken one."""

    target: str
    status: int = problems.BROKEN
    sentence: str = UNFINISHED  # why there is no verdict
    seconds: float = 0.0
    lines: list = dataclasses.field(default_factory=list)       # as they were printed

    @property
    def suite(self):
        """The turn as a junit.Suite."""
        is_broken, text = self.status == problems.BROKEN, "\n".join(self.lines)
        if self.status == problems.UNAVAILABLE:
            text = f"1..0 # SKIP {self.sentence}"
        return junit.Suite(self.target, text, self.seconds, self.sentence if is_broken else "",
                           self.status == problems.FAILED)


def run_all(arguments, run, say, complain):
    """Returns the worst status of run(target, words, write) on all targets; `say` and `complain` print a line.

    Raises Problem if the command line is wrong.
    """
    wanted, done = asked.read(arguments), []
    with junit_file(wanted.junit, done):
        if len(wanted.targets) > 1:
            asked.check(wanted)
        for target in wanted.targets:
            done.append(Turn(target))
            take(done[-1], wanted.words, run, say, complain)
    if len(done) > 1:
        for line in table(done):
            say(f"# {line}")
    return max((turn.status for turn in done), key=ORDER.index)


def take(turn, words, run, say, complain):
    """Makes one run and notes what became of it."""
    def write(line):
        turn.lines.append(line)
        say(line)

    start = time.monotonic()
    try:
        if turn.target == targets.ANY:
            turn.target, sentence = best.choose(machine.split(words)[0])
            complain(sentence)
        turn.status, turn.sentence = run(turn.target, words, write), ""
    except problems.Problem as problem:
        turn.status, turn.sentence = problem.status, str(problem)
        complain(problem)
    finally:
        turn.seconds = time.monotonic() - start


@contextlib.contextmanager
def junit_file(path, done):
    """Opens the file before the first boot and writes the turns to it at the end, however that comes."""
    if not path:
        yield
        return
    try:
        file = open(path, "wb")
    except OSError as error:
        raise problems.Problem(f"{asked.JUNIT} {path}: the file cannot be written: {error.strerror}") from None
    try:
        yield
    except problems.Problem as problem:         # before the first run
        done.append(Turn(layout.command("boot"), sentence=str(problem)))
        raise
    finally:
        with program.writing(path), file:
            junit.write(file, [turn.suite for turn in done])


def table(done):
    """Returns the lines of a table with a row for each turn."""
    rows = [COLUMNS, *map(row, done)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(text.rjust(width) if at > 1 else text.ljust(width)
                      for at, (text, width) in enumerate(zip(line, widths))) for line in rows]


def row(turn):
    element = junit.add(ET.Element("testsuites"), turn.suite)
    several = [len(element.findall(f"*/{tag}")) for tag in ("failure", "system-out", "skipped")]
    passed = sum(len(case) == 0 for case in element)
    return (turn.target, VERDICTS[turn.status], *map(str, (passed, *several)), f"{turn.seconds:.1f}")
