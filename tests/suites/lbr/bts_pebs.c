/* SPDX-License-Identifier: MIT */
/*
 * PEBS and BTS at the same time: one area describes both buffers, and each gets its own records.
 * NetBurst's flag of a predicted branch, in records of a ring.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>
#include <tests/suites/lbr/bts_suite.h>

#define SOURCE "SDM 3B, BTS and DS Save Area: the area has the fields of both buffers"

/* Rounds of pebs_rounds(); each has one branch, and PEBS records one of so many events. */
enum { ROUNDS = 40, PERIOD = 10 };

/* Room for the branches of the rounds and of all that pebs_rounds() does around them, which depends
 * on the compiler: the largest that fits. And for a ring. */
enum { BTS_ROOM = DS_BUFFER_SIZE / 24, RING = 80 };

static NEED_BOTH(need_both, need_pebs_any, need_bts_modes)

/* For pmu_window(): records branches, too, while it runs. */
static void rounds_with_bts(uint32_t rounds, uint32_t mode)
{
	msr_write(IA32_DEBUGCTL, bts_bits()->tr | bts_bits()->bts);
	pebs_rounds(rounds, mode);
	msr_write(IA32_DEBUGCTL, 0);
}

/* Returns BTS's records from the loop's JNZ to its first instruction. */
static unsigned jumps_back(void)
{
	const uint64_t start = pebs_rounds_start();
	unsigned count = 0;

	for (unsigned i = 0; i < ds_index(DS_BTS); i++)
		count += bts_get(i).to == start
		         && bts_get(i).from == start + PEBS_ROUND_SIZE - 2;
	return count;
}

/* Describes both buffers in one area; PEBS's own window has an area without BTS. */
static void run_both(const struct pebs_window *w)
{
	const struct ds_plan plan = {
		.buffer[DS_BTS] = { .records = BTS_ROOM, .threshold = BTS_ROOM + 1 },
		.buffer[DS_PEBS] = { .records = ROUNDS, .threshold = ROUNDS + 1 },
		.resets = pebs_resets(w->setups, 1), .reset_count = PEBS_RESETS,
	};

	ds_set_up(&plan);
	pmu_program(w->setups, 1);
	pebs_enable(w->setups, 1);
	pmu_window(rounds_with_bts, ROUNDS, w->argument);
	pebs_disable();
}

TEST(with_pebs, .id = "bts.with_pebs", .needs = need_both, .source = SOURCE,
     .claim = "PEBS and BTS write their records at the same time, each to its own buffer")
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, PMU_USR, PERIOD - 1);
	const struct pebs_window alone = { .setups = &s, .count = 1, .code = pebs_rounds,
	                                   .rounds = ROUNDS, .argument = MODE_CPL3 };
	const unsigned records = pebs_window_run(&alone);
	const char *what;
	uintptr_t damage;

	run_both(&alone);
	damage = ds_damage(&what);
	expect_between(t, "records of PEBS", ds_index(DS_PEBS), records ? records : 1,
	               records + 1, "low: as without BTS, or a few; high: recording started or "
	               "ended an event later");
	expect_between(t, "records of PEBS in the code", pebs_rounds_records(),
	               records ? records - 1 : 1, records + 1,
	               "low: as without BTS, except where recording began; high: the same");
	expect_exact(t, "records of BTS from the loop's end to its start", jumps_back(), ROUNDS - 1,
	             "each round but the last one jumps back");
	expect_exact(t, what, damage, 0, "records go to the buffers and nowhere else");
}

/* ------------------------------------------------------------------------ predicted */

enum { FLAG_PREDICTED = 1 << 4, MANY = 2000 };

/* "Predicted bit is not supported on Core and Atom microarchitectures": the manual on the flag. */
static const char *need_flag(struct test_ctx *t)
{
	const char *reason = need_bts(t);

	if (!reason && !pmu_has(PMU_HAS_CCCRS))
		return test_reason(t, "the PMU is %s: only NetBurst has the flag",
		                   pmu_get()->class->name);
	return reason;
}

/* Records the code's branches in a ring; returns how many of those left have the flag. */
static unsigned count_predicted(const struct workload *w)
{
	unsigned count = 0;

	bts_set_up(RING, RING + 1, 0);
	msr_write(IA32_DEBUGCTL, bts_bits()->tr | bts_bits()->bts);
	w->code(MANY, (uint32_t)tsc_read() | 1);
	msr_write(IA32_DEBUGCTL, 0);
	for (unsigned i = 0; i < RING; i++)
		count += (bts_get(i).flags & FLAG_PREDICTED) != 0;
	return count;
}

TEST(predicted, .id = "bts.records.predicted", .needs = need_flag,
     .source = "SDM 3B, BTS and DS Save Area: Branch Predicted",
     .claim = "on NetBurst bit 4 of a record's flags is 1 for branches of a loop, and 0 for some "
              "branches on pseudo-random bits")
{
	expect_between(t, "records of a loop's branch with the flag",
	               count_predicted(&workload_loop), 1, RING,
	               "low: every predictor learns a branch that is taken 2000 times; high: all");
	expect_between(t, "records of pseudo-random branches with the flag",
	               count_predicted(&workload_random), 0, RING - 1,
	               "low: none; high: no predictor knows all of the bits");
}
