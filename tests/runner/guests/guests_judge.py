# SPDX-License-Identifier: MIT
"""Judges what guests of KVM see of each other's counters: tests/linux/programs/guests.sh."""
import re

from runner.guests.linux_judge import Claim

# The script's key of what ends a guest, what the program says then, and how the guest ended.
ENDINGS = (("leave", "left", "whose process ended while its counters ran"),
           ("kill", "killed", "whose process was killed while its counters ran"))
# Of the longer loop of tests/linux/guests/guests_main.c, watch(). A host that does not count them finds none of them, so half
# of them is furthest from both answers: its own instructions in both loops, ticks above all, differ by less (60,000 were seen).
MORE_INSTRUCTIONS = 2 * 200_000
HALF = MORE_INSTRUCTIONS // 2
# On AMD VMRUN counts, so a count may have one more for each time that the host interrupts the guest: a tick of Linux'
# clock for each of 40 rounds, and as many switches between the two guests.
ROOM = 200
REFUSED = "refused: "


def claims(vpmu, said):
    """Yields claims about guests one after another, two at once, and the host's own events."""
    yield Claim("guests.vpmu", "KVM's parameter enable_mediated_pmu", said.of("vpmu")[-1:], ["Y" if vpmu == "mediated" else "N"],
                "the run asked for this kind of virtual PMU")
    new = words(said, "new")
    yield Claim("guests.new.still", "registers of a new guest that move while it runs a loop", new.get("moves"), "",
                "none of its counters is enabled")
    for key, end, what in ENDINGS:
        yield from one_after(said, key, end, what, new.get("reads"))
    yield from stale(words(said, "stale"), new.get("reads"))
    yield from at_once(words(said, "alone"), words(said, "both"))
    cost = words(said, "cost")
    for when in ("idle", "counting"):
        yield from costs(vpmu, when, dict(re.findall(r"(\w+)=(\d+)", cost.get(when, ""))))
    yield from host(vpmu, words(said, "host"))


def words(said, key):
    """Returns {first word: the others} of the lines that follow a key."""
    return {word: text.strip() for word, _, text in (line.partition(" ") for line in said.of(key))}


def one_after(said, key, end, what, reads):
    used = words(said, f"used {key}")
    yield Claim(f"guests.after_{key}.ended", f"a guest {what}", said.of(key)[-1:], [end], "the next one comes after it")
    yield Claim(f"guests.after_{key}.reads", f"registers of a guest after one {what}", used.get("reads"), reads,
                "a new guest's registers do not depend on guests before it", bool(reads) and used.get("reads") == reads)
    yield Claim(f"guests.after_{key}.still", "registers of the same guest that move while it runs a loop", used.get("moves"),
                "", "none of its counters is enabled")


def stale(found, reads):
    """What this program finds where a monitor clears nothing."""
    yield Claim("guests.stale.reads", "registers of a guest that gets the virtual processor of one before", found.get("reads"),
                "others than a new guest's", "a leak would be seen", bool(found.get("reads")) and found["reads"] != reads)
    yield Claim("guests.stale.moves", "its registers that move while it runs a loop", found.get("moves"), "some",
                "a counter that runs on would be seen", bool(found.get("moves")))


def number(text):
    return int(text) if text and text.lstrip("-").isdigit() else None


def at_once(alone, both):
    for what in ("instructions", "branches"):
        one, two = number(alone.get(what)), number(both.get(what))
        is_good = None not in (one, two) and one > 0 and abs(one - two) <= ROOM
        yield Claim(f"guests.both.{what}", f"{what} of a guest, while another one counts by the same counter", two,
                    f"{one}, or up to {ROOM} off", "it counts so many alone; each interrupt of the host may be one more", is_good)


def costs(vpmu, when, clocks):
    """An instruction that leaves the guest takes about as long as CPUID, which always does."""
    got, whole = number(clocks.get("counter")), number(clocks.get("cpuid"))
    is_known = None not in (got, whole)
    is_short = is_known and got < whole // 2
    yield Claim(f"guests.cost.{when}", f"clocks of a guest's WRMSR to a counter, {when}; of its CPUID: {whole}", got,
                "less than half" if vpmu == "mediated" else "half or more",
                "CPUID leaves the guest; a WRMSR to its own counter does not" if vpmu == "mediated" else
                "both leave the guest", is_known and is_short == (vpmu == "mediated"))


def host(vpmu, found):
    """What perf's events of all the host do beside guests: a mediated guest has the counters for itself."""
    got = found.get("all", "")
    if vpmu == "mediated":
        yield Claim("guests.host.all", "perf's event of all the host, with a guest there", got, "refused",
                    "the counters are the guest's while it runs", got.startswith(REFUSED))
        first = found.get("guest_after_event", "")
        yield Claim("guests.host.first", "a guest, with perf's event of all the host there", first, "refused",
                    "the event has the counters", first.startswith(REFUSED))
    else:
        yield Claim("guests.host.all", "instructions of a guest's longer loop, by perf's event of all the host", got,
                    f"{HALF} or more, for {MORE_INSTRUCTIONS}", "perf counts guests, too, unless it is told not to",
                    (number(got) or 0) >= HALF)
    got = number(found.get("host_only"))
    yield Claim("guests.host.exclude_guest", "the same with exclude_guest", got, f"less than {HALF}, for 0",
                "the guest's instructions are not the host's", got is not None and got < HALF)
