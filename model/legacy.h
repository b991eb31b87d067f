/* SPDX-License-Identifier: MIT */
/* What the files about P5 and P6 share. */
#ifndef MODEL_LEGACY_H
#define MODEL_LEGACY_H

#include <model/events.h>
#include <model/internal.h>

/* What is known of a retired instruction. */
struct model_told {
	const struct model_insn *insn;
	const struct uarch_cost *cost;
	const struct uarch_traffic *traffic;   /* never NULL */
};

/* The event of a counter with this select and unit mask, NULL: it counts nothing. */
const struct model_event *model_event_find(const struct model_rules *r, unsigned counter,
                                           uint8_t select, uint8_t umask);

/* What the counter's event counts of it; 0 for events that go by cycles. */
uint32_t model_event_count(const struct model *m, const struct model_counter *c,
                           const struct model_told *told);

/* What it counts of an interrupt's or exception's delivery. entry: ENTRY_ */
uint32_t model_event_of_entry(const struct model *m, const struct model_counter *c,
                              unsigned entry);

/* After that: the next transition between MMX and x87 starts here. */
void model_note_unit(struct model *m, const struct model_insn *insn);

uint32_t model_uops(const struct model_told *told);

#endif
