/* SPDX-License-Identifier: MIT */
#include <pmu/events/netburst_pmu.h>

#include <arch/cpu/fault.h>

void netburst_set_replay(uint32_t pebs_enable, uint32_t matrix_vert)
{
	msr_write(MSR_PEBS_MATRIX_VERT, matrix_vert);
	msr_write(MSR_PEBS_ENABLE, pebs_enable);
}
