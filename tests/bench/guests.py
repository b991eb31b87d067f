# SPDX-License-Identifier: MIT
"""Runs the loops of guest.asm on an emulator, and measures how fast it is."""
import dataclasses
import os
import pathlib
import subprocess

from runner.problems import Problem
from targets import bochs, model, qemu_model

GUEST = pathlib.Path(__file__).resolve().parent / "guest.asm"
INSNS = {"mixed": 14.5, "loads": 75, "plain": 32}       # in a round, as guest.asm has them
ROUNDS = {"mixed": 16_000_000, "loads": 3_000_000, "plain": 7_000_000}
IMAGE_BYTES = 1474560                                   # a floppy's
HASWELL, WILLAMETTE = "corei7_haswell_4770", "p4_willamette"
STOCK = ("stock",)                                      # for qemu-build
BOCHSRC = """\
cpu: model={cpu}, ips=50000000, reset_on_triple_fault=0, ignore_bad_msrs=0
megs: 32
romimage: file={bios}, options=fastboot
vgaromimage: file={vga_bios}
floppya: 1_44={image}, status=inserted
boot: floppy
display_library: nogui
clock: sync=none, time0={time0}
log: {log}
panic: action=fatal
"""
ENDED_WELL = "Shutdown port: shutdown requested"
EXIT_STATUS = 0x31 << 1 | 1                             # of QEMU, for guest.asm's EXIT_VALUE


@dataclasses.dataclass(frozen=True)
class Variant:
    loop: str
    name: str
    cpu: str
    module: tuple               # the emulator's: arguments for bochs-build or qemu-build
    counting: str               # what the guest counts
    goal: str = ""
    is_qemu: bool = False
    has_pmu: bool = True        # QEMU: with the property, and not only built with the model
    longer: int = 1             # times the loop's rounds, for a fast emulator

    def emulator(self):
        """Returns the emulator's path; builds it first if necessary."""
        return bochs.binary(self.module, qemu_model.BUILD_SCRIPT if self.is_qemu else bochs.BUILD_SCRIPT)


def make_image(folder, loop, counting, rounds):
    """Returns a disk with the guest; the guest's name says what it does."""
    image = folder / f"{loop}-{counting}-{rounds}.img"
    subprocess.run(["nasm", "-f", "bin", f"-DROUNDS={rounds}", f"-DLOOP={loop}",
                    f"-DCOUNTING={counting}", "-o", image, GUEST], check=True)
    os.truncate(image, IMAGE_BYTES)
    return image


def bochs_command(variant, image, folder, emulator):
    bochsrc = folder / "bochsrc"
    bochsrc.write_text(BOCHSRC.format(cpu=variant.cpu, image=image, log=folder / "log", bios=bochs.BIOS,
                                      vga_bios=bochs.VGA_BIOS, time0=bochs.TIME0))
    return [emulator, "-q", "-f", bochsrc]


def qemu_command(variant, image, emulator):
    base, pmu = qemu_model.ROWS[variant.cpu]
    pmu = f",refpmu={pmu}" if variant.has_pmu and variant.module != STOCK else ""
    return [emulator, *(word for path in qemu_model.FIRMWARE for word in ("-L", path)), "-nodefaults",
            "-no-user-config", "-no-reboot", "-display", "none", "-machine", "pc", *qemu_model.clock(qemu_model.SHIFT),
            "-cpu", f"{base},-hypervisor{pmu}", "-m", "32", "-drive", f"file={image},format=raw,if=ide",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=0x4"]


def command(variant, image, folder, emulator):
    return qemu_command(variant, image, emulator) if variant.is_qemu else bochs_command(variant, image, folder, emulator)


def has_ended_well(variant, folder, status):
    if variant.is_qemu:
        return os.waitstatus_to_exitcode(status) == EXIT_STATUS
    return ENDED_WELL in (folder / "log").read_text(errors="replace")


def seconds(variant, image, folder, emulator):
    """Returns the processor time of one boot."""
    process = subprocess.Popen(command(variant, image, folder, emulator), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if not has_ended_well(variant, folder, status):
        raise Problem(f"{image.name} did not reach its end on {emulator}")
    return usage.ru_utime + usage.ru_stime


def speed(variant, folder, emulator, shorter=1):
    """Returns instructions per second: of a boot, less one without the loop."""
    rounds = ROUNDS[variant.loop] * variant.longer // shorter
    empty, full = (seconds(variant, make_image(folder, variant.loop, variant.counting, n), folder, emulator)
                   for n in (0, rounds))
    return rounds * INSNS[variant.loop] / (full - empty)
