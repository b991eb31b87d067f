/* SPDX-License-Identifier: MIT */
/*
 * Units that go on working while instructions retire (enum model_unit), and what an instruction
 * waits for before it retires. Invented: how long each unit works ; that it does one thing
 * after the other; and that nobody waits for it but the next division for the divider, a locked
 * instruction for the store buffer, and a serialising one for both.
 */
#ifndef MODEL_UNITS_UNITS_H
#define MODEL_UNITS_UNITS_H

#include <model/core/internal.h>
#include <model/state/event_rows.h>

/* What is known of a retired instruction. */
struct model_told {
	const struct refpmu_insn *insn;
	const struct cache_cost *cost;
	const struct cache_traffic *traffic;   /* never NULL */
};

/* The traffic of this cost; where that has none, one of which all is 0. */
const struct cache_traffic *model_traffic_of(const struct cache_cost *cost);

/* None works. */
void model_units_clear(struct refpmu_cpu *m);

/* The instruction gives its units work. */
void model_start_units(struct refpmu_cpu *m, const struct model_told *told);

/* They work for so many cycles. */
void model_work(struct refpmu_cpu *m, uint64_t cycles);

/* CYCLE_UNIT of those that work, and for how long the longest one will. */
uint32_t model_busy_units(const struct refpmu_cpu *m);
uint32_t model_longest_work(const struct refpmu_cpu *m);

/* The stretch ends where a unit's work does. */
void model_cut_at_work(const struct refpmu_cpu *m, struct model_stretch *s);

/* The cycle ends, and so many more without anything retiring; why: CYCLE_ of them. */
void model_wait_cycles(struct refpmu_cpu *m, uint32_t cycles, unsigned cause, uint32_t why);

/* Waits for what the instruction needs before it retires. A division waits for the divider even
 * before it gives that work. */
void model_wait(struct refpmu_cpu *m, const struct model_told *told);
bool model_is_division(const struct refpmu_insn *insn);
void model_wait_for_divider(struct refpmu_cpu *m);

#endif
