# SPDX-License-Identifier: MIT
"""model:CPU, the same Bochs with the reference PMU; PMU_QUIRK=NAME gives it one quirk."""
import os
import re

from runner import layout, machine as machines, nearest
from runner.defects import build, rows
from runner.problems import Problem
from targets import bochs

RULES = sorted(layout.ROOT.glob("model/*/rules_*.c"))
RULES_NAME = re.compile(r'\.name = "([^"]+)", \.cpuid_1_eax = (0x[0-9a-f]+)')
# Names for as=: those of the rules, as small letters and digits. Values: CPUID.1:EAX without stepping.
PROCESSORS = {re.sub("[^a-z0-9]", "", name.lower()): signature
              for path in RULES for name, signature in RULES_NAME.findall(path.read_text(encoding="ascii"))}
E_CORES = ("gracemont", "crestmont", "skymont")         # the second rows of processors with two types of cores
HYBRIDS = {PROCESSORS.pop(name) for name in E_CORES if name in PROCESSORS}
OFFERS = {**bochs.OFFERS, "caches": ("empty", "kept", "warm"),
          "snapshot": range(1, machines.MAX_SEED + 1), "stepping": range(machines.MAX_STEPPING + 1),
          "as": PROCESSORS, "pit": ("yes", "gated", "off", "slow"), "i8042": ("yes", "off"), "rsdp": ("yes", "off"),
          "uart": ("yes", "off"), "like": [row.name for row in rows.liberties()], "hybrid": machines.HYBRIDS}
BOOT_SECONDS = bochs.BOOT_SECONDS
LINE = bochs.LINE
HAS_MODEL = True                # PMU_QUIRK can break it
NOTICE = "model: "              # messages of the emulator for people begin so
# Of the library: glue of emulators is no part of it.
LIBRARY = tuple(f"model/{path.name}" for path in sorted((layout.ROOT / "model").glob("*"))
                if path.name not in ("bochs", "qemu", "example"))
MODULE = ("--instrument", layout.ROOT / "model" / "bochs", *LIBRARY, "arch/regs")   # for bochs-build
MAX_CPUS = 10                   # the model has a timer for each
QUIRK = "PMU_QUIRK"             # in the environment: the name of a quirk
NUMBER = "PMU_QUIRK_NUMBER"     # there, too, where the emulator reads it: from the name
SEED = "PMU_SEED"               # there, too: from the word seed=
CACHES = "PMU_CACHES"           # there, too: from the word caches=
SNAPSHOT = "PMU_SNAPSHOT"       # there, too: from the word snapshot=
LIKE = "PMU_LIKE_NUMBERS"       # there, too: from the word like=
LIKE_SEED = "PMU_LIKE_SEED"     # there, too: from the word seed=
P_CORES = "PMU_P_CORES"         # there, too: the performance cores of the word hybrid=
QUIRKS = ("--instrument", build.MODULE)     # an emulator with all of them
STEPPING = "PMU_STEPPING"       # there, too: from the word stepping=
AS = "PMU_AS"                   # there, too: CPUID.1:EAX without stepping, of the word as=
PORTS = "PMU_PORTS"             # there, too: from the words pit=, i8042=, rsdp=, uart=
PORT_WORDS = ("pit", "i8042", "rsdp", "uart")
MUTANT = "PMU_MUTANT"           # the number of a mutant: tests/mutants builds an emulator with all
MUTANTS = ("--instrument", layout.BUILD / "mutants" / "module")
# Processors of one core a package, and of one thread a core. What shares which cache follows from smp= in the model
# and from CPUID in the kernel: the two would differ on a machine that cannot exist.
ONE_CORE = ("pentium", "pentium_mmx", "amd_k6_2_chomper", "athlon_xp", "p2_klamath", "p3_katmai", "p4_willamette")
ONE_THREAD = (*ONE_CORE, "core_duo_t2400_yonah", "core2_penryn_t9600", "athlon64_clawhammer", "athlon64_venice",
              "turion64_tyler", "phenom_8650_toliman")


def version():
    return bochs.version()


def prepare(cpu, machine):
    check_shape(cpu, machine.smp)
    os.environ[NUMBER] = number_of(os.environ.get(QUIRK, ""))
    if machine.hybrid and not is_hybrid(cpu, machine):
        raise Problem("hybrid= needs a processor with two types of cores: arrow_lake, or as=alderlake or as=meteorlake")
    bochs.prepare(cpu, machine, module(machine), MAX_CPUS)


def check_shape(cpu, smp):
    """Raises Problem for a machine that nobody could build of this processor."""
    for kind, count, alone in (("core in a package", smp.cores, ONE_CORE), ("thread in a core", smp.threads, ONE_THREAD)):
        if count > 1 and cpu in alone:
            can = f"{smp.cpus}:1:1" if cpu in ONE_CORE else f"{smp.packages}:{smp.cores * smp.threads}:1"
            raise Problem(f"smp={smp.packages}:{smp.cores}:{smp.threads}: {cpu} has one {kind}; smp={can} makes as many "
                          "processors of it")


def words(machine):
    """Returns words for the kernel: counts repeat exactly if each begins with empty caches.

    A model that poses as no stepping has no errata.
    """
    exact = ("exact",) if is_exact(machine) else ("sampling", "errata", "smi")
    return (*exact, bochs.LEAVE) if has_errata(machine) else (*exact, *bochs.words(machine))


def ips_of(machine):
    """Returns more instructions a second for many kinds of processors, or None: bochs.py's.

    The time of a processor that runs alone passes as if all of them ran, and a test's window would see many ticks.
    """
    return 4 * bochs.INSTRUCTIONS_PER_SECOND if machine.hybrid and machine.smp.cpus > 2 and not machine.ips else None


def is_hybrid(cpu, machine):
    signature = PROCESSORS[machine.as_] if machine.as_ else PROCESSORS.get("arrowlake") if cpu == "arrow_lake" else None
    return signature in HYBRIDS


def has_errata(machine):
    """Says whether the machine may have errata: it poses as a stepping, or a liberty is one."""
    return machine.stepping is not None or any(row.name in machine.like and row.texts.get("drops") == "emulated"
                                               for row in rows.liberties())


def is_exact(machine):
    return machine.caches == "empty" and not machine.like


def implied(machine):
    """Returns words that rows of deviations and skips may name."""
    hybrid = "hybrid" if machine.hybrid else "no-hybrid"
    return (hybrid,) if is_exact(machine) else (hybrid, "inexact", *(f"like={name}" for name in machine.like))


def command(cpu, machine, handover, ips=None):
    os.environ[SEED] = str(machine.seed or "") if machine.caches == "kept" else ""
    os.environ[CACHES] = machine.caches
    os.environ[SNAPSHOT] = str(machine.snapshot or "")
    os.environ[STEPPING] = "" if machine.stepping is None else str(machine.stepping)
    os.environ[AS] = PROCESSORS.get(machine.as_, "")
    os.environ[PORTS] = " ".join(f"{word}={getattr(machine, word)}" for word in PORT_WORDS
                                 if getattr(machine, word) != "yes")
    os.environ[LIKE] = " ".join(likes(machine.like))
    os.environ[LIKE_SEED] = str(machine.seed or "")
    os.environ[P_CORES] = str(machine.hybrid.p_cores) if machine.hybrid else ""
    return bochs.command(cpu, machine, handover, module(machine), ips or ips_of(machine))


def module(machine):
    """Returns the arguments for bochs-build."""
    if os.environ.get(MUTANT):
        return MUTANTS
    return QUIRKS if os.environ.get(QUIRK) or machine.like else MODULE


def likes(names):
    """Returns the numbers of liberties in the quirk build."""
    known = build.LIKES.read_text(encoding="ascii").split() if names else []
    return [str(known.index(name) + 1) for name in names]


def number_of(name):
    """Returns the quirk's number in the quirk build, or ""; raises Problem, with all names, for an unknown name."""
    if not name:
        return ""
    names = build.NAMES.read_text(encoding="ascii").split()
    if name not in names:
        raise Problem(f"{QUIRK}: there is no quirk named {name!r}{nearest.hint(name, names)}; docs/defects.md lists "
                      f"all {len(names)}")
    return str(names.index(name) + 1)
