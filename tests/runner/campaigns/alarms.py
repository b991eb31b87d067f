# SPDX-License-Identifier: MIT
"""tests/alarms: runs each suite with many seeds; a verdict that differs from the healthy one is an alarm.

No test may depend on what a seed varies (the word seed= of tests/boot), and the machines are sound, so each
alarm is a false alarm. The healthy verdict is that of a run without a seed, which has to pass.
"""
import dataclasses
import fnmatch
import shlex
import sys

from runner import boots, layout, program, tapwriter
from runner.campaigns.alarms_plan import MACHINES, SUITES, jobs_for
from runner.problems import BROKEN, FAILED, PASSED, Problem
from runner.people.show import Position, Screen
from targets import bochs, model

TAP = layout.BUILD / "alarms.tap"
RUNS = 200
USAGE = f"""\
usage: tests/alarms [--runs N] [GLOB]...

Runs each suite N times ({RUNS}), with the seeds 1 to N, spread over the processors that have it, on
the model and on QEMU. GLOBs choose among model.SUITE and qemu.SUITE. Prints each verdict that
differs from that of a run without a seed, with the command that repeats the run, then a table;
{layout.shown(TAP)} has the same. Exit status: 0 no verdict differs, 1 one does, 2 the runs cannot be made,
77 a target is not available here.
"""


@dataclasses.dataclass
class Tally:
    """The outcomes of one suite."""

    machines: set = dataclasses.field(default_factory=set)
    runs: int = 0
    results: int = 0
    alarms: list = dataclasses.field(default_factory=list)     # sentences
    repeats: list = dataclasses.field(default_factory=list)    # a command for each of them


def main(arguments):
    return program.ended("tests/alarms", lambda: run_all(*parse(arguments)))


def parse(arguments):
    """Parses the number of runs, and the suites."""
    words, runs = list(arguments), RUNS
    if words[:1] == ["--runs"]:
        if len(words) < 2 or not words[1].isascii() or not words[1].isdigit() or not int(words[1]):
            raise Problem("--runs wants a number from 1 on")
        runs, words = int(words[1]), words[2:]
    if any(word.startswith("-") for word in words):
        print(USAGE, end="", file=sys.stdout if words[0] in ("-h", "--help") else sys.stderr)
        sys.exit(PASSED if words[0] in ("-h", "--help") else BROKEN)
    return runs, words or ["*"]


def run_all(runs, globs):
    names = [name for name in SUITES if any(fnmatch.fnmatchcase(name, glob) for glob in globs)]
    if not names:
        raise Problem(f"no suite is named {' or '.join(globs)}; there are {' '.join(SUITES)}")
    if any(name.startswith("model.") for name in names):
        bochs.share(model.MODULE)
    screen, tallies = Screen(), {name: Tally() for name in names}
    jobs = jobs_for(names, runs)
    healthy = find_healthy(jobs, tallies, screen)
    follow(jobs, healthy, tallies, screen)
    return conclude(tallies, runs, screen)


# ------------------------------------------------------------------------------------ running

def verdicts(results):
    """Returns ok, not ok, SKIP or TODO by id; the ids have their processors."""
    return {result.id: result.directive or ("ok" if result.ok else "not ok") for result in results}


def find_healthy(jobs, tallies, screen):
    """Returns, by machine, the verdicts of a run without a seed of all tests that are run there.

    Each failure in it is one alarm.
    """
    suites = {}
    for job in jobs:
        suites.setdefault(job.machine, set()).update(job.suites)
    found, work = {}, sorted(suites)
    screen.say(f"  alarms   {len(work)} machines without a seed, then {len(jobs)} runs with one")

    def run(machine):
        return boots.boot(MACHINES[machine].target, MACHINES[machine].arguments(suites[machine]))

    for machine, (status, results, said) in zip(work, boots.spread(run, work)):
        row = MACHINES[machine]
        repeat = shlex.join(["tests/boot", row.target, *row.arguments(suites[machine])])
        if status == BROKEN:
            raise Problem(f"{repeat}: {said}")
        for result in filter(lambda result: result.has_failed, results):
            sentence = f"{result.id}: not ok, without any seed{reason_of(result)}"
            name = f"{row.target.partition(':')[0]}.{result.id.partition('.')[0]}"
            tallies[name].alarms.append(sentence)
            tallies[name].repeats.append(repeat)
            screen.say(f"{name}: {sentence}\n    {repeat}")
        found[machine] = verdicts(results)
    return found


def follow(jobs, healthy, tallies, screen):
    """Runs all and notes their outcomes."""
    position = Position(screen, len(jobs))

    def run(job):
        return boots.boot(MACHINES[job.machine].target, job.arguments)

    for done, (job, run_of) in enumerate(zip(jobs, boots.spread(run, jobs)), 1):
        for sentence in note(job, run_of, healthy[job.machine], tallies):
            screen.say(sentence)
        position.show(done, f"{sum(len(tally.alarms) for tally in tallies.values())} false alarms")


def note(job, run_of, healthy, tallies):
    """Adds a run; returns sentences about its deviations."""
    status, results, said = run_of
    got, sentences = verdicts(results), []
    for name in job.names:
        tally, prefix = tallies[name], f"{name.partition('.')[2]}."
        tally.machines.add(job.machine)
        tally.runs += 1
        tally.results += sum(test.startswith(prefix) for test in got)
        found = differences(got, healthy, prefix, results)
        if status == BROKEN:
            found = [f"broken run: {said}"]
        for sentence in found:
            tally.alarms.append(sentence)
            tally.repeats.append(job.repeat)
            sentences.append(f"{name}: {sentence}\n    {job.repeat}")
    return sentences


def differences(got, healthy, prefix, results):
    """Returns sentences on the tests of one suite whose verdict is not the healthy one."""
    reasons = {result.id: reason_of(result) for result in results}
    return [f"{test}: {got.get(test, 'no result')}, but {healthy.get(test, 'none')} without a seed"
            f"{reasons.get(test, '')}"
            for test in sorted(got.keys() | healthy.keys())
            if test.startswith(prefix) and got.get(test) != healthy.get(test)]


def reason_of(result):
    """Returns the reason of a result that is not a pass."""
    if result.directive:
        return f" ({result.reason})"
    if result.ok:
        return ""
    check = result.failed_checks()[0]
    return f" ({check.get('what')}: got {check.get('got')}, want {check.get('want')})"


# ------------------------------------------------------------------------------------ the end

def conclude(tallies, runs, screen):
    """Prints the table and writes the log; returns the exit status."""
    lines = []
    writer = tapwriter.Writer("alarms", lines.append, [f"seeds: 1 to {runs}"])
    screen.say(f"{'suite':18} machines  runs  results  false alarms")
    for name, tally in tallies.items():
        screen.say(f"{name:18} {len(tally.machines):8}  {tally.runs:4}  {tally.results:7}  "
                   f"{len(tally.alarms):12}")
        facts = {"machines": len(tally.machines), "runs": tally.runs, "results": tally.results,
                 "alarms": len(tally.alarms)}
        if tally.alarms:
            facts |= {"what": tally.alarms[0], "repeat": tally.repeats[0]}
        writer.result(not tally.alarms, name, facts)
    status = writer.end()
    TAP.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    alarms = sum(len(tally.alarms) for tally in tallies.values())
    screen.say(f"  alarms   {alarms} false alarms in "
               f"{sum(tally.results for tally in tallies.values())} results")
    return FAILED if alarms else status
