/* SPDX-License-Identifier: MIT */
/* What AMD's processors have in place of LBR and PEBS: branch records of three kinds, and IBS. */
#include <pmu/review/review_parts.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <arch/regs/amd_branches.h>
#include <kernel/machine/machine.h>
#include <pmu/core/pmu.h>
#include <pmu/sampling/ibs.h>
#include <pmu/workload/workload.h>

#define CPUID_DEPTH  CPUID_FIELD(CPUID_AMD_PERFMON, 0, EBX, 9, 4)

enum { ROUNDS = 100, WALK_ROUNDS = 2000, MAXIMUM = 0x20 };

/* Runs a loop while this register has this bit set; returns false if it has no such register. */
static bool record(uint32_t msr, uint64_t enable)
{
	if (is_fault(msr_try_write(msr, enable)))
		return false;
	workload_loop.code(ROUNDS, 0);
	msr_try_write(msr, 0);
	return true;
}

static bool is_set(uint32_t msr, uint64_t bits)
{
	uint64_t value = 0;

	return !is_fault(msr_try_read(msr, &value)) && (value & bits);
}

/* CPUID does not announce the pair, so that nothing is judged. */
static void tell_pair(struct review_part *part)
{
	if (record(DebugCtl, DebugCtl_LBR) && is_set(AMD_LastBranchFromIP, LBR_STACK_ADDRESS))
		part_say(part, "the last branch alone, in a pair of registers; no perf record -b");
	else
		part_say(part, "no: a branch leaves no record in MSR 1DBH");
}

static void tell_stack(struct review_part *part)
{
	bool is_kept = record(DbgExtnCfg, DbgExtnCfg_LBRSE)
	               && is_set(LastBranchStackToIp(0), LastBranchStackToIp_V);

	part_say(part, "AMD's stack, %u deep: perf record -b%s", cpuid_get(CPUID_DEPTH),
	         is_kept ? "" : ": a branch leaves no record");
	part_expect(part, "branches that are recorded", is_kept, 1);
}

bool tell_amd_branches(struct review_part *part)
{
	if (machine_cpu()->vendor != VENDOR_AMD || pmu_get()->state != PMU_COUNTS)
		return false;
	if (cpuid_get(CPUID_AMD_LBR_STACK))
		tell_stack(part);
	else if (cpuid_get(CPUID_AMD_BRS))
		part_say(part, "BRS, the %u branches after an overflow: perf record -b -e "
		               "branch-brs", AMD_BRANCHES);
	else
		tell_pair(part);
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
