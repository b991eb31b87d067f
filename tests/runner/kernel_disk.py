# SPDX-License-Identifier: MIT
"""A disk with only the kernels on it, for an emulator without a loader of its own.

tests/targets/bochs-loader.asm is its boot sector. The page that follows it has rows with the places of
the kernels, and the multiboot information, to which the boot sector adds the BIOS' memory map.
"""
import struct

from runner.problems import Problem

SECTOR = 512
PAGE, PAGE_SECTORS = 0x20000, 8         # as in bochs-loader.asm
INFO = 32
TEXTS = INFO + 96                       # after the information, which has 88 bytes
IMAGE = 0x100000
HEADS, SECTORS = 16, 63
CYLINDER = HEADS * SECTORS * SECTOR
HAS_MEMORY, HAS_CMDLINE, HAS_MMAP, HAS_NAME = 1 << 0, 1 << 2, 1 << 6, 1 << 9
NAME = b"the boot sector for Bochs\0"
PT_LOAD = 1


def flat(elf):
    """Returns a 32-bit ELF file's entry point, and its bytes as they lie in memory from IMAGE on."""
    entry, table = struct.unpack_from("<II", elf, 24)
    size, count = struct.unpack_from("<HH", elf, 42)
    image = bytearray()
    for place in range(table, table + size * count, size):
        kind, offset, _, address, length = struct.unpack_from("<5I", elf, place)
        if kind == PT_LOAD:
            image += bytes(address - IMAGE - len(image)) + elf[offset:offset + length]
    return entry, bytes(image)


def information(words):
    """Returns the multiboot information and its texts, except the parts that the loader fills in."""
    cmdline = " ".join(words).encode() + b"\0"
    info = bytearray(TEXTS - INFO)
    struct.pack_into("<I", info, 0, HAS_MEMORY | HAS_CMDLINE | HAS_MMAP | HAS_NAME)
    struct.pack_into("<I", info, 16, PAGE + TEXTS + len(NAME))
    struct.pack_into("<I", info, 48, PAGE + PAGE_SECTORS * SECTOR)
    struct.pack_into("<I", info, 64, PAGE + TEXTS)
    return bytes(info) + NAME + cmdline


def make(loader, kernels, words):
    """Returns the disk's bytes. `kernels` are ELF files for processors without and with long mode."""
    return disk_of(loader, [flat(kernel) for kernel in kernels], words)


def disk_of(loader, kernels, words):
    """Returns the same for (entry point, bytes in memory from IMAGE on); a single kernel is for all processors."""
    place, rows, images = 1 + PAGE_SECTORS, b"", b""
    for entry, image in kernels:
        sectors = -(-len(image) // SECTOR)
        rows += struct.pack("<III", place, sectors, entry)
        images += image.ljust(sectors * SECTOR, b"\0")
        place += sectors
    rows *= 2 if len(kernels) == 1 else 1
    page = rows.ljust(INFO, b"\0") + information(words)
    if len(page) > PAGE_SECTORS * SECTOR:
        raise Problem("the words are too long for via=kernel")
    disk = loader + page.ljust(PAGE_SECTORS * SECTOR, b"\0") + images
    return disk.ljust(-(-len(disk) // CYLINDER) * CYLINDER, b"\0")
