/* SPDX-License-Identifier: MIT */
#include <tests/suites/smm/smi.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <pmu/core/pmu.h>

void smi_freeze(bool is_on)
{
	uint64_t others;

	if (!(pmu_get()->capabilities & IA32_PERF_CAPABILITIES_FREEZE_WHILE_SMM))
		return;
	others = msr_read(IA32_DEBUGCTL) & ~IA32_DEBUGCTL_FREEZE_WHILE_SMM;
	msr_write(IA32_DEBUGCTL, others | (is_on ? IA32_DEBUGCTL_FREEZE_WHILE_SMM : 0));
}
