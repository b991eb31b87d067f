/* SPDX-License-Identifier: MIT */
/* Declares what the files about AMD's processors share. */
#ifndef MODEL_AMD_AMD_SHARED_H
#define MODEL_AMD_AMD_SHARED_H

#include <arch/regs/amd.h>
#include <arch/regs/amd_ibs.h>
#include <model/sampling/records.h>
#include <model/steps/steps.h>

extern const struct model_rules model_rules_amd[];
extern const struct model_generation model_generation_amd;

/* struct model_event_rules.model, and the models of a row of an event: the family, as a bit. */
enum {
	AMD_K7 = 1 << 0, AMD_K8 = 1 << 1, AMD_10H = 1 << 2, AMD_11H = 1 << 3, AMD_12H = 1 << 4,
	AMD_14H = 1 << 5, AMD_15H = 1 << 6, AMD_16H = 1 << 7, AMD_ZEN = 1 << 8, AMD_ZEN2 = 1 << 9,
	AMD_ZEN3 = 1 << 10, AMD_ZEN4 = 1 << 11, AMD_ZEN5 = 1 << 12
};
extern const struct model_event model_events_amd[];

/* Registers and RDPMC (msr_amd.c). */
extern const struct model_msr_row model_msrs_amd[];
bool model_read_counter_amd(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);

/* Returns whether this counter and the odd one after it are one counter of 64 bits. */
bool model_is_merged(const struct refpmu_cpu *m, unsigned i);

/* Instruction-based sampling: its registers (msr_ibs.c), what retires (sampling_amd.c). */
extern const struct model_msr_row model_msrs_ibs[];
void model_ibs_reset(struct refpmu_cpu *m);
/* Returns the clocks in which the processor was not halted (msr_amd.c). */
uint64_t model_running_clocks(const struct refpmu_cpu *m);
/* Returns the number of bits of the counter of ops or clocks, and of that of fetches. */
static inline unsigned model_ibs_op_width(const struct refpmu_cpu *m)
{
	return m->core->rules.amd.ibs->caps & CPUID_AMD_IBS_EAX_OpCntExt ? 27 : 20;
}
enum { MODEL_IBS_FETCH_WIDTH = 20 };
uint32_t model_ibs_noise(struct refpmu_cpu *m, unsigned bits);
void model_ibs_access(struct refpmu_cpu *m, const struct model_ibs_access *access);
/* Follows an instruction that has retired; it began at this time of model_running_clocks(). */
void model_ibs_retire(struct refpmu_cpu *m, const struct model_retired *retired, uint64_t began);

/* Branch records (branches_amd.c): members of struct model_generation; BRS, at an overflow. */
extern const struct model_msr_row model_msrs_branches_amd[];
bool model_amd_records(const struct refpmu_cpu *m);
void model_amd_record(struct refpmu_cpu *m, const struct model_taken *taken);
void model_amd_int_record(struct refpmu_cpu *m);
void model_amd_debug(struct refpmu_cpu *m);
bool model_brs_begins(struct refpmu_cpu *m, unsigned counter);

/* Returns the event code of a PERF_CTL. */
static inline uint32_t model_amd_code(uint64_t ctl)
{
	return (uint32_t)PERF_CTL_EVENT_OF(ctl);
}

/* Returns whether a counter that the package's cores share runs; counts what this instruction moves
 * of them (shared_amd.c). */
bool model_shared_run(const struct refpmu_package *package);
void model_count_in_package(struct refpmu_cpu *m, const struct model_retired *retired);

#endif
