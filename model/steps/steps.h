/* SPDX-License-Identifier: MIT */
/*
 * Declares the steps of an instruction on processors whose counters each have a row of an event
 * table (event_rows.h) and whose instructions retire as micro-operations: P5, P6, AMD.
 */
#ifndef MODEL_STEPS_STEPS_H
#define MODEL_STEPS_STEPS_H

#include <model/core/msrs.h>
#include <model/units/units.h>

/* ------------------------------------------------------------------- amounts (event_amounts.c) */

/* Returns whether a row applies to this unit mask. */
static inline bool model_has_umask(const struct model_event *e, uint8_t umask)
{
	return (umask & e->umask_bits) == e->umask;
}

/* Returns what the counter's event counts of an instruction; 0 for events of cycles. */
uint32_t model_event_count(const struct refpmu_cpu *m, const struct model_counter *c,
                           const struct model_retired *retired);

/* Returns what the event counts of the delivery of an interrupt or exception; entry is ENTRY_. */
uint32_t model_event_of_entry(const struct model_counter *c, unsigned entry);

/* Notes the instruction's unit, from which the next transition between MMX and x87 starts. */
void model_note_unit(struct refpmu_cpu *m, const struct refpmu_insn *insn);

uint32_t model_uops(const struct model_retired *retired);

/* ------------------------------------------------------------------------ plan (plan_steps.c) */

/* Chooses the event of counter i by its select and unit mask, and the signal that moves it. */
void model_choose_event(struct refpmu_cpu *m, unsigned i, uint32_t select, uint8_t umask);

/* Makes the plan; set_up chooses each counter's event and starts or stops it. */
void model_plan_steps(struct refpmu_cpu *m, void (*set_up)(struct refpmu_cpu *m, unsigned i));

/* --------------------------------------------------------------------- steps (retire_steps.c) */

/* The three steps of a retiring instruction; n micro-operations take slots between them. */
void model_steps_begin(struct refpmu_cpu *m, const struct model_retired *retired);
void model_steps_take_slots(struct refpmu_cpu *m, uint32_t uops);
void model_steps_end(struct refpmu_cpu *m, const struct model_retired *retired);

/* Are members of struct model_generation. The first one takes all three steps. */
void model_steps_retire_uops(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                             const struct cache_cost *cost);
void model_steps_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                        uint64_t physical, unsigned size, bool is_cacheable);
void model_steps_enter(struct refpmu_cpu *m, unsigned entry);
void model_steps_start(struct refpmu_cpu *m);
void model_steps_reset(struct refpmu_cpu *m, enum refpmu_reset kind);
void model_steps_close(struct refpmu_cpu *m, unsigned cause);
void model_steps_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);
void model_steps_finish(struct refpmu_cpu *m, enum model_finish before);
#define MODEL_STEPS \
	.access = model_steps_access, .enter = model_steps_enter, .start = model_steps_start, \
	.close = model_steps_close, .stall = model_steps_stall, \
	.finish = model_steps_finish

#endif
