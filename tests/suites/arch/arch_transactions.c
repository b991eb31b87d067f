/* SPDX-License-Identifier: MIT */
/*
 * IN_TX and IN_TXCP outside of transactions. SDM 3B, "Performance Monitoring and Intel TSX": with
 * IN_TX a counter counts in transactions only; with IN_TXCP an abort takes back what a transaction
 * counted. No transaction begins here.
 *
 * Some Skylakes use counter 3 for transactions while RTM exists (SKL179), so it is left out.
 */
#include <kernel/run/test.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/needs.h>

#define SDM "SDM 3B, \"Performance Monitoring and Intel TSX\", "

enum { COUNTERS = 3, CHECKPOINTED = 2, ROUNDS = 1000 };

static const char *need_rtm(struct test_ctx *t)
{
	const char *problem = need_arch_version(t, 3);

	if (problem || cpuid_get(CPUID_RTM))
		return problem;
	return test_reason(t, "CPUID.7:EBX[11] (RTM) = 0");
}

static struct pmu_setup in_tx(unsigned counter, uint64_t start)
{
	return (struct pmu_setup){ .counter = counter, .event = EVENT_INSTRUCTIONS_RETIRED,
	                           .flags = PMU_BOTH | PMU_IN_TX, .start = start };
}

/* The last preset overflows at the next event. */
TEST(outside, .id = "arch.in_tx.outside", .needs = need_rtm, .source = SDM "IN_TX",
     .claim = "outside of transactions a counter with IN_TX = 1 keeps its preset and does not "
              "overflow")
{
	static const uint64_t presets[] = { 0, 0x1000, UINT64_MAX };

	for (unsigned c = 0; c < COUNTERS && pmu_has_counter(c); c++) {
		for (unsigned i = 0; i < COUNT_OF(presets); i++) {
			struct pmu_setup s = in_tx(c, presets[i]);
			uint64_t mask = UINT64_MAX >> (64 - pmu_counter_width(c));
			struct pmu_reading r = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);

			test_sub(t, "IA32_PMC%u, IN_TX = 1, preset %" PRIX64 "H", c,
			         presets[i] & mask);
			expect_exact(t, "its value", r.value[0], presets[i] & mask,
			             "no transaction ran, so nothing counts");
			expect_bits(t, "IA32_PERF_GLOBAL_STATUS", r.status,
			            IA32_PERF_GLOBAL_STATUS_OVF_PMC(c), 0,
			            "a counter that stands does not overflow");
		}
	}
}

static const char *need_checkpoint(struct test_ctx *t)
{
	const char *problem = need_rtm(t);

	if (problem || pmu_has_counter(CHECKPOINTED))
		return problem;
	return test_reason(t, "CPUID.0AH:EAX[15:8] = %u, the test needs IA32_PMC2",
	                   pmu_get()->gp_count);
}

TEST(checkpointed, .id = "arch.in_tx.checkpointed", .needs = need_checkpoint,
     .source = SDM "IN_TXCP",
     .claim = "outside of transactions IA32_PMC2 with IN_TXCP = 1 counts from its preset as any "
              "other counter")
{
	const struct pmu_setup setups[] = {
		{ .counter = CHECKPOINTED, .event = EVENT_INSTRUCTIONS_RETIRED,
		  .flags = PMU_BOTH | PMU_IN_TXCP, .start = 0x1000 },
		{ .counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH },
	};

	for (uint32_t rounds = 1; rounds <= ROUNDS; rounds *= 10) {
		struct pmu_reading r = pmu_measure(setups, 2, &workload_loop, rounds, 0);

		test_sub(t, "%" PRIu32 " rounds", rounds);
		expect_exact(t, "IA32_PMC2, IN_TXCP = 1, preset 1000H: its value", r.value[0],
		             0x1000 + r.count[1],
		             "no transaction aborted, and IA32_PMC0 counted the same window");
	}
}
