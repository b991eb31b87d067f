# SPDX-License-Identifier: MIT
"""Reads pmu/events/tables/intel_events.csv."""
import csv
import dataclasses

# In the order of enum intel_processor.
PROCESSORS = ("Core2", "Bonnell", "Silvermont", "Goldmont", "Tremont", "Gracemont", "Skymont", "Nehalem", "Westmere",
              "SandyBridge", "IvyBridge", "Haswell", "Broadwell", "Skylake", "SkylakeX", "IceLake", "TigerLake",
              "SapphireRapids", "GoldenCove", "LionCove")
FLAGS = ("inv", "edge", "any")      # in the order of enum intel_flags


@dataclasses.dataclass(frozen=True)
class Event:
    """One row: counters are bits, msr a register's number and value, or zeros; umask has UMASK2 in bits 15:8."""
    name: str
    code: int
    umask: int
    cmask: int
    flags: int
    counters: int
    msr: tuple
    errata: str
    processors: tuple

    @property
    def group(self):
        """Returns the name before its first dot."""
        return self.name.partition(".")[0]

    @property
    def member(self):
        """Returns the name after its first dot."""
        return self.name.partition(".")[2]


def read(path):
    """Returns the rows; a word that is none of those above is an error."""
    with open(path, encoding="ascii") as file:
        return [event(row) for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def counters(text):
    """Returns the bits of "0-3" or of "0 2 3"."""
    first, is_range, last = text.partition("-")
    return sum(1 << n for n in (range(int(first), int(last) + 1) if is_range else map(int, text.split())))


def event(row):
    processors = tuple(row["processors"].split())
    assert set(processors) <= set(PROCESSORS) and "." != row["name"][-1], row
    number, _, value = row["msr"].partition(":")
    return Event(row["name"], int(row["code"], 16), int(row["umask"], 16), int(row["cmask"] or 0),
                 sum(1 << FLAGS.index(flag) for flag in row["flags"].split()), counters(row["counters"]),
                 (int(number or "0", 16), int(value or "0", 16)), row["errata"], processors)
