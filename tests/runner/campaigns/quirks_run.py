# SPDX-License-Identifier: MIT
"""tests/quirks: runs quirks side by side, prints the table, writes build/quirks.tap."""
import collections
import dataclasses
import fnmatch
import time
import typing

from runner import boots, layout, nearest, program, tapwriter
from runner.campaigns import quirks
from runner.defects import rows
from runner.problems import BROKEN, FAILED, PASSED, Problem
from runner.people import ending
from runner.people.show import Position, Screen
from targets import bochs, model

USAGE = """\
usage: tests/quirks [--short] [--inexact] [--some | GLOB...]
       tests/quirks --show NAME...

Boots the model once per quirk whose name a GLOB matches (all without a GLOB), with PMU_QUIRK=NAME
and the tests that must catch it, then once without a quirk for each machine, and prints a table.
--short is for use after tests/run-matrix: it leaves out the runs without a quirk. V=1 shows each quirk.
--show prints quirks as diffs of the reference in model/. A fact of the processor's rules has no lines but its value.
--inexact boots as silicon runs, with warm caches and so without `exact`: one of the quirk's tests must see it,
unless tests/defects/exact.csv says that none can.
--some runs a fifth of the quirks, which the commit chooses; without git it is the first.
After a run of all quirks build/quirks.tap has them. Exit status: 0 all are caught, 1 one is not, 2 the
runs cannot be made, 77 the model is not available here.
"""
OPTIONS = ("--short", "--inexact", "--some", "--show")
WARM = "caches=warm seed=1"
TAP = layout.BUILD / "quirks.tap"
FINDING = ("what", "got", "want")


@dataclasses.dataclass
class Job:
    """One run, of a quirk or of a machine without one."""
    name: str
    judge: typing.Callable
    quirk: quirks.Quirk = None

    @property
    def cells(self):
        """The cells of the table before the sentence."""
        if not self.quirk:
            return ("", self.name, "")
        return (self.quirk.id or "-", self.name, " ".join(self.quirk.tests))


def main(arguments):
    return program.ended("tests/quirks", work, arguments)


def work(arguments):
    globs = [argument for argument in arguments if argument not in OPTIONS]
    is_some = "--some" in arguments
    if any(glob.startswith("-") for glob in globs) or is_some and globs:
        print(USAGE, end="")
        return PASSED if globs[:1] in (["-h"], ["--help"]) else BROKEN
    if "--show" in arguments:
        return show(globs)
    return run_all(globs or ["*"], "--short" in arguments, is_some, "--inexact" in arguments)


def show(names):
    """Prints the rows of these quirks."""
    known = {row.name: row for row in rows.quirks()}
    for name in names:
        if name not in known:
            raise Problem(f"no quirk is named {name}{nearest.hint(name, known)}")
        print("\n".join([f"# {known[name].texts['defect']}", *(line.rstrip() for line in known[name].diff)]))
    return PASSED


def run_all(globs, is_short, is_some=False, is_inexact=False):
    known = quirks.load()
    if is_inexact:
        known = [dataclasses.replace(quirk, words=f"{quirk.words} {WARM}") for quirk in known]
    chosen = [quirk for quirk in known if any(fnmatch.fnmatchcase(quirk.name, glob) for glob in globs)]
    if not chosen:
        meant = nearest.hint(globs[0], [quirk.name for quirk in known])
        raise Problem(f"no quirk is named {' or '.join(globs)}{meant}")
    if is_some:
        chosen = choose_share(known)
    bochs.share(model.QUIRKS, model.MODULE)
    judge = quirks.judge_inexact if is_inexact else quirks.judge
    jobs = [Job(quirk.name, lambda quirk=quirk: judge(quirk), quirk) for quirk in chosen]
    jobs += [] if is_short else healthy_jobs(chosen)
    screen, start = Screen(), time.monotonic()
    screen.say(f"  quirks   {len(chosen)}, each must make its tests fail; about {len(jobs) // 4} s of "
               "processor time")
    verdicts = follow(jobs, screen, is_short)
    if len(chosen) == len(known) and not is_inexact:
        write_log(jobs, verdicts)
    return conclude(jobs, verdicts, screen, time.monotonic() - start)


def choose_share(known):
    """Returns the share that the commit chooses; prints which one it is, and how to run all."""
    commit = quirks.commit()
    number = quirks.turn(commit)
    chosen = quirks.share(known, number)
    because = f"the turn of commit {commit[:8]}" if commit else "as git knows no commit here"
    print(f"  quirks   share {number}/{quirks.SHARES}, {because}: {len(chosen)} of {len(known)}; "
          "make test QUIRKS=all runs all", flush=True)
    return chosen


def healthy_jobs(chosen):
    """Returns a run of each machine without a quirk, with all suites that judge quirks there."""
    machines = {}
    for quirk in chosen:
        machines.setdefault((quirk.cpu, quirk.words), set()).update(quirk.suites)
    return [Job(f"without a quirk: {' '.join(machine)}".rstrip(),
                lambda machine=machine, suites=suites: quirks.judge_healthy(*machine, suites))
            for machine, suites in sorted(machines.items())]


def follow(jobs, screen, is_short):
    """Runs all and prints a line for each, in their order, without V=1 for those with a problem; returns their verdicts."""
    widths = [max(len(job.cells[i]) for job in jobs) for i in range(3)]
    position = Position(screen, len(jobs))
    verdicts = []
    for job, verdict in zip(jobs, boots.spread(lambda job: job.judge(), jobs)):
        verdicts.append(verdict)
        if not verdict.good or ending.is_whole() and not is_short:
            cells = "  ".join(f"{cell:{width}}" for cell, width in zip(job.cells, widths))
            screen.say(f"{'ok    ' if verdict.good else 'NOT OK'} {cells}  {verdict.sentence}")
        position.show(len(verdicts), job.name)
    return verdicts


def write_log(jobs, verdicts):
    """Writes a result for each quirk, and one for each machine that is not healthy."""
    lines = []
    writer = tapwriter.Writer("quirks", lines.append)
    for job, verdict in zip(jobs, verdicts):
        if job.quirk:
            quirk = dataclasses.asdict(job.quirk)
            finding = {**dict.fromkeys(FINDING, ""), "what": verdict.sentence, **verdict.finding}
            writer.result(verdict.good, quirk.pop("name"), {**quirk, "kind": job.quirk.kind, **finding})
        elif not verdict.good:
            writer.result(False, job.name.replace(" ", "-"), {"what": verdict.sentence})
    writer.end()
    TAP.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def conclude(jobs, verdicts, screen, seconds):
    """Shows how many of which kind are caught; returns the exit status."""
    kinds, failed, tests = {}, [], set()
    for job, verdict in zip(jobs, verdicts):
        kind = job.quirk.kind if job.quirk else "without a quirk"
        kinds.setdefault(kind, collections.Counter())["passed" if verdict.good else "failed"] += 1
        tests.update(job.quirk.tests if job.quirk else ())
        if not verdict.good:
            failed.append(ending.Failure(job.name, [verdict.sentence], f"tests/quirks {job.name}" if job.quirk else ""))
    caught = [verdict.good and verdict.sentence != quirks.NOT_SEEN for job, verdict in zip(jobs, verdicts)
              if job.quirk and job.quirk.test]
    ending.Ending(
        not failed, f"{'FAIL' if failed else 'PASS'}, {sum(caught)} of {len(caught)} quirks caught, {len(tests)} tests",
        kinds, failed, [], [
            ("log", f"{layout.shown(TAP)}, after a run of all quirks; the raw logs are in {layout.shown(layout.LOGS)}"),
            ("next", "docs/howto.md says what makes a quirk; V=1 shows each")], seconds).finish("quirks", screen)
    return FAILED if failed else PASSED
