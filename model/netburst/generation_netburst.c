/* SPDX-License-Identifier: MIT */
/* The table of NetBurst. */
#include <model/netburst/netburst_shared.h>
#include <model/sampling/branch_records.h>
#include <model/sampling/debug_store.h>

static const struct model_msr_row *const msrs[] = {
	netburst_msrs, model_msrs_debug_store, model_msrs_debugctl, model_msrs_lbr_lip, NULL
};

const struct model_generation model_generation_netburst = {
	.msrs = msrs,
	.ds_fault_shuts_down = true,
	.retire_plain = netburst_retire_plain,
	.may_gather = netburst_may_gather,
	.retire_run = netburst_retire_run,
	.barred_traits = ~(REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V),
	.retire = netburst_retire,
	.access = netburst_access,
	.enter = netburst_enter,
	.write_pebs = netburst_pebs_write,
	.plan = netburst_plan,
	.close = netburst_close,
	.stall = netburst_stall,
	.finish = netburst_finish,
	.start = netburst_start,
	.stop = netburst_stop,
	.read_counter = netburst_read_counter,
	.reset = netburst_reset,
	.has_line = netburst_is_line,
	.halt = netburst_halt,
};
