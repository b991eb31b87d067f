# SPDX-License-Identifier: MIT
"""tests/mutants: changes the model's source in a sample of all places; the suites must see it.

The share leaves out mutants that no test reaches, and mutants that are equal to the model: those of
tests/mutation/equal.csv, and those for which the compiler makes the same code.
"""
import argparse
import collections
import dataclasses
import random
import sys
import threading
import time

from runner import boots, layout, program, tapwriter
from runner.mutants import mutant_boots, mutant_build, mutant_equal, mutant_kernel, mutant_kills, mutant_units, mutate
from runner.problems import FAILED, PASSED, Problem

TAP = layout.BUILD / "mutants.tap"
SAMPLE, SEED = 400, 1
GOAL = 95                       # percent of the mutants that differ from the model
DESCRIPTION = f"""\
Changes an operator, a constant, a condition or a statement of the model in SAMPLE of all places, or a number of
its tables, one at a time, and boots the guest suites that reach it; what they do not see, the model's unit tests have to.
Prints the survivors; build/mutants.tap has all mutants. Exit status: 0 if {GOAL} % of the mutants that
differ from the model are killed, 1 if not or if a row of tests/mutation/equal.csv names no mutant, 2 the
runs cannot be made, 77 the model is not available here.
PMU_MUTANT=NUMBER tests/boot model:CPU ... boots one of the last sample.
"""


@dataclasses.dataclass
class Verdict:
    mutant: object
    number: int
    kind: str = ""              # "killed", "survived", "unreached", "equal", "open"
    death: object = None
    by_unit: str = ""           # what a unit test says where no suite sees the mutant
    why: str = ""               # that it is equal

    @property
    def name(self):
        return f"{self.mutant.place}.{self.number}"

    def facts(self):
        """Returns the facts for a result's YAML block."""
        facts = {"file": self.mutant.file, "line": self.mutant.line, "text": self.mutant.text,
                 "change": self.mutant.change}
        if self.death:
            facts |= {"killed_by": self.death.test, "how": self.death.how,
                      "cpu": self.death.row.target.partition(":")[2]}
        facts |= {"killed_by": self.by_unit} if self.by_unit else {}
        return facts | ({"why": self.why} if self.why else {})


class Run:
    """One sample, from the sources to the table."""

    def __init__(self, arguments):
        self.seed, self.is_part = arguments.seed, bool(arguments.only)
        self.rows = arguments.rows.split(",")
        self.is_of_kernel = bool(arguments.kernel)
        self.asks_units_first = arguments.units or self.is_of_kernel
        programs = mutant_kernel.programs(arguments.kernel) or mutant_units.names()
        self.programs = dict.fromkeys(programs, mutant_units.SECONDS_MAX)
        self.sources = mutant_kernel.sources(arguments.kernel) if arguments.kernel else mutant_build.sources()
        ways = (mutate.Source.mutants, mutate.Source.table_mutants)
        both = [[mutant for source in self.sources.values() for mutant in way(source)] for way in ways]
        self.known = {key for mutant in both[0] + both[1] for key in (mutant.key, mutant_equal.whole_file(mutant))}
        self.all = [mutant for mutant in both[arguments.tables]
                    if not arguments.only or arguments.only in f"{mutant.place}: {mutant.change}"]
        size = min(arguments.sample, len(self.all))
        chosen = random.Random(arguments.seed).sample(self.all, size)
        self.mutants = sorted(chosen, key=lambda mutant: (mutant.file, mutant.edit.begin))
        self.listed = mutant_equal.listed()
        self.lock, self.start = threading.Lock(), time.monotonic()
        self.kinds = collections.Counter()

    def has(self, name):
        """Says whether all mutants of this file are known here."""
        return not self.is_part and (name in self.sources if self.is_of_kernel else name.startswith("model/"))

    def say(self, line):
        with self.lock:
            seconds = int(time.monotonic() - self.start)
            print(f"[{seconds // 60}:{seconds % 60:02}] {line}", flush=True)

    def begin(self):
        layout.BUILD.joinpath("mutants").mkdir(parents=True, exist_ok=True)
        self.say(f"{len(self.mutants)} of {len(self.all)} mutants, seed {self.seed}; compiling")

    def run(self):
        """Returns all verdicts."""
        self.begin()
        self.build_units()
        verdicts = [Verdict(mutant, number) for number, mutant in enumerate(self.mutants, 1)]
        left = verdicts
        if self.asks_units_first:
            left = self.judge_all(self.decide_by_units, boots.side_by_side, left)
        if left and not self.is_of_kernel:
            machines = self.build_machines()
            self.judge_all(lambda verdict: self.decide(verdict, machines), boots.spread, left)
        return verdicts

    def list_kills(self):
        """Puts each mutant to the unit tests; returns the exit status."""
        self.begin()
        mutant_build.write(self.sources, self.mutants)
        mutant_units.build()
        return mutant_kills.run(len(self.mutants), self.say)

    def build_units(self):
        """Makes the unit tests of the changed sources."""
        if self.is_of_kernel:
            mutant_kernel.build(self.sources, self.mutants)
        else:
            self.places = mutant_build.write(self.sources, self.mutants)
            mutant_units.build()
        if self.asks_units_first:
            self.programs = mutant_units.quickest_first(self.programs)

    def build_machines(self):
        """Returns the machines that run the changed model."""
        mutant_build.build()
        self.say("running all suites without one, to see what they reach")
        return mutant_boots.machines(self.rows, lambda name: self.say(f"green: {name}"))

    def judge_all(self, decide, spread, verdicts):
        """Decides on all of these; returns those that survived."""
        self.kinds = collections.Counter()
        done = spread(lambda verdict: self.judge(decide, verdict, len(verdicts)), verdicts)
        return [verdict for verdict in done if verdict.kind == "survived"]

    def judge(self, decide, verdict, count):
        decide(verdict)
        with self.lock:
            self.kinds[verdict.kind] += 1
            done = self.kinds.total()
        if verdict.kind == "survived" or done % 20 == 0:
            counts = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kinds.items()))
            self.say(f"{done}/{count}: {counts}; {verdict.kind}: {verdict.name}  "
                     f"{verdict.mutant.change}")
        return verdict

    def look_up(self, verdict, key):
        """Takes the verdict from the list, if it has this key; says whether it does."""
        if key in self.listed:
            verdict.why = self.listed[key]
            verdict.kind = verdict.why.partition(":")[0]
        return key in self.listed

    def decide_by_units(self, verdict):
        """Lets the list, the compiler and the unit tests decide."""
        if not self.look_up(verdict, verdict.mutant.key) and not self.is_same_code(verdict):
            self.ask_units(verdict)

    def decide(self, verdict, machines):
        """Lets the list, the suites and the compiler decide, and the unit tests if they have not yet."""
        mutant, number = verdict.mutant, verdict.number
        if self.look_up(verdict, mutant.key):
            return
        verdict.kind = "unreached"
        if mutant_build.is_of_table(mutant) and not any(machine.always >> number & 1 for machine in machines):
            verdict.kind, verdict.why = "equal", "equal: the number has no bit to lose"
            return
        for before, (machine, ids) in enumerate(mutant_boots.plan(machines, self.places[number - 1])):
            if before == 1 and self.is_same_code(verdict):
                return
            verdict.death = mutant_boots.run(machine, ids, number)
            verdict.kind = "killed" if verdict.death else "survived"
            if verdict.death:
                return
        if verdict.kind == "survived" and not self.is_same_code(verdict):
            if not self.look_up(verdict, mutant_equal.whole_file(mutant)) and not self.asks_units_first:
                self.ask_units(verdict)

    def ask_units(self, verdict):
        verdict.by_unit = mutant_units.killer(verdict.number, self.programs)
        verdict.kind = "killed" if verdict.by_unit else "survived"

    def is_same_code(self, verdict):
        mutant = verdict.mutant
        if mutant_build.is_of_table(mutant) or not mutant_equal.is_same_code(self.sources[mutant.file], mutant):
            return False
        verdict.kind, verdict.why = "equal", "equal: the compiler makes the same code of it"
        return True


def write_log(run, verdicts):
    """Writes TAP: a mutant that survives and is not in the list is `not ok`."""
    with open(TAP, "w", encoding="utf-8") as file:
        log = tapwriter.Writer("mutants", lambda line: print(line, file=file),
                               [f"seed: {run.seed}", f"mutants: {len(run.all)}"])
        log.plan(len(verdicts))
        for verdict in verdicts:
            log.result(verdict.kind != "survived", verdict.name, verdict.facts(),
                       "no test gets there" if verdict.kind == "unreached" else "")
        log.end()


def report(run, verdicts):
    """Prints the table; returns the exit status."""
    kinds = {kind: [v for v in verdicts if v.kind == kind]
             for kind in ("killed", "survived", "unreached", *mutant_equal.KINDS)}
    for verdict in kinds["survived"]:
        mutant = verdict.mutant
        print(f"survived  {mutant.place}: {mutant.text}\n          {mutant.change}")
    judged = len(kinds["killed"]) + len(kinds["survived"])
    ways = collections.Counter(v.death.how if v.death else "unit" for v in kinds["killed"])
    share = 100 * len(kinds["killed"]) / max(judged, 1)
    print(f"  mutants  {len(verdicts)} of {len(run.all)}, seed {run.seed}: "
          f"{len(kinds['unreached'])} not reached, {len(kinds['equal'])} equal, "
          f"{len(kinds['open'])} where no manual says what is right, {judged} that differ from the model")
    print(f"  mutants  killed {len(kinds['killed'])} = {share:.1f} % (goal {GOAL} %): "
          f"{ways['red']} by a failed test, {ways['crash']} crashed, {ways['hang']} hung; "
          f"{ways['unit']} by unit tests alone")
    stale = {key for key in run.listed.keys() - run.known if run.has(key[0])}
    for key in sorted(stale):
        print(f"tests/mutants: {layout.shown(mutant_equal.LIST)}: there is no such mutant any "
              f"more: {': '.join(key)}", file=sys.stderr)
    return PASSED if share >= GOAL and not stale else FAILED


def parser():
    made = argparse.ArgumentParser("tests/mutants", description=DESCRIPTION,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--sample", type=number_or_all, default=SAMPLE, metavar="N|all",
                      help="how many (default: %(default)s)")
    made.add_argument("--seed", type=int, default=SEED, help="which ones (default: %(default)s)")
    made.add_argument("--tables", action="store_true", help="of the tables' numbers, not of the functions")
    made.add_argument("--only", default="", metavar="TEXT",
                      help="of those with TEXT in FILE:LINE: CHANGE")
    made.add_argument("--kernel", type=lambda text: text.split(","), default=[], metavar="FILE[,FILE...]",
                      help="of these files of the kernel instead, for the unit tests that link them")
    made.add_argument("--units", action="store_true",
                      help="ask the model's unit tests first, and boot only what they do not kill")
    made.add_argument("--kills", action="store_true",
                      help="only say which cases of the model's unit tests kill what no other case kills")
    made.add_argument("--rows", default="*", metavar="GLOB[,GLOB...]",
                      help="boot these rows of tests/matrix only")
    return made


def number_or_all(word):
    return sys.maxsize if word == "all" else int(word)


def main(arguments):
    return program.ended("tests/mutants", work, parser().parse_args(arguments))


def work(asked):
    if asked.kills and (asked.tables or asked.kernel):
        raise Problem("--kills is for functions of the model: leave out --tables and --kernel")
    run = Run(asked)
    if asked.kills:
        return run.list_kills()
    verdicts = run.run()
    write_log(run, verdicts)
    return report(run, verdicts)
