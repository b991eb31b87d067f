# SPDX-License-Identifier: MIT
"""Mutants that are equal to the model: a list with reasons, and those that the compiler finds equal.

A reason begins with `equal: ` if a guest sees no difference, or with `open: ` if no manual says what is
right, so that tests report and do not judge.

A row with a * for function, text and change is for all mutants of its file that survive: a file whose
algorithm is the model's invention.

The compiler decides by the machine code: a mutant with the same code as the model is equal.
"""
import csv
import functools
import subprocess

from runner import layout
from runner.problems import Problem

LIST = layout.ROOT / "tests" / "mutation" / "equal.csv"
COLUMNS = ["file", "function", "text", "change", "reason"]
KINDS = ("equal", "open")
GCC = ["gcc", "-std=c11", "-ffreestanding", "-w", "-I."]


def listed():
    """Returns the reason of each mutant in the list, by its key."""
    with open(LIST, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if not rows or rows[0] != COLUMNS:
        raise Problem(f"{layout.shown(LIST)}:1: the columns are {','.join(COLUMNS)}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(COLUMNS) or not all(row):
            raise Problem(f"{layout.shown(LIST)}:{number}: a row has {len(COLUMNS)} fields")
        if row[-1].partition(": ")[0] not in KINDS:
            raise Problem(f"{layout.shown(LIST)}:{number}: a reason begins with equal: or open:")
    return {tuple(row[:-1]): row[-1] for row in rows[1:]}


def whole_file(mutant):
    """Returns the key of a row for all survivors of the mutant's file."""
    return (mutant.file, "*", "*", "*")


def code_of(text):
    """Returns what the compiler makes of a source file, or None if it does not compile."""
    done = subprocess.run([*GCC, "-O2", "-S", "-x", "c", "-", "-o", "-"], input=text, text=True,
                          cwd=layout.ROOT, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


@functools.cache
def code_of_original(source):
    return code_of(source.text)


def is_same_code(source, mutant):
    """Says whether the compiler sees no difference. Functions of headers are not compared."""
    if not source.name.endswith(".c"):
        return False
    code = code_of(source.with_one(mutant))
    return code is not None and code == code_of_original(source)
