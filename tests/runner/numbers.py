# SPDX-License-Identifier: MIT
"""Numbers as a log has them: of tests in tests/ids.csv, and of processors."""
import csv
import functools
import re

from runner import layout

RANGES = r"\d{1,4}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?)*"


@functools.cache
def names():
    """Returns the ids of all tests that are or were, by their numbers."""
    with open(layout.IDS, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {int(row["number"]): row["id"] for row in rows}


def ranges(text):
    """Returns the numbers of text such as "0-3,7", which must go up; raises ValueError."""
    if not re.fullmatch(RANGES, text):
        raise ValueError(f"not a list of numbers: {text[:80]!r}")
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if str(int(first)) != first or str(int(last or first)) != (last or first):
            raise ValueError(f"a number begins with 0: {part!r}")
        if int(first) <= (found[-1] if found else -1) or last and int(last) <= int(first):
            raise ValueError(f"the numbers do not go up: {text[:80]!r}")
        found += range(int(first), int(last or first) + 1)
    return found
