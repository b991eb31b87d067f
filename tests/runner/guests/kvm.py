# SPDX-License-Identifier: MIT
"""A disk with Linux, its KVM and a monitor that runs the kernel as KVM's guest: kvm-on-model:CPU."""
import os
import pathlib
import re
import struct
import subprocess

from runner import bootable, layout
from runner.guests import debian, kvm_modules, linux, linux_image
from runner.handover import must_be_built
from targets import qemu

INSTRUCTIONS_PER_SECOND = 200_000_000       # fewer, and a tick of the guest's 8254 falls into each window
VMM = layout.BUILD / "linux" / "vmm"
MEMORY_MB = 64
FIRMWARE = ("/usr/share/seabios/bios-256k.bin", "/usr/share/qemu/kvmvapic.bin")

LOW_MEMORY_END, HIGH_MEMORY, MB = 0x9fc00, 0x100000, 1 << 20
USABLE = 1
ACPI = 0xe0000                              # where a BIOS has the pointer to its tables
LOCAL_APIC, IO_APIC = 0xfee00000, 0xfec00000


def image(handover, board):
    """Returns the entry point and the bytes in memory from there on; the guest is the kernel that the handover has, with its words."""
    files = {name: content for name, _, content in debian.files(f"kvm-{board.linux}")}
    packed = files.pop("vmlinuz")
    of_monitor, order = (qemu_files if board.vmm == "qemu" else own_files)(handover, board)
    files |= {"init": must_be_built(VMM).read_bytes(), **of_monitor, "guest.txt": order_text(order, files, board.vpmu)}
    start = must_be_built(layout.BUILD / "linux" / "start.bin").read_bytes()
    return linux_image.START, linux_image.whole(start, packed, archive(files), linux.words(INSTRUCTIONS_PER_SECOND))


def archive(files):
    """Returns a cpio archive of {path: content}, with the folders of all paths and those where Linux mounts."""
    folders = {"proc", "sys", "dev", "tmp"}
    for path in files:
        folders |= {str(parent) for parent in pathlib.PurePath(path).parents} - {"."}
    return linux_image.archive([*((name, linux_image.FOLDER, b"") for name in sorted(folders)),
                                *((name, linux_image.PROGRAM, content) for name, content in files.items())])


def own_files(handover, board):
    """Returns the files that the small monitor of tests/linux/vmm wants, and what it has to know."""
    image, order = guest(handover.kernel_bytes(board.bits or 64), handover.kernel_words, board.smp.cpus)
    return {"guest": image}, order


def qemu_files(handover, board):
    """Returns this machine's QEMU with its libraries, the ISO image, the disk of words, and QEMU's arguments; and the order."""
    binary = qemu.binary()
    paths = [binary, *libraries_of(binary), *(path for path in FIRMWARE if os.path.exists(path))]
    files = {path.lstrip("/"): pathlib.Path(path).read_bytes() for path in paths}
    words = int(handover.words_disk().rpartition("/")[2])
    files["barecount.iso"] = must_be_built(layout.ISO).read_bytes()
    handover.media.append(layout.ISO)
    files["words"] = os.pread(words, os.fstat(words).st_size, 0)
    files["qemu.txt"] = "\n".join(qemu_arguments(binary, board.smp.cpus, board.features)).encode()
    return files, {"cpus": board.smp.cpus}


def libraries_of(binary):
    """Returns the paths of the shared libraries, and of the loader, as the program names them."""
    said = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    return [found[1] for found in (re.search(r"(/\S+) \(", line) for line in said.splitlines()) if found]


def qemu_arguments(binary, cpus, features):
    """Returns the command that people type for a guest with a virtual PMU, with the ISO image as its CD."""
    return [binary, "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-accel", "kvm", "-cpu",
            f"host,{features}", "-machine", "pc", "-m", str(MEMORY_MB), "-smp", str(cpus),
            "-drive", "if=none,id=cd,format=raw,readonly=on,file=/barecount.iso",
            "-device", "ide-cd,drive=cd,bus=ide.1,bootindex=0",
            "-drive", "if=none,id=words,format=raw,file=/words", "-device", "ide-hd,drive=words,bus=ide.0",
            "-chardev", "file,id=out,path=/proc/self/fd/1", "-device", "isa-debugcon,iobase=0xe9,chardev=out",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=0x4"]


def order_text(order, files, vpmu):
    """Returns the monitor's order, with the modules that are there."""
    rows = [*order.items(), *(("module", line) for line in kvm_modules.lines(files, vpmu))]
    return "".join(f"{key} {value}\n" for key, value in rows).encode()


def guest(kernel, words, cpus):
    """Returns the guest's memory from address 0 on, and what the monitor has to know."""
    entry, image = bootable.flat(kernel)
    memory = bytearray(bootable.IMAGE)
    info = bytearray(bootable.information(words))
    table = memory_map()
    struct.pack_into("<II", info, 4, LOW_MEMORY_END // 1024, (MEMORY_MB * MB - HIGH_MEMORY) // 1024)
    struct.pack_into("<I", info, 44, len(table))
    at = bootable.PAGE + bootable.INFO
    memory[at:at + len(info)] = info
    at = bootable.PAGE + bootable.PAGE_BYTES
    memory[at:at + len(table)] = table
    tables = acpi(cpus)
    memory[ACPI:ACPI + len(tables)] = tables
    return bytes(memory) + image, {"entry": f"{entry:x}", "info": f"{bootable.PAGE + bootable.INFO:x}",
                                   "cpus": cpus, "memory": MEMORY_MB}


def memory_map():
    """Returns multiboot's entries for a machine without a BIOS."""
    parts = ((0, LOW_MEMORY_END), (HIGH_MEMORY, MEMORY_MB * MB - HIGH_MEMORY))
    return b"".join(struct.pack("<IQQI", 20, address, length, USABLE) for address, length in parts)


def acpi(cpus):
    """Returns the RSDP, RSDT and MADT of a machine with so many processors and an IO-APIC (ACPI 1.0b, 5.2)."""
    pointer_size, root_size = 20, 36 + 4
    root = ACPI + pointer_size
    entries = b"".join(struct.pack("<BBBBI", 0, 8, number, number, 1) for number in range(cpus))
    entries += struct.pack("<BBBBII", 1, 12, cpus, 0, IO_APIC, 0)
    madt = acpi_table(b"APIC", struct.pack("<II", LOCAL_APIC, 1) + entries)
    rsdt = acpi_table(b"RSDT", struct.pack("<I", root + root_size))
    pointer = summed(struct.pack("<8sB6sBI", b"RSD PTR ", 0, b"BARECT", 0, root), 8)
    return pointer + rsdt + madt


def acpi_table(signature, body):
    head = struct.pack("<4sIBB6s8sI4sI", signature, 36 + len(body), 1, 0, b"BARECT", b"VMM     ", 1, b"BARE", 1)
    return summed(head + body, 9)


def summed(table, at):
    """Returns the table with the byte there such that all bytes add up to 0."""
    return table[:at] + bytes([-sum(table) & 0xff]) + table[at + 1:]
