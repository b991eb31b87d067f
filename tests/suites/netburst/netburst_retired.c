/* SPDX-License-Identifier: MIT */
/*
 * netburst.instr_retired: instructions by two properties, bogus and tagged; instr_completed counts
 * each at its end. SDM 3B, "At-Retirement Counting".
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/netburst_suite.h>

#define SOURCE "SDM 3B, \"Performance-Monitoring Events\", instr_retired, instr_completed"

/* Counters of CRU_ESCR0, of CRU_ESCR1, and of RAT_ESCR0, which tags. */
enum { COUNTER_A = 12, COUNTER_B = 14, COUNTER_TAGS = 16 };

enum { FEW = 64, MANY = 1064, MORE = MANY - FEW };

struct two { uint64_t a, b; };

/* Measures two masks of instr_retired in one window; tagged is a mask of uop_type, or NULL. */
static struct two count_masks(const char *a, const char *b, const char *tagged,
                              const struct workload *w)
{
	const struct netburst_event *e = netburst_event_find("instr_retired");
	struct netburst_use uses[3];
	struct pmu_setup setups[] = {
		netburst_setup(&uses[0], e, a, COUNTER_A, PMU_BOTH),
		netburst_setup(&uses[1], e, b, COUNTER_B, PMU_BOTH),
		netburst_setup(&uses[2], netburst_event_find("uop_type"), tagged, COUNTER_TAGS,
		               PMU_BOTH),
	};
	unsigned count = tagged ? 3 : 2;
	struct pmu_reading few = pmu_measure(setups, count, w, FEW, 0);
	struct pmu_reading many = pmu_measure(setups, count, w, MANY, 0);

	return (struct two){ many.count[0] - few.count[0], many.count[1] - few.count[1] };
}

static const struct workload *const known[] = {
	&workload_loop, &workload_nops, &workload_call, &workload_enter_leave, &workload_cpuid,
	&workload_jcc_not_taken, &workload_divide, &workload_far_call, &workload_iret,
};

/* Silicon counts how often instructions begin: an interrupted one counts again. */
static void expect_started(struct test_ctx *t, const char *what, uint64_t got, uint64_t want)
{
	expect_bounds(t, what, got,
	              if_exact(want, "the instructions of a round count"),
	              else_in(want, UINT64_MAX, "low: the instructions of a round; high: an "
	                      "instruction whose micro-operations are interrupted counts again"));
}

TEST(untagged, .id = "netburst.instr_retired.untagged", .needs = need_netburst, .source = SOURCE,
     .claim = "where nothing tags, all instructions that retire count in NBOGUSNTAG")
{
	pmu_workload_begin();
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		struct two r = count_masks("NBOGUSNTAG", "NBOGUSTAG", NULL, known[i]);

		test_sub(t, "%s, %d more rounds", known[i]->name, MORE);
		expect_started(t, "NBOGUSNTAG", r.a, (uint64_t)known[i]->insns_each * MORE);
		expect_exact(t, "NBOGUSTAG", r.b, 0, "nothing is tagged");
	}
	pmu_workload_end();
}

TEST(bogus, .id = "netburst.instr_retired.bogus", .needs = need_netburst, .source = SOURCE,
     .claim = "straight code has no bogus instructions")
{
	static const char why[] = "no branch that could be mispredicted leads to it, except one "
	                          "before the sled";
	struct two r = count_masks("BOGUSNTAG+BOGUSTAG", "NBOGUSNTAG+NBOGUSTAG", NULL,
	                           &workload_nops);

	expect_bounds(t, "BOGUSNTAG+BOGUSTAG", r.a,
	              if_exact(0, why), ELSE_SHOWN);
	expect_started(t, "NBOGUSNTAG+NBOGUSTAG", r.b, MORE);
}

/* Says how many instructions of a round load or store. */
static const struct { const char *workload, *tagged; uint32_t each; } tagging[] = {
	{ "load", "TAGLOADS", 1 }, { "load", "TAGSTORES", 0 }, { "store", "TAGLOADS", 0 },
	{ "store", "TAGSTORES", 1 }, { "load_two_banks", "TAGLOADS", 2 },
	{ "push_pop", "TAGLOADS", 1 }, { "push_pop", "TAGSTORES", 1 },
	{ "push_pop", "TAGLOADS+TAGSTORES", 2 }, { "call", "TAGLOADS", 1 },
};

TEST(tagged, .id = "netburst.instr_retired.tagged", .needs = need_netburst, .source = SOURCE,
     .claim = "instructions with a tagged micro-operation count in NBOGUSTAG, "
              "others in NBOGUSNTAG")
{
	for (size_t i = 0; i < COUNT_OF(tagging); i++) {
		const struct workload *w = workload_find(tagging[i].workload);
		struct two r = count_masks("NBOGUSTAG", "NBOGUSNTAG", tagging[i].tagged, w);
		uint64_t tags = (uint64_t)tagging[i].each * MORE;

		test_sub(t, "%s, %s, %d more rounds", w->name, tagging[i].tagged, MORE);
		expect_started(t, "NBOGUSTAG", r.a, tags);
		expect_started(t, "NBOGUSNTAG", r.b, (uint64_t)w->insns_each * MORE - tags);
	}
}

static const char *need_completed(struct test_ctx *t)
{
	const char *problem = need_netburst(t);

	if (problem || netburst_event_exists(netburst_event_find("instr_completed")))
		return problem;
	return test_reason(t, "instr_completed is for models 3, 4 and 6: CPUID.1:EAX = %" PRIX32
	                   "H", cpuid_read(1, 0).eax);
}

TEST(completed, .id = "netburst.instr_retired.completed", .needs = need_completed,
     .source = SOURCE,
     .claim = "instr_completed counts each instruction once, when it ends, with bogus ones apart")
{
	pmu_workload_begin();
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		uint64_t net = netburst_net("instr_completed", "NBOGUS", COUNTER_B, PMU_BOTH,
		                            known[i]->code, MANY, 0);

		test_sub(t, "%s, %d rounds", known[i]->name, MANY);
		expect_exact(t, "NBOGUS", net, workload_insns(known[i], MANY) - 1,
		             "the instructions count, except the RET, which the empty "
		             "workload has, too");
	}
	pmu_workload_end();
}
