# SPDX-License-Identifier: MIT
"""Reads the tables of what must be found on Debian's Linux: a row for each processor, by its column cpu and bits."""
import csv
import dataclasses

from runner import layout
from runner.problems import Problem


def read(path, kind, is_right):
    """Returns the rows as objects of this dataclass; raises Problem for one that is not right, or is not a row."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    result = []
    for fields in csv.DictReader(lines):
        try:
            row = kind(**{field.name: field.type(fields[field.name]) for field in dataclasses.fields(kind)})
        except (TypeError, ValueError):
            row = None
        if row is None or None in fields or not is_right(row):
            raise Problem(f"{layout.shown(path)}: not a row: {fields}")
        result.append(row)
    return result


def find(rows, path, cpu, bits=None, **more):
    """Returns the first row of the processor with these bits, if any are given, and these values."""
    for row in rows:
        if row.cpu == cpu and bits in (None, row.bits) and all(getattr(row, key) == more[key] for key in more):
            return row
    known = ", ".join(dict.fromkeys(row.cpu for row in rows))
    given = [*([f"{bits} bits"] if bits else []), *(f"{key}={value}" for key, value in more.items())]
    raise Problem(f"{layout.shown(path)} has no row for {cpu}{' with ' * bool(given)}{' and '.join(given)}; it has {known}")
