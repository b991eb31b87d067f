/* SPDX-License-Identifier: MIT */
/*
 * EQ, which came with version 6: the counter moves in cycles with exactly CMASK events, instead of
 * those with CMASK or more. So one threshold counts a cycle, not all thresholds below. And UMASK2,
 * another eight bits of the unit mask.
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
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

/* ------------------------------------------------------------------------ UMASK2 */

static const char *need_umask2(struct test_ctx *t)
{
	const char *problem = need_arch_v6(t);

	if (problem || cpuid_get(CPUID_PERFMON_UMASK2))
		return problem;
	return test_reason(t, "CPUID.(EAX=23H,ECX=0):EBX[0] = 0: no UMASK2");
}

/* The performance cores of Lunar Lake and Arrow Lake: Intel's event lists have the event there. */
static bool is_lion_cove(void)
{
	const struct cpu_identity *cpu = machine_cpu();

	return cpu->family == 6 && (cpu->model == 0xbd || cpu->model == 0xc6)
	       && cpu->core_type == CORE_TYPE_CORE;
}

/* Has the counter count another event by UMASK2 for so many rounds, between others of all branches.
 * The code has backward branches that are taken, and no other kind. */
static void select_other(uint32_t rounds, uint32_t counter)
{
	const uint32_t msr = IA32_PERFEVTSEL(counter);
	const uint64_t select = msr_read(msr);

	workload_loop.code(ROUNDS, 0);
	msr_write(msr, select | FIELD_PUT(IA32_PERFEVTSEL_UMASK2, 1));
	workload_loop.code(rounds, 0);
	msr_write(msr, select);
	workload_loop.code(ROUNDS, 0);
}

static uint64_t other_ones(unsigned counter, uint32_t rounds)
{
	const struct pmu_setup s = { .counter = counter, .event = EVENT_BRANCH_INSTR_RETIRED,
	                             .flags = PMU_BOTH };

	return pmu_measure_code(&s, 1, select_other, rounds, counter).count[0];
}

/* Of C4H/00H with UMASK2 = 1 Intel's lists say that it counts conditional branches that are taken
 * forward, or far ones: these are neither. */
TEST(umask2, .id = "arch.v6.umask2", .needs = need_umask2,
     .source = "SDM 3B, Architectural Performance Monitoring Version 6, IA32_PERFEVTSELx.UMASK2; "
               "Intel's lists of Lion Cove's and Cougar Cove's events, BR_INST_RETIRED",
     .claim = "UMASK2 that is set while a counter runs selects another event than all branches, "
              "until it is cleared")
{
	char name[PMU_NAME_SIZE];

	for (unsigned c = 0; c < pmu_get()->gp_count; c++) {
		const uint64_t got = other_ones(c, 2 * ROUNDS) - other_ones(c, ROUNDS);
		const struct bounds none = else_exact(0, "1000 more rounds have backward branches "
		                                      "alone, which the other event leaves out");

		expect_bounds(t, pmu_counter_name(c, name), got, none,
		              is_lion_cove() ? none : ELSE_SHOWN);
	}
}
