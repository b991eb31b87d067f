/* SPDX-License-Identifier: MIT */
/*
 * P6's tests of CMASK, INV and E; see identities.h. SDM 3B, "Performance Monitoring (P6 Family
 * Processor)": with a CMASK the counter moves by one in each clock with so many events or more,
 * with INV in each clock with fewer; E counts how often the condition begins.
 */
#include <tests/suites/p6/p6_suite.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/needs.h>

/* These run alone: where a window is repeated its clocks must be the same, and
 * processors share a bus. */
#define COMPARE(name, flags, text) \
	static void name(struct test_ctx *t) { identity_##name(t); } \
	TEST(name, .id = "p6.compare." #name, .needs = need_p6, .claim = text, \
	     .runs = TEST_ALONE, .source = P6_SDM ", " flags)

COMPARE(sum, "CMASK", "the counts over all thresholds add up to the count without a threshold");
COMPARE(widest, "CMASK",
        "the highest threshold that is ever reached is the most instructions that "
        "retire in a clock");
COMPARE(order, "CMASK", "a higher threshold is never reached more often");
COMPARE(inverse, "INV, CMASK",
        "clocks that reach a threshold and clocks that do not add up to all clocks");
COMPARE(unreachable, "INV, CMASK",
        "a threshold above the machine's width is reached in no clock, its inverse in every clock");
COMPARE(edges, "E, INV, CMASK", "a condition begins as often as its inverse, or once "
                                "more or less often");
COMPARE(edge_count, "E, CMASK",
        "a condition begins at least once, and at most as often as it has clocks");
COMPARE(edge_random, "E, CMASK", "retirement begins again after mispredicted branches");
COMPARE(edge_cycles, "E, CMASK", "a condition that holds in consecutive clocks begins once");
COMPARE(edge_alone, "E: not specified for CMASK = 0", "what E does without CMASK is reported");

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const struct workload *const workloads[] = {
	&workload_loop, &workload_nops, &workload_call, &workload_random, &workload_divide,
	&workload_cpuid,
};

TEST(inv_without_cmask, .id = "p6.compare.inv_without_cmask", .needs = need_p6,
     .source = P6_SDM ", INV: \"this flag is ignored when the counter mask is 0\"",
     .claim = "INV does nothing while CMASK is 0");
static void inv_without_cmask(struct test_ctx *t)
{
	const struct pmu_setup setups[] = { p6_setup(0, P6_INSTRUCTIONS, 0),
	                                    p6_setup(1, P6_INSTRUCTIONS, PMU_INV) };

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 2); i++) {
		struct pmu_reading r = pmu_measure(setups, 2, workloads[i], ROUNDS, SEED);

		test_sub(t, "%s", workloads[i]->name);
		expect_exact(t, "instructions with INV = 1", r.count[1], r.count[0],
		             "the counter beside it counts as many with INV = 0");
	}
}

/* Each beginning except the first takes at least a clock with the condition and one without it. */
TEST(edge_half, .id = "p6.compare.edge_half", .needs = need_p6, .source = P6_SDM ", E, CMASK",
     .claim = "a condition begins in at most every second clock");
static void edge_half(struct test_ctx *t)
{
	for (uint8_t cmask = 1; cmask <= 3 && expect_alive(t, 2); cmask++) {
		struct pmu_setup setups[] = { p6_setup(0, P6_INSTRUCTIONS, PMU_EDGE),
		                              p6_setup(1, p6_clocks(), 0) };

		setups[0].cmask = cmask;
		for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
			struct pmu_reading r = pmu_measure(setups, 2, workloads[i], ROUNDS, SEED);

			test_sub(t, "%s, CMASK = %u", workloads[i]->name, cmask);
			expect_between(t, "beginnings", r.count[0], cmask == 1,
			               (r.count[1] + 1 + WINDOW_EDGES) >> 1,
			               "low: with CMASK = 1 it begins once, as instructions "
			               "retired; high: half the clocks of the same "
			               "window, and its ends");
		}
	}
}

/* CPU_CLK_UNHALTED counts one a clock. */
TEST(clocks, .id = "p6.compare.clocks", .needs = need_p6, .source = P6_SDM ", INV, CMASK",
     .claim = "CPU_CLK_UNHALTED counts once in every clock, never twice");
static void clocks(struct test_ctx *t)
{
	static const struct {
		const char *what;
		uint8_t cmask;
		unsigned flags;
		bool is_all;
	} rows[] = {
		{ "CMASK = 1",           1,   0,       true },
		{ "CMASK = 2",           2,   0,       false },
		{ "CMASK = 2, INV = 1",  2,   PMU_INV, true },
		{ "CMASK = 1, INV = 1",  1,   PMU_INV, false },
		{ "CMASK = 255, INV = 1", 255, PMU_INV, true },
	};

	for (unsigned r = 0; r < COUNT_OF(rows); r++) {
		struct pmu_setup setups[] = { p6_setup(0, p6_clocks(), 0),
		                              p6_setup(1, p6_clocks(), rows[r].flags) };

		setups[1].cmask = rows[r].cmask;
		for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
			struct pmu_reading got = pmu_measure(setups, 2, workloads[i], ROUNDS, SEED);

			test_sub(t, "%s, %s", workloads[i]->name, rows[r].what);
			expect_same(t, "PerfCtr1", got.count[1], rows[r].is_all ? got.count[0] : 0,
			            WINDOW_EDGES,
			            "every clock has one event, and PerfCtr0 counted all clocks");
		}
	}
}
