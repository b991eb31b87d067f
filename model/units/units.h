/* SPDX-License-Identifier: MIT */
/*
 * Units that continue to work while instructions retire (enum model_unit), and the waits of an
 * instruction before it retires. Invented: how long each unit works; that it does one thing after
 * the other; and that nothing waits for it except the next division for the divider, a locked
 * instruction for the store buffer, and a serialising one for both.
 */
#ifndef MODEL_UNITS_UNITS_H
#define MODEL_UNITS_UNITS_H

#include <model/core/internal.h>
#include <model/state/event_rows.h>

/* Describes a retired instruction and its effects. */
struct model_retired {
	const struct refpmu_insn *insn;
	const struct cache_cost *cost;
	const struct cache_traffic *traffic;   /* never NULL */
};

/* Invented; the latter are those of an instruction that serialises or branches far. */
enum { CYCLES_OF_STORE = 2, UOPS_OF_MICROCODE = 3 };

/* Returns the number of transactions of these kinds, a bit for each. */
uint32_t model_sum_of_bus(uint32_t kinds, const uint32_t *bus);

/* Returns the traffic of this cost, or a struct of zeros if the cost has none. */
const struct cache_traffic *model_traffic_of(const struct cache_cost *cost);

/* Gives the units the work of the instruction. */
void model_start_units(struct refpmu_cpu *m, const struct model_retired *retired);

/* Lets the units work for this many cycles. */
void model_work(struct refpmu_cpu *m, uint64_t cycles);

/* Returns the CYCLE_UNIT bits of the busy units. */
uint32_t model_busy_units(const struct refpmu_cpu *m);

/* Ends the run of equal cycles where a unit's work ends. */
void model_cut_at_work(const struct refpmu_cpu *m, struct model_equal_cycles *s);

/* Ends the cycle, and passes more cycles in which nothing retires; why: their CYCLE_ bits. */
void model_wait_cycles(struct refpmu_cpu *m, uint32_t cycles, unsigned cause, uint32_t why);

/* Waits for what the instruction needs before it retires. A division waits for the divider
 * before it gives the divider work. */
void model_wait(struct refpmu_cpu *m, const struct model_retired *retired);
bool model_is_division(const struct refpmu_insn *insn);
void model_wait_for_divider(struct refpmu_cpu *m);

#endif
