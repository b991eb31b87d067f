/* SPDX-License-Identifier: MIT */
/* Processors with architectural performance monitoring, as a table. */
#include <model/arch/arch.h>
#include <model/sampling/branch_records.h>
#include <model/sampling/debug_store.h>

static const struct model_msr_row *const msrs[] = {
	model_msrs_arch_counters, model_msrs_arch_global, model_msrs_debugctl,
	model_msrs_debug_store, model_msrs_misc_enable, model_msrs_pebs, model_msrs_lbr, NULL
};

const struct model_generation model_generation_arch = {
	.msrs = msrs,
	.retire_plain = model_retire_plain_arch,
	.may_gather = model_may_gather_arch,
	.retire_run = model_retire_run_arch,
	.join_branch = model_join_branch_arch,
	.barred_traits = REFPMU_TRAIT_SERIALIZING | REFPMU_TRAIT_CPUID | REFPMU_TRAIT_HLT |
	                 ~(REFPMU_TRAIT_PRIVATE - 1),
	.retire = model_retire_arch,
	.access = model_access_arch,
	.enter = model_enter_arch,
	.write_pebs = model_pebs_write_arch,
	.plan = model_plan_arch,
	.close = model_close_arch,
	.stall = model_stall_arch,
	.read_counter = model_read_counter_arch,
	.reset = model_reset_arch,
	.freeze = model_freeze_arch,
};
