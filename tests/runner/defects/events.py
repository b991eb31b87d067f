# SPDX-License-Identifier: MIT
"""Defects of the reference's tables of events: a line `event:` of a quirk is one wrong row.

  1D4H counts 1D5H                  an event select counts what another one should count
  1D4H counts nothing               it counts nothing
  D0H:41H counts D0H:42H            the same of one unit mask
  76H counts nothing on counter 2   it counts nothing on that counter
  CBH keeps 0FH                     the other bits of its unit mask are ignored
  CBH swaps 02H 04H                 two bits of its unit mask are exchanged; `halves`: the upper and the lower four
  LLC_MISSES counts LLC_REFERENCES  a signal of the architectural PMU is another one, or `nothing`

An event select of NetBurst is a number of an ESCR's unit, so none of these can be about it.
"""
import dataclasses
import re

from runner.problems import Problem

HEX = r"([0-9A-F]+)H"
MASKED = rf"{HEX}(?::{HEX})?"
COUNTS = re.compile(rf"{MASKED} counts (?:{MASKED}|nothing)(?: on counter (\d))?")
KEEPS = re.compile(rf"{HEX} keeps {HEX}")
SWAPS = re.compile(rf"{HEX} swaps (?:{HEX} {HEX}|halves)")
SIGNAL = re.compile(r"([A-Z][A-Z_]+) counts ([A-Z_]+|nothing)")
NO_EVENT = 0xffffffff           # of no row
TABLES = """\
/* The wrong rows of the tables of events. A unit mask has the bits of `keep`, and `a` in place of `b` and back. */
static const struct quirk_event {{
	unsigned quirk;
	uint32_t select, to;
	int counter;                /* -1: all */
	int umask, to_umask;        /* -1: each, and the same */
	uint8_t keep, a, b;
}} event_rows[] = {{
{events}
}};
static const struct {{ unsigned quirk; uint8_t from, to; }} signal_rows[] = {{
{signals}
}};

/* Exchanges the bits `a` and `b`, of which one is at `shift` times the other's place. */
static uint8_t swapped(const struct quirk_event *e, uint8_t umask)
{{
	unsigned shift = (unsigned)(__builtin_ctz(e->b) - __builtin_ctz(e->a));

	return (uint8_t)((umask & ~(e->a | e->b)) | (umask & e->a) << shift | (umask & e->b) >> shift);
}}

void model_quirk_event(unsigned i, uint32_t *select, uint8_t *umask)
{{
	const struct quirk_event *e = event_rows;

	for (const struct quirk_event *end = e + COUNT_OF(event_rows); e < end; e++) {{
		if (e->quirk != model_quirk || e->select != *select || (e->counter >= 0 && (unsigned)e->counter != i)
		    || (e->umask >= 0 && e->umask != *umask))
			continue;
		model_quirk_ran++;
		*select = e->to;
		*umask = (uint8_t)(e->to_umask >= 0 ? e->to_umask : *umask & e->keep);
		if (e->a)
			*umask = swapped(e, *umask);
		return;
	}}
}}

uint8_t model_quirk_signal(uint8_t signal)
{{
	for (unsigned i = 0; i < COUNT_OF(signal_rows); i++)
		if (signal_rows[i].quirk == model_quirk && signal_rows[i].from == signal) {{
			model_quirk_ran++;
			return signal_rows[i].to;
		}}
	return signal;
}}
"""


@dataclasses.dataclass(frozen=True)
class Event:
    """One wrong row: what an event select, or a signal, counts instead."""

    text: str
    select: int = 0
    to: int = 0                 # the same as select if only the unit mask is wrong
    counter: int = -1
    umask: int = -1
    to_umask: int = -1
    keep: int = 0xff
    a: int = 0
    b: int = 0
    signals: tuple = ()         # (from, to), as C has them

    def c_row(self, quirk):
        if self.signals:
            return f"\t{{ {quirk}, {', '.join(self.signals)} }},"
        return (f"\t{{ {quirk}, {self.select:#x}, {self.to:#x}, {self.counter}, {self.umask}, {self.to_umask}, "
                f"{self.keep:#x}, {self.a:#x}, {self.b:#x} }},")


def parse(place, text):
    """Returns the Event of a line. Raises Problem if it makes no sense."""
    if found := COUNTS.fullmatch(text):
        select, umask, to, to_umask, counter = found.groups()
        return Event(text, int(select, 16), int(to, 16) if to else NO_EVENT, int(counter or -1),
                     int(umask, 16) if umask else -1, int(to_umask, 16) if to_umask else -1)
    if found := KEEPS.fullmatch(text):
        return Event(text, int(found[1], 16), int(found[1], 16), keep=int(found[2], 16))
    if found := SWAPS.fullmatch(text):
        a, b = (int(found[2], 16), int(found[3], 16)) if found[2] else (0x0f, 0xf0)
        if not 0 < a < b < 0x100 or a & b or a << ((b & -b).bit_length() - (a & -a).bit_length()) != b:
            raise Problem(f"{place}: {text}: the lower bits come first, and the others have the same shape")
        return Event(text, int(found[1], 16), int(found[1], 16), a=a, b=b)
    if found := SIGNAL.fullmatch(text):
        signals = (f"SIGNAL_{found[1]}", "SIGNAL_NONE" if found[2] == "nothing" else f"SIGNAL_{found[2]}")
        return Event(text, signals=signals)
    raise Problem(f"{place}: event: {text}: none of the forms in tests/runner/defects/events.py")


def tables(numbered):
    """Returns the C tables of these (number, row), and the functions that look into them."""
    found = [(number, event) for number, row in numbered for event in row.events]
    events = "\n".join(event.c_row(number) for number, event in found if not event.signals)
    signals = "\n".join(event.c_row(number) for number, event in found if event.signals)
    return TABLES.format(events=events, signals=signals)
