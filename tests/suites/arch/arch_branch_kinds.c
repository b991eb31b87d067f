/* SPDX-License-Identifier: MIT */
/*
 * BR_INST_RETIRED's unit masks for near calls, near returns, near taken branches and far branches:
 * each counts its kind, and no other one. SDM 3B, "Performance-Monitoring Events", Sandy Bridge to
 * Ice Lake; the efficient cores have the same names with other masks, by Intel's lists.
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/events/event_spec.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define SOURCE "SDM 3B, \"Performance-Monitoring Events\", BR_INST_RETIRED"

enum { CALLS, RETURNS, TAKEN, FAR, KINDS };
enum { FEW = 10, MORE = 1000 };

static const char *const events[KINDS] = {
	[CALLS] = "BR_INST_RETIRED.NEAR_CALL", [RETURNS] = "BR_INST_RETIRED.NEAR_RETURN",
	[TAKEN] = "BR_INST_RETIRED.NEAR_TAKEN", [FAR] = "BR_INST_RETIRED.FAR_BRANCH",
};

/* What a round has of each kind; the JNZ that closes it is a near branch and taken. */
static const struct {
	const struct workload *code;
	uint8_t each[KINDS];
	const char *why;
} rows[] = {
	{ &workload_loop, { [TAKEN] = 1 }, "a round has one branch, the JNZ" },
	{ &workload_jcc_taken, { [TAKEN] = 2 }, "a round has a Jcc that is taken, and the JNZ" },
	{ &workload_jcc_not_taken, { [TAKEN] = 1 },
	  "a round has a Jcc that is not taken, and the JNZ" },
	{ &workload_jmp, { [TAKEN] = 2 }, "a round has a JMP and the JNZ" },
	{ &workload_jmp_indirect, { [TAKEN] = 2 }, "a round has a JMP and the JNZ" },
	{ &workload_call, { 1, 1, 3 }, "a round has a CALL, a RET and the JNZ" },
	{ &workload_call_indirect, { 1, 1, 3 }, "a round has a CALL, a RET and the JNZ" },
	{ &workload_far_jmp, { [TAKEN] = 1, [FAR] = 1 }, "a round has a far JMP and the JNZ" },
	{ &workload_far_call, { [TAKEN] = 1, [FAR] = 2 },
	  "a round has a far CALL, a far RET and the JNZ" },
	{ &workload_iret, { [TAKEN] = 1, [FAR] = 1 }, "a round has an IRET and the JNZ" },
};

/* Returns false if this processor has no event of that name. */
static bool find(unsigned kind, uint16_t *event)
{
	static struct pmu_chosen chosen;
	char problem[192];

	if (!pmu_choose(&chosen, &events[kind], 1, problem, sizeof(problem)))
		return false;
	*event = chosen.setup[0].event;
	return true;
}

static const char *need_kinds(struct test_ctx *t)
{
	const char *problem = need_arch(t);
	uint16_t event;

	if (problem || find(FAR, &event))
		return problem;
	return test_reason(t, "no table has events of kinds of branches for CPUID.1:EAX = "
	                   "%" PRIX32 "H", cpuid_read(1, 0).eax);
}

/* All general counters count the event in the same windows. */
static void judge_row(struct test_ctx *t, unsigned kind, size_t row, const struct pmu_setup *setups,
                      unsigned count)
{
	const struct pmu_reading few = pmu_measure(setups, count, rows[row].code, FEW, 0);
	const struct pmu_reading many = pmu_measure(setups, count, rows[row].code, FEW + MORE, 0);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "%s, 1000 more rounds, %s", rows[row].code->name,
		         pmu_counter_name(i, name));
		expect_unless(t, SILICON_E_CORE_BRANCHES, events[kind],
		              many.count[i] - few.count[i], MORE * rows[row].each[kind],
		              rows[row].why);
	}
}

static void judge(struct test_ctx *t, unsigned kind)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	const unsigned count = pmu_get()->gp_count;
	uint16_t event;

	if (!find(kind, &event))
		test_abort("%s: no such event, though there is one of far branches", events[kind]);
	for (unsigned i = 0; i < count; i++)
		setups[i] = (struct pmu_setup){ .counter = i, .flags = PMU_BOTH, .event = event };
	for (size_t row = 0; row < COUNT_OF(rows); row++)
		judge_row(t, kind, row, setups, count);
}

TEST(near_calls, .id = "arch.branches.kinds.calls", .needs = need_kinds, .source = SOURCE,
     .claim = "BR_INST_RETIRED.NEAR_CALL counts near calls alone")
{
	judge(t, CALLS);
}

TEST(near_returns, .id = "arch.branches.kinds.returns", .needs = need_kinds, .source = SOURCE,
     .claim = "BR_INST_RETIRED.NEAR_RETURN counts near returns alone")
{
	judge(t, RETURNS);
}

TEST(near_taken, .id = "arch.branches.kinds.taken", .needs = need_kinds, .source = SOURCE,
     .claim = "BR_INST_RETIRED.NEAR_TAKEN counts near branches that are taken, and no others")
{
	judge(t, TAKEN);
}

TEST(far, .id = "arch.branches.kinds.far", .needs = need_kinds, .source = SOURCE,
     .claim = "BR_INST_RETIRED.FAR_BRANCH counts far branches alone")
{
	judge(t, FAR);
}
