/* SPDX-License-Identifier: MIT */
/* Conditional branches with locked instructions between them; pmu.branches.locked has all
 * branches. */
#include <kernel/run/test.h>

#include <arch/cpu/cpuid.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/events/arch_events.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

static const struct arch_event *conditional_event(void)
{
	const struct arch_event *e = arch_event_find("BR_INST_RETIRED.CONDITIONAL");

	return e && arch_event_exists(e) ? e : arch_event_find("BR_INST_RETIRED.COND");
}

static const char *need_conditional(struct test_ctx *t)
{
	const char *problem = need_arch(t);
	const struct arch_event *e = problem ? NULL : conditional_event();

	if (problem || (e && arch_event_exists(e)))
		return problem;
	return test_reason(t, "no table has an event of conditional branches for CPUID.1:EAX = "
	                   "%" PRIX32 "H", cpuid_read(1, 0).eax);
}

TEST(locked_conditional, .id = "arch.branches.locked_conditional", .needs = need_conditional,
     .source = "SDM 3B, \"Performance-Monitoring Events\", BR_INST_RETIRED.CONDITIONAL",
     .claim = "conditional branches count once each, with locked instructions between them")
{
	const struct arch_event *e = conditional_event();
	const struct pmu_setup s = { .counter = 0, .event = e->event, .event_high = e->umask2,
	                             .flags = PMU_BOTH };
	uint64_t few = pmu_measure(&s, 1, &workload_locked_branches, 10, 0).count[0];
	uint64_t many = pmu_measure(&s, 1, &workload_locked_branches, 1010, 0).count[0];
	static const char why[] = "a round has two JC and a JNZ; neither its JMP nor a locked "
	                          "instruction is a conditional branch";

	expect_bounds(t, "conditional branches of 1000 more rounds", many - few,
	              if_exact(3000, why),
	              silicon_shown(SILICON_CONDITIONAL_COUNTS_0FH,
	                            silicon_shown(SILICON_E_CORE_BRANCHES,
	                                          else_exact(3000, why))));
}
