/* SPDX-License-Identifier: MIT */
/* What the files about processors with architectural performance monitoring share: mostly members
 * of their struct model_generation. */
#ifndef MODEL_ARCH_ARCH_H
#define MODEL_ARCH_ARCH_H

#include <model/core/internal.h>
#include <model/core/msrs.h>

extern const struct model_rules model_rules_arch[];
extern const struct model_generation model_generation_arch;

/* Its own registers: counters (msr_counters.c), and those of all of them (msr_global.c). */
extern const struct model_msr_row model_msrs_arch_counters[];
extern const struct model_msr_row model_msrs_arch_global[];
bool model_read_counter_arch(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);
void model_reset_arch(struct refpmu_cpu *m, enum refpmu_reset kind);

void model_plan_arch(struct refpmu_cpu *m);
void model_freeze_arch(struct refpmu_cpu *m);

/* ------------------------------------------------- cycles (cycles_arch.c) */

void model_close_arch(struct refpmu_cpu *m, unsigned cause);
void model_stall_arch(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);

/* ------------------------------------------------- instructions (pipeline_arch.c) */

bool model_retire_plain_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn);
bool model_may_gather_arch(struct refpmu_cpu *m);
void model_retire_run_arch(struct refpmu_cpu *m);
void model_join_branch_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn);
void model_retire_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                       const struct cache_cost *cost);
void model_access_arch(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                       uint64_t physical, unsigned size, bool is_cacheable);
void model_enter_arch(struct refpmu_cpu *m, unsigned entry);

/* ------------------------------------------------- PEBS (pebs_assist.c) */

void model_pebs_write_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn);

/* Does the general counter i, with this event selected, record? Does fixed counter i? */
bool model_pebs_is_on(const struct refpmu_cpu *m, unsigned i, uint64_t sel);
bool model_pebs_is_fixed_on(const struct refpmu_cpu *m, unsigned i);

/* What IA32_PERF_CAPABILITIES says of it. */
uint64_t model_pebs_capabilities(const struct model_rules *r);

#endif
