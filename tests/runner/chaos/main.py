# SPDX-License-Identifier: MIT
"""tests/chaos: the command line, the kinds of faults, and the boots side by side."""
import argparse
import concurrent.futures
import functools
import os
import threading
import typing

from runner import program
from runner.chaos import events, flips, folders, host, judge, others, serial
from runner.chaos.boot import Boot, sound
from runner.people.show import Position, Screen
from runner.problems import FAILED, PASSED, Unavailable

NAME = "tests/chaos"
DESCRIPTION = """\
Boots with one fault each, and checks what comes of it: a run with a fault must be right, or be noticed by status 2
or, where the guest may be blamed, 1. Prints a table of outcomes by kind, and each boot that is not as it must be.
The same KIND and seed are the same fault. Exit status: 0 all bounds are kept, 1 one is not, 2 the boots cannot be made,
77 this host lacks what they need.
"""
QEMU = ("qemu:Nehalem", "via=kernel", "timeout=6")
QEMU64 = (*QEMU, "bits=64")
PROCESSORS = 4
# Without timeout=: the kernel needs some seconds to give up a processor that stops, and is to end the run itself.
SMP = ("qemu:Nehalem", "via=kernel", f"smp=1:{PROCESSORS}:1", "only=platform.smp.*,rdtsc.*,platform.apic.*")
MODEL = ("model:corei7_haswell_4770", "via=kernel", "serial=debug", "timeout=8")
PMI = (*MODEL, "only=arch.pmi.*")
DEFECT = {"PMU_QUIRK": flips.QUIRK}
HOT = (".text", ".rodata", ".data", ".bss", "stack", "stack", "idt", "gdt", "page table", "page table")



class Kind(typing.NamedTuple):
    """A kind of fault."""

    share: int                  # of all boots
    target: tuple               # and its words
    fault: typing.Callable      # makes it
    environment: dict = {}      # of a sound run
    lacks: typing.Callable = str        # returns why this host cannot make such a fault, or ""


KINDS = {
    "flip32": Kind(10, QEMU, flips.of_section(32, ".text", ".text", ".rodata", ".data")),
    "flip64": Kind(10, QEMU64, flips.of_section(64, ".text", ".text", ".rodata", ".data")),
    "flip-tables": Kind(6, QEMU, flips.of_tables(32)),
    "flip-file": Kind(4, QEMU, flips.of_file(32)),
    "flip-model": Kind(8, (*MODEL, "only=arch.*"), flips.of_section(64, ".text", ".rodata", ".data")),
    "flip-defect": Kind(8, PMI, flips.with_defect, DEFECT),
    "hot32": Kind(16, QEMU, flips.hot(32, *HOT)),
    "hot64": Kind(16, QEMU64, flips.hot(64, *HOT, ".shared")),
    "event": Kind(4, QEMU, events.of(1)),
    "event64": Kind(2, QEMU64, events.of(1)),
    "event-smp": Kind(4, SMP, events.of(PROCESSORS)),
    "serial": Kind(10, QEMU, serial.fault),
    "fake": Kind(2, QEMU, host.fake),
    "kill": Kind(2, QEMU, host.kill),
    "stop": Kind(2, QEMU, host.stop),
    "runner": Kind(2, QEMU, host.end_runner),
    "output": Kind(2, QEMU, host.output),
    "files": Kind(2, QEMU, host.files),
    "sources": Kind(2, QEMU, host.sources),
    "limits": Kind(2, QEMU, host.limits),
    "together": Kind(2, QEMU, others.together),
    "folders": Kind(2, QEMU, folders.fault, lacks=folders.lacks),
    "environment": Kind(2, QEMU, folders.environment),
    "clock": Kind(2, QEMU, others.clock, lacks=others.lacks_faketime),
}
LOCK = threading.Lock()


def main(arguments):
    made = argparse.ArgumentParser(NAME, description=DESCRIPTION)
    made.add_argument("--boots", type=int, default=500, metavar="N", help="how many boots in all (default: 500)")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="the first seed of each kind (default: 1)")
    made.add_argument("--kind", choices=sorted(KINDS), help="only boots of this kind")
    made.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="boots side by side")
    return program.ended(NAME, run, made.parse_args(arguments))


def run(asked):
    jobs = list(chosen(asked))
    if not jobs:
        raise Unavailable("none of these boots can be made here")
    boots = make_all(jobs, asked.jobs)
    print("\n".join(judge.table(boots)))
    found = judge.breaches(boots)
    for sentence in found:
        program.complain(NAME, sentence)
    greens = judge.greens(boots)
    for line in greens:
        print(f"  chaos    {line}")
    print(f"  chaos    {len(boots)} boots, {sum(map(judge.is_effective, boots))} with an effect, "
          f"{len(greens)} false greens, {len(found)} breaches")
    return FAILED if found else PASSED


def make_all(jobs, at_once):
    """Makes the boots side by side and shows where they stand; after Ctrl-C, the ones that were made so far."""
    screen, boots = Screen(), []
    position = Position(screen, len(jobs))
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        try:
            for boot in pool.map(make, jobs):
                boots.append(boot)
                position.show(len(boots), f"{boot.kind} {boot.seed}")
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            screen.say(f"  chaos    stopped after {len(boots)} of {len(jobs)} boots")
    return boots


def chosen(asked):
    """Yields (kind, seed) of each boot, the kinds in proportion to their shares."""
    kinds = [asked.kind] if asked.kind else KINDS
    total = sum(KINDS[kind].share for kind in kinds)
    for kind in kinds:
        reason = KINDS[kind].lacks()
        if reason:
            print(f"  chaos    no boots of the kind {kind}: {reason}", flush=True)
            continue
        for number in range(max(1, round(asked.boots * KINDS[kind].share / total))):
            yield kind, asked.seed + number


@functools.cache
def sound_run(kind):
    """Returns the Sound of a kind's target; kinds with equal targets share it."""
    return sound_of(KINDS[kind].target, tuple(KINDS[kind].environment.items()))


@functools.cache
def sound_of(target, environment):
    return sound(target, dict(environment))


def make(job):
    """Makes a boot, and prints a line if its outcome is not as usual; returns the boot."""
    kind, seed = job
    _, target, fault, environment, _ = KINDS[kind]
    with LOCK:
        made = sound_run(kind)
    boot = Boot(kind, seed, target)
    try:
        boot.sound = made
        boot.env.update(environment)
        fault(boot)
        boot.run()
        boot.outcome = judge.outcome(boot)
        if boot.outcome not in (judge.RIGHT, judge.NOTICED):
            worst = max(boot.runs(), key=lambda each: judge.OUTCOMES.index(judge.outcome_alone(each)))
            said = judge.wrong_manners(worst) or " ".join(worst.err) or ", ".join(judge.changed(worst))
            print(f"{kind} {seed}: {boot.outcome} [{boot.status}] {boot.what}: {program.shown(said)[:300]}", flush=True)
    finally:
        boot.remove()
    return boot
