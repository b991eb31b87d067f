/* SPDX-License-Identifier: MIT */
/* LBR inserts, the architectural event that counts records of branches. */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/regs/lbr.h>
#include <arch/regs/table.h>
#include <pmu/core/pmu.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>

enum { ROUNDS = 100 };

static const char *need_inserts(struct test_ctx *t)
{
	const char *reason = need_lbr_arch(t);

	return reason ? reason : need_event(t, EVENT_LBR_INSERTS);
}

static uint64_t count_inserts(const struct workload *w)
{
	const struct pmu_setup s = {
		.counter = 0, .event = EVENT_LBR_INSERTS, .flags = PMU_OS | PMU_USR,
	};

	return pmu_measure(&s, 1, w, ROUNDS, 0).count[0];
}

TEST(inserts, .id = "lbr.arch.inserts", .needs = need_inserts,
     .source = "SDM 3B, Pre-defined Architectural Performance Events, LBR Inserts",
     .claim = "each recorded branch counts once, and no branch recorded before "
              "counting began counts")
{
	static const struct workload *const workloads[] = {
		&workload_jmp, &workload_call, &workload_loop, &workload_nops, &workload_jcc_taken,
		&workload_jcc_not_taken,
	};

	for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
		const struct workload *w = workloads[i];

		test_sub(t, "%s", w->name);
		lbr_enable(0);
		expect_exact(t, "LBR inserts", count_inserts(w),
		             workload_taken(w, ROUNDS) + PMU_WINDOW_BRANCHES,
		             "the branches taken between the two WRMSRs are inserted, "
		             "including the CALL");
		lbr_disable();
		expect_exact(t, "LBR inserts while recording is off", count_inserts(w), 0,
		             "nothing is recorded");
	}
}
