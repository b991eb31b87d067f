/* SPDX-License-Identifier: MIT */
/*
 * BR_INST_RETIRED (C4H) and BR_MISP_RETIRED (C5H): these tests check which instructions count as
 * branches and which branches count as mispredicted. SDM 3B, "Pre-defined Architectural Performance
 * Events", Branch Instructions Retired: "the retirement of the last micro-op of a branch
 * instruction", taken or not, near or far. Branch Misses Retired counts those of them that were
 * mispredicted.
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_sources.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/self_interrupts.h>

#define RETIRED EVENTS "Branch Instructions Retired"
#define MISSES  EVENTS "Branch Misses Retired"

static const char *need_branches(struct test_ctx *t)
{
	return need_event(t, EVENT_BRANCH_INSTR_RETIRED);
}

static const char *need_misses(struct test_ctx *t)
{
	const char *problem = need_branches(t);

	return problem ? problem : need_event(t, EVENT_BRANCH_MISSES_RETIRED);
}

static void check(struct test_ctx *t, const struct workload *w, uint32_t argument, const char *why,
                  const struct counting_known *known)
{
	static const uint32_t rounds[] = { 1, 2, 3, 64, 1000 };

	pmu_workload_gates();
	expect_workload_known(t, COUNTING_BRANCHES, w, rounds, COUNT_OF(rounds), argument, why,
	                      known);
}

static const struct counting_known cpuid_counts = { SILICON_CPUID_IS_BRANCH, 1, true };
static const struct counting_known rep_more = { SILICON_REP_COUNTS_MORE, UINT32_MAX, true };

#define WORKLOAD_TEST(name, argument, text, because) \
	KNOWN_TEST(name, argument, NULL, text, because)
#define KNOWN_TEST(name, argument, known, text, because) \
	static void name(struct test_ctx *t) \
	{ \
		check(t, &workload_##name, argument, because, known); \
	} \
	TEST_OF(name, .id = "arch.branches." #name, .needs = need_branches, .source = RETIRED, \
	     .claim = text)

WORKLOAD_TEST(loop, 0, "the JNZ of a loop counts each time, taken or not",
              "one branch a round, the last one not taken");
WORKLOAD_TEST(jcc_taken, 0, "a taken Jcc counts once", "a conditional branch is a branch");
WORKLOAD_TEST(jcc_not_taken, 0, "a Jcc that is not taken counts once",
              "the event counts taken and not-taken branches");
WORKLOAD_TEST(jmp, 0, "JMP counts once", "an unconditional branch is a branch");
WORKLOAD_TEST(jmp_indirect, 0, "an indirect JMP counts once", "an indirect branch is a branch");
WORKLOAD_TEST(call, 0, "CALL and RET count once each", "both are branches");
WORKLOAD_TEST(call_indirect, 0, "an indirect CALL and its RET count once each",
              "both are branches");
WORKLOAD_TEST(loop_insn, 0, "LOOP counts once", "LOOP is a conditional branch");
WORKLOAD_TEST(jecxz, 0, "JECXZ counts once", "JECXZ is a conditional branch");
WORKLOAD_TEST(far_jmp, 0, "a far JMP counts once", "far branches are branches");
WORKLOAD_TEST(far_call, 0, "a far CALL and a far RET count once each", "far branches are branches");
WORKLOAD_TEST(int_iret, 0, "INT n and IRET count once each", "both are far branches");
WORKLOAD_TEST(iret, 0, "IRET counts once", "IRET is a far branch");
WORKLOAD_TEST(random, 0x2545f491, "a branch counts once, however often it was mispredicted",
              "each branch retires once, and the event counts retirement");
WORKLOAD_TEST(enter_leave, 0, "ENTER and LEAVE are no branches",
              "only the loop around them has branches");
KNOWN_TEST(cpuid, 0, &cpuid_counts, "CPUID is no branch", "only the loop around it has branches");
WORKLOAD_TEST(divide, 0, "DIV is no branch", "only the loop around it has branches");
KNOWN_TEST(movsb, 1000, &rep_more, "REP MOVSB is no branch",
              "REP repeats the instruction without a branch");
KNOWN_TEST(stosd, 1000, &rep_more, "REP STOSD is no branch",
              "REP repeats the instruction without a branch");

TEST(nops, .id = "arch.branches.nops", .needs = need_branches, .source = RETIRED,
     .claim = "a window with more NOPs counts no branch more")
{
	static const uint32_t rounds[] = { 1, 64, 4096 };

	expect_workload(t, COUNTING_BRANCHES, &workload_nops, rounds, COUNT_OF(rounds), 0,
	                "NOPs are no branches");
}

static NEED_BOTH(need_branches_and_modes, need_branches, need_modes)

TEST(fault, .id = "arch.branches.fault", .needs = need_branches_and_modes, .source = RETIRED,
     .claim = "the IRET of a fault's handler counts as one branch, and so does the fault's entry, "
              "where that was measured")
{
	rings_open_gates();
	expect_branches_of_fault(t, MODE_CPL0);
}

static NEED_BOTH(need_branches_and_apic, need_branches, need_local_apic)

TEST(in_interrupt, .id = "arch.branches.interrupt_handler", .needs = need_branches_and_apic,
     .source = RETIRED,
     .claim = "the branches of an interrupt's handler count, and so does the interrupt's entry, "
              "where that was measured")
{
	struct arch_interrupt_counts known = arch_interrupts_prepare(ARCH_INTERRUPT_FIXED);
	uint64_t few = counting_one(EVENT_BRANCH_INSTR_RETIRED, arch_interrupts_send, 2,
	                            ARCH_INTERRUPT_FIXED);
	uint64_t many = counting_one(EVENT_BRANCH_INSTR_RETIRED, arch_interrupts_send, 8,
	                             ARCH_INTERRUPT_FIXED);
	uint32_t want = 6 * (known.branches_each + known.handler_branches);
	uint32_t entries = crossing_was_measured(CROSSING_ENTRY) ? 6 : 0;

	expect_bounds(t, "branches of six more interrupts", many - few,
	              if_exact_in(want + entries, want + 6, "the IRET of its handler is one; low: "
	                          "its entry, where that was measured; high: its entry is one"),
	              ELSE_SHOWN);
}

/* ------------------------------------------------------------------------ mispredictions */

enum { SHORT = 4096, LONG = 8192 };

#define expect_misses(t, what, got, low, high, why) \
	expect_between_unless(t, SILICON_MISSES_ARE_JUNK, what, got, low, high, why)

struct outcome { uint64_t branches, misses; };

static struct outcome measure(const struct workload *w, uint32_t rounds, uint32_t argument)
{
	const struct pmu_setup setups[] = {
		{ .counter = 0, .event = EVENT_BRANCH_MISSES_RETIRED, .flags = PMU_BOTH },
		{ .counter = 1, .event = EVENT_BRANCH_INSTR_RETIRED, .flags = PMU_BOTH },
	};
	unsigned count = pmu_has_counter(1) ? 2 : 1;
	struct pmu_reading r = counting_measure(setups, count, w->code, rounds, argument);

	return (struct outcome){ .misses = r.count[0], .branches = r.count[1] };
}

/* Returns the mispredictions of 4096 more rounds. The two windows get different random directions,
 * so that a predictor that has learnt the directions by heart gains nothing. */
static uint64_t count_misses(struct test_ctx *t, const struct workload *w, uint32_t argument)
{
	struct outcome few = measure(w, SHORT, w == &workload_random ? ~argument : argument);
	struct outcome many = measure(w, LONG, argument);

	expect_alive(t, 2);
	expect_misses(t, "mispredicted branches of a window", many.misses, 0, many.branches,
	              "low: no count is negative; high: each misprediction is one of the "
	              "branches retired");
	return many.misses > few.misses ? many.misses - few.misses : 0;
}

/* Everything else in the window, such as the loop's own branch, may cost one
 * misprediction in 64 branches. */
enum { SPARE = (LONG - SHORT) / 64 };

TEST(misses_constant, .id = "arch.branches.misses.constant", .needs = need_misses, .source = MISSES,
     .claim = "a branch that always goes one way is hardly ever mispredicted")
{
	static const struct { const char *what; uint32_t pattern; } ways[] = {
		{ "a branch never taken", 0 },
		{ "a branch always taken", UINT32_MAX },
	};

	for (unsigned i = 0; i < COUNT_OF(ways); i++)
		expect_misses(t, ways[i].what, count_misses(t, &workload_pattern, ways[i].pattern),
		              0, SPARE, "low: no count is negative; high: these 4096 rounds "
		              "repeat what the predictor learnt in 4096 before, with one in 64 "
		              "left for chance");
}

/*
 * A fair bit is guessed wrong half the time, whatever the guess: 2048 of 4096 times and 4096 of
 * 8192 times, with standard deviations of 32 and 45, so 56 for the difference. A quarter and three
 * quarters are 18 standard deviations away. The loop's own branch is always taken, except once.
 */
TEST(misses_random, .id = "arch.branches.misses.random", .needs = need_misses, .source = MISSES,
     .claim = "a branch on a random bit is mispredicted half the time")
{
	static const uint32_t seeds[] = { 0x2545f491, 0x6c078965, 0x9e3779b9 };

	for (unsigned i = 0; i < COUNT_OF(seeds); i++) {
		test_sub(t, "seed %" PRIX32 "H", seeds[i]);
		expect_misses(t, "mispredictions of 4096 more rounds",
		              count_misses(t, &workload_random, seeds[i]),
		              (LONG - SHORT) / 4, (LONG - SHORT) / 4 * 3 + SPARE,
		              "half of 4096 fair tosses are guessed wrong; low: 18 standard "
		              "deviations fewer; high: as many more");
	}
}

TEST(misses_random_more, .id = "arch.branches.misses.ratio", .needs = need_misses, .source = MISSES,
     .claim = "random directions are mispredicted more than eight times as often as constant ones")
{
	uint64_t constant = count_misses(t, &workload_pattern, UINT32_MAX);
	uint64_t random = count_misses(t, &workload_random, 0x1b873593);

	expect_misses(t, "mispredictions of random directions", random, 8 * constant + 1,
	              LONG - SHORT + SPARE,
	              "low: a quarter of the rounds is sixteen times one in 64, and half of that "
	              "is demanded; high: one a round");
}

/* Processors are free to learn a short pattern or not. */
TEST(misses_patterns, .id = "arch.branches.misses.patterns", .needs = need_misses, .source = MISSES,
     .claim = "how often branches that repeat a pattern are mispredicted is reported")
{
	static const uint32_t patterns[] = { 0x55555555, 0x33333333, 0x0000ffff, 0x2545f491 };
	char what[32];

	for (unsigned i = 0; i < COUNT_OF(patterns); i++) {
		format_buf(what, sizeof(what), "directions %08" PRIX32 "H", patterns[i]);
		test_report(t, what, "%" PRId64 " of 4096",
		            count_misses(t, &workload_pattern, patterns[i]));
	}
}

TEST(misses_not_branches, .id = "arch.branches.misses.nops", .needs = need_misses,
     .source = MISSES, .claim = "without branches nothing is mispredicted")
{
	uint64_t none = measure(&workload_nops, 0, 0).misses;
	uint64_t many = measure(&workload_nops, 4096, 0).misses;

	/* Both windows have the same branches: the calls and the jump into the sled of NOPs. */
	expect_between(t, "mispredictions of a window with 4096 NOPs", many, 0,
	               none + WINDOW_EDGES,
	               "low: no count is negative; high: as many as without NOPs, and the jump "
	               "into the sled and the way back, whose targets have changed");
}

TEST(misses_available, .id = "arch.branches.misses.available", .needs = need_branches,
     .source = "SDM 2A, CPUID leaf 0AH, EBX[6]",
     .claim = "CPUID leaf 0AH says whether mispredictions can be counted")
{
	uint64_t random;

	if (pmu_has_event(EVENT_BRANCH_MISSES_RETIRED) && !silicon_has(SILICON_MISSES_ARE_JUNK)) {
		random = count_misses(t, &workload_random, 0x2545f491);
		expect_between(t, "mispredictions of 4096 random branches", random, 1,
		               LONG - SHORT + SPARE,
		               "low: CPUID.0AH:EBX[6] = 0 says that the event exists; "
		               "high: one a round");
	} else {
		random = counting_one(EVENT_BRANCH_MISSES_RETIRED, workload_random.code, SHORT,
		                      0x2545f491);
		test_report(t, "event C5H, unit mask 00H, not available or junk", "%" PRId64
		            " mispredictions of 4096 random branches", random);
	}
}
