/* SPDX-License-Identifier: MIT */
/*
 * System-management mode. An SMI stops counters and branch records if IA32_DEBUGCTL says so, RSM
 * lets them go on; otherwise the handler's instructions count as any others of CPL 0, and its
 * branches are recorded. Sources: SDM 3B, "IA32_DEBUGCTL MSR" on FREEZE_WHILE_SMM, "Filtering of
 * SMM Handler Overhead"; SDM 3C, "SMRAM": MSRs are not saved; SDM 3B, "Architectural Last Branch
 * Records" on SMIs.
 *
 * Chosen: the bits of IA32_PERF_GLOBAL_CTRL that RSM sets are those that the SMI cleared. A counter
 * of PEBS that is armed stays armed: its next event after RSM is recorded. Neither the SMI nor RSM
 * is a branch, an event, or a cycle of its own.
 */
#include <model/sampling/records.h>

#define STOPPED (IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF | IA32_DEBUGCTL_TR | IA32_DEBUGCTL_BTS)

void refpmu_smi(struct refpmu_cpu *m)
{
	model_before_switch(m);
	m->smm = (struct model_smm) { true, m->debugctl, m->global_ctrl,
	                              m->branches.select & IA32_LBR_CTL_LBREN };
	if (rules_of(m)->lbr.is_architectural)
		m->branches.select &= ~IA32_LBR_CTL_LBREN;
	if (m->debugctl & IA32_DEBUGCTL_FREEZE_WHILE_SMM) {
		m->debugctl &= ~STOPPED;
		m->global_ctrl = 0;
	}
	model_after_switch(m);
}

void refpmu_rsm(struct refpmu_cpu *m)
{
	model_before_switch(m);
	if (!m->smm.is_active)
		return;
	m->smm.is_active = false;
	if (rules_of(m)->lbr.is_architectural)
		m->branches.select |= m->smm.lbr_enable;
	if (m->smm.debugctl & IA32_DEBUGCTL_FREEZE_WHILE_SMM) {
		m->debugctl = m->smm.debugctl;
		m->global_ctrl = m->smm.global_ctrl;
	}
	model_after_switch(m);
}
