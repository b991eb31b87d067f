/* SPDX-License-Identifier: MIT */
#include <tests/suites/ibs/ibs_suite.h>

#include <stddef.h>

#include <pmu/workload/workload.h>

/* A round has about twice as many ops as instructions, and takes longer than its instructions. */
uint32_t ibs_mix_rounds(unsigned samples, uint32_t maximum)
{
	const uint64_t control = ibs_op(maximum, ibs_by_ops());
	const uint32_t period = 16 * (uint32_t)FIELD_GET(IbsOpCtl_MaxCnt, control);

	return samples * period * (ibs_by_ops() ? 1 : 4) / IBS_MIX_INSNS + 1;
}

const struct ibs_log *ibs_sample_mix(unsigned samples, uintptr_t *buffer)
{
	uint32_t size;
	const struct ibs_plan plan = { .op = ibs_op(IBS_MIX_MAXIMUM, ibs_by_ops()),
	                               .is_varied = true };

	*buffer = (uintptr_t)pmu_workload_arena(&size);
	ibs_window(&plan, ibs_mix, ibs_mix_rounds(samples, IBS_MIX_MAXIMUM), (uint32_t)*buffer);
	return ibs_get_log();
}

const struct ibs_row *ibs_row_of(const struct ibs_sample *s)
{
	for (const struct ibs_row *row = ibs_rows; row < ibs_rows_end; row++)
		if (!s->is_fetch && row->ip == s->rip)
			return row;
	return NULL;
}
