# SPDX-License-Identifier: MIT
"""qemu-model:CPU, QEMU 10.0 with the reference PMU in its TCG; CPU is a name of model: or of QEMU."""
import os
import subprocess

from runner import layout, nearest
from runner.defects import build, rows
from runner.problems import Problem
from targets import bochs, model, qemu

OFFERS = {"via": ("cd", "usb", "kernel"), "serial": ("com1", "com2", "com3", "com4"),
          "caches": model.OFFERS["caches"], "stepping": model.OFFERS["stepping"], "as": model.OFFERS["as"],
          "like": model.OFFERS["like"], "pit": ("yes", "off"), "pic": ("yes", "off"), "i8042": ("yes", "off")}
BOOT_SECONDS = qemu.BOOT_SECONDS
HAS_MODEL = True                # PMU_QUIRK can break it
NOTICE = model.NOTICE
SKIPS = "model"                 # what that target's table allows, this one may skip, too
BUILD_SCRIPT = layout.TARGETS / "qemu-build"
FIRMWARE = ("/usr/share/qemu", "/usr/share/seabios")
# A name of model:, QEMU's processor with the nearest features, and the library's name of its PMU.
ROWS = {name: (base, pmu) for name, base, pmu in (row.split() for row in """
    core_duo_t2400_yonah       coreduo                      yonah
    atom_n270                  n270                         bonnell
    core2_penryn_t9600         Penryn                       penryn
    corei5_lynnfield_750       Nehalem                      lynnfield
    corei5_arrandale_m520      Westmere                     arrandale
    corei7_sandy_bridge_2600k  SandyBridge                  sandybridge
    corei7_ivy_bridge_3770k    IvyBridge                    ivybridge
    corei7_haswell_4770        Haswell-noTSX                haswell
    broadwell_ult              Broadwell-noTSX              broadwell
    corei7_skylake_x           Skylake-Server-noTSX-IBRS    skylakex
    corei3_cnl                 Skylake-Client-noTSX-IBRS    cannonlake
    corei7_icelake_u           Icelake-Server-noTSX         icelake
    tigerlake                  Icelake-Server-noTSX         tigerlake
    sapphire_rapids            SapphireRapids               sapphirerapids
    arrow_lake                 SierraForest                 arrowlake
    athlon64_clawhammer        Opteron_G1                   clawhammer
    athlon64_venice            Opteron_G1                   venice
    turion64_tyler             Opteron_G2                   tyler
    phenom_8650_toliman        Opteron_G3                   toliman
    zambezi                    Opteron_G4                   zambezi
    trinity_apu                Opteron_G5                   trinity
    ryzen                      EPYC                         zen
""".split("\n") if row.strip())}
# An instruction takes 2**4 ns, so that a run does not wait for the timers; the TSC's tick is one instruction, too.
SHIFT = 4


def version():
    """Returns the one version that qemu-build builds."""
    return "10.0"


def binary():
    """Returns the emulator's path; builds it first if necessary, with progress on stderr."""
    return bochs.binary(library(), BUILD_SCRIPT)


def cpu_names():
    """Returns the processors that QEMU itself has."""
    return qemu.names_in(subprocess.run([binary(), "-cpu", "help"], text=True, capture_output=True, check=True).stdout)


def library():
    """Returns the arguments for qemu-build: the folder with the library, if it is the one with all quirks."""
    return (build.MODULE,) if os.environ.get(model.QUIRK) or os.environ.get(model.LIKE) else ()


def prepare(cpu, machine):
    os.environ[model.NUMBER] = model.number_of(os.environ.get(model.QUIRK, ""))
    os.environ[model.LIKE] = " ".join(model.likes(machine.like))
    os.environ[model.LIKE_SEED] = str(machine.seed or "")
    if cpu in model.bochs.MODELS and cpu not in ROWS:
        raise Problem(f"QEMU's glue has no {cpu}: the PMUs of P5, P6 and NetBurst want to know more of an instruction than it "
                      f"tells; it has {', '.join(ROWS)}")
    if "," in cpu:
        raise Problem(f"{cpu!r} is no processor: a comma begins QEMU's features")
    if cpu not in ROWS and cpu not in cpu_names():
        raise Problem(f"there is no processor named {cpu!r}{nearest.hint(cpu, [*ROWS, *cpu_names()])}")
    if cpu in ROWS:
        model.check_shape(cpu, machine.smp)
    check_edits(machine.like, rows.liberties)
    check_edits(filter(None, [os.environ.get(model.QUIRK)]), rows.quirks)
    binary()


def check_edits(names, known):
    """Raises Problem for a defect or liberty that is an edit of Bochs' glue; known() returns the rows."""
    for name in names:
        if any(edit.file.startswith(build.GLUE) for row in known() if row.name == name for edit in row.edits):
            raise Problem(f"{name} is an edit of Bochs' glue, which QEMU does not have: take model:CPU")


def words(machine):
    """Returns words for the kernel, as model: does, but that QEMU ends by another port."""
    return tuple(qemu.LEAVE if word == bochs.LEAVE else word for word in model.words(machine))


def implied(machine):
    return model.implied(machine)


def processor(cpu, machine):
    """Returns the value of -cpu."""
    base, pmu = ROWS.get(cpu, (cpu, "on"))
    stepping = "" if machine.stepping is None else f",stepping={machine.stepping}"
    return f"{base}{stepping},-hypervisor,refpmu={machine.as_ or pmu}"


def clock(shift):
    return "-icount", f"shift={shift},sleep=off", "-accel", "tcg,thread=single"


def command(cpu, machine, handover, shift=SHIFT):
    """Returns QEMU's command line; an instruction takes 2**shift ns."""
    os.environ[model.SEED] = str(machine.seed or "") if machine.caches == "kept" else ""
    os.environ[model.CACHES] = machine.caches
    smp = machine.smp
    return [
        binary(), *(word for path in FIRMWARE for word in ("-L", path)),
        "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-machine", qemu.board(machine),
        *qemu.screen(machine), *clock(shift), "-cpu", processor(cpu, machine), "-m", str(machine.mem_mb),
        "-smp", f"{smp.cpus},sockets={smp.packages},cores={smp.cores},threads={smp.threads}",
        *(qemu.loaded(handover, *handover.linux) if handover.linux else qemu.media(machine, handover)),
        *qemu.outputs(machine, handover),
    ]
