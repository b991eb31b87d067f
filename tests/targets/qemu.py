# SPDX-License-Identifier: MIT
"""qemu:CPU, QEMU's own translator (TCG); CPU is any name that `qemu-system-x86_64 -cpu help` prints."""
import itertools
import os
import re
import shutil
import subprocess

from runner import nearest
from runner.guests import kexec
from runner.problems import Problem, Unavailable

OWN = "QEMU"                    # the variable that names another binary, as in kvm-unit-tests
BINARIES = ("qemu-system-x86_64", "qemu-system-i386")
OVMF = (        # Debian 12 has both sizes, Debian 13 the larger one only
    "/usr/share/OVMF/OVMF_CODE_4M.fd",
    "/usr/share/OVMF/OVMF_CODE.fd",
)
OFFERS = {
    "firmware": ("bios", "uefi"),
    "via": ("cd", "usb", "kernel", "pvh", "kexec", "raw", "qcow2", "vhd", "pxe", "ipxe"),
    "serial": ("no", "com1", "com2", "com3", "com4"),
    "apic": ("yes", "no"),
    "machine": ("pc", "q35", "microvm", "isapc"),
    "pit": ("yes", "off"), "pic": ("yes", "off"), "hpet": ("yes", "off"), "i8042": ("yes", "off"),
}
# The devices that each machine may lack, by the names of QEMU's options; a microvm never has the other two.
MAY_LACK = {"pc": ("pit", "pic", "hpet", "i8042"), "q35": ("pit", "pic", "hpet", "i8042"), "microvm": ("pit", "pic")}
# The files that a machine asks the network for, below build/netboot.
GRUB_IMAGES = {"bios": "boot/grub/i386-pc/core.0", "uefi": "boot/grub/x86_64-efi/core.efi"}
NETWORK_ROM = "/usr/lib/ipxe/qemu/pxe-e1000.rom"    # of QEMU's e1000, and one for UEFI beside it
# How an image becomes a disk: QEMU's name of its format, and devices that clouds have, the disk last.
IMAGES = {
    "raw": ("raw", "nvme,serial=barecount"),
    "qcow2": ("qcow2", "virtio-blk-pci"),
    "vhd": ("vpc", "virtio-scsi-pci", "scsi-hd"),
}
# The first QEMU that had each; in an older QEMU the name is not wrong, but not available.
NEWER = {"SapphireRapids": "8.0", "GraniteRapids": "8.1", "EPYC-Genoa": "8.1", "SierraForest": "9.1"}
# QEMU 7.2 may abort with this when the host stops it for a while (in 1 of 16 runs with SIGSTOP, bits=32):
# it takes a page of memory, in which the guest has run before, for one of a device. The guest is not at fault.
DIES_BY_ITSELF = "translator_access: Assertion `phys_page != -1' failed"
BOOT_SECONDS = 30
LAST_CHARACTERS = 300           # of an error, for a sentence
ASK_SECONDS = 20                # it answers in a tenth of a second
UART_IRQS = {1: 4, 2: 3, 3: 4, 4: 3}
UART_PORTS = {1: 0x3F8, 2: 0x2F8, 3: 0x3E8, 4: 0x2E8}


def binary():
    """Returns the emulator's path; raises Unavailable if there is none, and Problem if OWN names no program."""
    if os.environ.get(OWN):
        return own_binary()
    found = next(filter(None, map(shutil.which, BINARIES)), None)
    if not found:
        raise Unavailable("QEMU is not installed; install qemu-system-x86")
    return found


def own_binary():
    """Returns the path of the binary that OWN names, or "" if it names none; raises Problem if that is no program."""
    named = os.environ.get(OWN, "")
    found = shutil.which(named)
    if named and not found:
        raise Problem(f"{OWN}={named} names no program: give the path of a qemu-system-x86_64, or unset {OWN}")
    return os.path.abspath(found) if found else ""


def version():
    """Returns the version, such as "7.2.22"; empty if QEMU does not print it."""
    found = re.search(r"QEMU emulator version ([0-9.]+)", ask("--version"))
    return found[1] if found else ""


def check_own():
    """Raises Problem if OWN names a program that is no QEMU."""
    path = own_binary()
    if path and not version():
        raise Problem(f"{OWN}={path} names no QEMU: it does not print \"QEMU emulator version\" for --version; give the "
                      f"path of a qemu-system-x86_64, or unset {OWN}")


def ask(*arguments):
    """Returns QEMU's output for arguments with which it runs no machine."""
    asked = f"{binary()} {' '.join(arguments)}"
    try:
        done = subprocess.run([binary(), *arguments], text=True, errors="replace", capture_output=True, check=False,
                              timeout=ASK_SECONDS)
    except subprocess.TimeoutExpired:
        raise Problem(f"{asked} does not end") from None
    except OSError as error:
        raise Problem(f"{binary()} cannot be started: {error.strerror}") from None
    if done.returncode:
        raise Problem(f"{asked} ends with status {done.returncode}: {done.stderr.strip()[-LAST_CHARACTERS:]}")
    return done.stdout


def cpu_names():
    return names_in(ask("-cpu", "help"))


def names_in(text):
    """Returns the names in what `-cpu help` prints: "x86 NAME ..." in older versions, else "  NAME ..."."""
    cpus = text.partition("Recognized CPUID")[0].splitlines()[1:]
    return {line.removeprefix("x86 ").split()[0] for line in cpus if line.strip()}


def ovmf():
    """Returns the path of the UEFI firmware; raises Unavailable if there is none."""
    for path in OVMF:
        try:
            with open(path, "rb"):
                return path
        except OSError:
            pass
    raise Unavailable(f"UEFI firmware is not installed ({' or '.join(OVMF)}); install ovmf")


LEAVE = "leave=f4"              # ends QEMU by the port that outputs() gives it


def words(machine):
    """Returns words for the kernel; without a serial line there is no port to end QEMU."""
    return () if machine.serial == "no" else (LEAVE,)


def prepare(cpu, machine):
    check_own()
    name = cpu.split(",")[0]
    known = cpu_names()
    if name not in known:
        if name in NEWER:
            raise Unavailable(f"QEMU {version()} has no {name}; {NEWER[name]} and later have it")
        meant = nearest.hint(name, known)
        raise Problem(f"QEMU knows no CPU named {cpu!r}{meant}; \"{own_binary() or BINARIES[0]} -cpu help\" lists the names")
    if machine.firmware == "uefi":
        ovmf()
    if machine.via in ("pxe", "ipxe") and not os.path.exists(NETWORK_ROM):
        raise Unavailable(f"{NETWORK_ROM} is missing; install ipxe-qemu")


def command(cpu, machine, handover, accelerator=("-accel", "tcg"), has_monitor=False):
    """Returns QEMU's command line; has_monitor adds a monitor beside a serial line."""
    features = ",-apic" if machine.apic == "no" else ""
    smp = machine.smp
    return [
        binary(), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
        "-machine", board(machine), *screen(machine), *accelerator, "-cpu", cpu + features, "-m", str(machine.mem_mb),
        "-smp", f"{smp.cpus},sockets={smp.packages},cores={smp.cores},threads={smp.threads}",
        *firmware(machine, handover), *media(machine, handover), *outputs(machine, handover),
        *(monitor(handover) if has_monitor and machine.serial != "no" else ()),
    ]


def board(machine):
    """Returns the machine's name, and the devices that it is to lack."""
    lacks = [f",{device}=off" for device in MAY_LACK.get(machine.machine, ()) if getattr(machine, device) == "off"]
    return machine.machine + "".join(lacks)


def screen(machine):
    """Returns the arguments for a VGA adapter; microvm and isapc have no PCI bus for this one."""
    return ["-vga", "std"] if machine.machine in ("pc", "q35") else []


def firmware(machine, handover):
    if machine.firmware == "bios":
        return []
    return ["-drive", f"if=pflash,unit=0,format=raw,readonly=on,file={handover.file(ovmf())}"]


def media(machine, handover):
    """Returns the boot medium and, unless QEMU itself passes the words on, the disk of words."""
    if machine.via == "kernel":
        return ["-kernel", handover.kernel(machine.bits or 32), "-append", " ".join(handover.kernel_words)]
    if machine.via == "pvh":
        return ["-kernel", handover.pvh(), "-append", " ".join(handover.kernel_words)]
    if machine.via == "kexec":
        return from_linux(machine, handover)
    if machine.via == "ipxe":
        return network("/dev/fd", handover.ipxe_script(machine.bits or 32))
    words = ["-drive", f"if=none,id=words,format=raw,file={handover.words_disk()}",
             "-device", "ide-hd,drive=words,bus=ide.0"]
    if machine.via == "pxe":
        return [*network(handover.netboot(), GRUB_IMAGES[machine.firmware]), *words]
    if machine.via in IMAGES:
        form, *devices = IMAGES[machine.via]
        devices[-1] += ",drive=medium,bootindex=0"
        return ["-drive", f"if=none,id=medium,format={form},readonly=on,file={handover.image(machine.via)}",
                *itertools.chain.from_iterable(("-device", device) for device in devices), *words]
    medium = f"if=none,id=medium,format=raw,readonly=on,file={handover.iso()}"
    device = {
        "cd": ["-device", "ide-cd,drive=medium,bus=ide.1,bootindex=0"],
        "usb": ["-device", "qemu-xhci", "-device", "usb-storage,drive=medium,bootindex=0"],
    }[machine.via]
    return ["-drive", medium, *device, *words]


def from_linux(machine, handover):
    """Returns a Linux that starts the kernel by kexec."""
    kernel = handover.kernel_bytes(machine.bits or 64)
    return ["-kernel", handover.file(kexec.linux()), "-append", kexec.WORDS,
            "-initrd", handover.memory("initramfs", kexec.initramfs(kernel, handover.kernel_words))]


def loaded(handover, linux, initramfs, words):
    """Returns a Linux that is all there is to start."""
    return ["-kernel", handover.memory("linux", linux), "-append", " ".join(words),
            "-initrd", handover.memory("initramfs", initramfs)]


def network(folder, bootfile):
    """Returns a network of the machine with a server that has one folder and names the file to boot."""
    return ["-netdev", f"user,id=net,restrict=on,tftp={folder},bootfile={bootfile}",
            "-device", "e1000,netdev=net,bootindex=0"]


def monitor(handover):
    """Returns the arguments for QEMU's own monitor at a socket, for screenshots and keys."""
    return ["-chardev", f"socket,id=monitor,fd={handover.monitor_socket()}",
            "-mon", "chardev=monitor,mode=control"]


def outputs(machine, handover):
    """Returns the arguments for the guest's output: the serial line, or a monitor that can take screenshots.

    Without a serial line there is no exit port either: the guest then halts with its summary on
    the screen, as it does on a real machine, and the screen stays there to be read.
    """
    if machine.serial == "no":
        return monitor(handover)
    port = machine.com_port
    line = f"serial,id=serial,path={handover.line.name}" if handover.line else \
           f"file,id=serial,path={handover.serial}"
    return ["-chardev", line,
            "-device", f"isa-serial,chardev=serial,iobase={UART_PORTS[port]:#x},irq={UART_IRQS[port]}",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=0x4"]
