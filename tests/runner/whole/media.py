# SPDX-License-Identifier: MIT
"""The kernels in a medium that was handed over: an ISO image, or a folder of files for the network."""
import mmap
import struct
import zlib

SECTOR = 2048                   # of an ISO image, in bytes
ROOT = 16 * SECTOR + 156        # where the record of the root folder is (ECMA-119, 8.4.18)
RECORD = "<2xI4xI11xB"          # place in sectors, size, flags (ECMA-119, 9.1); its first byte is its own length
FOLDER = 2                      # a flag
SELF_AND_PARENT = 2             # a folder's first records
GZIP = b"\x1f\x8b\x08\x00"      # the beginning of a file that `gzip -n` packs
BEGINNING = 8192                # bytes of a kernel's file: its headers and its sum


def packed_in(medium, most=BEGINNING):
    """Yields the first bytes of each kernel that is packed by gzip in an ISO image, or in the files of a folder.

    With most=0 that is all of it.
    """
    if medium.is_dir():
        packed = [path.read_bytes() for path in sorted(medium.glob("boot/*.elf.gz"))]
    else:
        packed = files_of_image(medium, most)
    for data in packed:
        elf = unpacked(data, most) if data.startswith(GZIP) else b""
        if elf.startswith(b"\x7fELF"):
            yield elf


def files_of_image(medium, most):
    """Yields the first bytes, or all, of each file in the root folder of an ISO image and in the folders there."""
    if medium.stat().st_size < ROOT:
        return
    with open(medium, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as disk:
        try:
            for at, size in files(disk, ROOT, 2):
                yield disk[at:at + min(size, most or size)]
        except (struct.error, IndexError):
            pass                # damaged: what is not found here is missing in the comparison


def files(disk, record, depth):
    """Yields place and size, in bytes, of the file with this record, or of the files in it, so many folders deep."""
    sector, size, flags = struct.unpack_from(RECORD, disk, record)
    at = sector * SECTOR
    if not flags & FOLDER:
        yield at, size
    elif depth:
        for number, place in enumerate(records(disk, at, at + size)):
            if number >= SELF_AND_PARENT:
                yield from files(disk, place, depth - 1)


def records(disk, at, end):
    """Yields the place of each record of a folder; no record crosses a sector's end."""
    while at < end:
        length = disk[at]
        if length:
            yield at
        at = at + length if length else (at // SECTOR + 1) * SECTOR


def unpacked(data, most):
    """Returns the first bytes of what gzip has packed at the beginning of these; nothing if that is damaged."""
    try:
        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(data, most)
    except zlib.error:
        return b""
