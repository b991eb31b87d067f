/* SPDX-License-Identifier: MIT */
/* pebs.nothing: counters that are not enabled, and events that PEBS cannot record, write
 * nothing. */
#include <arch/cpu/fault.h>
#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/sampling/pebs_window.h>

enum { MISSING = 49, ROUNDS = 400 };

static void expect_nothing(struct test_ctx *t, const char *what)
{
	expect_exact(t, what, ds_index(DS_PEBS), 0, "nothing may write a record");
	expect_no_damage(t);
}

/* Programs and enables a counter of PEBS; nothing counts yet. */
static void begin(struct pmu_setup *s, struct pebs_use *use)
{
	*s = pebs_any(use, PMU_BOTH, MISSING);
	pebs_window_begin(&(struct pebs_window){ .setups = s, .count = 1 });
}

TEST(outside, .id = "pebs.nothing.stopped", .needs = need_pebs_any, .source = PEBS_SDM,
     .claim = "a counter of PEBS that IA32_PERF_GLOBAL_CTRL or its CCCR stops writes nothing")
{
	struct pebs_use use;
	struct pmu_setup s;

	begin(&s, &use);
	pebs_rounds(ROUNDS, MODE_CPL0);
	pebs_rounds(ROUNDS, MODE_CPL3);
	expect_exact(t, "the counter", pmu_read(s.counter) & counter_mask(s.counter),
	             (0 - (uint64_t)MISSING) & counter_mask(s.counter), "nothing counts");
	pebs_window_end();
	expect_nothing(t, "stopped");
}

static NEED_BOTH(need_pebs_arch, need_arch_v2, need_pebs_any)

TEST(evtsel, .id = "pebs.nothing.evtsel_en", .needs = need_pebs_arch, .source = PEBS_SDM,
     .claim = "with IA32_PERFEVTSELx.EN = 0 the counter writes nothing")
{
	struct pebs_use use;
	struct pmu_setup s;
	uint64_t value;

	begin(&s, &use);
	value = msr_read(IA32_PERFEVTSEL(s.counter));
	expect_bits(t, "EN as it was", value, IA32_PERFEVTSEL_EN, IA32_PERFEVTSEL_EN,
	            "EN was set until now");
	msr_write(IA32_PERFEVTSEL(s.counter), value & ~IA32_PERFEVTSEL_EN);
	pmu_window(pebs_rounds, ROUNDS, MODE_CPL0);
	pebs_window_end();
	expect_nothing(t, "EN = 0");
}

/* Cycles are no event at retirement. Extended PEBS, which came with the baseline, records any
 * event. No manual says whether such a counter overflows as without PEBS. */
TEST(event, .id = "pebs.nothing.other_event", .needs = need_pebs_arch, .source = PEBS_SDM,
     .claim = "an event that PEBS cannot record writes no record (whether it overflows as "
              "without PEBS is reported)")
{
	struct pebs_use use;
	struct pmu_setup s = pebs_any(&use, PMU_BOTH, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = MODE_CPL0 };

	s.event = EVENT_UNHALTED_CORE_CYCLES;
	pebs_window_run(&w);
	if (pebs_layout()->is_adaptive) {
		test_report(t, "records of cycles", "%u", ds_index(DS_PEBS));
		return;
	}
	test_report(t, "IA32_PERF_GLOBAL_STATUS", "%" PRIX64 "H", pmu_status());
	expect_nothing(t, "cycles");
}

/* ------------------------------------------------------------------------ IA32_PEBS_ENABLE = 0 */

static NEED_BOTH(need_pebs_pmi, need_pebs_any, need_pmi_lvtpc)

/* Overflows the counter of PEBS without PEBS, counting instructions. */
static void overflow(struct test_ctx *t, const char *area)
{
	const struct pmu_setup s = user_instructions(pmi_counter(0), MISSING);
	const struct pmi_log *log = pmi_run_one(&s, user_nops, ROUNDS);

	test_sub(t, "IA32_PEBS_ENABLE = 0, IA32_DS_AREA %s", area);
	expect_exact(t, "PMIs", log->count - log->unsure, 1, "its overflow is like any other");
	expect_nothing(t, "records");
	test_sub(t, "%s", "");
}

TEST(disabled, .id = "pebs.nothing.pebs_enable", .needs = need_pebs_pmi, .source = PEBS_SDM,
     .claim = "with IA32_PEBS_ENABLE = 0 a counter overflows like any other, whatever IA32_DS_AREA "
              "holds, even 0")
{
	struct pebs_use use;
	struct pmu_setup s;

	begin(&s, &use);
	pebs_disable();
	overflow(t, "set up");
	ds_tear_down();
	overflow(t, "= 0");
	begin(&s, &use);
	pebs_disable();
	pmu_window(pebs_rounds, ROUNDS, MODE_CPL3);
	pebs_window_end();
	expect_nothing(t, "the event of PEBS, without");
}
