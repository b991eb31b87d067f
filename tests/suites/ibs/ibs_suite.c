/* SPDX-License-Identifier: MIT */
#include <tests/suites/ibs/ibs_suite.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/workload/workload.h>

const char *need_ibs(struct test_ctx *t)
{
	const char *reason = need_amd(t);

	if (reason || !ibs_unavailable())
		return reason;
	return test_reason(t, "%s", ibs_unavailable());
}

const char *need_ibs_cap(struct test_ctx *t, uint32_t cap, const char *name)
{
	const char *reason = need_ibs(t);

	if (reason || (ibs_caps() & cap) == cap)
		return reason;
	return test_reason(t, "CPUID.8000001BH:EAX = %" PRIX32 "H, without %s", ibs_caps(), name);
}

const char *need_ibs_op(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_OpSam, "OpSam");
}

const char *need_ibs_fetch(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_FetchSam, "FetchSam");
}

const char *need_ibs_interrupt(struct test_ctx *t)
{
	const char *reason = need_ibs(t);

	if (reason || !ibs_interrupt_unavailable())
		return reason;
	return test_reason(t, "%s", ibs_interrupt_unavailable());
}

NEED_BOTH(need_ibs_op_sampling, need_ibs_op, need_ibs_interrupt)
NEED_BOTH(need_ibs_fetch_sampling, need_ibs_fetch, need_ibs_interrupt)

static const char *need_op_counter(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_OpCnt, "OpCnt");
}

static const char *need_current_count(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_RdWrOpCnt, "RdWrOpCnt");
}

static const char *need_branch_target(struct test_ctx *t)
{
	return need_ibs_cap(t, CPUID_AMD_IBS_EAX_BrnTrgt, "BrnTrgt");
}

NEED_BOTH(need_ibs_count_ops, need_ibs_op_sampling, need_op_counter)
NEED_BOTH(need_ibs_current, need_ibs_count_ops, need_current_count)
NEED_BOTH(need_ibs_target, need_ibs_op_sampling, need_branch_target)

uint64_t ibs_by_ops(void)
{
	return ibs_has(CPUID_AMD_IBS_EAX_OpCnt) ? IbsOpCtl_CntCtl : 0;
}

bool ibs_rip_is_exact(void)
{
	return amd_family() != AMD_10H || machine_cpu()->model >= 4 || pmu_is_exact();
}

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
