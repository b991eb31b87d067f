# SPDX-License-Identifier: MIT
"""tests/liberties: boots machines that take liberties of sound ones, and checks that no test fails."""
import argparse
import collections
import dataclasses
import fnmatch
import random
import re

from runner import boots, layout, nearest, program
from runner.campaigns import matrix, quirks
from runner.defects import rows
from runner.people import ending
from runner.people.show import Position, Screen
from runner.problems import FAILED, PASSED, Problem
from targets import bochs, model

NAME = "tests/liberties"
DESCRIPTION = """\
Boots the model with each liberty whose name a GLOB matches (all without a GLOB) on each processor of its row, with
the row's words and suites. No test may fail, and a liberty's own lines must have run.
Exit status: 0 nothing fails, 1 something does, 2 the runs cannot be made, 77 the model is not available here.
"""
# By class of PMU, the processors that Bochs poses as: the first line of a class has those of `cpu: all`, one of each kind
# of PMU and those whose caches or predictors differ most; the second one has the others.
NAMES = ("P5", "P6", "NetBurst", "architectural", "AMD")         # of the lines of CLASSES
CLASSES = (
    ("pentium pentium_mmx", ""),
    ("p2_klamath p3_katmai", ""),
    ("p4_willamette p4_prescott_celeron_336", ""),
    ("core_duo_t2400_yonah core2_penryn_t9600 corei5_lynnfield_750 corei7_sandy_bridge_2600k corei7_haswell_4770 "
     "corei7_skylake_x corei7_icelake_u sapphire_rapids arrow_lake",
     "atom_n270 corei5_arrandale_m520 corei7_ivy_bridge_3770k broadwell_ult corei3_cnl tigerlake"),
    ("athlon_xp athlon64_clawhammer phenom_8650_toliman zambezi ryzen", "athlon64_venice turion64_tyler trinity_apu"),
)
ALL = [cpu for few, _ in CLASSES for cpu in few.split()]
SHORT = "period=53"             # of sampling.*: as silicon, it would take a minute for the experiment
MOST = 8                        # liberties in a set, as many as anybody finds the one of a failed test in
IDLE = re.compile(r"the lines of (.*) never ran")
RAN = re.compile(r"like=(\S+): its lines ran (\d+) times")


@dataclasses.dataclass(frozen=True)
class Job:
    """One boot: a processor and the liberties that it takes."""

    cpu: str
    taken: tuple                # of rows.Row
    seed: int
    may_idle: bool = False      # its lines need not run

    @property
    def name(self):
        return f"{'+'.join(row.name for row in self.taken)} on {self.cpu}, seed {self.seed}"

    @property
    def edited(self):
        return [row.name for row in self.taken if row.edits or row.facts]

    def is_silicon(self, own):
        """Says whether the kernel is not told that this is an emulator, as it expects errata."""
        return any(row.texts.get("drops") == "emulated" for row in self.taken) or any(word.startswith("stepping=") for word in own)

    @property
    def words(self):
        likes = [f"like={','.join(self.edited)}"] if self.edited else []
        own = sorted({word for row in self.taken for word in row.texts.get("words", "").split()})
        own += [SHORT] if self.is_silicon(own) else []
        suites = sorted({row.texts["suites"] for row in self.taken if "suites" in row.texts})
        only = [f"only={','.join(suites)}"] if suites else []       # elsewhere the row's machine is none that exists
        return [*likes, *own, f"seed={self.seed}", *only]


def main(arguments):
    made = argparse.ArgumentParser(NAME, description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("globs", nargs="*", metavar="GLOB", help="names of liberties (all)")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="what the numbers are drawn from (1)")
    made.add_argument("--some", action="store_true", help="only a fifth of the boots, which the commit chooses")
    made.add_argument("--packed", action="store_true",
                      help="each on one of its processors, with others that need the same machine; alone, too, if the set fails")
    made.add_argument("--cross", action="store_true", help="on all processors of its class; its lines need not run")
    made.add_argument("--cpu", metavar="GLOB", default="*", help="only on these processors")
    made.add_argument("--sets", type=int, default=0, metavar="N", help="N random sets of two to five instead")
    return program.ended(NAME, work, made.parse_args(arguments))


def work(asked):
    known = rows.liberties()
    chosen = [row for row in known if any(fnmatch.fnmatchcase(row.name, glob) for glob in asked.globs or ["*"])]
    if not chosen:
        raise Problem(f"no liberty is named {asked.globs[0]}{nearest.hint(asked.globs[0], [row.name for row in known])}")
    jobs = planned(chosen, asked)
    jobs = [job for job in jobs if fnmatch.fnmatchcase(job.cpu, asked.cpu)]
    if asked.some:
        jobs = jobs[quirks.turn(quirks.commit()) - 1::quirks.SHARES]
    bochs.share(model.QUIRKS, model.MODULE)
    return follow(jobs)


def planned(chosen, asked):
    """Returns the boots: random sets, few with all rows, or each row on each of its processors."""
    if asked.sets:
        return sets(chosen, asked)
    if asked.packed:
        return packed(chosen, asked)
    return [Job(cpu, (row,), asked.seed, asked.cross) for row in chosen for cpu in cpus(row, asked)]


def cpus(row, asked):
    """Returns the processors for a row: its own, or all of their classes."""
    named = ALL if row.texts["cpu"] == "all" else row.texts["cpu"].split()
    if asked.cross:
        return [cpu for of_class in CLASSES if {*" ".join(of_class).split()} & {*named} for cpu in " ".join(of_class).split()]
    return named


def packed(chosen, asked):
    """Returns few boots with all rows: each row joins the first set of its machine, or takes the next of its processors."""
    made = {}
    for number, row in enumerate(chosen):
        named = cpus(row, asked)
        machines = [(cpu, *(row.texts.get(key) for key in ("words", "drops", "suites"))) for cpu in named]
        free = [machine for machine in machines if machine in made and len(made[machine][-1]) < MOST]
        machine = free[0] if free else machines[number % len(named)]
        if not free:
            made.setdefault(machine, []).append([])
        made[machine][-1].append(row)
    return [Job(machine[0], tuple(rows_of), asked.seed) for machine, groups in made.items() for rows_of in groups]


def sets(chosen, asked):
    """Returns boots with sets of liberties that a processor can take together."""
    rng = random.Random(asked.seed)
    made = []
    while len(made) < asked.sets:
        cpu = rng.choice(ALL)
        able = [row for row in chosen if cpu in cpus(row, asked)]
        taken, given = [], {}
        for row in rng.sample(able, min(len(able), rng.randint(2, 5))):
            words = dict(word.split("=", 1) for word in row.texts.get("words", "").split())
            if row.texts.get("drops"):
                words.setdefault("as", "")      # an erratum of this processor, and of none that it may pose as
            if all(given.get(key, value) == value for key, value in words.items()):
                given.update(words)
                taken.append(row)
        made.append(Job(cpu, tuple(taken), asked.seed + len(made), True))         # one may hide another
    return made


def follow(jobs):
    """Makes the boots side by side, and prints a line for each that is not as it must be; returns the status."""
    screen, classes, failed = Screen(), {}, []
    position = Position(screen, len(jobs))
    screen.say(f"  liberties {len(jobs)} boots; no test may fail")
    for number, (job, sentence) in enumerate(zip(jobs, boots.spread(judge, jobs)), 1):
        classes.setdefault(class_of(job.cpu), collections.Counter())["failed" if sentence else "passed"] += 1
        if sentence:
            repeat = f"tests/boot model:{job.cpu} {' '.join([*matrix.FASTEST, *job.words])}"
            failed.append(ending.Failure(job.name, [sentence], repeat))
            screen.say(f"NOT OK {job.name}: {sentence}")
        position.show(number, job.name)
    good = f"{len(jobs) - len(failed)} of {len(jobs)} boots without a failed test"
    ending.Ending(
        not failed, f"{'FAIL' if failed else 'PASS'}, {good}",
        classes, failed, [], [
            ("log", f"the raw logs are in {layout.shown(layout.LOGS)}"),
            ("next", "docs/liberties.md has what each liberty is, and its source")],
        position.seconds).finish("liberties", screen)
    return FAILED if failed else PASSED


def class_of(cpu):
    return next(name for name, of_class in zip(NAMES, CLASSES) if cpu in " ".join(of_class).split())


def judge(job):
    """Makes one boot, and one for each liberty that a set hid, or each of a set that fails; returns what is wrong, or
    an empty sentence."""
    sentence = judge_boot(job)
    if not sentence or len(job.taken) == 1 or job.may_idle:
        return sentence
    idle = IDLE.fullmatch(sentence)
    again = [row for row in job.taken if not idle or row.name in idle[1].split()]
    alone = [judge_boot(dataclasses.replace(job, taken=(row,))) for row in again]
    wrong = [f"{row.name} alone: {said}" for row, said in zip(again, alone) if said]
    if idle and not wrong:
        return ""
    return "; ".join([sentence, *(wrong or ["none of them fails alone"])])


def judge_boot(job):
    """Makes one boot; returns what is wrong with it, or an empty sentence."""
    status, results, said = boots.boot(f"model:{job.cpu}", [*matrix.FASTEST, *job.words])
    if job.may_idle and "no test was run" in said:
        return ""               # one row locks what another one's suites need
    if status not in (PASSED, FAILED):
        return f"status {status}: {said}"
    red = [result.id for result in results if result.has_failed and result.directive != "TODO"]
    if red:
        return f"{len(red)} red: {' '.join(red)}"
    ran = dict(RAN.findall(said))
    idle = [name for name in job.edited if not int(ran.get(name, 0))]
    if idle and not job.may_idle:
        return f"the lines of {' '.join(idle)} never ran"
    return "" if status == PASSED else f"status {status}: {said}"
