# SPDX-License-Identifier: MIT
"""Unit tests with a mutant: the model's judge what no guest sees, as a processor that counts nothing."""
import os
import pathlib
import shutil
import subprocess
import time

from runner import layout
from runner.guest import die_with
from runner.mutants import mutant_build
from runner.problems import Problem
from targets import model

TREE = layout.BUILD / "mutants" / "tree"        # the checkout, with the changed copy of the model
PROGRAMS = TREE / "units" / "unit"
SECONDS_MAX = 120                               # a program that takes longer hangs; so does, if known, one ...
SLOWER_MAX, SECONDS_LEAST = 20, 10              # ... that takes so many times as long as without a mutant, and so long
RUNTIME = "model/mutation/mutant.c"


def names():
    """Returns the names of the programs."""
    folder = layout.ROOT / "tests" / "unit" / "model"
    return sorted(path.stem for path in folder.rglob("test_*.c"))


def build():
    """Makes all programs from the module that mutant_build.write() left. Needs no emulator."""
    plant({"model"})
    (TREE / "model").symlink_to(mutant_build.MODULE / "model")
    make(names())


def plant(left_out):
    """Makes a tree like the checkout, without these folders."""
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir(parents=True)
    for path in layout.ROOT.iterdir():
        if path.name not in ("build", *left_out):
            (TREE / path.name).symlink_to(path)


def make(programs):
    # An emulator's own warnings are of interest where it is built, not here.
    done = subprocess.run(["make", "-s", f"-j{os.cpu_count()}", "BUILD=units", "WERROR=-w", "INSTRUMENT=-fsanitize=undefined",
                           f"LINKED_TOO={RUNTIME}", *(f"units/unit/{name}" for name in programs)],
                          cwd=TREE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"the unit tests of the changed sources do not build: {done.stdout}{done.stderr}")


def quickest_first(programs):
    """Returns these programs, ordered by their time without a mutant, each with the seconds after which it hangs.
    Fails if one is red without, too."""
    seconds = {}
    for name in programs:
        start = time.monotonic()
        red = killer(0, {name: SECONDS_MAX})
        if red:
            raise Problem(f"without a mutant, too: {red}")
        seconds[name] = time.monotonic() - start
    return {name: max(SECONDS_LEAST, SLOWER_MAX * seconds[name]) for name in sorted(programs, key=seconds.get)}


def killer(number, programs):
    """Returns what the first program says that fails with this mutant or hangs, and "" if none does."""
    for name, seconds in programs.items():
        said = run(PROGRAMS / name, number, seconds)
        if said:
            return said
    return ""


def output(name, number, seconds, more=()):
    """Returns what a program says with this mutant, and with more variables, until it ends or hangs."""
    try:
        return start(PROGRAMS / name, number, seconds, more).stdout
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace")


def start(path, number, seconds, more=()):
    environment = os.environ | {model.MUTANT: str(number), **dict(more)}
    return subprocess.run([path], cwd=TREE, env=environment, capture_output=True, text=True, errors="replace",
                          timeout=seconds, check=False, preexec_fn=lambda parent=os.getpid(): die_with(parent))


def run(path, number, seconds):
    try:
        done = start(path, number, seconds)
    except subprocess.TimeoutExpired:
        return f"{pathlib.Path(path).name} hangs"
    if done.returncode == 0:
        return ""
    red = next((line for line in done.stdout.splitlines() if line.startswith("not ok")), "it died")
    return f"{path.name}: {red.removeprefix('not ok ')}"
