/* SPDX-License-Identifier: MIT */
/* Without a status register pmu_take_overflows() sees overflows by the counters' signs. */
#include <pmu/core/program.h>

#include <kernel/run/test.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>

/* Each round has two instructions; ROUNDS has more than FAR, so that a counter at -FAR
 * overflows. */
enum { ROUNDS = 1000, FAR = 1000 };

/* The first two counters of instructions; [1] is PMU_FIXED if only one exists. */
struct two { unsigned counter[2]; };

static struct two find_two(void)
{
	uint16_t event = counting_event(COUNTING_INSNS);

	return (struct two){ { pmu_counter_for(event, 0), pmu_counter_for(event, 1) } };
}

static uint32_t bit_of(unsigned counter)
{
	return counter < PMU_FIXED ? UINT32_C(1) << counter : 0;
}

/* Returns what pmu_take_overflows() reports after a window with the first counter and, if it
 * exists, the second. */
static uint32_t observed_after(const struct two *two, uint64_t start_0, uint64_t start_1)
{
	uint16_t event = counting_event(COUNTING_INSNS);
	struct pmu_setup setups[2] = {
		{ .counter = two->counter[0], .event = event, .flags = PMU_BOTH, .start = start_0 },
		{ .counter = two->counter[1], .event = event, .flags = PMU_BOTH, .start = start_1 },
	};

	pmu_measure(setups, two->counter[1] < PMU_FIXED ? 2 : 1, &workload_loop, ROUNDS, 0);
	return pmu_take_overflows();
}

TEST(overflows, .id = "pmu.overflows", .needs = need_counting_pmu,
     .source = "SDM 3B, \"Event Counting and Overflow\": a counter is preset to minus the number",
     .claim = "where no status register does, a counter's sign shows its overflow, once")
{
	const struct two two = find_two();
	uint32_t first = bit_of(two.counter[0]), both = first | bit_of(two.counter[1]);
	uint64_t negative = 0 - (uint64_t)FAR, deep = 1000 * negative;

	expect_exact(t, "the first from -1000, the second from 0",
	             observed_after(&two, negative, 0),
	             first, "the first counter was negative and is not any more");
	expect_exact(t, "the same, read again", pmu_take_overflows(), 0, "it is reported once");
	expect_exact(t, "both from -1000", observed_after(&two, negative, negative), both,
	             "both counters overflowed");
	expect_exact(t, "both from -1000000", observed_after(&two, deep, deep), 0,
	             "they are still negative");
	expect_exact(t, "both from 0", observed_after(&two, 0, 0), 0, "they were never negative");

	pmu_write(two.counter[0],
	          deep & UINT64_MAX >> (64 - pmu_counter_width(two.counter[0])));
	expect_exact(t, "the first written to -1000000", pmu_take_overflows(), 0,
	             "the counter is negative");
	pmu_write(two.counter[0], 0);
	expect_exact(t, "the first written to 0", pmu_take_overflows(), 0,
	             "a write is not an overflow");
}
