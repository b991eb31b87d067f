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
LOADER = BUILD / "bochs-loader.bin"
IMAGES = {ending: BUILD / f"barecount.{ending}" for ending in ("raw", "qcow2", "vhd")}
PVH = BUILD / "barecount-pvh.elf"
KERNELS = {32: BUILD / "barecount32.elf", 64: BUILD / "barecount64.elf"}
CONTENTS = {bits: kernel.with_suffix(".tests") for bits, kernel in KERNELS.items()}      # whole/contents.py


def shown(path):
    """Returns the path as a person in the checkout would type it."""
    path = pathlib.Path(path)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
