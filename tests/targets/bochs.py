# SPDX-License-Identifier: MIT
"""bochs:CPU, Bochs 3.0 as it comes, built by bochs-build; CPU is one of Bochs' own model names."""
import functools
import os
import signal
import subprocess
import sys

from runner import handover as handovers
from runner import bootable, layout, nearest
from runner import line as lines
from runner.problems import UNAVAILABLE, Problem, Unavailable

OFFERS = {
    "via": ("cd", "usb", "kernel"),     # usb: the hybrid image as a disk; this BIOS boots no USB
    "serial": ("debug", "com1", "com2", "com3", "com4"),
    "ips": range(1_000_000, 1_000_000_001),
}
BOOT_SECONDS = 30
LINE = lines.Call               # how a serial line goes both ways
BUILD_SCRIPT = layout.TARGETS / "bochs-build"
BIOS = "/usr/share/bochs/BIOS-bochs-latest"
VGA_BIOS = "/usr/share/vgabios/vgabios.bin"
INSTRUCTIONS_PER_SECOND = 50_000_000        # of the guest's clocks; the host's speed is another
# A halted processor takes so many ticks while another one runs a few instructions: of four, three of which halt, the
# time of the one that runs is six times as long. At a low rate a test's window would be longer than the watchdog's.
QUANTUM, QUANTUM_IF_SLOW, SLOW = 16, 4, 38_000_000
TIME0 = 946684800                           # 2000-01-01: two runs are identical to the last tick

MAX_CORES = 8                   # a package: the parameter's own limit
MAX_CPUS = 14                   # beyond, Bochs runs out of timers

MODELS = """
    pentium pentium_mmx amd_k6_2_chomper athlon_xp p2_klamath p3_katmai p4_willamette
    core_duo_t2400_yonah atom_n270 p4_prescott_celeron_336 athlon64_clawhammer athlon64_venice
    turion64_tyler phenom_8650_toliman core2_penryn_t9600 corei5_lynnfield_750
    corei5_arrandale_m520 corei7_sandy_bridge_2600k zambezi trinity_apu ryzen
    corei7_ivy_bridge_3770k corei7_haswell_4770 broadwell_ult corei7_skylake_x corei3_cnl
    corei7_icelake_u tigerlake sapphire_rapids arrow_lake
""".split()
UNFIT = {
    "i386": "Bochs' i386 triple-faults inside the BIOS, before any boot loader runs",
    "i486dx4": "Bochs' i486dx4 has no CR4, so there is nothing of a PMU to test",
}

BOCHSRC = """\
cpu: model={cpu}, count={packages}:{cores}:{threads}, quantum={quantum}, ips={ips}, \
reset_on_triple_fault=0, ignore_bad_msrs=0
memory: guest={megs}, host={megs}, block_size={block}
romimage: file={bios}, options=fastboot
vgaromimage: file={vga_bios}
{medium}
{line}
display_library: nogui
clock: sync=none, time0={time0}
log: -
panic: action=fatal
error: action=ignore
info: action=ignore
"""
MEDIA = {
    "cd": "type=cdrom, path={iso}, status=inserted\nboot: cdrom",
    # Volatile: what is written goes to a file without a name, and the image is opened read-only.
    "usb": "type=disk, path={iso}, mode=volatile, journal=/tmp/barecount\nboot: disk",
}
DISK = "type=disk, path={path}, mode=flat, cylinders={cylinders}, heads={heads}, spt={sectors}"


def version():
    """Returns the one version that bochs-build builds."""
    return "3.0"


# glibc's malloc takes memory in large pieces, of huge pages where the host has them. Bochs touches some 50 MB in a short boot, and
# a fifth of its processor time went into faults of small pages.
TUNABLES = "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4194304:glibc.malloc.top_pad=33554432"
LEAVE = "leave=8900"            # ends Bochs


def words(_):
    """Returns words for the kernel, which cannot see that this is no silicon."""
    return ("emulated", LEAVE)


def prepare(cpu, machine, module=(), max_cpus=MAX_CPUS):
    """Checks target and machine; `module` are the arguments for bochs-build that name an instrumentation module."""
    if machine.smp.cpus > max_cpus or machine.smp.cores > MAX_CORES:
        raise Problem(f"Bochs has {max_cpus} processors here at most, with {MAX_CORES} cores a package")
    if cpu in UNFIT:
        raise Unavailable(UNFIT[cpu])
    if cpu not in MODELS:
        meant = nearest.hint(cpu, MODELS) or f"; it has {', '.join(MODELS)}"
        raise Problem(f"Bochs has no model named {cpu!r}{meant}")
    for path, package in ((BIOS, "bochsbios"), (VGA_BIOS, "vgabios")):
        if not os.path.exists(path):
            raise Unavailable(f"{path} is missing; install {package}")
    binary(module)


# In the environment of one program's children: the paths of emulators, because a build that has nothing to do
# takes a third of a short run's time. A program that changes sources meanwhile must not set it.
BUILT = "BARECOUNT_BUILT"


def share(*modules):
    """Makes children of this program use the emulators with these modules as they are now."""
    os.environ[BUILT] = "\n".join(f"{named(module)}={binary(module)}" for module in modules)


def named(module):
    return " ".join(map(str, module))


def shared(module):
    """Returns the path that this program's parent shares, or None."""
    rows = (row.partition("=") for row in os.environ.get(BUILT, "").splitlines())
    return next((path for name, _, path in rows if name == named(module)), None)


@functools.cache
def binary(module, script=BUILD_SCRIPT):
    """Returns the emulator's path; builds it first if necessary, with progress on stderr."""
    if shared(module) and script == BUILD_SCRIPT:
        return shared(module)
    with subprocess.Popen([script, *module], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True) as build:
        try:
            last = ""
            for last in build.stderr:
                print(last, end="", file=sys.stderr, flush=True)
            path = build.stdout.read().strip()
        except BaseException:
            os.killpg(build.pid, signal.SIGTERM)
            raise
    if build.returncode == 0:
        return path
    kind = {UNAVAILABLE: Unavailable}.get(build.returncode, Problem)
    raise kind(last.strip() or f"{layout.shown(script)} failed")


def media(machine, handover):
    """Returns the boot medium and, where it is GRUB's, the disk of words."""
    if handover.whole_image:
        cylinders, path = handover.whole_disk()
        disk = DISK.format(path=path, cylinders=cylinders, heads=bootable.HEADS, sectors=bootable.SECTORS)
        return f"ata0-master: {disk}\nboot: disk"
    if machine.via == "kernel":
        return memory_with_kernels(handover)
    words = DISK.format(path=handover.words_disk(), cylinders=handovers.WORDS_DISK_CYLINDERS,
                        heads=handovers.WORDS_DISK_HEADS, sectors=handovers.WORDS_DISK_SECTORS)
    return f"ata0-master: {MEDIA[machine.via].format(iso=handover.iso())}\nata0-slave: {words}"


def memory_with_kernels(handover):
    """Returns lines that put the kernels into memory; without disks, for which the BIOS would wait."""
    files, rom = handover.memory_with_kernels()
    rows = ["ata0: enabled=0", "ata1: enabled=0", f"optromimage1: file={rom}, address={bootable.ROM:#x}"]
    return "\n".join(rows + [f"optramimage{number}: file={name}, address={address:#x}"
                             for number, (address, name) in enumerate(files.items(), 1)])


def line(machine, handover):
    """Returns the lines for the serial ports: the guest's output, and the source of keys."""
    how = f"socket-client, dev={handover.line.name}" if handover.line else f"file, dev={handover.serial}"
    port = machine.com_port or 1                # with a debug console keys come by COM1
    rows = ["port_e9_hack: enabled=1"] if machine.has_debug_console else []
    rows += ["com1: enabled=0"] if port != 1 or rows and not handover.line else []
    if handover.line or not machine.has_debug_console:
        rows.append(f"com{port}: enabled=1, mode={how}")
    return "\n".join(rows)


def command(cpu, machine, handover, module=(), ips=None):
    os.environ.setdefault(*TUNABLES)
    ips = ips or machine.ips or INSTRUCTIONS_PER_SECOND
    configuration = BOCHSRC.format(
        cpu=cpu, packages=machine.smp.packages, cores=machine.smp.cores,
        threads=machine.smp.threads, ips=ips, quantum=QUANTUM_IF_SLOW if ips < SLOW else QUANTUM, megs=machine.mem_mb,
        block=bootable.BLOCK_KB,
        bios=BIOS, vga_bios=VGA_BIOS, medium=media(machine, handover),
        line=line(machine, handover), time0=TIME0)
    return [binary(module), "-q", "-f", handover.memory("bochsrc", configuration.encode())]
