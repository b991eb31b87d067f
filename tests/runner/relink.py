# SPDX-License-Identifier: MIT
"""Makes a kernel that lies elsewhere, as the next change of a part or another compiler might do.

The place of code, data and stacks decides which of them share a line, a page, a cache's set or an entry of a
predictor. No test may depend on it.
"""
import fcntl
import functools
import os
import pathlib
import random
import subprocess
import tempfile

from runner import layout
from runner.problems import Problem
from runner.whole import image

FORMAT = {32: (), 64: ("-O", "elf32-i386")}     # as the Makefile has it, for boot loaders
PADS = 16
MOST_PADDING = 160              # bytes: more than a line, so that neighbours part company
SCRIPT = "linker.ld"
STACK_TOP = "stack_top = ."
STACK_ALIGNMENT = {32: 4, 64: 16}       # bytes, as the compilers' ABIs have it
MOST_LOWER = 2048               # bytes: a sixteenth of the stack
PAD = """\
.text
.skip {}, 0xcc
.section .rodata, "a"
.skip {}
.data
.skip {}
.bss
.skip {}
"""
# How compilers differ: in what they inline, how deep they let the stack grow, and how long their code is. The first
# one is the Makefile's own.
OPTIMIZATIONS = ("", "-O1", "-O2", "-O2 -fipa-cp-clone -finline-functions", "-Og",
                 "-Os -fno-inline -fno-omit-frame-pointer -fno-defer-pop")


def move(bits, seed):
    """Returns the bytes of the kernel, compiled with other optimizations and linked as link() does."""
    return link(bits, seed, compiled(OPTIMIZATIONS[seed % len(OPTIMIZATIONS)]))


@functools.cache
def link(bits, seed, build=layout.BUILD):
    """Returns the bytes of the kernel, linked in the order, with the padding and the stack that the seed gives."""
    objects, chance = recorded(build, bits, "objects"), random.Random(seed)
    chance.shuffle(objects)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pads = [folder / f"pad{number}" for number in range(PADS)]
        for pad in pads:
            source = PAD.format(*(chance.randrange(MOST_PADDING) for _ in range(PAD.count("{}"))))
            run(["as", f"--{bits}", "-o", pad, "-"], source)
        script, linked, kernel = (folder / name for name in (SCRIPT, "linked", "kernel"))
        script.write_text(with_stack_lower((layout.ROOT / SCRIPT).read_text(encoding="utf-8"), bits, chance))
        words = [script if word == SCRIPT else word for word in recorded(build, bits, "link")]
        # A pad has no symbols, so the linker takes it any number of times.
        parts = [word for part in objects for word in (chance.choice(pads), part)]
        run([*words, "-s", "-o", linked, *parts])
        run(["objcopy", *FORMAT[bits], linked, kernel])
        return image.with_sum(kernel.read_bytes())


def with_stack_lower(script, bits, chance):
    """Returns the linker's script with stacks that begin lower, as if each function had larger frames."""
    lower = chance.randrange(0, MOST_LOWER, STACK_ALIGNMENT[bits])
    return script.replace(STACK_TOP, f"{STACK_TOP} - {lower}")


def compiled(optimization):
    """Returns the folder with the kernels' parts, compiled with these options; makes what is missing there."""
    if not optimization:
        return layout.BUILD
    folder = layout.BUILD / "moved" / optimization.replace(" ", "")
    folder.mkdir(parents=True, exist_ok=True)
    build = os.path.relpath(folder, layout.ROOT)        # make takes no path with a blank, as the checkout's may be
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)        # two runs would write the same files
        run(["make", "--no-print-directory", f"-j{os.cpu_count()}", f"BUILD={build}",
             f"OPTIMIZE={optimization}", *(f"{build}/{path.name}" for path in layout.KERNELS.values())])
    return folder


def recorded(build, bits, name):
    """Returns the words that the Makefile wrote when it linked this kernel."""
    path = build / str(bits) / name
    if not path.exists():
        raise Problem(f"{layout.shown(path)} is missing; {layout.MAKE_FIRST}")
    return path.read_text(encoding="utf-8").split()


def run(argv, text=""):
    """Runs a command without the options of a make around it; raises Problem if it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    done = subprocess.run(argv, cwd=layout.ROOT, env=environment, input=text, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise Problem(f"{argv[0]} cannot make the kernel that lies elsewhere: {done.stderr.strip()}")
