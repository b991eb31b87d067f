/* SPDX-License-Identifier: MIT */
/* Presets that are counted at the same time, and clocks at the TSC's rate. */
#include <tests/suites/presets/presets_run.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/events/event_spec.h>
#include <pmu/events/presets.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

static struct pmu_chosen chosen;

static void choose(const char *const *names, unsigned count)
{
	char problem[160];

	if (!pmu_choose(&chosen, names, count, problem, sizeof(problem)))
		test_abort("%s", problem);
}

/* ------------------------------------------------------------------------ at once */

/* The window's cost, whatever it is, is also in the window around the RET of the empty workload. */
static void check_both(struct test_ctx *t, const struct workload *w, uint32_t rounds)
{
	struct pmu_reading none = pmu_chosen_measure(&chosen, &workload_empty, 0, 0);
	struct pmu_reading all = pmu_chosen_measure(&chosen, w, rounds, 0);
	const uint64_t want[] = { workload_insns(w, rounds) - 1, workload_branches(w, rounds) - 1 };

	test_sub(t, "%s, rounds: %" PRIu32, w->name, rounds);
	for (unsigned i = 0; i < 2; i++)
		expect_exact(t, chosen.spec[i].name,
		             (uint64_t)(pmu_spec_value(&chosen, i, all.count)
		                        - pmu_spec_value(&chosen, i, none.count)), want[i],
		             "the instructions of the code, without the RET of the empty one");
}

TEST(together, .id = "presets.together", .needs = preset_need, .source = EVENTS,
     .claim = "PAPI_TOT_INS and PAPI_BR_INS in one window are exact, each on its own counter")
{
	static const char *const names[] = { "PAPI_TOT_INS", "PAPI_BR_INS" };
	static const struct workload *const workloads[] = {
		&workload_loop, &workload_call, &workload_jcc_not_taken, &workload_divide,
	};

	choose(names, 2);
	for (unsigned i = 0; i < COUNT_OF(workloads); i++)
		check_both(t, workloads[i], 100 + i);
	test_sub(t, "%s", "");
}

/* ------------------------------------------------------------------------ the TSC's rate */

enum { FEW = 20000, MANY = 120000 };

struct clocks { uint64_t counted, ticks; };

static struct clocks measure(uint32_t rounds)
{
	uint64_t before = tsc_read();
	struct pmu_reading r = pmu_chosen_measure(&chosen, &workload_loop, rounds, 0);

	return (struct clocks){
		.counted = (uint64_t)pmu_spec_value(&chosen, 0, r.count),
		.ticks = tsc_read() - before,
	};
}

TEST(ref_cyc, .id = "presets.ref_cyc", .needs = preset_need,
     .source = "SDM 3B, \"Fixed-Function Performance Counters\": CPU_CLK_UNHALTED.REF_TSC",
     .claim = "PAPI_REF_CYC counts at the TSC's rate")
{
	static const char *const names[] = { "PAPI_REF_CYC" };
	const char *why;
	struct clocks few, many;

	if (!pmu_preset_here(pmu_preset_find(names[0]), &why)) {
		preset_check_unavailable(t, pmu_preset_find(names[0]), why);
		return;
	}
	choose(names, 1);
	few = measure(FEW);
	many = measure(MANY);
	expect_between_unless(t, SILICON_FIXED2_HAS_OWN_RATE, "clocks of a window", many.counted, 1,
	                      many.ticks, "low: code ran; high: the TSC's ticks from before the "
	                      "window until after it");
	expect_bounds(t, "clocks of 100000 more rounds", many.counted - few.counted,
	              if_exact_in((many.ticks - few.ticks) - (many.ticks - few.ticks) / 64,
	                          many.ticks - few.ticks + (many.ticks - few.ticks) / 64,
	                          "the TSC ticks as often; one in 64 is left for what programming "
	                          "finds in the caches"), ELSE_NOTHING);
}
