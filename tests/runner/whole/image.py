# SPDX-License-Identifier: MIT
"""The kernel's sum of its own code and constants, as kernel/machine/image.h defines it, in a linked file.

The build puts the sum into the file: `python3 -m runner.whole.image FILE...`. The runner reads it from the file that
it hands over.
"""
import pathlib
import struct
import sys
import typing
import zlib

from runner.problems import Problem

PAGE = 4096                     # bytes
NOTE = 4                        # a segment's type
# By a file's class: the file header's fields (place of sections, size, number, names), and a section's.
FORMATS = {1: ("<32xI10x3H", "<10I"), 2: ("<40xQ10x3H", "<2I4Q2I2Q")}
# By a file's class: the file header's place and number of segments; of a segment's header its type, offset and size.
SEGMENTS = {1: ("<28xI12xH", "<2I8xI12x"), 2: ("<32xQ16xH", "<I4xQ16xQ16x")}


DAMAGED = "the kernel's file is damaged, or no kernel of Barecount; run make again"


class Section(typing.NamedTuple):
    """Where a section lies in memory and in the file."""

    address: int
    offset: int
    size: int


def sections(elf):
    """Returns the Section of each name; raises Problem if the bytes are no whole ELF file."""
    try:
        if elf[:4] != b"\x7fELF":
            raise ValueError
        head, row = FORMATS[elf[4]]
        table, size, count, names = struct.unpack_from(head, elf)
        rows = [struct.unpack_from(row, elf, table + size * index) for index in range(count)]
        texts = rows[names][4]
        named = {elf[texts + row[0]:elf.index(0, texts + row[0])].decode("ascii"): Section(*row[3:6]) for row in rows}
        if len(elf) < table + size * count or not all(map(named.get, (".sum", ".text", ".rodata"))):
            raise ValueError
        return named
    except (struct.error, ValueError, KeyError, IndexError):
        raise Problem(DAMAGED) from None


def summed(elf):
    """Returns the bytes that the sum is about."""
    parts = sections(elf)
    text, end = parts[".text"], parts[".rodata"].offset + parts[".rodata"].size
    return elf[text.offset:end]


def computed(elf):
    """Returns the sum of a kernel's file."""
    data, crc = summed(elf), 0
    for at in range(0, len(data), PAGE):
        crc = zlib.crc32(struct.pack("<Q", page_sum(data[at:at + PAGE])), crc)
    return crc


def page_sum(page):
    """Returns the sum of a page: after each line of eight words of 64 bits what came before rotates by one bit."""
    sums = [sum(line) for line in struct.iter_unpack("<8Q", page)]
    total = 0
    for line in sums:
        total = ((total << 1 | total >> 63) + line) & (1 << 64) - 1
    return total


def recorded(beginning):
    """Returns the sum that the build has put into the file, of whose bytes the first ones are enough."""
    try:
        return struct.unpack_from("<I", beginning, place(beginning))[0]
    except (struct.error, ValueError, KeyError, IndexError):
        raise Problem(DAMAGED) from None


def place(beginning):
    """Returns where the sum is in a kernel's file: behind its note (kernel/link/linker.ld), so near the beginning."""
    if beginning[:4] != b"\x7fELF":
        raise ValueError
    head, row = SEGMENTS[beginning[4]]
    table, count = struct.unpack_from(head, beginning)
    segments = struct.iter_unpack(row, beginning[table:table + count * struct.calcsize(row)])
    _, at, size = [segment for segment in segments if segment[0] == NOTE][0]
    return at + size


def with_sum(elf):
    """Returns the file with the sum that fits it."""
    at = sections(elf)[".sum"].offset
    if at != place(elf):
        raise Problem("the linker put the kernel's sum elsewhere than behind its note")
    return elf[:at] + struct.pack("<I", computed(elf)) + elf[at + 4:]


def main(paths):
    """Puts the sum into each of these files."""
    for path in map(pathlib.Path, paths):
        path.write_bytes(with_sum(path.read_bytes()))


if __name__ == "__main__":
    main(sys.argv[1:])
