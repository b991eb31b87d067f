# SPDX-License-Identifier: MIT
"""Debian's kernel as Linux' own unpacker leaves it, and the memory with which it starts.

Unpacking takes an emulator minutes and the host seconds. Everything else follows Linux' boot protocol, as
a boot loader does (Documentation/x86/boot.rst, zero-page.rst): the kernel lies at the address
that it was linked for, and its page of parameters has the setup header of the packed file.
"""
import lzma
import struct
import subprocess

from runner.problems import Problem, Unavailable

START = 0x100000                # tests/linux/start.asm, which knows the pages after it
PAGE = 4096
ENTRY, WIDE = 8, 16             # what start.asm wants to know
COMMAND_LINE = START + 2 * PAGE
INITRAMFS = 0x200000
KERNEL = 0x1000000              # CONFIG_PHYSICAL_START of x86
BSS_ROOM, HUGE_PAGE = 32 << 20, 2 << 20      # what Linux clears behind its image is less

# The setup header, by its offset in the file and in the page of parameters alike.
SETUP_SECTORS, HEADER_END, MAGIC, LOADER = 0x1f1, 0x201, 0x202, 0x210
RAMDISK, COMMAND_LINE_AT, PAYLOAD = 0x218, 0x228, 0x248
UNKNOWN_LOADER = 0xff
ZSTD, SIZE_BEHIND = b"\x28\xb5\x2f\xfd", 4       # how such a payload begins; the kernel's size follows it

FOLDER, LINK, FILE, PROGRAM = 0o040755, 0o120777, 0o100644, 0o100755     # modes
PT_LOAD = 1
ELF64 = 2


def unpack(packed):
    """Returns the ELF file in a bzImage."""
    if packed[MAGIC:MAGIC + 4] != b"HdrS":
        raise Problem("the package's kernel is not a bzImage")
    offset, length = struct.unpack_from("<II", packed, PAYLOAD)
    offset += (packed[SETUP_SECTORS] + 1) * 512
    payload = packed[offset:offset + length]
    if payload.startswith(ZSTD):
        return unpack_zstd(payload[:-SIZE_BEHIND])
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(payload)
    except lzma.LZMAError:
        raise Problem("the package's kernel is packed neither by xz nor by zstd") from None


def unpack_zstd(payload):
    try:
        return subprocess.run(["zstd", "-d", "-c"], input=payload, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise Unavailable("zstd is missing; install it") from None
    except subprocess.CalledProcessError as error:
        raise Problem(f"zstd cannot unpack the package's kernel: {error.stderr.decode(errors='replace').strip()}") \
            from None


def flat(elf):
    """Its bytes as they lie in memory from KERNEL on, its entry point, whether it has 64 bits."""
    is_wide = elf[4] == ELF64
    if is_wide:
        entry, table = struct.unpack_from("<QQ", elf, 24)
        size, count = struct.unpack_from("<HH", elf, 54)
    else:
        entry, table = struct.unpack_from("<II", elf, 24)
        size, count = struct.unpack_from("<HH", elf, 42)
    image = bytearray()
    for place in range(table, table + size * count, size):
        if is_wide:
            kind, _, offset, _, address, length = struct.unpack_from("<IIQQQQ", elf, place)
        else:
            kind, offset, _, address, length = struct.unpack_from("<5I", elf, place)
        if kind == PT_LOAD:
            image += bytes(address - KERNEL - len(image))
            image[address - KERNEL:] = elf[offset:offset + length]
    return bytes(image), entry, is_wide


def parameters(packed, initramfs):
    """Returns Linux' page of parameters without the memory map, which start.asm fills in."""
    page = bytearray(PAGE)
    end = MAGIC + packed[HEADER_END]
    page[SETUP_SECTORS:end] = packed[SETUP_SECTORS:end]
    page[LOADER] = UNKNOWN_LOADER
    struct.pack_into("<II", page, RAMDISK, *initramfs)
    struct.pack_into("<I", page, COMMAND_LINE_AT, COMMAND_LINE)
    return bytes(page)


def page_tables():
    """Returns tables that map memory below 1 GB to itself, by pages of 2 MB."""
    present, large = 3, 0x83
    tables = COMMAND_LINE + PAGE
    top = struct.pack("<Q", tables + PAGE | present).ljust(PAGE, b"\0")
    middle = struct.pack("<Q", tables + 2 * PAGE | present).ljust(PAGE, b"\0")
    return top + middle + b"".join(struct.pack("<Q", n << 21 | large) for n in range(512))


def starter(start, packed, entry, is_wide, words, initramfs):
    """Returns the first bytes at START: start.asm and its pages."""
    page = bytearray(start)
    struct.pack_into("<QI", page, ENTRY, entry, is_wide)
    line = " ".join(words).encode()
    return (bytes(page) + parameters(packed, initramfs) + line.ljust(PAGE, b"\0")
            + page_tables())


def archive(files):
    """Returns a cpio archive with these (name, mode, content); a folder's name comes before those in it."""
    return b"".join(member(number, *each) for number, each in enumerate([*files, ("TRAILER!!!", 0, b"")], 1))


def member(number, name, mode, content):
    """Returns one file, by the format "newc" of early-userspace/buffer-format.rst."""
    fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + content + bytes(-len(content) % 4)


def whole(start, packed, archive, words):
    """Returns all that is loaded to START: start.asm and its pages, the initramfs, the kernel.

    An initramfs that is too large for the room below the kernel comes behind it.
    """
    image, entry, is_wide = flat(unpack(packed))
    room = KERNEL - INITRAMFS
    at = INITRAMFS if len(archive) <= room else (KERNEL + len(image) + BSS_ROOM + HUGE_PAGE - 1) & -HUGE_PAGE
    first = starter(start, packed, entry, is_wide, words, (at, len(archive)))
    parts = sorted([(START, first), (at, archive), (KERNEL, image)])
    result = bytearray()
    for place, part in parts:
        result += bytes(place - START - len(result)) + part
    return bytes(result)
