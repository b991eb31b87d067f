/* SPDX-License-Identifier: MIT */
/* What a PMI stops. Sources: SDM 3B, "Freezing LBR and Performance Counters on PMI", "Streamlined
 * Freeze_LBR_On_PMI", "Streamlined Freeze_PerfMon_On_PMI". */
#include <model/arch/arch.h>
#include <model/sampling/branch_records.h>

/*
 * On a PMI DEBUGCTL[12] stops the counters, DEBUGCTL[11] the branch records. It is the request
 * that does so: whether LVTPC lets it through is not the counters' business.
 */
void model_freeze_arch(struct refpmu_cpu *m)
{
	if (m->debugctl & IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI)
		model_branches_freeze(m);
	if (!(m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	if (rules_of(m)->overflow.freezes_by_status)
		m->global_status |= IA32_PERF_GLOBAL_STATUS_CTR_FRZ;
	else
		m->global_ctrl = 0;
	model_make_plan(m);
}
