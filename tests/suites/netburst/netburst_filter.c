/* SPDX-License-Identifier: MIT */
/*
 * COMPARE, COMPLEMENT, THRESHOLD, EDGE. Without COMPARE a counter adds its input, 0 to 15, in each
 * clock. With COMPARE it adds one in each clock whose input is more than THRESHOLD, with COMPLEMENT
 * in each other clock. With EDGE it adds one in each clock in which that condition begins.
 */
#include <tests/suites/common/netburst_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>

#define SOURCE "SDM 3B, \"Filtering Events\""
#define CLOCKS "SDM 3B, \"Non-Sleep Clockticks\""

/* These run on boot, as the threads of a core share its counters and with them the filters. */
#define IDENTITY(name, text) \
	static void name(struct test_ctx *t) { identity_##name(t); } \
	TEST_OF(name, .id = "netburst.filter." #name, .needs = need_netburst, .claim = text, \
	     .runs = TEST_ON_BOOT, .source = SOURCE)

IDENTITY(sum, "the counts over all thresholds add up to the count without a threshold");
IDENTITY(inverse, "clocks over a threshold and clocks not over it add up to all clocks");
IDENTITY(edges, "a condition begins as often as its complement, or once more or less often");
IDENTITY(edge_count, "a condition begins at least once, and at most as often as it has clocks");
IDENTITY(edge_random, "retirement begins again after mispredicted branches");
IDENTITY(edge_cycles, "a condition that holds in consecutive clocks begins once");

/* ------------------------------------------------------------------------ events */

/* Counters of one ESCR start and stop with its write. */
struct source { const char *event; uint8_t counter, other; bool is_one; };
static const struct source sources[] = {
	{ "global_power_events", 0, 1, true },         /* its input is 1 in each clock */
	{ "uop_queue_writes", 4, 5, false },
	{ "uops_retired", 12, 16, false },
	{ "branch_retired", 13, 12, false },
};

enum { ROUNDS = 500 };

static struct pmu_setup setup(struct netburst_use *use, const struct source *s, unsigned counter,
                              uint32_t filter)
{
	struct pmu_setup made = netburst_setup(use, netburst_event_find(s->event), NULL, counter,
	                                       PMU_BOTH);

	use->cccr_value |= filter;
	use->is_by_escr = true;
	return made;
}

/* Measures two filters of a source in one window. */
static void measure_two(const struct source *s, uint32_t first, uint32_t second, uint64_t got[2])
{
	struct netburst_use uses[2];
	const struct pmu_setup setups[2] = { setup(&uses[0], s, s->counter, first),
	                                     setup(&uses[1], s, s->other, second) };
	struct pmu_reading r = pmu_measure(setups, 2, &workload_random, ROUNDS, 0x2545f491);

	got[0] = r.count[0];
	got[1] = r.count[1];
}

static uint32_t over(unsigned threshold)
{
	return (uint32_t)(CCCR_COMPARE | FIELD_PUT(CCCR_THRESHOLD, threshold));
}

static uint32_t not_over(unsigned threshold)
{
	return (uint32_t)(over(threshold) | CCCR_COMPLEMENT);
}

/* An ESCR of 0 selects no event, and what COMPARE does without an event is not specified: these are
 * clocks of some WRMSRs and RDMSRs. */
enum { NO_EVENT = 1024 };

/* ------------------------------------------------------------------------ sixteen thresholds */

static void check_sum(struct test_ctx *t, const struct source *s, unsigned threshold)
{
	uint64_t parts[2], beside[2];

	measure_two(s, over(threshold), not_over(threshold), parts);
	measure_two(s, over(threshold), not_over(15), beside);
	expect_bounds(t, "over the threshold, again", beside[0],
	              if_exact(parts[0], "it is the same code"), ELSE_SHOWN);
	expect_bounds(t, "over and not over it", parts[0] + parts[1],
	              if_exact(beside[1], "each clock is one or the other"), ELSE_SHOWN);
}

static void check_order(struct test_ctx *t, const struct source *s, unsigned threshold)
{
	uint64_t got[2];

	measure_two(s, over(threshold), threshold ? over(threshold - 1) : 0, got);
	expect_between(t, "over the threshold", got[0], 0, got[1],
	               "low: no count is negative; high: each such clock is over the next lower "
	               "threshold, too, and has an input");
	if (threshold == 15)
		expect_exact(t, "over 15", got[0], 0, "the input has four bits");
}

/* Checks an input of one event in each clock: it is over 0, and over no other threshold. */
static void check_one(struct test_ctx *t, const struct source *s, unsigned threshold)
{
	uint64_t got[2];

	measure_two(s, over(threshold), 0, got);
	expect_exact(t, "clocks with more", got[0], threshold ? 0 : got[1],
	             "each clock has one event, as counted without COMPARE");
	measure_two(s, not_over(threshold), 0, got);
	expect_same(t, "clocks with so many or less", got[0], threshold ? got[1] : 0, NO_EVENT,
	            "each clock has one event, as counted without COMPARE");
}

static void check_threshold(struct test_ctx *t, unsigned threshold)
{
	for (unsigned i = 0; i < COUNT_OF(sources); i++) {
		test_sub(t, "%s", sources[i].event);
		check_sum(t, &sources[i], threshold);
		check_order(t, &sources[i], threshold);
		if (sources[i].is_one)
			check_one(t, &sources[i], threshold);
	}
}

#define THRESHOLD(n) \
	static void threshold_##n(struct test_ctx *t) { check_threshold(t, n); } \
	TEST_OF(threshold_##n, .id = "netburst.filter.threshold_" #n, .needs = need_netburst, \
	     .runs = TEST_ON_BOOT, .source = SOURCE, \
	     .claim = "this THRESHOLD separates the clocks by whether their input is more")

THRESHOLD(0);
THRESHOLD(1);
THRESHOLD(2);
THRESHOLD(3);
THRESHOLD(4);
THRESHOLD(5);
THRESHOLD(6);
THRESHOLD(7);
THRESHOLD(8);
THRESHOLD(9);
THRESHOLD(10);
THRESHOLD(11);
THRESHOLD(12);
THRESHOLD(13);
THRESHOLD(14);
THRESHOLD(15);

/* Checks the sum over thresholds for events that identity_sum() does not count. */
TEST(sums, .id = "netburst.filter.sums", .needs = need_netburst, .runs = TEST_ON_BOOT,
     .source = SOURCE,
     .claim = "a clock with an input of n is over the thresholds 0 to n - 1")
{
	for (unsigned i = 0; i < COUNT_OF(sources); i++) {
		uint64_t got[2], all = 0;

		for (unsigned threshold = 0; threshold < 15; threshold++) {
			measure_two(&sources[i], over(threshold), 0, got);
			all += got[0];
		}
		test_sub(t, "%s", sources[i].event);
		expect_between(t, "without COMPARE", got[1], ROUNDS, UINT64_MAX / 2,
		               "low: a branch a round; high: no bound");
		expect_bounds(t, "sum over the thresholds 0 to 14", all,
		              if_exact(got[1], "the sum is as much as without COMPARE"),
		              ELSE_SHOWN);
	}
}

/* ------------------------------------------------------------------------ without COMPARE */

static void check_ignored(struct test_ctx *t, uint32_t filter)
{
	for (unsigned i = 0; i < COUNT_OF(sources); i++) {
		uint64_t got[2];

		measure_two(&sources[i], filter, 0, got);
		test_sub(t, "%s", sources[i].event);
		expect_exact(t, "count", got[0], got[1],
		             "with COMPARE = 0 it counts like the counter beside it, "
		             "of the same ESCR");
	}
}

#define IGNORED(name, filter, text) \
	static void name(struct test_ctx *t) { check_ignored(t, (uint32_t)(filter)); } \
	TEST_OF(name, .id = "netburst.filter." #name, .needs = need_netburst, .source = SOURCE, \
	     .runs = TEST_ON_BOOT, .claim = text " without COMPARE")

IGNORED(complement_alone, CCCR_COMPLEMENT, "COMPLEMENT does nothing");
IGNORED(threshold_alone, CCCR_THRESHOLD, "THRESHOLD does nothing");
IGNORED(edge_alone, CCCR_EDGE, "EDGE does nothing");
IGNORED(all_alone, CCCR_COMPLEMENT | CCCR_THRESHOLD | CCCR_EDGE,
        "COMPLEMENT, THRESHOLD and EDGE together do nothing");

/* ------------------------------------------------------------------------ known edges */

static uint64_t more_edges(uint32_t filter, uint32_t rounds)
{
	struct netburst_use use;
	struct pmu_setup s = setup(&use, &sources[3], 12, filter);
	uint64_t few = pmu_measure(&s, 1, &workload_cpuid, ROUNDS, 0).count[0];

	return pmu_measure(&s, 1, &workload_cpuid, ROUNDS + rounds, 0).count[0] - few;
}

/* CPUID waits for all before it to retire before anything after it begins. */
TEST(edge_known, .id = "netburst.filter.edge_known", .needs = need_netburst, .runs = TEST_ON_BOOT,
     .source = SOURCE,
     .claim = "branches separated by serializing instructions are an edge each")
{
	static const uint32_t rounds[] = { 1, 2, 1000 };

	for (unsigned i = 0; i < COUNT_OF(rounds); i++) {
		test_sub(t, "%" PRIu32 " more rounds", rounds[i]);
		expect_exact(t, "branches", more_edges(0, rounds[i]), rounds[i],
		             "one branch a round");
		expect_exact(t, "clocks with a branch", more_edges(over(0), rounds[i]), rounds[i],
		             "a CPUID lies between any two");
		expect_exact(t, "edges", more_edges(over(0) | CCCR_EDGE, rounds[i]), rounds[i],
		             "each begins after clocks without a branch");
		expect_exact(t, "edges of the complement",
		             more_edges(not_over(0) | CCCR_EDGE, rounds[i]), rounds[i],
		             "after each there are clocks without a branch");
	}
}

/* ------------------------------------------------------------------------ the core's clock */

static const char beside_why[] = "it equals the non-halted clocks of the same rounds, as a sibling "
                                 "is halted";

/* Compares a counter and one beside it in one long window. Where the code that starts them is not
 * cached, the second one starts thousands of clocks later. */
static void check_clock_roughly(struct test_ctx *t, const char *what,
                                const struct pmu_setup *setups)
{
	enum { LONG = 100000 };
	struct pmu_reading r = counting_measure(setups, 2, rings_loop, LONG, MODE_CPL0);

	expect_between(t, what, r.count[0], r.count[1] - r.count[1] / 4,
	               r.count[1] + r.count[1] / 4, beside_why);
}

/* Measures on a counter and on one beside it what 5000 more rounds take. */
static void check_clock(struct test_ctx *t, const char *what, struct pmu_setup clock,
                        struct pmu_setup beside)
{
	const struct pmu_setup setups[2] = { clock, beside };
	uint64_t got[2];

	if (!pmu_is_exact()) {
		check_clock_roughly(t, what, setups);
		return;
	}
	rings_measure(setups, 2, rings_loop, MODE_CPL0, got);
	expect_exact(t, what, got[0], got[1], beside_why);
}

TEST(clock_counters, .id = "netburst.filter.clock_counters", .needs = need_netburst_modes,
     .runs = TEST_ON_BOOT, .source = CLOCKS,
     .claim = "threshold 15 with COMPLEMENT counts the core's clock on each of 18 counters")
{
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		struct netburst_use uses[2];
		struct pmu_setup beside = setup(&uses[0], &sources[0], i == 0 ? 1 : 0, 0);

		uses[0].is_by_escr = false;
		check_clock(t, pmu_counter_name(i, name), netburst_clock_setup(&uses[1], i),
		            beside);
	}
}

TEST(clock_bits, .id = "netburst.filter.clock_bits", .needs = need_netburst_modes,
     .runs = TEST_ON_BOOT, .source = CLOCKS,
     .claim = "threshold 15 with COMPLEMENT counts the core's clock whatever bits 3:0 are")
{
	const uint32_t step = netburst_has_threads() ? 1 : ESCR_T0_USR;
	char what[24];

	for (uint32_t bits = 0; bits < 16; bits += step) {
		struct netburst_use uses[2];
		struct pmu_setup beside = setup(&uses[0], &sources[0], 0, 0);
		struct pmu_setup clock = setup(&uses[1], &sources[2], 12, not_over(15));

		uses[0].is_by_escr = uses[1].is_by_escr = false;
		uses[1].escr_value = (uses[1].escr_value & ~(uint32_t)FIELD(3, 0)) | bits;
		format_buf(what, sizeof(what), "bits 3:0 = %" PRIX32 "H", bits);
		check_clock(t, what, clock, beside);
	}
}
