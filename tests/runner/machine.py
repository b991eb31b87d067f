# SPDX-License-Identifier: MIT
"""The words that describe the machine; separates them from the kernel's words."""
import dataclasses
import keyword
import re

from runner import nearest
from runner.problems import Problem

DISK_IMAGES = ("raw", "qcow2", "vhd")
MAX_CPUS = 254              # 8-bit APIC IDs, FFH is the broadcast and one is the IO-APIC's
MAX_MEM_MB = 1 << 20
MAX_TIMEOUT_S = 86400
MAX_SEED = (1 << 32) - 1
NEWEST, KNOWN_NEWEST = "newest", "7.3"      # a version of Linux, and the one by which it is judged
MAX_STEPPING = 15           # CPUID.1:EAX[3:0]
UEFI_MEM_MB = 256           # OVMF alone wants more than the kernel does; so does Linux
BIOS_MEM_MB = 128
MEDIA = ("cd", "usb", "kernel", "pvh", "kexec", *DISK_IMAGES, "pxe", "ipxe")
BIOS_LOADERS = {
    "kernel": "QEMU's own loader",
    "pvh": "QEMU's own loader",
    "ipxe": "a loader of multiboot, which iPXE has with a BIOS alone",
}


@dataclasses.dataclass(frozen=True)
class Topology:
    """The numbers of packages, of cores in a package, and of threads in a core."""

    packages: int = 1
    cores: int = 1
    threads: int = 1

    @property
    def cpus(self):
        return self.packages * self.cores * self.threads


@dataclasses.dataclass(frozen=True)
class Hybrid:
    """The numbers of performance cores and of efficient ones, each with one thread."""

    p_cores: int
    e_cores: int

    def __str__(self):
        return f"{self.p_cores}P:{self.e_cores}E"

    @property
    def topology(self):
        """Returns as many processors for Bochs, which has at most eight cores a package; CPUID says one package."""
        cpus = self.p_cores + self.e_cores
        packages = {9: 3, 10: 2}.get(cpus, 1)
        return Topology(packages, cpus // packages, 1)


MAX_HYBRID = 10             # processors: the model has a timer for each
HYBRIDS = [Hybrid(p, e) for p in range(1, MAX_HYBRID) for e in range(1, MAX_HYBRID) if p + e <= MAX_HYBRID]


@dataclasses.dataclass(frozen=True)
class Machine:
    """The machine to boot on; None means that the target's or the boot loader's choice stands."""

    smp: Topology = Topology()
    bits: int = None
    firmware: str = "bios"
    via: str = "cd"
    mem: int = None             # megabytes
    timeout: float = None       # seconds without a byte
    serial: str = "com1"
    apic: str = "yes"
    machine: str = "pc"
    pmu: str = "ask"
    pit: str = "yes"
    pic: str = "yes"
    hpet: str = "yes"
    i8042: str = "yes"
    rsdp: str = "yes"
    uart: str = "yes"
    ips: int = None
    seed: int = None
    moved: int = None
    caches: str = "empty"
    snapshot: int = None
    stepping: int = None
    as_: str = None
    like: tuple = ()            # names of liberties
    hybrid: Hybrid = None
    linux: str = "6.1"
    vmm: str = "own"
    vpmu: str = "emulated"
    features: str = "pmu=on"

    @property
    def known_linux(self):
        """The version of Linux by which tables judge this one."""
        return KNOWN_NEWEST if self.linux == NEWEST else self.linux

    @property
    def mem_mb(self):
        return self.mem or (UEFI_MEM_MB if self.firmware == "uefi" or self.via == "kexec" else BIOS_MEM_MB)

    @property
    def com_port(self):
        """The serial port's number from 1 to 4, or 0 for no serial port at all."""
        return int(self.serial[-1]) if self.serial.startswith("com") else 0

    @property
    def has_debug_console(self):
        """True if the guest prints to the emulator's standard output."""
        return self.serial == "debug"


def topology(text):
    numbers = re.fullmatch(r"([1-9]\d{0,2}):([1-9]\d{0,2}):([1-9]\d{0,2})", text)
    if not numbers:
        return None
    result = Topology(*map(int, numbers.groups()))
    return result if result.cpus <= MAX_CPUS else None


def hybrid(text):
    numbers = re.fullmatch(r"([1-9])P:([1-9])E", text)
    result = Hybrid(*map(int, numbers.groups())) if numbers else None
    return result if result in HYBRIDS else None


def one_of(*values):
    return lambda text: text if text in values else None


def number(kind, most):
    def parse(text):
        if not re.fullmatch(r"\d{1,9}(\.\d{1,3})?" if kind is float else r"\d{1,10}", text):
            return None
        return kind(text) if 0 < kind(text) <= most else None
    return parse


def stepping(text):
    return int(text) if re.fullmatch(r"\d{1,2}", text) and int(text) <= MAX_STEPPING else None


def features(text):
    return text if re.fullmatch(r"[a-z][a-z0-9.-]*=[a-z0-9-]+(,[a-z][a-z0-9.-]*=[a-z0-9-]+)*", text) else None


def name(text):
    return text if re.fullmatch(r"[a-z0-9]+", text) else None


def names(text):
    return tuple(text.split(",")) if re.fullmatch(r"[a-z0-9-]+(,[a-z0-9-]+)*", text) else None


def bits(text):
    return int(text) if text in ("32", "64") else None


# word: (its parser, which returns None for a value it does not take; what it takes; what it means)
WORDS = {
    "smp": (topology, "PACKAGES:CORES:THREADS", f"the processors, at most {MAX_CPUS} (1:1:1)"),
    "bits": (bits, "32|64",
             "which kernel (64 where the processor has long mode; with QEMU's via=kernel 32)"),
    "firmware": (one_of("bios", "uefi"), "bios|uefi", "what it starts with (bios)"),
    "via": (one_of(*MEDIA), "|".join(MEDIA),
            "the medium; kernel: no GRUB, but QEMU's own multiboot loader or, in Bochs, an "
            "option ROM; pvh: the 64-bit kernel by Xen's PVH protocol; kexec: Debian's Linux starts it; raw, qcow2, vhd: "
            "the disk images for clouds; pxe: GRUB from the network; ipxe: the kernel from the network, by iPXE (cd)"),
    "mem": (number(int, MAX_MEM_MB), "MEGABYTES",
            f"memory ({BIOS_MEM_MB}, under UEFI and by kexec {UEFI_MEM_MB})"),
    "timeout": (number(float, MAX_TIMEOUT_S), "SECONDS",
                "how long the guest may say nothing (20, and 2 for each other processor; while "
                "booting, what the target needs)"),
    "serial": (one_of("no", "debug", "com1", "com2", "com3", "com4"),
               "no|debug|com1|com2|com3|com4",
               "where the UART is; debug: none, but the emulator's debug console, which is faster; "
               "no: none, the verdict is read from the screen (com1)"),
    "apic": (one_of("yes", "no"), "yes|no", "no: processors without a local APIC (yes)"),
    "machine": (one_of("pc", "q35", "microvm", "isapc"), "pc|q35|microvm|isapc",
                "QEMU's machine; those other than pc have via=kernel (pc)"),
    "pmu": (one_of("ask", "any"), "ask|any",
            "any: run on KVM even where it has no virtual PMU (ask)"),
    "pit": (one_of("yes", "gated", "off", "slow"), "yes|gated|off|slow",
            "the 8254; off: there is none; on model: also gated: it stands still from the kernel's first write on; "
            "slow: it counts at half its rate (yes)"),
    "pic": (one_of("yes", "off"), "yes|off", "off: no 8259 (yes)"),
    "hpet": (one_of("yes", "off"), "yes|off", "off: no HPET (yes)"),
    "i8042": (one_of("yes", "off"), "yes|off", "off: no keyboard controller (yes)"),
    "rsdp": (one_of("yes", "off"), "yes|off", "off: on model:, no ACPI tables, so no clock of theirs (yes)"),
    "uart": (one_of("yes", "off"), "yes|off", "off: on model:, no UART (yes)"),
    "ips": (number(int, 1_000_000_000), "N", "in Bochs, the instructions in a second, which is the rate of the TSC and "
            "of the APIC's timer; at least 1000000 (50000000)"),
    "seed": (number(int, MAX_SEED), "N",
             "what no test may depend on is another one: the kernel's link order (with via=kernel), "
             "the order of tests, when the timer ticks, where stacks lie; the same N, the same run "
             "(nothing varies)"),
    "moved": (number(int, MAX_SEED), "N",
              "with via=kernel, the kernel is compiled with other optimizations, and linked in another order, with "
              "unused bytes between its parts; nothing else varies (as make builds it)"),
    "caches": (one_of("empty", "kept", "warm"), "empty|kept|warm",
               "on model:, what caches and predictors hold when counting starts: nothing, what "
               "the seed leaves there, or what they held when it ended; tests then know that counts "
               "repeat exactly with the first of these alone (empty)"),
    "snapshot": (number(int, MAX_SEED), "SEED",
                 "on model:, some thousand times a boot, a pseudo-random number of instructions "
                 "apart, all of the model is saved, its memory poisoned, created anew and restored: "
                 "nothing that is printed differs; SEED is from 1 to 4294967295 (never)"),
    "stepping": (stepping, f"0..{MAX_STEPPING}",
                 "on model:, poses as this stepping: CPUID.1:EAX[3:0]; the kernel then knows the "
                 "published errata of that processor (the emulator's own stepping, and none)"),
    "as": (name, "NAME",
           "on model:, poses as another processor of the model, with its CPUID.1:EAX and its PMU: "
           "haswell, dothan, ... (the processor of the target's name)"),
    "like": (names, "NAME[,NAME]...",
             "on model:, the machine takes these liberties of sound machines, as docs/liberties.md lists them, with numbers "
             "that the seed draws; counts then do not repeat exactly (none)"),
    "hybrid": (hybrid, "NP:ME",
               f"on model:, N performance cores and then M efficient ones, at most {MAX_HYBRID} together, instead of "
               "smp=: arrow_lake, as=alderlake, as=meteorlake (all processors alike)"),
    "linux": (one_of("5.10", "6.1", "6.12", "7.3", NEWEST), f"5.10|6.1|6.12|7.3|{NEWEST}",
              "on kvm-on-model:, the version of Debian's Linux, whose KVM has the guest; newest: the newest that Debian's "
              "archive has, judged as 7.3 (6.1)"),
    "vmm": (one_of("own", "qemu"), "own|qemu",
            "on kvm-on-model:, what makes the guest: a small program of the tests, or QEMU with the ISO image (own)"),
    "vpmu": (one_of("emulated", "mediated"), "emulated|mediated",
             "on kvm-on-model:, KVM's kind of virtual PMU: by events of perf, or by the counters themselves, from Linux 7.3 on "
             "(emulated)"),
    "features": (features, "NAME=VALUE[,NAME=VALUE]...",
                 "on kvm-on-model: with vmm=qemu, the features of the guest's processor, as QEMU takes them after -cpu host "
                 "(pmu=on)"),
}


def check_printable(word):
    """Raises Problem if the word would not pass unchanged through GRUB's quotes to the kernel."""
    if not re.fullmatch(r"""[!-~]+""", word) or set(word) & set("'\"\\"):
        raise Problem(f"the word {word!r} cannot be put on the kernel's command line: "
                      "blanks, quotes, backslashes, control and non-ASCII characters cannot")


def split(words):
    """Parses words; returns the Machine, the machine's words and the kernel's words.

    Raises Problem for a machine word with a value it does not take, for one that comes twice,
    and for a word that cannot reach the kernel unchanged.
    """
    values, machine_words, kernel_words = {}, [], []
    for word in words:
        check_printable(word)
        key, equals, text = word.partition("=")
        if not equals or key not in WORDS:
            kernel_words.append(word)
            continue
        if key in values:
            raise Problem(f"the word {key}= comes twice")
        parse, takes, _ = WORDS[key]
        values[key] = parse(text)
        if values[key] is None:
            raise Problem(f"the word {word!r} is not understood: it is {key}={takes}")
        machine_words.append(word)
    if "hybrid" in values:
        if "smp" in values:
            raise Problem("hybrid= says how many processors there are: it goes without smp=")
        values["smp"] = values["hybrid"].topology
    fields = {f"{key}_" if keyword.iskeyword(key) else key: value for key, value in values.items()}
    return Machine(**fields), machine_words, kernel_words


class Anything(tuple):
    """What a target offers that can do a word with each value that the word takes."""

    def __contains__(self, _):
        return True


ANYTHING = Anything()


def check_offers(target, machine, offers):
    """Raises Problem if the machine differs from the default in a way that the target cannot do."""
    plain = Machine()
    for field, default in dataclasses.asdict(plain).items():
        given, word = getattr(machine, field), field.rstrip("_")
        if word in ("smp", "bits", "mem", "timeout", "seed", "moved") or given == default:
            continue
        for value in given if isinstance(given, tuple) else (given,):
            check_offer(target, word, value, default, offers.get(word, ()))
    if machine.machine != plain.machine and machine.via not in ("kernel", "pvh", "kexec"):
        raise Problem(f"machine={machine.machine} goes with via=kernel and via=pvh alone: the disks and networks of "
                      "other media are those of machine=pc")
    if machine.moved and machine.via != "kernel":
        raise Problem("moved= links the kernel anew, and other media than via=kernel have the kernel that make linked")
    if machine.via == "pvh" and machine.bits == 32:
        raise Problem("via=pvh is the 64-bit kernel: it goes without bits=32")
    if machine.via in BIOS_LOADERS and machine.firmware == "uefi":
        raise Problem(f"via={machine.via} is {BIOS_LOADERS[machine.via]}: it goes without "
                      "firmware=uefi")


def check_offer(target, word, value, default, offered):
    if value in offered:
        return
    sentence = f"{target} cannot do {word}={value}"
    if not default and not offered:
        raise Problem(f"{sentence}, other targets can")
    can = offered or (default,)
    raise Problem(f"{sentence}{nearest.hint(str(value), can) if word == 'like' else ''}, it can do {word}={'|'.join(can)}")


def usage():
    rows = "".join(f"  {key + '=' + takes:32} {meaning}\n"
                   for key, (_, takes, meaning) in WORDS.items())
    return f"Words that describe the machine, and what holds without them:\n{rows}"
