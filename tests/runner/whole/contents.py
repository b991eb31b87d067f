# SPDX-License-Identifier: MIT
"""What a kernel contains, as its build saw it: the file barecountNN.tests beside the kernel.

    # kernel: sum B59E86B8, file CRC-32 0A1B2C3D
    number,id,runs,kind
    17,arch.pmi.mask,everywhere,
    18,platform.smp.started,boot,first

    runs    everywhere, alone, boot or kinds: enum test_runs of kernel/run/test.h
    kind    broken: fails on purpose and needs the word `broken`; first: runs before others; empty

`python3 -m runner.whole.contents KERNEL` writes it for a kernel that has its symbols in KERNEL.debug.
"""
import csv
import functools
import io
import pathlib
import re
import struct
import subprocess
import sys
import typing
import zlib

from runner import bootable, layout, numbers
from runner.problems import Problem
from runner.whole import image

HEAD = re.compile(r"# kernel: sum ([0-9A-F]{8}), file CRC-32 ([0-9A-F]{8})$")
COLUMNS = ["number", "id", "runs", "kind"]
RUNS = ("everywhere", "alone", "boot", "kinds")
KINDS = ("", "broken", "first")
# All at once, because each boot reads them.
ROW = re.compile(rf"^\d*,([^,\n]+),({'|'.join(RUNS)}),({'|'.join(KINDS)})$", re.MULTILINE)
POINTERS = 5                    # of struct test: id, claim, source, needs, run; then a byte each
LAYOUT = {bits: f"<{POINTERS}{pointer}3B" for bits, pointer in ((32, "I"), (64, "Q"))}


class Test(typing.NamedTuple):
    """A row: one test of the kernel."""

    id: str
    runs: str
    kind: str


class Contents(typing.NamedTuple):
    """What the file says: the kernel's sum of itself, the CRC-32 of its file, the fields of its Tests by their ids."""

    sum: str
    crc: str
    tests: dict


def structs(elf, debug, bits):
    """Yields each struct test in a kernel's file: its address, the text of its id, its other members as numbers."""
    memory = bootable.flat(elf)[1]
    names = subprocess.run(["nm", debug], text=True, check=True, capture_output=True).stdout
    at = {name: int(address, 16) - bootable.IMAGE for address, _, name in map(str.split, names.splitlines())}
    pointer = LAYOUT[bits][2]
    for test, in struct.iter_unpack(f"<{pointer}", memory[at["tests_start"]:at["tests_end"]]):
        text, *others = struct.unpack_from(LAYOUT[bits], memory, test - bootable.IMAGE)
        start = text - bootable.IMAGE
        yield test, memory[start:memory.index(0, start)].decode("ascii"), *others


def tests_in(elf, debug, bits):
    """Yields each Test of a kernel, read from the structs in its file."""
    for _, name, *_, runs, is_broken, is_first in structs(elf, debug, bits):
        yield Test(name, RUNS[runs], KINDS[is_broken or 2 * is_first])


def addresses_in(elf, debug, bits):
    """Returns the address of each test's struct by the test's id."""
    return {name: test for test, name, *_ in structs(elf, debug, bits)}


def written(kernel, bits):
    """Returns the text for a kernel's file."""
    elf, numbered = kernel.read_bytes(), {name: number for number, name in numbers.names().items()}
    text = io.StringIO()
    text.write(f"# kernel: sum {image.recorded(elf):08X}, file CRC-32 {zlib.crc32(elf):08X}\n")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for test in sorted(tests_in(elf, f"{kernel}.debug", bits)):
        rows.writerow([numbered.get(test.id, ""), *test])       # a test has no number before its row is in ids.csv
    return text.getvalue()


@functools.cache
def read(path):
    """Returns the Contents in a file; raises Problem if it is missing or is no such file."""
    try:
        head, columns, lines = path.read_text(encoding="ascii").split("\n", 2)
        rows = ROW.findall(lines)               # no id has a comma
        found = HEAD.match(head)
        if not found or columns.split(",") != COLUMNS or not rows or len(rows) != len(lines.splitlines()):
            raise ValueError
        return Contents(*found.groups(), {row[0]: row for row in rows})         # most boots choose few of them
    except FileNotFoundError:
        raise Problem(f"{layout.shown(path)} is missing; {layout.MAKE_FIRST}") from None
    except (ValueError, TypeError):
        raise Problem(f"{layout.shown(path)} is damaged; remove it and run make again") from None


def of(bits):
    """Returns the Contents of the built kernel of this width."""
    return read(layout.CONTENTS[bits])


def check_file(elf, bits):
    """Raises Problem if these bytes are not the kernel that was built together with its list of tests."""
    path = layout.CONTENTS[bits]
    if not path.exists():
        raise Problem(f"{layout.shown(path)} is missing; {layout.MAKE_FIRST}")
    with open(path, encoding="ascii", errors="replace") as file:
        found = HEAD.match(file.readline().rstrip())        # not all of it: each boot hands over two kernels
    if not found or f"{zlib.crc32(elf):08X}" != found[2]:
        raise Problem(f"{layout.shown(layout.KERNELS[bits])} is not the kernel that make built, or is damaged: "
                      "run make again")


def main(name):
    """Writes the file for this kernel."""
    kernel = pathlib.Path(name)
    bits = 64 if "64" in kernel.name else 32
    new = kernel.with_suffix(".tests.new")
    new.write_text(written(kernel, bits), encoding="ascii")
    new.replace(kernel.with_suffix(".tests"))


if __name__ == "__main__":
    main(sys.argv[1])
