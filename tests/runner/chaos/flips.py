# SPDX-License-Identifier: MIT
"""Flips of one bit: of the kernel's file, of what the medium gave, and of memory while the kernel runs."""
import functools
import re
import struct
import subprocess
import zlib

from runner import layout
from runner.chaos.debugger import Debugger, ask_person, attach, monitor_at
from runner.whole import contents, image

SUMMED = (".text", ".rodata")
TABLES = ("tests_start", "tests_end", "hooks_start", "hooks_end", "fixup_table", "fixup_table_end")
PAGE = 4096
STACK_BYTES = 512               # above the stack pointer: the frames of the functions that run
PRESENT, LARGE = 1, 0x80
QUIRK = "pmi-leaves-lvtpc-unmasked"


@functools.cache
def kernel(bits):
    return layout.KERNELS[bits].read_bytes()


@functools.cache
def symbols(bits):
    """Returns the address of each symbol."""
    listed = subprocess.run(["nm", "--defined-only", f"{layout.KERNELS[bits]}.debug"], text=True, check=True,
                            capture_output=True).stdout
    return {name: int(address, 16) for address, _, name in map(str.split, listed.splitlines())}


def flipped(data, at, bit):
    changed = bytearray(data)
    changed[at] ^= 1 << bit
    return bytes(changed)


def cold(boot, bits, at, region):
    """Gives the run a kernel with one bit changed, which the list of its contents does not betray."""
    bit = boot.rng.randrange(8)
    data = flipped(kernel(bits), at, bit)
    name = layout.CONTENTS[bits].name
    text = layout.CONTENTS[bits].read_text(encoding="ascii")
    boot.replace(layout.KERNELS[bits].name, data)
    boot.replace(name, text.replace(contents.of(bits).crc, f"{zlib.crc32(data):08X}", 1).encode())
    boot.is_guest, boot.region, boot.what = True, region, f"bit {bit} of byte {at} of the {bits}-bit kernel, {region}"


def of_section(bits, *names):
    """Returns a fault: a bit of one of these sections changes between the build and the boot."""
    def fault(boot):
        name = boot.rng.choice(names)
        part = image.sections(kernel(bits))[name]
        cold(boot, bits, part.offset + boot.rng.randrange(part.size), name)
    return fault


def of_tables(bits):
    """Returns a fault: a bit of an instruction's operand that bounds a table of tests, hooks or fixups."""
    def fault(boot):
        text = image.sections(kernel(bits))[".text"]
        code = kernel(bits)[text.offset:text.offset + text.size]
        found = sorted({place.start() for name in TABLES
                        for place in re.finditer(re.escape(struct.pack("<I", symbols(bits)[name])), code)})
        cold(boot, bits, text.offset + boot.rng.choice(found) + boot.rng.choice((0, 0, 1)), ".text")
    return fault


def of_file(bits):
    """Returns a fault: a bit of the file, wherever, as a bad disk has it."""
    def fault(boot):
        at, bit = boot.rng.randrange(len(kernel(bits))), boot.rng.randrange(8)
        boot.replace(layout.KERNELS[bits].name, flipped(kernel(bits), at, bit))
        boot.is_guest, boot.region, boot.what = True, "file", f"bit {bit} of byte {at} of the {bits}-bit kernel's file"
    return fault


def with_defect(boot):
    """A bit of the kernel changes, and the model has a defect that the run must still show."""
    boot.env["PMU_QUIRK"] = QUIRK
    of_section(64, *SUMMED)(boot)


def hot(bits, *regions):
    """Returns a fault: a bit of memory changes at some moment of the run."""
    def fault(boot):
        region, share, bit, chance = (boot.rng.choice(regions), boot.rng.random(), boot.rng.randrange(8),
                                      boot.rng.random())
        gdb, monitor = attach(boot)
        boot.is_guest, boot.region, boot.what = True, region, f"a bit of {region} at {share:.0%} of the log"

        def during():
            boot.wait_for_log(share)
            with monitor_at(monitor) as asked:
                asked.execute("stop")
                registers = ask_person(asked, "info registers")
                with Debugger(gdb) as debugger:
                    at = place(bits, region, chance, registers, debugger)
                    debugger.flip(at, bit)
                    boot.what = f"bit {bit} of {at:#x}, {region}, at {share:.0%} of the log"
                asked.execute("cont")
        boot.during = during
    return fault


def place(bits, region, chance, registers, debugger):
    """Returns a physical address in the region; `chance` from 0 to 1 says how far in it."""
    def register(pattern):
        return [int(number, 16) for number in re.search(pattern, registers).groups()]
    if region == "stack":
        return register(r"[RE]SP=([0-9a-f]+)")[0] + int(chance * STACK_BYTES)
    if region in ("idt", "gdt"):
        base, limit = register(region.upper() + r"=\s*([0-9a-f]+) ([0-9a-f]+)")
        return base + int(chance * (limit + 1))
    if region == "page table":
        return page_entry(bits, chance, register(r"CR3=([0-9a-f]+)")[0], register(r"CR4=([0-9a-f]+)")[0], debugger)
    part = image.sections(kernel(bits))[region]
    return part.address + int(chance * part.size)


def page_entry(bits, chance, cr3, cr4, debugger):
    """Returns a byte of an entry that is present, at some depth below CR3."""
    size = 8 if bits == 64 or cr4 & 0x20 else 4
    table = cr3 & ~(PAGE - 1) if bits == 64 or size == 4 else cr3 & ~31
    for level in range(int(chance * 3) + 1):
        page = debugger.read(table, 32 if size == 8 and bits == 32 and level == 0 else PAGE)
        present = [at for at in range(0, len(page), size) if page[at] & PRESENT]
        at = present[int(chance * 997) % len(present)]
        entry = int.from_bytes(page[at:at + size], "little")
        found = table + at + int(chance * 89) % size
        if entry & LARGE:
            break
        table = entry & 0xFFFFFFFFF000
    return found
