/* SPDX-License-Identifier: MIT */
/*
 * EQ, which came with version 6: the counter moves in cycles with exactly CMASK events, instead of
 * those with CMASK or more. So one threshold counts a cycle, not all thresholds below.
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define SDM "SDM 3B, Architectural Performance Monitoring Version 6, IA32_PERFEVTSELx.EQ"

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const struct workload *const workloads[] = {
	&workload_loop, &workload_nops, &workload_call, &workload_random, &workload_cpuid,
};

static const char *need_eq(struct test_ctx *t)
{
	const char *problem = need_arch_v6(t);

	if (problem || cpuid_get(CPUID_PERFMON_EQ))
		return problem;
	return test_reason(t, "CPUID.(EAX=23H,ECX=0):EBX[1] = 0: no EQ");
}

static struct pmu_setup instructions(unsigned counter, unsigned cmask, unsigned flags)
{
	return (struct pmu_setup){
		.counter = counter, .event = EVENT_INSTRUCTIONS_RETIRED, .cmask = (uint8_t)cmask,
		.flags = PMU_BOTH | flags,
	};
}

/* For all n from 1 on: the cycles with exactly n instructions, and the
 * instructions in those cycles. */
struct exactly { uint64_t cycles, insns; };

static struct exactly sweep(const struct workload *w)
{
	struct exactly sum = { 0, 0 };

	for (unsigned n = 1; n <= INSNS_PER_CYCLE_MAX; n++) {
		const struct pmu_setup s = instructions(0, n, PMU_EQ);
		uint64_t cycles = pmu_measure(&s, 1, w, ROUNDS, SEED).count[0];

		sum.cycles += cycles;
		sum.insns += n * cycles;
	}
	return sum;
}

TEST(sums, .id = "arch.v6.eq", .needs = need_eq, .source = SDM,
     .claim = "the cycles with exactly n instructions, over all n, contain every instruction once")
{
	const struct pmu_setup setups[] = { instructions(0, 0, 0), instructions(1, 1, 0) };

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 2); i++) {
		struct exactly sum = sweep(workloads[i]);
		struct pmu_reading r = pmu_measure(setups, 2, workloads[i], ROUNDS, SEED);

		test_sub(t, "%s", workloads[i]->name);
		expect_bounds(t, "n times the cycles with EQ = 1, CMASK = n", sum.insns,
		              if_exact(r.count[0], "each instruction retires in one cycle"),
		              ELSE_SHOWN);
		expect_bounds(t, "cycles with EQ = 1, CMASK = 1, 2, ...", sum.cycles,
		              if_exact(r.count[1], "as many cycles have CMASK = 1 or more"),
		              ELSE_SHOWN);
	}
}

/* One window measures all, so this holds on silicon too: cycles with exactly 1 and with 2 or more
 * make up those with 1 or more. */
TEST(parts, .id = "arch.v6.eq_parts", .needs = need_eq, .source = SDM,
     .claim = "cycles with exactly one instruction and those with more add up to those with any")
{
	const struct pmu_setup setups[] = {
		instructions(0, 1, PMU_EQ), instructions(1, 2, 0), instructions(2, 1, 0),
	};

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 3); i++) {
		struct pmu_reading r = pmu_measure(setups, 3, workloads[i], ROUNDS, SEED);

		test_sub(t, "%s", workloads[i]->name);
		expect_same(t, "EQ = 1, CMASK = 1, and EQ = 0, CMASK = 2", r.count[0] + r.count[1],
		            r.count[2], WINDOW_EDGES,
		            "a cycle with any instruction has one or more than one");
	}
}
