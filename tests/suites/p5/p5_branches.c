/* SPDX-License-Identifier: MIT */
/*
 * BRANCHES (12H), and which of them count as taken: TAKEN_BRANCH_OR_BTB_HIT (14H) and, on a Pentium
 * with MMX, TAKEN_BRANCHES (32H on CTR1). The manual's table of 12H lists conditional branches,
 * jumps, calls, returns, software interrupts and interrupt returns; and "also counted as taken
 * branches are serializing instructions, ... some segment descriptor loads, hardware interrupts
 * ..., and programmatic exceptions that invoke a trap or fault handler".
 */
#include <tests/suites/p5/p5_suite.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>

#define BRANCHES P5_EVENTS ", 12H"

enum { FEW = 100, MANY = 1100, MORE = MANY - FEW, SEED = 0x2545f491 };

static uint64_t more(const char *event, unsigned counter, const struct workload *w)
{
	const struct pmu_setup s = p5_setup(counter, event, 0);
	uint64_t few = pmu_measure(&s, 1, w, FEW, SEED).count[0];

	return pmu_measure(&s, 1, w, MANY, SEED).count[0] - few;
}

static uint64_t branches_of(const struct workload *w)
{
	return workload_branches(w, MANY) - workload_branches(w, FEW);
}

TEST(kinds, .id = "p5.branches.kinds", .needs = need_p5, .source = BRANCHES,
     .claim = "every kind of near branch counts once, taken or not, and nothing else does")
{
	static const uint32_t rounds[] = { 1, 2, 3, 64, 1000 };
	static const struct workload *const all[] = {
		&workload_loop, &workload_nops, &workload_jcc_taken, &workload_jcc_not_taken,
		&workload_jmp, &workload_jmp_indirect, &workload_call, &workload_call_indirect,
		&workload_loop_insn, &workload_jecxz, &workload_divide, &workload_enter_leave,
		&workload_movsb, &workload_stosd,
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		expect_workload(t, COUNTING_BRANCHES, all[i], rounds, COUNT_OF(rounds), 100,
		                "a branch counts whether it is taken or not");
	expect_workload(t, COUNTING_BRANCHES, &workload_random, rounds, COUNT_OF(rounds), SEED,
	                "the event counts that it was executed");
}

TEST(serializing, .id = "p5.branches.serializing", .needs = need_p5, .source = BRANCHES,
     .claim = "a serializing instruction counts as a branch")
{
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		test_sub(t, "CTR%u", x);
		expect_exact(t, "1000 more times CPUID", more("BRANCHES", x, &workload_cpuid),
		             branches_of(&workload_cpuid) + MORE,
		             "the loop's branches and each CPUID count");
	}
}

TEST(faults, .id = "p5.branches.faults", .needs = need_p5, .source = BRANCHES,
     .claim = "an exception that invokes a handler counts as a branch")
{
	uint64_t want = branches_of(&workload_fault) + MORE;

	pmu_workload_gates();
	for (unsigned x = 0; x < P5_COUNTERS; x++) {
		test_sub(t, "CTR%u", x);
		expect_between(t, "1000 more faults", more("BRANCHES", x, &workload_fault), want,
		               want + MORE,
		               "low: the loop's and the handlers' branches, and the faults; high: "
		               "IRET serialises, so it may count once more");
	}
}

/* Some loads of a segment's descriptor count, and IRET serialises: the amount is reported. */
TEST(far, .id = "p5.branches.far", .needs = need_p5, .source = BRANCHES,
     .claim = "a far branch counts once, or twice if it also serialises or loads a segment")
{
	static const struct workload *const all[] = { &workload_far_jmp, &workload_far_call,
	                                              &workload_iret, &workload_int_iret };

	pmu_workload_gates();
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		uint64_t want = branches_of(all[i]), got = more("BRANCHES", 0, all[i]);

		test_sub(t, "%s", all[i]->name);
		expect_between(t, "1000 more rounds", got, want, 2 * want - MORE,
		               "low: the branches of the code; high: each except the "
		               "loop's JNZ once more");
		test_report(t, "counts other than branches, in 1000 rounds", "%" PRId64,
		            got - want);
	}
}

/* ------------------------------------------------------------------------ taken */

static const struct workload *const taken_workloads[] = {
	&workload_loop, &workload_jcc_taken, &workload_jcc_not_taken, &workload_jmp,
	&workload_jmp_indirect, &workload_call, &workload_loop_insn, &workload_jecxz,
};

static uint64_t taken_of(const struct workload *w)
{
	return workload_taken(w, MANY) - workload_taken(w, FEW);
}

TEST(taken, .id = "p5.branches.taken", .needs = need_p5_mmx, .source = P5_EVENTS ", 32H on CTR1",
     .claim = "TAKEN_BRANCHES counts taken branches and no others")
{
	for (size_t i = 0; i < COUNT_OF(taken_workloads); i++) {
		test_sub(t, "%s", taken_workloads[i]->name);
		expect_exact(t, "1000 more rounds", more("TAKEN_BRANCHES", 1, taken_workloads[i]),
		             taken_of(taken_workloads[i]), "these branches of the code are taken");
	}
}

TEST(taken_or_hit, .id = "p5.branches.taken_or_hit", .needs = need_p5,
     .source = P5_EVENTS ", 14H",
     .claim = "TAKEN_BRANCH_OR_BTB_HIT counts every taken branch, and at most every branch")
{
	for (size_t i = 0; i < COUNT_OF(taken_workloads); i++) {
		const struct workload *w = taken_workloads[i];

		test_sub(t, "%s", w->name);
		expect_between(t, "1000 more rounds", more("TAKEN_BRANCH_OR_BTB_HIT", 0, w),
		               taken_of(w), branches_of(w),
		               "low: those taken; high: all branches, if the "
		               "others are in the BTB");
	}
}

/* A branch enters the BTB when it is taken. */
TEST(never_taken, .id = "p5.branches.never_taken", .needs = need_p5, .source = P5_EVENTS ", 14H",
     .claim = "a branch that was never taken does not count as taken or a BTB hit")
{
	const struct workload *w = &workload_jcc_not_taken;

	expect_exact(t, "1000 more rounds", more("TAKEN_BRANCH_OR_BTB_HIT", 0, w), taken_of(w),
	             "only the loop's JNZ counts");
}
