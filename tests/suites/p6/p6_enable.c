/* SPDX-License-Identifier: MIT */
/*
 * EN: bit 22 of PerfEvtSel0 starts and stops both counters; the same bit of PerfEvtSel1 has no
 * meaning. These tests write the controls one by one and see what counts by how much a longer loop
 * adds.
 */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/enables.h>
#include <tests/suites/common/needs.h>

#define SOURCE P6_SDM ", EN (enable counters) flag, in PerfEvtSel0 only"

#define INSNS     ((uint64_t)P6_INSTRUCTIONS | PerfEvtSel_USR | PerfEvtSel_OS)
#define BRANCHES  ((uint64_t)P6_BRANCHES | PerfEvtSel_USR | PerfEvtSel_OS)

enum { FEW = 100, MANY = 1100, MORE = MANY - FEW };

struct controls { uint64_t select[P6_COUNTERS]; };

struct counts { uint64_t of[P6_COUNTERS]; };

static void write_controls(const struct controls *c)
{
	msr_write(PerfEvtSel(1), c->select[1]);
	msr_write(PerfEvtSel(0), c->select[0]);
}

/* Counts a loop under the first controls and another one under the second, from 0. */
static struct counts run(const struct controls *first, uint32_t rounds,
                         const struct controls *second, uint32_t rounds_after)
{
	static const struct controls off;
	struct counts counts;

	pmu_reset();
	write_controls(first);
	workload_loop.code(rounds, 0);
	write_controls(second);
	workload_loop.code(rounds_after, 0);
	write_controls(&off);
	for (unsigned x = 0; x < P6_COUNTERS; x++)
		counts.of[x] = msr_read(PerfCtr(x));
	return counts;
}

/* Returns what MORE rounds under these controls add to each counter. */
static struct counts added(const struct controls *c)
{
	struct counts few = run(c, FEW, c, 1), many = run(c, MANY, c, 1);

	for (unsigned x = 0; x < P6_COUNTERS; x++)
		many.of[x] -= few.of[x];
	return many;
}

static void expect_added(struct test_ctx *t, const struct controls *c, uint64_t want0,
                         uint64_t want1, const char *why)
{
	struct counts got = added(c);

	test_sub(t, "PerfEvtSel0 = %08" PRIX64 "H, PerfEvtSel1 = %08" PRIX64 "H", c->select[0],
	         c->select[1]);
	expect_exact(t, "PerfCtr0, 1000 more rounds", got.of[0], want0, why);
	expect_exact(t, "PerfCtr1, 1000 more rounds", got.of[1], want1, why);
}

TEST(one_bit_for_both, .id = "p6.enable.one_bit_for_both", .needs = need_p6, .source = SOURCE,
     .claim = "EN in PerfEvtSel0 starts both counters, whatever bit 22 of PerfEvtSel1 is")
{
	static const struct controls clear = { { INSNS | PerfEvtSel_EN, BRANCHES } };
	static const struct controls idle = { { PerfEvtSel_EN, INSNS } };

	expect_added(t, &clear, 2 * MORE, MORE, "EN = 1 in PerfEvtSel0 enables both");
	expect_added(t, &idle, 0, 2 * MORE,
	             "PerfEvtSel0 has neither USR nor OS, but EN for both counters");
}

TEST(alone_in_1, .id = "p6.enable.alone_in_1", .needs = need_p6, .source = SOURCE,
     .claim = "bit 22 of PerfEvtSel1 alone starts nothing")
{
	static const struct controls both = { { INSNS, BRANCHES | PerfEvtSel_EN } };
	static const struct controls none = { { 0, INSNS | PerfEvtSel_EN } };

	expect_added(t, &both, 0, 0, "EN = 0 in PerfEvtSel0, so nothing counts");
	expect_added(t, &none, 0, 0, "EN = 0 in PerfEvtSel0, so nothing counts");
}

TEST(off, .id = "p6.enable.off", .needs = need_p6, .source = SOURCE,
     .claim = "without EN anywhere nothing counts")
{
	static const struct controls neither = { { INSNS, BRANCHES } };

	expect_added(t, &neither, 0, 0, "EN = 0 in PerfEvtSel0, so nothing counts");
}

/* Under the first controls both counters count; after the second ones are
 * written the loop is longer. */
static void expect_stopped(struct test_ctx *t, const struct controls *second)
{
	static const struct controls on = { { INSNS | PerfEvtSel_EN, BRANCHES } };
	struct counts few = run(&on, FEW, second, FEW), many = run(&on, FEW, second, MANY);

	test_sub(t, "then PerfEvtSel0 = %08" PRIX64 "H, PerfEvtSel1 = %08" PRIX64 "H",
	         second->select[0], second->select[1]);
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		expect_between(t, x ? "PerfCtr1" : "PerfCtr0", few.of[x], FEW, 100 * FEW,
		               "low: one branch a round was counted; high: two instructions, and "
		               "the writes around the loop");
		expect_exact(t, x ? "PerfCtr1, 1000 more rounds" : "PerfCtr0, 1000 more rounds",
		             many.of[x], few.of[x],
		             "EN went from 1 to 0, so both counters stopped");
	}
}

TEST(gates_both, .id = "p6.enable.gates_both", .needs = need_p6, .source = SOURCE,
     .claim = "clearing EN in PerfEvtSel0 stops both counters and keeps their values")
{
	static const struct controls cleared = { { INSNS, BRANCHES } };
	static const struct controls cleared_but_1 = { { INSNS, BRANCHES | PerfEvtSel_EN } };

	expect_stopped(t, &cleared);
	expect_stopped(t, &cleared_but_1);
}

TEST(written_running, .id = "p6.enable.written_running", .needs = need_p6, .source = SOURCE,
     .claim = "with EN = 1 a write of PerfEvtSel1 starts, changes and stops counter 1 alone")
{
	static const struct controls without = { { INSNS | PerfEvtSel_EN, 0 } };
	static const struct controls with = { { INSNS | PerfEvtSel_EN, BRANCHES } };
	struct counts few = run(&without, FEW, &with, FEW);
	struct counts before = run(&without, MANY, &with, FEW);
	struct counts later = run(&without, FEW, &with, MANY);

	test_sub(t, "PerfEvtSel1 = 0, then branches; 1000 more rounds before");
	expect_exact(t, "PerfCtr0", before.of[0] - few.of[0], 2 * MORE, "it counts all the time");
	expect_exact(t, "PerfCtr1", before.of[1] - few.of[1], 0, "it does not count yet");
	test_sub(t, "PerfEvtSel1 = 0, then branches; 1000 more rounds after");
	expect_exact(t, "PerfCtr0", later.of[0] - few.of[0], 2 * MORE, "it counts all the time");
	expect_exact(t, "PerfCtr1", later.of[1] - few.of[1], MORE, "it counts now");
}

/* ------------------------------------------------------------------------ all combinations */

enum { EN, BIT_22_OF_1, OS, USR, INT };

static void write_enables(unsigned x, unsigned bits)
{
	const uint64_t own = P6_INSTRUCTIONS | enables_if(bits, OS, PerfEvtSel_OS)
	                     | enables_if(bits, USR, PerfEvtSel_USR)
	                     | enables_if(bits, INT, PerfEvtSel_INT);
	const struct controls c = { {
		(x == 0 ? own : 0) | enables_if(bits, EN, PerfEvtSel_EN),
		(x == 1 ? own : 0) | enables_if(bits, BIT_22_OF_1, PerfEvtSel_EN),
	} };

	write_controls(&c);
}

static unsigned levels_of(unsigned x, unsigned bits)
{
	(void)x;
	return bits >> EN & 1
	       ? (unsigned)(enables_if(bits, OS, PMU_OS) | enables_if(bits, USR, PMU_USR)) : 0;
}

TEST(combinations, .id = "p6.enable.combinations", .needs = need_p6_modes, .source = SOURCE,
     .claim = ENABLES_CLAIM)
{
	static const struct enables e = {
		{ "EN of PerfEvtSel0", "bit 22 of PerfEvtSel1", "OS", "USR", "INT" }, 5,
		write_enables, levels_of, true,
	};

	for (unsigned x = 0; x < P6_COUNTERS; x++)
		expect_enables(t, x, &e);
}
