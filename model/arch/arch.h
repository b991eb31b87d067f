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
enum { MODEL_CORE2 = 1, MODEL_BONNELL = 2, MODEL_NEHALEM = 4, MODEL_SANDY_BRIDGE = 8,
       MODEL_IVY_BRIDGE = 16, MODEL_HASWELL = 32, MODEL_SKYLAKE = 64, MODEL_ICE_LAKE = 128,
       MODEL_GOLDEN_COVE = 256, MODEL_GRACEMONT = 512, MODEL_SKYMONT = 1024 };

/* Returns whether the signal is an effect on memory, noted only while something counts it. */
static inline bool model_is_memory_signal(unsigned signal)
{
	return signal >= SIGNAL_LOADS && signal <= SIGNAL_L2_MISSES;
}

static inline void model_forget_accesses(struct refpmu_cpu *m)
{
	m->pebs.loads = m->pebs.stores = 0;
	m->pebs.has_both = false;
}

void model_count_memory(struct refpmu_cpu *m, const struct cache_cost *cost);

#endif
