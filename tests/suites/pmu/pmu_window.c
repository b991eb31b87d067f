/* SPDX-License-Identifier: MIT */
/*
 * The raw counts of an empty window: a CALL, the RET of the code, three MOVs. Other tests judge
 * differences of two windows, in which the window's own counts cancel out.
 *
 * No manual says whether the WRMSR that starts a counter counts, or the one that stops it, so each
 * may; but the choice must be the same each time. What this machine does is reported.
 */
#include <kernel/run/test.h>

#include <arch/cpu/insn.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define SDM "SDM 3B, \"Performance Monitoring\" of the generation: not specified whether the " \
            "WRMSRs count; everything else is"

/* The window's instructions and the RET; the WRMSRs at its ends. */
enum { SURE_INSNS = PMU_WINDOW_INSNS + 1, SURE_BRANCHES = PMU_WINDOW_BRANCHES + 1, SWITCHES = 2 };

enum { REPEATS = 4 };

static struct pmu_reading empty_window(const struct pmu_setup *setups, unsigned count)
{
	uintptr_t flags = flags_read();
	struct pmu_reading r;

	interrupts_disable();
	r = counting_measure(setups, count, workload_empty.code, 1, 0);
	flags_write(flags);
	return r;
}

/* NetBurst's silicon counts some instructions twice (instr_retired counts those that begin). */
static uint64_t most_insns(void)
{
	uint64_t most = SURE_INSNS + SWITCHES;

	return pmu_has(PMU_HAS_CCCRS) && !pmu_is_exact() ? 2 * most : most;
}

static void judge_insns(struct test_ctx *t, unsigned counter, uint64_t got, uint64_t first)
{
	static const char why[] = "low: CALL, RET and three MOVs; high: also the WRMSRs that start "
	                          "and stop";
	char name[PMU_NAME_SIZE];

	test_sub(t, "%s", pmu_counter_name(counter, name));
	expect_bounds(t, "instructions of an empty window", got,
	              if_exact_in(SURE_INSNS, most_insns(), why),
	              counting_unless_gain(counter, else_in(SURE_INSNS, most_insns(), why)));
	expect_bounds(t, "instructions of an empty window, as in the first one", got,
	              if_exact(first, "the same instructions start, run and stop each time"),
	              ELSE_NOTHING);
}

TEST(insns, .id = "pmu.window.instructions", .needs = need_counting_pmu, .source = SDM,
     .claim = "an empty window counts its own five instructions and at most its two WRMSRs, the "
              "same on each counter and each time")
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, counting_event(COUNTING_INSNS), PMU_BOTH);
	uint64_t first = empty_window(setups, count).count[0];

	for (unsigned n = 0; n < REPEATS; n++) {
		struct pmu_reading r = empty_window(setups, count);

		for (unsigned i = 0; i < count; i++)
			judge_insns(t, setups[i].counter, r.count[i], first);
	}
	test_sub(t, "%s", "");
	test_report(t, "WRMSRs of the window that count", "%d of %d", (int)first - SURE_INSNS,
	            SWITCHES);
}

static const char *need_branches(struct test_ctx *t)
{
	const char *problem = need_counting_pmu(t);

	if (problem || !pmu_has(PMU_HAS_LEAF_0AH))
		return problem;
	return need_event(t, EVENT_BRANCH_INSTR_RETIRED);
}

/* P5 counts serialising instructions as taken branches, Core 2 counts CPUID as one: perhaps they
 * count the WRMSRs, too. */
TEST(branches, .id = "pmu.window.branches", .needs = need_branches, .source = SDM,
     .claim = "an empty window counts two branches, its CALL and its RET")
{
	static const char why[] = "low: CALL and RET; high: also both WRMSRs, as serialising "
	                          "instructions";
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, counting_event(COUNTING_BRANCHES), PMU_BOTH);
	struct pmu_reading r = empty_window(setups, count);
	uint64_t most = SURE_BRANCHES + SWITCHES;
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++)
		expect_bounds(t, pmu_counter_name(setups[i].counter, name), r.count[i],
		              counting_is_p5() ? if_exact_in(SURE_BRANCHES, most, why)
		              : if_exact(SURE_BRANCHES, "CALL and RET; WRMSR is no branch"),
		              silicon_shown(SILICON_E_CORE_BRANCHES,
		                            else_in(SURE_BRANCHES, most, why)));
}

/* Runs two empty windows on one counter, and other code between them. */
static void judge_continued(struct test_ctx *t, const struct pmu_setup *s)
{
	uint64_t once, before, twice;

	pmu_program(s, 1);
	pmu_window(workload_empty.code, 1, 0);
	once = pmu_read(s->counter);
	workload_nops.code(1000, 0);
	before = pmu_read(s->counter);
	pmu_window(workload_empty.code, 1, 0);
	twice = pmu_read(s->counter);
	expect_exact(t, "1000 NOPs after the first window", before - once, 0,
	             "the window has stopped the counter");
	expect_bounds(t, "the second window", twice - before,
	              if_exact(once, "it has the same instructions as the first one"),
	              counting_unless_gain(s->counter, else_in(SURE_INSNS, most_insns(),
	                                   "low: CALL, RET and three MOVs; high: also the WRMSRs "
	                                   "that start and stop")));
}

TEST(continued, .id = "pmu.window.continued", .needs = need_counting_pmu, .source = SDM,
     .claim = "a counter that is stopped stands, and counts in its second window what it counted "
              "in the first")
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, counting_event(COUNTING_INSNS), PMU_BOTH);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "%s", pmu_counter_name(setups[i].counter, name));
		judge_continued(t, &setups[i]);
	}
}

TEST(off, .id = "pmu.window.off", .needs = need_counting_pmu, .source = SDM,
     .claim = "a counter that no level of privilege enables counts nothing, not even the WRMSRs "
              "of its window")
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, counting_event(COUNTING_INSNS), 0);
	struct pmu_reading r = empty_window(setups, count);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++)
		expect_exact(t, pmu_counter_name(setups[i].counter, name), r.count[i], 0,
		             "neither OS nor USR is set: the counter is disabled");
}
