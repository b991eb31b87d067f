# SPDX-License-Identifier: MIT
"""tests/ids.csv, the register of ids: every test that exists or existed, each with a number of its own.

    number     1, 2, 3 and so on, in the file's order; a number keeps its id for ever
    id         of a test; an id is never used again for another test
    status     live: a kernel lists it; retired: no kernel does
    reason     empty if live; if retired, why the test went, and what took its place

Rows are appended, and never removed. make lint compares them with what the kernels list, and with
the register as it was where this branch began.
"""
import csv
import itertools
import re
import subprocess
import sys
import typing

from runner import layout
from runner.problems import FAILED, PASSED
from runner.whole import contents

COLUMNS = ["number", "id", "status", "reason"]
ID_SET = layout.ROOT / "kernel" / "log" / "id_set.h"


class Row(typing.NamedTuple):
    """A row of the register; line counts from 1."""

    line: int
    number: str
    id: str
    status: str
    reason: str


def listed(bits):
    """Returns the ids of a kernel's tests, read from its file: those that `list broken` prints."""
    kernel = layout.KERNELS[bits]
    return {test.id for test in contents.tests_in(kernel.read_bytes(), f"{kernel}.debug", bits)}


def read(text):
    """Returns the rows of a register, and a breach for each line that is not a row."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.startswith("#")]
    rows, wrong = [], []
    for (number, _), cells in zip(lines, csv.reader(line for _, line in lines)):
        if len(cells) != len(COLUMNS):
            wrong.append((number, f"{len(cells)} columns: write {','.join(COLUMNS)}"))
        elif cells != COLUMNS:
            rows.append(Row(number, *cells))
    return rows, wrong


def check_order(rows):
    """Yields the first row where numbers do not go up by one from 1: others may follow from it."""
    for number, row in enumerate(rows, 1):
        if row.number != str(number):
            yield row.line, (f"number {row.number} of '{row.id}' is where {number} belongs: "
                             "rows are appended, and numbers go up by one")
            return


def check_room(rows):
    """Yields the first row whose number a set of tests in the kernel has no bit for."""
    size = int(re.search(r"ID_SET_SIZE = (\d+)", ID_SET.read_text(encoding="ascii"))[1])
    for row in rows[size - 1:size]:
        yield row.line, f"number {row.number} does not fit into {layout.shown(ID_SET)}: make ID_SET_SIZE larger"


def check_once(rows):
    """Yields each row whose id has a row already."""
    first = {}
    for row in rows:
        if first.setdefault(row.id, row) is not row:
            yield row.line, f"'{row.id}' has number {first[row.id].number}: remove this row"


def check_row(row, ids):
    """Returns what is wrong with a row; None if nothing is."""
    if row.status not in ("live", "retired"):
        return f"status '{row.status}': write live or retired"
    if row.status == "live" and row.id not in ids:
        return f"no kernel lists '{row.id}': write \"{row.number},{row.id},retired,REASON\""
    if row.status == "retired" and row.id in ids:
        return f"retired '{row.id}' is listed by a kernel: give the test another id"
    if row.status == "live" and row.reason:
        return f"live '{row.id}' has a reason: leave the last column empty"
    if row.status == "retired" and not row.reason:
        return f"retired '{row.id}' has no reason: write why it went, and what took its place"
    return None


def check_missing(rows, ids):
    """Yields the row to add for each id that has none."""
    numbers = itertools.count(len(rows) + 1)
    for test in sorted(ids - {row.id for row in rows}):
        yield None, f"no row for '{test}': add \"{next(numbers)},{test},live,\""


def check_past(rows, before):
    """Yields each number that had another id, or has no row now."""
    now = {row.number: row for row in rows}
    for old in before:
        row = now.get(old.number)
        if not row:
            yield None, f"number {old.number}, '{old.id}', is gone: add its row again, as retired"
        elif row.id != old.id:
            yield row.line, f"number {old.number} was '{old.id}': write that id again, and append '{row.id}'"


def committed(path):
    """Returns the rows of the commit where this branch left the origin's, or else of HEAD.

    Without git, or before the first commit of the register, there are none.
    """
    def git(*words):
        return subprocess.run(["git", "-C", path.parent, *words], text=True, check=True,
                              capture_output=True).stdout.strip()
    for base in (("merge-base", "HEAD", "origin/HEAD"), ("rev-parse", "HEAD")):
        try:
            return read(git("show", f"{git(*base)}:./{path.name}"))[0]
        except (OSError, subprocess.CalledProcessError):
            continue
    return []


def breaches(path, ids):
    """Returns a line for each thing that is wrong; ids are those that either kernel lists."""
    rows, found = read(path.read_text(encoding="utf-8"))
    found += [*check_order(rows), *check_once(rows), *check_room(rows)]
    found += [(row.line, wrong) for row in rows if (wrong := check_row(row, ids))]
    found += [*check_past(rows, committed(path)), *check_missing(rows, ids)]
    return [f"{layout.shown(path)}{f':{line}' if line else ''}: {wrong}" for line, wrong in found]


def main():
    """Prints every breach; the status says if there was one."""
    found = breaches(layout.IDS, listed(32) | listed(64))
    print("".join(f"{line}\n" for line in found), end="")
    return FAILED if found else PASSED


if __name__ == "__main__":
    sys.exit(main())
