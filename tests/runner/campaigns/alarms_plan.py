# SPDX-License-Identifier: MIT
"""The plan of tests/alarms: suites, machines and seeds."""
import dataclasses
import shlex

from runner.campaigns import matrix

P5, P6, NETBURST, ARCH = "p5", "p6", "netburst", "arch"
QEMU = "qemu"
MODEL = (P5, P6, NETBURST, ARCH)
SAMPLING = (NETBURST, ARCH)
MEGABYTES = (32, 64, 128, 512)      # this changes the loader's places and the end of memory


@dataclasses.dataclass(frozen=True)
class Machine:
    kind: str                   # of MODEL, or QEMU
    target: str
    words: str = ""

    def arguments(self, suites):
        """Returns the arguments for tests/boot."""
        only = ",".join(f"{suite}.*" for suite in sorted(suites))
        return [*matrix.FASTEST[:1], *self.line(), *self.words.split(), f"only={only}"]

    def line(self):
        """Returns the word for the serial line; QEMU has no debug console here, and needs none."""
        return () if self.kind == QEMU else matrix.FASTEST[1:]


def rows(kind, emulator, text):
    return [Machine(kind, f"{emulator}:{line.split()[0]}", " ".join(line.split()[1:]))
            for line in text.strip().splitlines()]


# With each kernel, and with several processors if that makes a difference to the suites: packages,
# cores and threads share caches, and threads counters. Events of P5, P6 and NetBurst are counted
# only with empty caches.
MACHINES = [
    *rows(P5, "model", """
        pentium
        pentium_mmx
        pentium_mmx                smp=2:1:1
    """),
    *rows(P6, "model", """
        p2_klamath
        p3_katmai
        p3_katmai                  smp=2:1:1
    """),
    *rows(NETBURST, "model", """
        p4_willamette
        p4_willamette              smp=2:1:1
        p4_prescott_celeron_336
        p4_prescott_celeron_336    bits=32
        p4_prescott_celeron_336    smp=1:1:2
    """),
    *rows(ARCH, "model", """
        core_duo_t2400_yonah
        atom_n270
        core2_penryn_t9600
        core2_penryn_t9600         bits=32
        core2_penryn_t9600         smp=2:1:1
        corei5_lynnfield_750
        corei5_arrandale_m520      bits=32
        corei7_sandy_bridge_2600k
        corei7_ivy_bridge_3770k    bits=32
        corei7_haswell_4770
        corei7_haswell_4770        smp=1:2:1
        corei7_haswell_4770        bits=32 smp=1:1:2
        broadwell_ult
        corei7_skylake_x
        corei7_skylake_x           smp=1:2:1
        corei3_cnl                 bits=32
        corei7_icelake_u
        tigerlake                  bits=32
        sapphire_rapids
        arrow_lake
        arrow_lake                 bits=32
        core2_penryn_t9600         caches=kept
        corei5_lynnfield_750       caches=kept
        corei7_haswell_4770        caches=kept
        corei7_haswell_4770        caches=kept bits=32
        corei7_skylake_x           caches=kept
        sapphire_rapids            caches=kept
        arrow_lake                 caches=kept
    """),
    *rows(QEMU, "qemu", """
        pentium
        pentium3
        coreduo
        Nehalem                    bits=64
        Nehalem                    smp=1:2:1
        Haswell                    bits=64
        Skylake-Server             bits=64
        EPYC                       bits=64 smp=1:1:2
        qemu64
    """),
]

# The kinds of machines on which a suite does more than skip. QEMU has no PMU, but tests that look for one must
# have the same results each time.
SUITES = {
    "model.rdpmc": MODEL, "model.rdtsc": MODEL, "model.msr": MODEL, "model.platform": MODEL,
    "model.pmu": MODEL, "model.p5": (P5,), "model.p6": (P6,), "model.netburst": (NETBURST,),
    "model.arch": (ARCH,), "model.pebs": SAMPLING, "model.bts": SAMPLING,
    "model.lbr": (P6, NETBURST, ARCH), "model.sampling": MODEL,
    "qemu.rdpmc": (QEMU,), "qemu.rdtsc": (QEMU,), "qemu.msr": (QEMU,), "qemu.platform": (QEMU,),
    "qemu.pmu": (QEMU,), "qemu.arch": (QEMU,), "qemu.lbr": (QEMU,), "qemu.sampling": (QEMU,),
}


@dataclasses.dataclass(frozen=True)
class Job:
    """A run of all suites that share a machine and a seed."""

    machine: int                # its row in MACHINES
    seed: int
    names: tuple                # of SUITES

    @property
    def suites(self):
        return {name.partition(".")[2] for name in self.names}

    @property
    def arguments(self):
        memory = MEGABYTES[spread(self.seed) % len(MEGABYTES)]
        return [*MACHINES[self.machine].arguments(self.suites), f"mem={memory}",
                f"seed={self.seed}"]

    @property
    def repeat(self):
        return shlex.join(["tests/boot", MACHINES[self.machine].target, *self.arguments])


def spread(seed):
    """Neighbours get numbers that have nothing in common. Knuth, TAOCP 3, "Hashing"."""
    return (seed * 2654435761 >> 12) & 0xFFFF


def jobs_for(names, runs):
    """Returns one run of each suite for each seed. All runs of one seed and kind use the same machine."""
    met = {}
    for seed in range(1, runs + 1):
        for name in names:
            kinds = SUITES[name]
            kind = kinds[seed % len(kinds)]
            of_kind = [row for row, machine in enumerate(MACHINES) if machine.kind == kind]
            machine = of_kind[spread(seed) % len(of_kind)]
            met.setdefault((machine, seed), []).append(name)
    return [Job(machine, seed, tuple(met[machine, seed])) for machine, seed in met]
