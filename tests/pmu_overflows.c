/* SPDX-License-Identifier: MIT */
/* Overflows without a status register: pmu_take_overflows() sees them by the counters' signs. */
#include <pmu/program.h>

#include <kernel/test.h>
#include <tests/counting.h>
#include <tests/needs.h>

/* Rounds of two instructions; more than FAR, so that a counter at -FAR overflows. */
enum { ROUNDS = 1000, FAR = 1000 };

/* What is told after a window with counter 0 and, where there is one, counter 1 from there. */
static uint32_t told_after(uint64_t start_0, uint64_t start_1)
{
	uint16_t event = counting_event(COUNTING_INSNS);
	struct pmu_setup setups[2] = {
		{ .counter = 0, .event = event, .flags = PMU_BOTH, .start = start_0 },
		{ .counter = 1, .event = event, .flags = PMU_BOTH, .start = start_1 },
	};

	pmu_measure(setups, pmu_has_counter(1) ? 2 : 1, &workload_loop, ROUNDS, 0);
	return pmu_take_overflows();
}

TEST(overflows, .id = "pmu.overflows", .needs = need_counting_pmu,
     .source = "SDM 3B, \"Event Counting and Overflow\": a counter is preset to minus the number",
     .claim = "a counter's sign tells of its overflow, once, where no status register does");
static void overflows(struct test_ctx *t)
{
	uint32_t both = pmu_has_counter(1) ? 3 : 1;
	uint64_t negative = 0 - (uint64_t)FAR, deep = 1000 * negative;

	expect_exact(t, "counter 0 from -1000, counter 1 from 0", told_after(negative, 0), 1,
	             "counter 0 was negative and is not any more");
	expect_exact(t, "the same, asked again", pmu_take_overflows(), 0, "it is told once");
	expect_exact(t, "both from -1000", told_after(negative, negative), both, "both overflowed");
	expect_exact(t, "both from -1000000", told_after(deep, deep), 0, "they are still negative");
	expect_exact(t, "both from 0", told_after(0, 0), 0, "they were never negative");

	pmu_write(0, deep & UINT64_MAX >> (64 - pmu_counter_width(0)));
	expect_exact(t, "counter 0 written to -1000000", pmu_take_overflows(), 0, "it is negative");
	pmu_write(0, 0);
	expect_exact(t, "counter 0 written to 0", pmu_take_overflows(), 0,
	             "a write is not an overflow");
}
