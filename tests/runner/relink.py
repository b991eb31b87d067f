# SPDX-License-Identifier: MIT
"""Links a kernel of the same parts in another order, as the next change of a part might do.

The place of code and data decides which of them share a line, a page, a cache's set or an entry of a
predictor. No test may depend on it.
"""
import functools
import random
import subprocess
import tempfile

from runner import layout
from runner.problems import Problem

FORMAT = {32: (), 64: ("-O", "elf32-i386")}     # as the Makefile has it, for boot loaders


@functools.cache
def link(bits, seed):
    """Returns the bytes of the kernel, linked in the order that the seed gives."""
    objects = recorded(bits, "objects")
    random.Random(seed).shuffle(objects)
    with tempfile.NamedTemporaryFile() as linked, tempfile.NamedTemporaryFile() as kernel:
        run([*recorded(bits, "link"), "-s", "-o", linked.name, *objects])
        run(["objcopy", *FORMAT[bits], linked.name, kernel.name])
        with open(kernel.name, "rb") as file:
            return file.read()


def recorded(bits, name):
    """Returns the words that the Makefile wrote when it linked this kernel."""
    path = layout.BUILD / str(bits) / name
    if not path.exists():
        raise Problem(f"{layout.shown(path)} is missing; run make first")
    return path.read_text(encoding="utf-8").split()


def run(argv):
    done = subprocess.run(argv, cwd=layout.ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"{argv[0]} cannot link the kernel in another order: {done.stderr.strip()}")
