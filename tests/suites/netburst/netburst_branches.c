/* SPDX-License-Identifier: MIT */
/*
 * netburst.branch_retired: four masks say of each retired branch whether it was taken and whether
 * it was predicted. Two of its ESCRs count two masks in one window. SDM 3B, "At-Retirement
 * Counting": branch_retired.
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/netburst_suite.h>

#define SOURCE "SDM 3B, \"Performance-Monitoring Events\", branch_retired"

/* Counters of CRU_ESCR2, CRU_ESCR3 and CRU_ESCR0. */
enum { COUNTER_A = 12, COUNTER_B = 14, COUNTER_C = 13 };

enum { FEW = 256, MANY = 1256, MORE = MANY - FEW, SEED = 12345 };

/* An event and masks on a counter. */
struct counted { const char *event, *masks; unsigned counter; };

struct two { uint64_t a, b; };

/* Returns how much more two counters of one window count in MANY rounds than in FEW. */
static struct two count_two(struct counted a, struct counted b, const struct workload *w,
                            uint32_t argument)
{
	struct netburst_use uses[2];
	const struct pmu_setup setups[] = {
		netburst_setup(&uses[0], netburst_event_find(a.event), a.masks, a.counter,
		               PMU_BOTH),
		netburst_setup(&uses[1], netburst_event_find(b.event), b.masks, b.counter,
		               PMU_BOTH),
	};
	struct pmu_reading few = pmu_measure(setups, 2, w, FEW, argument);
	struct pmu_reading many = pmu_measure(setups, 2, w, MANY, argument);

	return (struct two){ many.count[0] - few.count[0], many.count[1] - few.count[1] };
}

static struct two count_masks(const char *a, const char *b, const struct workload *w,
                              uint32_t argument)
{
	return count_two((struct counted){ "branch_retired", a, COUNTER_A },
	                 (struct counted){ "branch_retired", b, COUNTER_B }, w, argument);
}

static const struct workload *const known[] = {
	&workload_loop, &workload_jcc_taken, &workload_jcc_not_taken, &workload_jmp,
	&workload_jmp_indirect, &workload_call, &workload_call_indirect, &workload_loop_insn,
	&workload_jecxz, &workload_locked_branches,
};

TEST(taken, .id = "netburst.branch_retired.taken", .needs = need_netburst, .source = SOURCE,
     .claim = "MMTP and MMTM count the branches that are taken, MMNP and MMNM all others")
{
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		const struct workload *w = known[i];
		struct two r = count_masks("MMTP+MMTM", "MMNP+MMNM", w, 0);

		test_sub(t, "%s, %d more rounds", w->name, MORE);
		expect_exact(t, "MMTP+MMTM", r.a, (uint64_t)w->taken_each * MORE,
		             "the branches of a round that are taken");
		expect_exact(t, "MMNP+MMNM", r.b,
		             (uint64_t)(w->branches_each - w->taken_each) * MORE,
		             "the branches of a round that are not");
	}
}

/* Returns the ones in MORE rounds beyond FEW: ROR begins with bit 0. */
static uint32_t ones(uint32_t pattern)
{
	uint32_t count = 0;

	for (uint32_t i = FEW; i < MANY; i++)
		count += pattern >> (i & 31) & 1;
	return count;
}

TEST(pattern, .id = "netburst.branch_retired.pattern", .needs = need_netburst, .source = SOURCE,
     .claim = "a branch is taken or not each time it retires, whatever it was before")
{
	static const uint32_t patterns[] = { 0, 1, 0x55555555, 0x80000001, 0x12345678, UINT32_MAX };

	for (size_t i = 0; i < COUNT_OF(patterns); i++) {
		struct two r = count_masks("MMTP+MMTM", "MMNP+MMNM", &workload_pattern,
		                           patterns[i]);

		test_sub(t, "pattern %" PRIX32 "H, %d more rounds", patterns[i], MORE);
		expect_exact(t, "MMTP+MMTM", r.a, MORE + ones(patterns[i]),
		             "a JNZ a round, and a JC where the pattern has a 1");
		expect_exact(t, "MMNP+MMNM", r.b, MORE - ones(patterns[i]),
		             "a JC where the pattern has a 0");
	}
}

/* One could not measure with a processor that mispredicts what is always the same; no manual says
 * how soon it has learnt. */
TEST(predicted, .id = "netburst.branch_retired.predicted", .needs = need_netburst,
     .source = SOURCE,
     .claim = "a branch that has long gone the same way counts as predicted, in MMTP and MMNP")
{
	static const char why[] = "low: fewer than one in ten is mispredicted; high: there are no "
	                          "more, but the 256 rounds that are taken off may have had as "
	                          "many mispredicted";

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		const struct workload *w = known[i];
		uint32_t all = w->taken_each * MORE;
		uint32_t others = (w->branches_each - w->taken_each) * MORE;
		struct two r = count_masks("MMTP", "MMNP", w, 0);

		test_sub(t, "%s, %d more rounds", w->name, MORE);
		expect_between(t, "MMTP", r.a, all - unless_exact(all / 10),
		               all + unless_exact(all / 10 * FEW / MORE), why);
		expect_between(t, "MMNP", r.b, others - unless_exact(others / 10),
		               others + unless_exact(others / 10 * FEW / MORE), why);
	}
}

TEST(mispredicted, .id = "netburst.branch_retired.mispredicted", .needs = need_netburst,
     .source = SOURCE,
     .claim = "MMNM and MMTM count the mispredicted branches: as many as mispred_branch_retired")
{
	static const struct counted mispred = { "mispred_branch_retired", NULL, COUNTER_C };
	static const struct workload *const random[] = { &workload_random, &workload_pattern,
	                                                 &workload_call };
	struct two r;

	for (size_t i = 0; i < COUNT_OF(random); i++) {
		r = count_two((struct counted){ "branch_retired", "MMNM+MMTM", COUNTER_A },
		              mispred, random[i], SEED);
		test_sub(t, "%s, %d more rounds", random[i]->name, MORE);
		expect_same(t, "MMNM+MMTM", r.a, r.b, WINDOW_EDGES,
		            "each of them is mispredicted, and no other branch is");
	}
	r = count_masks("MMNM", "MMTM", &workload_random, SEED);
	test_sub(t, "random, %d more rounds", MORE);
	expect_between(t, "MMNM", r.a, MORE / 8, MORE / 2 + MORE / 8,
	               "low: half of 1000 are not taken, and at least a quarter of those is "
	               "mispredicted; high: 8 standard deviations more than that half");
	expect_between(t, "MMTM", r.b, MORE / 8, MORE / 2 + MORE / 8,
	               "low and high: as for those that are not taken; the JNZ always "
	               "goes the same way");
}

TEST(sum, .id = "netburst.branch_retired.sum", .needs = need_netburst, .source = SOURCE,
     .claim = "each branch belongs to one of the four masks")
{
	static const char *const halves[][2] = {
		{ "MMNP+MMTP", "MMNM+MMTM" }, { "MMNP", "MMNM+MMTP+MMTM" },
		{ "MMNM", "MMNP+MMTP+MMTM" }, { "MMTP", "MMNP+MMNM+MMTM" },
		{ "MMTM", "MMNP+MMNM+MMTP" },
	};

	for (size_t i = 0; i < COUNT_OF(halves); i++) {
		struct two r = count_masks(halves[i][0], halves[i][1], &workload_random, SEED);

		test_sub(t, "random, %s and the others", halves[i][0]);
		expect_same(t, "their sum", r.a + r.b,
		            (uint64_t)workload_random.branches_each * MORE, WINDOW_EDGES,
		            "the sum is the branches of all rounds; the window's branch between "
		            "the starts of both counters counts on the first one if it has its "
		            "mask");
	}
}
