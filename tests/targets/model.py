# SPDX-License-Identifier: MIT
"""model:CPU, the same Bochs with the reference PMU; PMU_QUIRK=NAME gives it one defect."""
import os
import subprocess

from runner import layout
from runner.problems import Problem
from targets import bochs

OFFERS = {**bochs.OFFERS, "caches": ("empty", "kept", "warm")}
BOOT_SECONDS = bochs.BOOT_SECONDS
LINE = bochs.LINE
NOTICE = "model: "              # so begins what the emulator has to say to people
MODULE = ("--instrument", layout.ROOT / "model" / "bochs", "model", "arch/regs")     # for bochs-build
MAX_CPUS = 10                   # the model has a timer for each
QUIRK = "PMU_QUIRK"             # in the environment, where model/bochs reads it
SEED = "PMU_SEED"               # there, too: from the word seed=
CACHES = "PMU_CACHES"           # there, too: from the word caches=
QUIRKS = layout.BUILD / "quirks"
MUTANT = "PMU_MUTANT"           # the number of a mutant: tests/mutants builds an emulator with all
MUTANTS = ("--instrument", layout.BUILD / "mutants" / "module")


def version():
    return bochs.version()


def prepare(cpu, machine):
    check_quirk(os.environ.get(QUIRK, ""))
    bochs.prepare(cpu, machine, module(), MAX_CPUS)


def words(machine):
    """For the kernel: counts repeat to the last one where each begins with empty caches."""
    return ("exact",) if machine.caches == "empty" else ("sampling",)


def command(cpu, machine, handover, ips=bochs.INSTRUCTIONS_PER_SECOND):
    os.environ[SEED] = str(machine.seed or "") if machine.caches == "kept" else ""
    os.environ[CACHES] = machine.caches
    return bochs.command(cpu, machine, handover, module(), ips)


def module():
    """The arguments for bochs-build."""
    return MUTANTS if os.environ.get(MUTANT) else MODULE


def quirks():
    """What build/quirks prints: a list of dictionaries, one for each quirk."""
    if not QUIRKS.exists():
        raise Problem(f"{layout.shown(QUIRKS)} is missing; run make first")
    listed = subprocess.run([QUIRKS], capture_output=True, text=True, check=True)
    keys, *rows = (line.split("\t") for line in listed.stdout.splitlines())
    return [dict(zip(keys, row)) for row in rows]


def check_quirk(name):
    """Raise Problem, with the names there are, for one that there is not."""
    names = [quirk["name"] for quirk in quirks()] if name else []
    if name and name not in names:
        raise Problem(f"{QUIRK}: there is no quirk named {name!r}; there are {', '.join(names)}")
