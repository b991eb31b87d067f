# SPDX-License-Identifier: MIT
"""Judges a processor's Linux: compares tests/linux/cpus.csv with the output of Linux and of our program.

The program prints lines `KEY WORD...` with numbers in hexadecimal, and the kernel's own lines as `log LINE`.
"""
import dataclasses
import re

from runner import layout
from runner.guests import linux_rows

TABLE = layout.ROOT / "tests" / "linux" / "cpus.csv"
END = "end"
NONE = "-"
# Lines of the driver; its words, and the column with what they must say.
NUMBERS = {"version": "version", "counters": "generic registers", "width": "bit width",
           "fixed": "fixed-purpose events"}
# Bochs does not have these: microcode, SMI counts, clocks, machine checks, temperatures.
NOT_OF_THE_PMU = {0x8b, 0x17, 0x79, 0x34, 0xe7, 0xe8, 0x17a, 0x17f, 0x19a, 0x19b, 0x19c, 0xc0010010, 0xc001001f}
NMIS_WANTED = 2
THROTTLED = 10
IRETS = 1                       # some 10 ticks fall into 100 periods of 1009: rarely one, never two, is sampled
EXACT_SHARE = 0.9               # after an interrupt the last branch record does not help
FAULT = r"(\d|-) (\d|-) ([0-9a-f]+|-)"      # the columns of page faults
INTERRUPTS = r"-|[0-9a-f]+:\d:\d"
TICKS_WANTED = 3
NO_SUCH_EVENT = 0x5f            # EOPNOTSUPP
NO_SUCH_SAMPLE = 0x2            # ENOENT: Linux leaves AMD's precise events to IBS, which has no such one


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table; numbers as numbers."""

    cpu: str
    bits: int
    driver: str
    version: int
    counters: int
    width: int
    fixed: int
    lbr: str
    pebs: str
    sampling: str
    fault_instructions: str
    fault_branches: str
    conditional: str
    interrupts: str


@dataclasses.dataclass(frozen=True)
class Claim:
    """One result."""

    name: str
    what: str
    got: object
    want: object
    why: str
    good: bool = None           # where equality does not decide

    @property
    def is_good(self):
        return self.got == self.want if self.good is None else self.good


def is_right(row):
    return row.sampling in ("instructions", "branches", "no", "ignored") and re.fullmatch(
        FAULT, f"{row.fault_instructions} {row.fault_branches} {row.conditional}") and re.fullmatch(
            INTERRUPTS, row.interrupts)


def rows(path=TABLE):
    """Returns the table; raises Problem for a row that is not one."""
    return linux_rows.read(path, Row, is_right)


def expected(cpu, bits=None, path=TABLE):
    """Returns the processor's row, of these bits; the first without them."""
    return linux_rows.find(rows(path), path, cpu, bits)


class Said:
    """The output of Linux and of our program, by keys."""

    def __init__(self, lines):
        self.lines = lines
        self.log = [line.removeprefix("log ") for line in lines if line.startswith("log ")]

    def words(self, *key):
        """Returns the words after this key in its last line; none if there is no such line."""
        found = [words[len(key):] for words in map(str.split, self.lines)
                 if words[:len(key)] == [*key]]
        return found[-1] if found else []

    def numbers(self, *key):
        return [int(word, 16) for word in self.words(*key) if re.fullmatch("[0-9a-f]+", word)]

    def logged(self, words):
        """Returns the text after these words in the first line of the kernel's log that has them."""
        for line in self.log:
            if words in line:
                return line.partition(words)[2].strip()
        return ""


def judge(row, lines):
    """Yields all claims about one boot."""
    said = Said(lines)
    yield Claim("linux.bits", "the kernel's width", said.words("bits"), [f"{row.bits:x}"],
                "the kernel asked for runs")
    yield from driver(row, said)
    yield from health(said)
    yield from watchdog(said)
    for event, per_turn in zip(("instructions", "branches"), said.numbers("turn")):
        yield count(said, event, per_turn)
    yield from faults(row, said)
    yield from interrupts(row, said)
    yield from sampling(row, said)


def driver(row, said):
    """Yields claims about the driver's findings."""
    line = said.logged("Performance Events: ")
    for name, want, why in (("driver", row.driver, "Linux must take the processor for what it is"),
                            ("lbr", row.lbr, "the format and depth of its last branch records"),
                            ("pebs", row.pebs, "IA32_PERF_CAPABILITIES says how PEBS writes")):
        absent = {"lbr": "LBR", "pebs": "PEBS"}.get(name, "")
        good = absent not in line if want == NONE else want in line
        yield Claim(f"linux.{name}", "Linux' line \"Performance Events\"", line or "none", want,
                    why, good)
    for column, words in NUMBERS.items():
        text = said.logged(f"... {words}:")
        yield Claim(f"linux.{column}", f"Linux' line \"... {words}\"", text,
                    str(getattr(row, column)), "the processor's PMU has so many")
    yield Claim("linux.mask", "Linux' line \"... value mask\"", said.logged("... value mask:"),
                f"{(1 << row.width) - 1:016x}", "the counters' width")


def health(said):
    """Yields claims about lines that must not be in the log."""
    accesses = [re.search(r"MSR access error: \w+ \w+ 0x([0-9a-f]+)", line) for line in said.log]
    faults = [int(access[1], 16) for access in accesses if access]
    yield Claim("linux.registers", "MSRs that raised #GP in Linux",
                [f"{msr:X}H" for msr in faults if msr not in NOT_OF_THE_PMU], [],
                "Linux accesses no register of the PMU that CPUID does not promise")
    bad = [line for line in said.log if re.search(
        r"Broken BIOS|broken PMU|Uhhuh|perfevents: irq loop|Dazed|unexpected", line)]
    yield Claim("linux.complaints", "lines of Linux' log", bad, [],
                "Linux checks the counters before it uses them, and each NMI for its cause")


def watchdog(said):
    """Yields the hardware lockup detector, which lives on PMIs of the cycles counter."""
    yield Claim("linux.watchdog.enabled", "/proc/sys/kernel/nmi_watchdog", said.words("watchdog"),
                ["1"], "it was switched on, and has its counter")
    nmis = said.numbers("nmis")
    more = nmis[1] - nmis[0] if len(nmis) == 2 else 0
    yield Claim("linux.watchdog.ticks", "NMIs while a loop ran", more, f"{NMIS_WANTED} or more",
                "a counter of cycles overflows, and its PMI is an NMI", more >= NMIS_WANTED)


def count(said, event, per_turn):
    """Counts of 1 and of 3 times as many turns: what is around the loop is in both."""
    turns, counts = said.numbers("turns"), said.numbers("count", event)
    got = counts[1] - counts[0] if len(counts) == 2 else " ".join(said.words("count", event))
    return Claim(f"linux.count.{event}", f"perf_event_open: {event}:u of {turns} more turns", got,
                 turns[0] * per_turn if turns else None,
                 f"a turn of the loop has {per_turn}; the difference of two lengths is exact")


def faults(row, said):
    """Yields what page faults add to counts of CPL 3 alone, where it was measured on silicon."""
    returned = "the IRET that ends a fault's handler counts at the level to which it returns"
    for name, event, wanted, why in (
            ("instructions", "instructions", row.fault_instructions, returned),
            ("branches", "branches", row.fault_branches, returned),
            ("conditional", row.conditional, NONE if row.conditional == NONE else "0",
             "neither the fault nor IRET is a conditional branch")):
        if wanted == NONE:
            continue
        pages, counts = said.numbers("faults"), said.numbers("fault", event)
        got = counts[0] - counts[1] if len(counts) == 2 else " ".join(said.words("fault", event))
        yield Claim(f"linux.fault.{name}",
                    f"perf_event_open: {event}:u, fresh pages against the same pages again", got,
                    pages[0] * int(wanted) if pages else None, why)


def interrupts(row, said):
    """Yields what interrupts add to counts of CPL 3 alone, where it was measured on silicon."""
    if row.interrupts == NONE:
        return
    event, *weights = row.interrupts.split(":")
    *extra, ticks = said.numbers("interrupt", event) or [0]
    yield Claim("linux.interrupt.ticks", f"perf_event_open: event {event.upper()}H:u in a long loop", ticks,
                f"{TICKS_WANTED} or more", "Linux' clock ticks", ticks >= TICKS_WANTED)
    for name, weight, got in zip(("instructions", "branches"), weights, extra):
        yield Claim(f"linux.interrupt.{name}", f"perf_event_open: {name}:u of the loop beyond its turns", got,
                    ticks * int(weight), f"the processor counts {weight} for each of {ticks} interrupts at CPL 3")


def sampling(row, said):
    """Yields claims about perf's precise_ip 1 (PEBS) and 2 (PEBS, and the very instruction)."""
    if row.sampling == "ignored":
        return
    event = row.sampling if row.sampling != "no" else "instructions"
    for precise in (1, 2):
        words = said.words("pebs", event, str(precise))
        facts = {key: int(value, 16) for key, value in zip(words[::2], words[1::2])}
        name = f"linux.pebs.{precise}"
        what = f"perf_event_open: samples of {event}:u with precise_ip {precise}"
        if row.sampling == "no":
            yield Claim(f"{name}.refused", what, facts, f"error {NO_SUCH_EVENT}, or {NO_SUCH_SAMPLE} with IBS", "Linux has no PEBS to give here",
                        facts in ({"error": NO_SUCH_EVENT}, {"error": NO_SUCH_SAMPLE}))
            continue
        samples, [wanted] = facts.get("samples", 0), said.numbers("samples", event) or [0]
        least = wanted - 1 if precise == 1 else THROTTLED
        yield Claim(f"{name}.samples", what, samples, f"{least} to {wanted + 1}",
                    "one for each period; with 2 each of them interrupts, and Linux throttles",
                    bool(wanted) and least <= samples <= wanted + 1)
        inside = facts.get("inside", 0)
        fewest = samples - IRETS if event == "branches" else samples
        yield Claim(f"{name}.inside", f"{what}, with an address in the loop", inside, f"{fewest} to {samples}",
                    "a record holds the address of the instruction or of the next one; the IRET of a tick of "
                    "Linux' clock counts as a branch at CPL 3, and may be the one that is sampled",
                    "inside" in facts and fewest <= inside <= samples)
        if precise == 2:
            exact = facts.get("exact", 0)
            yield Claim(f"{name}.exact", f"{what}, marked as exact", exact, f"most of {samples}",
                        "the record, or mostly the last branch record, has the very address",
                        samples > 0 and exact >= samples * EXACT_SHARE)
