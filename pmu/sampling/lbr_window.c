/* SPDX-License-Identifier: MIT */
#include <pmu/sampling/lbr_stack.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <pmu/core/driver.h>

/* The filter is restored afterwards; recording is on only for the code. */
void lbr_window(uint64_t select, void (*code)(uint32_t rounds, uint32_t argument),
                uint32_t rounds, uint32_t argument)
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	const uint64_t on = kind->is_architectural ? IA32_LBR_CTL_LBREN : IA32_DEBUGCTL_LBR;
	const uint64_t off = msr_read(lbr_control_msr()) & ~on;
	const uint64_t filter = kind->select_msr ? msr_read(kind->select_msr) : 0;
	struct pmu_switch s = { .on_count = 0 };

	lbr_enable(select);
	lbr_disable();
	lbr_clear();
	pmu_switch_add_on(&s, lbr_control_msr(),
	                  kind->is_architectural ? lbr_control_on(select) : off | on);
	pmu_switch_add_off(&s, lbr_control_msr(), off);
	pmu_window_take(&s, code, rounds, argument);
	if (kind->select_msr)
		msr_write(kind->select_msr, filter);
}
