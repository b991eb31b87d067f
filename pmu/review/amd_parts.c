/* SPDX-License-Identifier: MIT */
/* What AMD's processors have in place of LBR and PEBS: branch records of three kinds, and IBS. */
#include <pmu/review/review_parts.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/amd.h>
#include <arch/regs/amd_branches.h>
#include <pmu/core/pmu.h>
#include <pmu/sampling/amd_lbr.h>
#include <pmu/sampling/ibs.h>
#include <pmu/workload/workload.h>

enum { ROUNDS = 100, WALK_ROUNDS = 2000, MAXIMUM = 0x20 };

/* CPUID announces a stack, but no pair, of which nothing is judged. */
static void tell_kind(struct review_part *part, const struct amd_branch_kind *k)
{
	const bool is_kept = amd_branch_window(false, workload_loop.code, ROUNDS, 0)
	                     && amd_branch_get(0).from;

	if (k->depth > 1)
		part_say(part, "%s, %u deep: perf record -b%s", k->name, k->depth,
		         is_kept ? "" : ": a branch leaves no record");
	else if (is_kept)
		part_say(part, "the last branch alone, in a pair of registers; no perf record -b");
	else
		part_say(part, "no: a branch leaves no record in MSR %XH", k->from_msr);
	if (k->depth > 1)
		part_expect(part, "branches that are recorded", is_kept, 1);
}

bool tell_amd_branches(struct review_part *part)
{
	const struct amd_branch_kind *k = amd_branch_kind();

	if (!k || pmu_get()->state != PMU_COUNTS)
		return false;
	if (cpuid_get(CPUID_AMD_BRS))
		part_say(part, "BRS, the %u branches after an overflow: perf record -b -e "
		               "branch-brs", AMD_BRANCHES);
	else
		tell_kind(part, k);
	return true;
}

/* ---------------------------------------------------------------------------- IBS */

const char *ibs_trouble(void)
{
	return ibs_unavailable() ? ibs_unavailable() : ibs_interrupt_unavailable();
}

/* Returns how many ops of a walk are sampled. */
static unsigned sample_walk(void)
{
	const uint64_t by_ops = ibs_has(CPUID_AMD_IBS_EAX_OpCnt) ? IbsOpCtl_CntCtl : 0;

	ibs_window(&(const struct ibs_plan){ .op = ibs_op(MAXIMUM, by_ops), .is_varied = true },
	           workload_walk.code, WALK_ROUNDS, argument_of(&workload_walk));
	return ibs_get_log()->count;
}

bool tell_ibs(struct review_part *part)
{
	unsigned samples;

	if (ibs_unavailable() || pmu_get()->state != PMU_COUNTS)
		return false;
	if (ibs_interrupt_unavailable()) {
		part_say(part, "no; IBS, which cannot interrupt: %s", ibs_interrupt_unavailable());
		return true;
	}
	samples = sample_walk();
	part_say(part, "no; IBS: ops and fetches, with address, misses, latency: perf record "
	               "-e ibs_op//%s", samples ? "" : ": no op is sampled");
	part_expect(part, "whether ops are sampled", samples ? 1 : 0, 1);
	return true;
}
