/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/amd/ibs_needs.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/sampling/ibs.h>
#include <tests/suites/common/amd/amd_suite.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

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
