# SPDX-License-Identifier: MIT
"""Reads pmu/events/tables/amd_events.csv."""
import csv
import dataclasses

PROCESSORS = ("K7", "K8", "10H", "11H", "12H", "14H", "15H", "16H", "Zen", "Zen2", "Zen3", "Zen4", "Zen5")
# In the order of enum amd_counters.
COUNTERS = ("any", "0-2", "3-5", "3", "3-5, both halves 3", "3-5, two bits 3", "odd", "NB", "L2I", "L3")
KINDS = {"retired": "retired", "spec": "speculative", "cycles": "clocks", "nb": "of the node", "sys": "of the system",
         "merge": "merge", "indicator": "indicator"}
REASONS = {
    "breakpoints": "counts an enabled breakpoint, which interrupts the code that is counted",
    "decoding": "no manual says which instructions it is about",
    "ecc": "needs an error of the memory",
    "fpu": "no manual says which pipe or path an operation takes",
    "ibs": "needs instruction-based sampling, which the core's counters do not start",
    "indicator": "says whether other counts are too high, and counts no code",
    "memory": "depends on buffers and states between the caches and memory that no manual describes",
    "merge": "selects no event; exercised by `amd.merge.*`",
    "node": "counted for all cores of the node, by traffic that the code of one core does not set",
    "other core counters": "counted by the counters of L3, on which `amd.l3.*` counts hits and misses alone",
    "pipeline": "depends on the pipeline's timing, which code does not set",
    "predictor": "depends on the predictor's structure, which no manual describes",
    "prefetcher": "depends on the hardware's prefetchers, which no manual describes",
    "probe": "needs an access of another processor or a device",
    "smi": "needs an SMI",
    "stall": "clocks of waiting, whose number no manual bounds from below",
    "tlb": "depends on TLBs of several levels and page walks, which the model does not have",
}


@dataclasses.dataclass(frozen=True)
class Event:
    """One row: masks are pairs of bits and a name, processors words of PROCESSORS."""
    code: int
    name: str
    processors: tuple
    counters: str
    kind: str
    restrictions: str
    full: int
    is_valued: bool
    masks: tuple
    reason: str
    meaning: str


def read(path):
    """Returns the rows; a word that is none of those above is an error."""
    with open(path, encoding="ascii") as file:
        return [event(row) for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def event(row):
    masks = tuple((int(bits, 16), name) for bits, name in (mask.split(":") for mask in row["masks"].split()))
    processors = tuple(row["processors"].split())
    assert set(processors) <= set(PROCESSORS) and row["counters"] in COUNTERS, row
    assert row["kind"] in KINDS and row["joins"] in ("", "values"), row
    assert not row["reason"] or row["reason"] in REASONS, row
    return Event(int(row["code"], 16), row["name"], processors, row["counters"], row["kind"], row["restrictions"],
                 int(row["full"], 16), row["joins"] == "values", masks, row["reason"], row["meaning"])
