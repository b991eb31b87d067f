# SPDX-License-Identifier: MIT
"""What starts a kernel in an emulator that has no loader of its own: memory and an option ROM, or a disk.

A page has rows with the kernels' places, and the multiboot information, to which tests/targets/bochs-start.inc adds
the BIOS' memory map.
"""
import struct

from runner.problems import Problem

SECTOR = 512
PAGE, PAGE_BYTES = 0x20000, 4096        # as in bochs-start.inc
ROM = 0xd0000
INFO = 32
TEXTS = INFO + 96                       # after the information, which has 88 bytes
IMAGE, SECOND = 0x100000, 0x800000      # the second one beyond what the first one clears, and in a block of its own
BLOCK_KB = 8192                         # Bochs' memory is whole in blocks of this size, the largest that it has
HEADS, SECTORS = 16, 63
CYLINDER = HEADS * SECTORS * SECTOR
HAS_MEMORY, HAS_CMDLINE, HAS_MMAP, HAS_NAME = 1 << 0, 1 << 2, 1 << 6, 1 << 9
NAME = b"the option ROM for Bochs\0"
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
    struct.pack_into("<I", info, 48, PAGE + PAGE_BYTES)
    struct.pack_into("<I", info, 64, PAGE + TEXTS)
    return bytes(info) + NAME + cmdline


def page(rows, words):
    """Returns the bytes at PAGE, for rows of (the kernel's place, its size in bytes, its entry point).

    The first row is for processors without long mode, the second one for the others.
    """
    whole = b"".join(struct.pack("<III", place, size // 4, entry) for place, size, entry in rows)
    whole = whole.ljust(INFO, b"\0") + information(words)
    if len(whole) > PAGE_BYTES:
        raise Problem("the words are too long for via=kernel")
    return whole.ljust(PAGE_BYTES, b"\0")


def memory(kernels, words):
    """Returns {address: bytes} of a memory with kernels: ELF files for processors without and with long mode, or one.

    Of two the first lies at SECOND, and is as long as both, because it is moved to where the other one is.
    """
    images = [flat(kernel) for kernel in kernels]
    size = max(len(image) for _, image in images)
    size += -size % 4
    entry, image = images[-1]
    rows = [(IMAGE, size, entry)] * 2
    if len(images) == 1:
        return {PAGE: page(rows, words), IMAGE: image}
    rows[0] = SECOND, size, images[0][0]
    return {PAGE: page(rows, words), IMAGE: image, SECOND: images[0][1].ljust(size, b"\0")}


def rom(code):
    """Returns the option ROM: the sum of its bytes is 0."""
    return code + bytes([-sum(code) % 256])


def disk(sector, entry, image):
    """Returns a disk that boots these bytes in memory from IMAGE on, which are too long for an emulator's memory."""
    image = image.ljust(-(-len(image) // SECTOR) * SECTOR, b"\0")
    whole = sector + page([(1 + PAGE_BYTES // SECTOR, len(image), entry)], []) + image
    return whole.ljust(-(-len(whole) // CYLINDER) * CYLINDER, b"\0")
