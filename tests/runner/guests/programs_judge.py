# SPDX-License-Identifier: MIT
"""Judges the output of perf, rr, PAPI and KVM's selftests on Debian's Linux, by the row in tests/linux/programs/rows.csv.

The scripts of tests/linux/programs print lines `KEY TEXT`, and `KEY status NUMBER` after a program's last line.
"""
import dataclasses
import re

from runner import layout, machine
from runner.guests import guests_judge, linux_rows
from runner.guests.linux_judge import Claim
from runner.problems import Problem

TABLE = layout.ROOT / "tests" / "linux" / "programs" / "rows.csv"
NONE = "-"
DEBIANS = machine.Machine.linux
WORDS = {"samples": ("exact", "some"), "precise": ("yes", "refused", "ignored"), "topdown": ("yes", "no"),
         "rr": ("turns", "plain", "forced", "no"), "ibs": ("yes", "no")}

# tests/linux/loops.asm: what a turn has; presets of PAPI by the same counts.
TURN = {"instructions": 4, "branches": 1, "conditional": 1}
TICKS = 3                       # in the loop of LONG turns, on two processors: their IRETs end at CPL 3
SWITCHES = 3                    # of a loop of 100,000 branches: perf stat -e context-switches
PRESETS = {"PAPI_TOT_INS": "instructions", "PAPI_BR_INS": "branches", "PAPI_BR_CN": "conditional"}
SHORT, LONG = 1000, 3000                    # turns that are counted
MORE = LONG - SHORT
SAMPLED = 100000                            # turns that are sampled
PERIOD, CYCLES = 1009, 10007                # periods of events, and of cycles
PREEMPTED = 10                              # fewest times that rr takes the processor from a task
FIELDS_OF_METRICS, WHOLE = 4, 255
# Bochs traps behind SYSCALL with TF = 1, as rr steps, although SYSCALL clears TF: docs/linux.md.
KNOWN = ("exc_debug+", "exc_debug_kernel+")
COMPLAINTS = ("WARNING", "BUG", "Oops", "segfault", "Uhhuh", "Dazed", "irq loop", "unchecked MSR")


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table; numbers as numbers."""

    cpu: str
    bits: int
    linux: str
    conditional: str
    samples: str
    precise: str
    stack: int
    topdown: str
    rr: str
    papi: str
    selftests: str
    ibs: str
    events: str


def is_right(row):
    return all(getattr(row, key) in takes for key, takes in WORDS.items()) \
        and re.fullmatch(r"r[0-9a-f]+|-", row.conditional) and set(presets(row)) <= set(PRESETS) \
        and re.fullmatch(r"-|(\w+_test(:\d+)?( |$))+", row.selftests) and re.fullmatch(r"-|([\w.]+=\d+( |$))+", row.events)


def rows(path=TABLE):
    """Returns the table; raises Problem for a row that is not one."""
    return linux_rows.read(path, Row, is_right)


def presets(row):
    """Returns the names of PAPI's presets in a row."""
    return [] if row.papi == NONE else row.papi.split()


def expected(cpu, program, bits=None, linux=DEBIANS, path=TABLE):
    """Returns the processor's row, of these bits and version; raises Problem if the program is not for it."""
    row = linux_rows.find(rows(path), path, cpu, bits, linux=linux)
    if getattr(row, program, "yes") in ("no", NONE):
        raise Problem(f"{program} does not work on {cpu} with linux={linux} ({layout.shown(path)})")
    return row


class Said:
    """The scripts' output, by keys."""

    def __init__(self, lines):
        self.lines = lines

    def of(self, key):
        """Returns what follows this key in each of its lines, without the last one, of the status."""
        found = [line[len(key) + 1:] for line in self.lines if line.startswith(f"{key} ")]
        return [line for line in found if not re.fullmatch(r"status \d+", line)]

    def status(self, key):
        """Returns the exit status of the program, or None if it did not end."""
        found = [line for line in self.lines if re.fullmatch(rf"{re.escape(key)} status \d+", line)]
        return int(found[-1].split()[-1]) if found else None

    def counts(self, key):
        """Returns {event: count} of lines of `perf stat -x,`; only of those that counted all the time.

        On a hybrid perf calls an event cpu_core/EVENT/, with its modifiers after it, or of a group's before the slash.
        """
        fields = [line.split(",") for line in self.of(key)]
        return {re.sub("/u?$|:u/?$", "", words[2].removeprefix("cpu_core/")): int(words[0]) for words in fields
                if len(words) > 4 and words[0].isdigit() and words[4] == "100.00"}

    def samples(self, key):
        """Returns {sample: how often it came} of lines of `uniq -c`."""
        found = [re.fullmatch(r"\s*(\d+) (.+)", line) for line in self.of(key)]
        return {match[2].strip(): int(match[1]) for match in found if match}

    def loop(self):
        """Returns the first address of the loop and the one behind it; (0, 0) if they were not said."""
        words = (self.of("where") or [""])[0].split()
        return tuple(int(word, 16) for word in words) if len(words) == 2 else (0, 0)


def judge(program, board, row, lines):
    """Yields all claims about one boot of this machine."""
    said = Said(lines)
    yield Claim(f"{program}.processors", "processors in /proc/cpuinfo", said.of("processors"), [str(board.smp.cpus)],
                "the machine has so many")
    if program == "guests":
        yield from guests_judge.claims(board.vpmu, said)
    else:
        yield from {"perf": perf, "hybrid": hybrid, "rr": rr, "papi": papi, "selftests": selftests,
                    "events": events}[program](row, said)
    bad = [line for line in said.of("log") if any(word in line for word in COMPLAINTS)
           and not any(word in line for word in KNOWN)]
    yield Claim(f"{program}.complaints", "lines of Linux' log", bad if said.status("log") == 0 else "none came", [],
                "the program gives Linux no reason to complain")


# ------------------------------------------------------------------------------------------------ perf

def perf(row, said):
    """Yields claims about perf stat and perf record."""
    yield from stat(row, said)
    yield from plain(row, said)
    yield from default(said)
    if row.precise != "ignored":
        yield from precise(row, said)
    if row.stack:
        yield from stack(row, said)
    if row.topdown == "yes":
        yield from topdown(said)
    if row.ibs == "yes":
        yield from ibs(said)


def least(said, turns, event, key="stat"):
    """Returns the least of three counts, or of four, None if there is none."""
    counts = [said.counts(f"{key} {turns} {tried}").get(event) for tried in (1, 2, 3, 4)]
    return min((count for count in counts if count is not None), default=None)


def stat(row, said):
    """An interrupt at CPL 3 adds to a count, so the least of three is taken of either length."""
    events = {"instructions": "instructions", "branches": "branches"}
    if row.conditional != NONE:
        events["conditional"] = row.conditional
    for name, event in events.items():
        counts = [least(said, turns, event) for turns in (SHORT, LONG)]
        got = f"counts {counts}" if None in counts else counts[1] - counts[0]
        yield Claim(f"perf.stat.{name}", f"perf stat -e {event}:u: {MORE} more turns of a loop", got, MORE * TURN[name],
                    f"a turn has {TURN[name]}; what a program has besides is in both counts")


def inside(said, key):
    """Returns how many samples have an address in the loop, and how many there are."""
    first, end = said.loop()
    samples = said.samples(f"samples {key}")
    within = sum(count for place, count in samples.items()
                 if re.fullmatch("[0-9a-f]+", place) and first <= int(place, 16) < end)
    return within, sum(samples.values())


def between(name, what, got, low, high, why):
    return Claim(name, what, got, f"{low} to {high}", why, low <= got <= high)


def plain(row, said):
    within, all_of_them = inside(said, "plain")
    periods = SAMPLED * TURN["instructions"] // PERIOD
    low = periods if row.samples == "exact" else 1
    yield between("perf.record.plain", f"perf record -e instructions:u -c {PERIOD}: samples", all_of_them, low,
                  periods + 1, "low: one for each period of the loop, or one at all where the driver loses some; high: "
                  "what the program has besides, and a return to it from each interrupt, are less than a period")
    yield between("perf.record.plain.inside", "samples with an address in the loop", within, max(all_of_them - 1, 1),
                  all_of_them, "low: one may be of what the program has besides; high: all")


def default(said):
    """Cycles of the kernel as well, by whichever event perf takes; how many is not known."""
    within, all_of_them = inside(said, "default")
    yield Claim("perf.record.default", "perf record, without an event: samples with an address in the loop, of all",
                (within, all_of_them), "one or more", "most of the program's time at CPL 3 is in the loop", within > 0)


def precise(row, said):
    within, all_of_them = inside(said, "precise")
    what = "perf record -e cycles:upp"
    if row.precise == "refused":
        yield Claim("perf.record.precise.refused", f"{what}: status, samples",
                    (said.status("record precise"), all_of_them), "not 0, and none", "there is no PEBS for it",
                    said.status("record precise") not in (None, 0) and not all_of_them)
        return
    periods = said.counts("cycles").get("cycles", 0) // CYCLES
    yield between("perf.record.precise", f"{what} -c {CYCLES}: samples", all_of_them, max(periods - 1, 1), periods + 2,
                  "one for each period of the cycles that perf stat counted; low: the last is not full; high: interrupts "
                  "that sampling brings take lines out of the caches")
    yield between("perf.record.precise.inside", f"{what}: samples with an address in the loop", within,
                  max(all_of_them, 1), all_of_them, "PEBS has the very instruction; and the rest of the program has less than a period")


def stack(row, said):
    """Each entry of each stack is the loop's own branch: the stack is full of it when the first period ends.

    Linux empties it at each context switch of the task, so the sample after one may have fewer.
    """
    first, end = said.loop()
    samples = said.samples("samples stack")
    own = sum(count for pair, count in samples.items() if is_turn(pair, first, end))
    returns = sum(count for pair, count in samples.items() if is_return(pair, first, end))
    entries, periods = sum(samples.values()), SAMPLED * TURN["branches"] // PERIOD
    yield between("perf.record.stack", f"perf record -b -e branches:u -c {PERIOD}: branches", entries,
                  (periods - SWITCHES) * row.stack, (periods + 1) * row.stack, f"{row.stack} for each sample; low: one for each "
                  f"period of the loop, but {SWITCHES} stacks that a context switch emptied; high: the program has branches besides")
    yield Claim("perf.record.stack.inside", "branches that are the loop's own; and returns to it from interrupts",
                (own, returns), f"{entries} together, of these at most {periods} returns", f"{PERIOD} branches of the loop "
                "come before the first sample; an IRET belongs to the level where it ends, and most periods have no tick",
                0 < own == entries - returns and returns <= periods)


def ibs(said):
    """perf by Linux' driver of IBS, which samples the kernel, too: most samples are the loop's."""
    first, end = said.loop()
    for kind in ("op", "fetch"):
        samples = said.samples(f"samples ibs_{kind}")
        inside = sum(count for ip, count in samples.items()
                     if re.fullmatch("[0-9a-f]+", ip) and first <= int(ip, 16) < end)
        entries = sum(samples.values())
        yield Claim(f"perf.record.ibs_{kind}", f"perf record -e ibs_{kind}//: samples in the loop", inside,
                    f"most of {entries}, which are more than 10", "the loop takes most of the time, and IBS has no skid",
                    entries > 10 and inside * 2 > entries)


def is_turn(pair, first, end):
    found = re.fullmatch("([0-9a-f]+) ([0-9a-f]+)", pair)
    return bool(found) and first <= int(found[1], 16) < end and int(found[2], 16) == first


def is_return(pair, first, end):
    found = re.fullmatch("(ffff[0-9a-f]+) ([0-9a-f]+)", pair)
    return bool(found) and first <= int(found[2], 16) < end


def topdown(said):
    """Linux saves and restores the metrics when it switches to the loop that runs beside this one."""
    counts = said.counts("topdown")
    slots = counts.get("slots", 0)
    shares = [counts.get(f"topdown-{name}") for name in ("retiring", "bad-spec", "fe-bound", "be-bound")]
    total = None if None in shares else sum(shares)
    room = slots * FIELDS_OF_METRICS // WHOLE
    yield Claim("perf.topdown", "perf stat: the sum of four parts of slots:u", total,
                f"{slots - room} to {slots + room}", "they are all slots; each is rounded by less than a part of 255",
                total is not None and slots > 0 and abs(total - slots) <= room)
    switches = counts.get("context-switches", 0)
    yield Claim("perf.topdown.switches", "switches between tasks while they were counted", switches, "1 or more",
                "another program runs beside it", switches > 0)


# ------------------------------------------------------------------------------------------------ events

def events(row, said):
    """Yields claims about events by the vendor's names: exact, as Intel's lists call them exact, or count instructions."""
    for event, turn in (word.split("=") for word in row.events.split()):
        counts = [least(said, turns, event, "names") for turns in (SHORT, LONG)]
        got = f"counts {counts}" if None in counts else counts[1] - counts[0]
        yield Claim(f"events.{event}", f"perf stat -e {event}:u: {MORE} more turns of a loop", got, MORE * int(turn),
                    f"a turn of mix_turns in tests/linux/loops.asm has {turn}")


# ------------------------------------------------------------------------------------------------ hybrid

def hybrid(_, said):
    """Yields claims about perf with both types' events on a processor of each type."""
    types = dict(line.split(" ", 1) for line in said.of("types") if " " in line)
    yield Claim("hybrid.types", "PMUs of Linux and their processors", types, "cpu_core and cpu_atom, each with processors",
                "leaf 1AH says the type of each processor", set(types) == {"cpu_core", "cpu_atom"})
    for pmu in ("cpu_core", "cpu_atom"):
        for event in ("instructions", "branches"):
            yield from by_type(said, pmu, event)
        within, all_of_them = inside(said, pmu)
        periods = SAMPLED * TURN["instructions"] // PERIOD
        yield between(f"hybrid.record.{pmu}", f"perf record -e {pmu}/instructions/u -c {PERIOD}: samples", all_of_them,
                      periods, periods + 1, "low: one for each period of the loop; high: what the program has besides is "
                      "less than a period")
        yield between(f"hybrid.record.{pmu}.inside", "samples with an address in the loop", within,
                      max(all_of_them - 1, 1), all_of_them, "low: one may be of what the program has besides; high: all")


def by_type(said, pmu, event):
    """Yields claims about an event of both types on a processor of one of them."""
    counts = [min((count for count in (typed(said, f"stat {pmu} {turns} {tried}").get(f"{pmu}/{event}")
                                       for tried in (1, 2, 3)) if count is not None), default=None)
              for turns in (SHORT, LONG)]
    what, want = f"perf stat -e {pmu}/{event}/u: {MORE} more turns of a loop", MORE * TURN[event]
    if None in counts:
        yield Claim(f"hybrid.stat.{pmu}.{event}", what, f"counts {counts}", want, "the program stays there", False)
    else:
        yield between(f"hybrid.stat.{pmu}.{event}", what, counts[1] - counts[0], want - TICKS, want + TICKS,
                      f"a turn has {TURN[event]}; low, high: ticks at CPL 3 add to one of the two counts")
    others = [key for tried in (1, 2, 3) for key in typed(said, f"stat {pmu} {LONG} {tried}")
              if not key.startswith(pmu)]
    yield Claim(f"hybrid.stat.{pmu}.{event}.other", "events of the other type that counted there", others, [],
                "its PMU is not on this processor")


def typed(said, key):
    """Returns {PMU/EVENT: count} of lines of `perf stat -x,` that counted at all."""
    fields = [line.split(",") for line in said.of(key)]
    return {re.sub("/u?$", "", words[2]): int(words[0]) for words in fields
            if len(words) > 4 and words[0].isdigit() and int(words[0]) and words[4] == "100.00"}


# ------------------------------------------------------------------------------------------------ rr

def rr(row, said):
    """Yields claims about rr, whose replay ends with an error if a counter is off by one."""
    runs = {str(SHORT): "a loop", str(LONG): "a longer loop", "mixed": "time, random numbers, a pipe"}
    if row.rr == "turns":
        runs["turns"] = "two tasks that take turns every 2000 branches"
    for key, what in runs.items():
        states = said.status(f"record {key}"), said.status(f"replay {key}")
        yield Claim(f"rr.replay.{key}", f"rr record and rr replay of {what}: statuses", states, (0, 0),
                    "rr finds its counters as it wants them, and each event at the very branch")
    for key in list(runs)[2:]:
        yield Claim(f"rr.output.{key}", "the replay's output", said.of(f"replay {key}"), said.of(f"record {key}"),
                    "a replay prints what was recorded", said.of(f"replay {key}") == said.of(f"record {key}") != [])
    ticks = [int(text) for turns in (SHORT, LONG) for text in said.of(f"ticks {turns}") if text.isdigit()]
    yield Claim("rr.ticks", f"rr dump: ticks of {MORE} more turns", ticks[1] - ticks[0] if len(ticks) == 2 else ticks,
                MORE * TURN["conditional"], "a tick is a conditional branch at CPL 3")
    if row.rr != "turns":
        return
    scheds = said.samples("events turns").get("SCHED", 0)
    yield Claim("rr.turns", "rr dump: events SCHED of two tasks", scheds, f"{PREEMPTED} or more",
                "2 loops of 20000 turns are 20 of 2000 branches; some end with a system call", scheds >= PREEMPTED)


# ------------------------------------------------------------------------------------------------ PAPI

def papi(row, said):
    """Yields claims about PAPI: by system calls, and by RDPMC at CPL 3."""
    for preset in presets(row):
        event = PRESETS[preset]
        for line, how in (("stop", "PAPI_stop()"), ("read", "two PAPI_read(), by RDPMC")):
            words = [text.split() for text in said.of(f"papi {preset}") if text.startswith(f"{line} ")]
            counts = [int(word) for word in words[0][1:] if word.isdigit()] if words else []
            yield Claim(f"papi.{preset.lower()}.{line}", f"{preset} of {MORE} more turns, by {how}",
                        counts[1] - counts[0] if len(counts) == 2 else said.of(f"papi {preset}"), MORE * TURN[event],
                        f"a turn has {TURN[event]}; the least of twelve has no interrupt")
    fast = [text.rpartition(":")[2].strip() for text in said.of("avail") if text.startswith("Fast counter read")]
    yield Claim("papi.rdpmc", "papi_avail: Fast counter read (rdpmc)", fast, ["yes"], "Linux lets programs execute RDPMC")
    for key, what in (("command", "papi_command_line PAPI_TOT_INS"), ("cost", "papi_cost")):
        yield Claim(f"papi.{key}", f"{what}: status", said.status(key), 0, "PAPI's own program")


# ------------------------------------------------------------------------------------------------ KVM's selftests

def selftests(row, said):
    """Yields claims about each of them: it passes, or fails at the line that is wrong itself."""
    for name, _, line in (test.partition(":") for test in row.selftests.split()):
        key = f"selftest {name}"
        failed = [text.strip() for text in said.of(key) if re.search(r"\.c:\d+:", text)]
        got = failed[:1] or ["passed"] if said.status(key) is not None else ["it did not end"]
        yield Claim(f"selftests.{name}", f"{name} of Linux' tools/testing/selftests/kvm: status, and the check that failed",
                    (said.status(key), *got), f"{name}.c:{line}" if line else "0",
                    "the check is wrong itself: docs/kvm.md" if line else "KVM's own test passes on a sound processor",
                    f"{name}.c:{line}:" in got[0] if line else said.status(key) == 0)
