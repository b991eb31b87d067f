# SPDX-License-Identifier: MIT
"""The outcome of a boot with a fault, and the bounds that outcomes keep."""
import collections

from runner.chaos.boot import LOOK, lines_of
from runner.problems import BROKEN, FAILED, PASSED, UNAVAILABLE

RIGHT, NOTICED, TEXT = "right", "noticed", "text differs"
GREEN, RED, HANG, BAD = "FALSE GREEN", "FALSE RED", "HANG", "BAD"
# From good to bad.
OUTCOMES = (RIGHT, NOTICED, TEXT, GREEN, RED, HANG, BAD)
# Stack, data and page tables: no sum can cover them, because the kernel writes there. The two tables of descriptors lie
# in data. What lies elsewhere, and all that is no flip, may not be a false green even once.
WRITTEN = {".data", ".bss", ".shared", "stack", "page table", "idt", "gdt"}
# Of the effective flips there at most 1 in this many may be a false green. A smaller sample cannot measure such a rate:
# a kernel exactly at the bound shows a false green in 1 of 10 samples of 100 flips. To allow none there would refuse
# that kernel by luck, so 1 is allowed. Two are not: it shows them in 1 of 200 such samples.
FLIPS_A_GREEN = 1000
MOST_TEXT = 2 / 100             # of all effective flips: fewer than that may differ, in a sample of any size


def outcome(boot):
    """Returns one of OUTCOMES for a boot that has run; of two runs side by side the worse one counts."""
    return max(map(outcome_alone, boot.runs()), key=OUTCOMES.index)


def outcome_alone(boot):
    if boot.status is None:
        return HANG
    if wrong_manners(boot):
        return BAD
    if boot.killed and boot.status == boot.killed:
        return NOTICED
    if boot.status in (BROKEN, UNAVAILABLE):
        return NOTICED
    if boot.status == FAILED and boot.sound.status == PASSED:
        return NOTICED if boot.is_guest else RED
    if tuple(filter(LOOK.match, boot.out)) != boot.sound.results or boot.status != boot.sound.status:
        return NOTICED if boot.status == FAILED else GREEN
    return TEXT if changed(boot) else RIGHT


def changed(boot):
    """Returns lines that the run has and sound runs do not, and lines that it lacks."""
    lines = lines_of(boot)
    return [*sorted(set(lines) - boot.sound.lines), *sorted(set(boot.sound.common) - set(lines))]


def wrong_manners(boot):
    """Returns a sentence if a run did not end as programs end: with one sentence of its own, and nothing left."""
    if boot.left:
        return f"left over: {', '.join(boot.left)}"
    if any("Traceback" in line for line in [*boot.out, *boot.err]):
        return "a traceback"
    foreign = [line for line in boot.err if not line.startswith("tests/boot: ")]
    if foreign and not boot.killed and not boot.prefix:
        return f"a line of nobody's: {foreign[0][:100]!r}"
    if boot.status == BROKEN and not boot.err and not boot.is_mute:
        return "status 2 without a sentence"
    if boot.status not in (PASSED, FAILED, BROKEN, UNAVAILABLE, boot.killed):
        return f"status {boot.status}"
    return ""


def is_effective(boot):
    """Says whether the fault changed anything: the others prove nothing.

    A fault that came too late did nothing, but what nobody noticed is counted even then.
    """
    return boot.outcome != RIGHT and not (boot.missed and boot.outcome == NOTICED)


def greens(boots):
    """Returns a line for each false green, allowed or not."""
    return [f"false green: {boot.kind} {boot.seed}: {boot.what}" for boot in boots if boot.outcome == GREEN]


def breaches(boots):
    """Returns a sentence for each bound that these boots break."""
    found = [f"{boot.kind} {boot.seed}: {boot.outcome}: {boot.what}" for boot in boots
             if boot.outcome in (RED, HANG, BAD) or boot.outcome == GREEN and boot.region not in WRITTEN]
    flips = [boot for boot in boots if boot.region and is_effective(boot)]
    written = [boot for boot in flips if boot.region in WRITTEN]
    green = sum(boot.outcome == GREEN for boot in written)
    text = sum(boot.outcome == TEXT for boot in flips)
    if green > max(1, len(written) // FLIPS_A_GREEN):
        found.append(f"{green} of {len(written)} flips of written memory are false greens: at most 1 in "
                     f"{FLIPS_A_GREEN} may be, and 1 of fewer")
    if text and text >= MOST_TEXT * len(flips):
        found.append(f"{text} of {len(flips)} flips change text that nobody notices: fewer than 2 % may")
    return found


def table(boots):
    """Returns the lines of a table: by kind, the number of each outcome."""
    counts = collections.defaultdict(collections.Counter)
    for boot in boots:
        name = boot.kind + (f", {boot.region}" if boot.region else "")
        counts[name][boot.outcome] += 1
        counts["all"][boot.outcome] += 1
        counts[name]["effective"] += is_effective(boot)
        counts["all"]["effective"] += is_effective(boot)
    columns = ("effective", *OUTCOMES)
    names = sorted(set(counts) - {"all"}) + ["all"] * ("all" in counts)
    wide = max(map(len, names), default=4)
    yield f"{'':{wide}} {'boots':>6}" + "".join(f" {column:>12}" for column in columns)
    for name in names:
        total = sum(counts[name][each] for each in OUTCOMES)
        yield f"{name:{wide}} {total:6}" + "".join(f" {counts[name][column] or '-':>12}" for column in columns)
