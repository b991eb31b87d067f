/* SPDX-License-Identifier: MIT */
/* What the files about P5 and P6 share; NetBurst takes some of it, too. */
#ifndef MODEL_P5_P6_LEGACY_H
#define MODEL_P5_P6_LEGACY_H

#include <model/core/internal.h>
#include <model/state/event_rows.h>

/* What is known of a retired instruction. */
struct model_told {
	const struct model_insn *insn;
	const struct cache_cost *cost;
	const struct cache_traffic *traffic;   /* never NULL */
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

/* ------------------------------------------------------- units (pipeline_legacy.c) */

/* The instruction gives its units work; then it waits for what it needs before it retires. A
 * division waits for the divider even before that. */
void model_start_units(struct model *m, const struct model_told *told);
void model_wait(struct model *m, const struct model_told *told);
bool model_is_division(const struct model_insn *insn);
void model_wait_for_divider(struct model *m);

/* The cycle ends, and so many more without anything retiring; why: CYCLE_ of them. */
void model_wait_cycles(struct model *m, uint32_t cycles, unsigned cause, uint32_t why);

/* CYCLE_UNIT of those that work, and for how long the longest one will. */
uint32_t model_busy_units(const struct model *m);
uint32_t model_longest_work(const struct model *m);

#endif
