/* SPDX-License-Identifier: MIT */
/* Declares what the files about processors with architectural performance monitoring share. */
#ifndef MODEL_ARCH_ARCH_H
#define MODEL_ARCH_ARCH_H

#include <model/core/internal.h>
#include <model/core/msrs.h>

extern const struct model_rules model_rules_arch[];
extern const struct model_generation model_generation_arch;

/* Lists the registers of this generation (msr_arch.c). */
extern const struct model_msr_row model_msrs_arch[];
bool model_read_counter_arch(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);

void model_plan_arch(struct refpmu_cpu *m);

/* Writes the PEBS records that are due (pebs_assist.c). */
void model_pebs_write_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn);

/* struct model_event_rules.model: the microarchitecture, as a bit. */
enum { MODEL_CORE2 = 1 << 0, MODEL_BONNELL = 1 << 1, MODEL_NEHALEM = 1 << 2,
       MODEL_WESTMERE = 1 << 3, MODEL_SANDY_BRIDGE = 1 << 4, MODEL_IVY_BRIDGE = 1 << 5,
       MODEL_HASWELL = 1 << 6, MODEL_BROADWELL = 1 << 7, MODEL_SKYLAKE = 1 << 8,
       MODEL_ICE_LAKE = 1 << 9, MODEL_TIGER_LAKE = 1 << 10, MODEL_SAPPHIRE_RAPIDS = 1 << 11,
       MODEL_LION_COVE = 1 << 12, MODEL_GOLDEN_COVE = 1 << 13, MODEL_GRACEMONT = 1 << 14,
       MODEL_SKYMONT = 1 << 15,
       MODEL_UOPS = MODEL_SANDY_BRIDGE | MODEL_IVY_BRIDGE | MODEL_HASWELL | MODEL_BROADWELL,
       MODEL_SINCE_ICE_LAKE = MODEL_ICE_LAKE | MODEL_TIGER_LAKE | MODEL_SAPPHIRE_RAPIDS
                              | MODEL_LION_COVE | MODEL_GOLDEN_COVE };

extern const struct model_event model_events_arch[];   /* events_arch.c */

/* Returns whether the signal is an effect on memory, noted only while something counts it. */
static inline bool model_is_memory_signal(unsigned signal)
{
	return signal >= SIGNAL_LOADS && signal <= SIGNAL_L2_MISSES;
}

static inline void model_forget_accesses(struct refpmu_cpu *m)
{
	m->pebs.loads = m->pebs.stores = 0;
	m->pebs.split_loads = m->pebs.split_stores = 0;
	m->pebs.has_both = false;
}

void model_count_memory(struct refpmu_cpu *m, const struct cache_cost *cost);

/* Count on m, by their rows, what the instruction is, before its accesses are forgotten, and the
 * entry of an interrupt or exception (rows_arch.c). */
void model_count_rows(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                      const struct cache_cost *cost);
void model_count_entry_rows(struct refpmu_cpu *m, unsigned entry);

#endif
