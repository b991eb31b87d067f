# SPDX-License-Identifier: MIT
"""The places of files in the checkout, whatever the current directory is."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ROOT / "tests" / "targets"
DEVIATIONS = TARGETS / "deviations"
SKIPS = TARGETS / "skips"
HEADS = TARGETS / "heads"
MATRIX = ROOT / "tests" / "matrix"
IDS = ROOT / "tests" / "ids.csv"
FONT = ROOT / "kernel/console/font.txt"
BUILD = ROOT / os.environ.get("BUILD", "build")         # make BUILD=FOLDER, for sources that are read-only
LOGS = pathlib.Path(os.environ.get("BARECOUNT_LOGS") or BUILD / "logs")      # a package's BUILD is read-only
ISO = BUILD / "barecount.iso"
NETBOOT = BUILD / "netboot"
ROM, BOOT_SECTOR = BUILD / "bochs-rom.bin", BUILD / "bochs-disk.bin"
IMAGES = {ending: BUILD / f"barecount.{ending}" for ending in ("raw", "qcow2", "vhd")}
PVH = BUILD / "barecount-pvh.elf"
KERNELS = {32: BUILD / "barecount32.elf", 64: BUILD / "barecount64.elf"}
CONTENTS = {bits: kernel.with_suffix(".tests") for bits, kernel in KERNELS.items()}      # whole/contents.py
# A package's program sets it (debian/bin/barecount): people then type its name, and have no checkout.
IS_INSTALLED = bool(os.environ.get("BARECOUNT_INSTALLED"))
COMMANDS = ("monitor", "learn", "report") if IS_INSTALLED else ()       # of that program, beside targets
MAKE_FIRST = "the package does not have it" if IS_INSTALLED else "run make first"


def shown(path):
    """Returns the path as a person would type it: in a checkout from its root, of a package the whole one."""
    path = pathlib.Path(path)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) and not IS_INSTALLED else str(path)


def command(program):
    """Returns how a person calls a program of tests/: tests/PROGRAM, or the package's command."""
    if not IS_INSTALLED:
        return f"tests/{program}"
    return "barecount" if program == "boot" else f"barecount {program}"
