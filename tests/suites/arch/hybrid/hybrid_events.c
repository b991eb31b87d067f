/* SPDX-License-Identifier: MIT */
/* Events that all kinds of processors have in common, and those that one kind alone has. */
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/arch/hybrid/hybrid_suite.h>

#define TABLES "Intel's lists of events of Golden Cove, Lion Cove, Gracemont and Skymont"

enum { ROUNDS = 1000 };

static void common_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_exact(t, "instructions of 1000 more rounds",
	             hybrid_count(EVENT_INSTRUCTIONS_RETIRED, &workload_loop, ROUNDS), 2 * ROUNDS,
	             "a round is DEC and JNZ, whatever kind of core runs it");
	expect_bounds(t, "branches of 1000 more rounds",
	              hybrid_count(EVENT_BRANCH_INSTR_RETIRED, &workload_loop, ROUNDS),
	              if_exact(ROUNDS, "a round has one JNZ"),
	              else_in(ROUNDS, ROUNDS + ROUNDS / 10, "low: each JNZ; high: Atoms may count "
	                      "some branches more (MTL013, ARL011)"));
}

HYBRID_TEST(common, "events.common", .needs = need_kinds,
            .source = "SDM 3B, \"Architectural Performance Monitoring\", by leaf 0AH",
            .claim = "the same code has the same instructions and branches on every kind of core")
{
	hybrid_on_all(t, common_here, 0);
}

/* Every counter of leaf 0AH, and every one of this processor's own. */
static void counters_here(struct test_ctx *t, uintptr_t unused)
{
	char name[PMU_NAME_SIZE];

	(void)unused;
	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, 0);
		uint64_t few;

		if (!arch_counts_insns(c))
			continue;
		s.flags = PMU_BOTH;
		few = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];
		expect_exact(t, pmu_counter_name(c, name),
		             pmu_measure(&s, 1, &workload_loop, 2 * ROUNDS, 0).count[0] - few,
		             2 * ROUNDS, "instructions of 1000 more rounds of DEC and JNZ");
	}
}

HYBRID_TEST(counters, "counters.all_count", .needs = need_kinds,
            .source = "SDM 3B, \"Architectural Performance Monitoring\"; " LINUX_CORE
                      "intel_pmu_init()",
            .claim = "each counter that a processor has of its own counts, exactly, on each kind")
{
	hybrid_on_all(t, counters_here, 0);
}

/* ------------------------------------------------------------------------ one kind's own */

/* Expects an event to count on one type, and nothing on the other: a code that a table leaves out
 * may count anything on silicon. */
static void expect_own(struct test_ctx *t, const char *what, uint64_t count, bool is_here,
                       uint64_t low, uint64_t high, const char *why)
{
	if (is_here)
		expect_between(t, what, count, low, high, why);
	else
		expect_bounds(t, what, count,
		              if_exact(0, "this kind's table does not have the event"), ELSE_SHOWN);
}

static void slots_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_own(t, "TOPDOWN.SLOTS, A4H, 01H, of 1000 rounds",
	           hybrid_count_all(EVENT_TOPDOWN_SLOTS, &workload_loop, ROUNDS), !hybrid_is_atom(),
	           ROUNDS, UINT32_MAX,
	           "low: DEC and JNZ, fused, take a slot a round; high: the counter's half");
}

HYBRID_TEST(slots, "events.slots", .needs = need_kinds, .source = TABLES,
            .claim = "slots count on cores of type Core, and on no Atom (judged there on an exact "
                     "machine)")
{
	hybrid_on_all(t, slots_here, 0);
}

/* The masks of BR_INST_RETIRED.COND: what is counted on Core, and what is left out on Atom. */
#define COND_ATOM EVENT(0xc4, 0x7e)
#define NOT_TAKEN_CORE EVENT(0xc4, 0x10)

static void conditional_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_own(t, "BR_INST_RETIRED.COND of Atom, C4H, 7EH, of 1000 more rounds",
	           hybrid_count(COND_ATOM, &workload_jcc_not_taken, ROUNDS), hybrid_is_atom(),
	           2 * ROUNDS, 2 * ROUNDS + ROUNDS / 10,
	           "low: a Jcc and the JNZ a round; high: Atoms may count some branches more "
	           "(MTL013, ARL011)");
	expect_own(t, "BR_INST_RETIRED.COND_NTAKEN of Core, C4H, 10H, of 1000 more rounds",
	           hybrid_count(NOT_TAKEN_CORE, &workload_jcc_not_taken, ROUNDS), !hybrid_is_atom(),
	           ROUNDS, ROUNDS, "low and high: the Jcc of each round");
}

HYBRID_TEST(conditional, "events.branches", .needs = need_kinds, .source = TABLES,
            .claim = "each type of core has masks of its own for kinds of branches, which count "
                     "nothing on the other (judged there on an exact machine)")
{
	hybrid_on_all(t, conditional_here, 0);
}

static void speculation_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_own(t, "TOPDOWN_BAD_SPECULATION, 73H, 00H, of 1000 rounds",
	           hybrid_count_all(EVENT_TOPDOWN_BAD_SPECULATION, &workload_random, ROUNDS),
	           hybrid_is_atom(), 100, UINT32_MAX,
	           "low: of 1000 random branches far more than one in ten are mispredicted, each "
	           "costs a slot or more; high: the counter's half");
}

HYBRID_TEST(speculation, "events.bad_speculation", .needs = need_kinds, .source = TABLES,
            .claim = "slots of bad speculation count on Atom, and by this code on no Core (judged "
                     "there on an exact machine)")
{
	hybrid_on_all(t, speculation_here, 0);
}

/* ------------------------------------------------------------------------ fixed counters 4 to 6 */

enum { TOPDOWN_FIRST = 4, TOPDOWNS = 3 };

static void topdown_here(struct test_ctx *t, uintptr_t unused)
{
	static const struct { uint16_t event; const char *name; } same[TOPDOWNS] = {
		{ EVENT_TOPDOWN_BAD_SPECULATION, "IA32_FIXED_CTR4, as 73H, 00H counts" },
		{ EVENT_TOPDOWN_FRONTEND_BOUND,  "IA32_FIXED_CTR5, as 9CH, 01H counts" },
		{ EVENT_TOPDOWN_RETIRING,        "IA32_FIXED_CTR6, as C2H, 02H counts" },
	};
	struct pmu_setup s[2 * TOPDOWNS];
	struct pmu_reading r;

	(void)unused;
	if ((pmu_get()->fixed_map & 0x70) != 0x70) {
		test_report(t, "fixed counters", "%XH: not 4 to 6", pmu_get()->fixed_map);
		return;
	}
	for (unsigned i = 0; i < TOPDOWNS; i++) {
		s[i] = (struct pmu_setup){ .counter = i, .event = same[i].event,
		                           .flags = PMU_BOTH };
		s[TOPDOWNS + i] = (struct pmu_setup){ .counter = PMU_FIXED_CTR(TOPDOWN_FIRST + i),
		                                      .flags = PMU_BOTH };
	}
	r = pmu_measure(s, 2 * TOPDOWNS, &workload_random, ROUNDS, 1);
	for (unsigned i = 0; i < TOPDOWNS; i++) {
		const uint64_t want = r.count[i];

		expect_bounds(t, same[i].name, r.count[TOPDOWNS + i],
		              if_exact(want, "one write starts both"),
		              else_in(want - want / 8, want + want / 8 + 100,
		                      "low and high: an eighth and 100 slots, for the starts"));
	}
}

HYBRID_TEST(topdown, "fixed.topdown", .needs = need_kinds_fixed456,
            .source = TABLES ": fixed counters 4 to 6 of Skymont",
            .claim = "fixed counters 4 to 6 count what the general events of bad speculation, the "
                     "front end and retiring count")
{
	hybrid_on_all(t, topdown_here, 0);
}

static void sum_here(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu_setup s[] = {
		{ .counter = 0, .event = EVENT_TOPDOWN_BACKEND_BOUND, .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(4), .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(5), .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(6), .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(1), .flags = PMU_BOTH },
	};
	const uint32_t width = cpuid_get(CPUID_PERFMON_SLOTS);
	struct pmu_reading r;
	uint64_t sum;

	(void)unused;
	if ((pmu_get()->fixed_map & 0x70) != 0x70 || !width) {
		test_report(t, "fixed counters, slots", "%XH, %u", pmu_get()->fixed_map, width);
		return;
	}
	r = pmu_measure(s, COUNT_OF(s), &workload_random, ROUNDS, 1);
	sum = r.count[0] + r.count[1] + r.count[2] + r.count[3];
	expect_bounds(t, "the four kinds of slots together", sum,
	              if_exact(width * r.count[4], "CPUID.23H.0:ECX[7:0] slots a cycle"),
	              ELSE_SHOWN);
}

HYBRID_TEST(sum, "fixed.sum", .needs = need_kinds_fixed456,
            .source = TABLES "; CPUID.23H.0:ECX[7:0]: slots a cycle",
            .claim = "the slots of fixed counters 4 to 6 and of the back end are all slots of the "
                     "cycles (judged on an exact machine)")
{
	hybrid_on_all(t, sum_here, 0);
}
