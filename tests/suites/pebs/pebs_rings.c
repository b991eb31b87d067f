/* SPDX-License-Identifier: MIT */
/* pebs.rings: records are of the levels of privilege that OS and USR select, and of no other. */
#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/sampling/pebs_window.h>

/* The reset value has zeros in its low six bits, as errata BDM55 and HSD11 want it. */
enum { MISSING = 128, ROUNDS = 800 };

/* Core 2's errata AJ67, AR63, W126: on silicon the levels leak. */
static bool is_sure(void) { return pmu_is_exact() || pmu_get()->version != 2; }

static void expect_inside(struct test_ctx *t, bool is_counted)
{
	const uint32_t whole = ROUNDS * pebs_any_each() / (MISSING + 1);
	const unsigned got = pebs_rounds_records();

	if (!is_sure())
		test_report(t, "records of the code", "%u", got);
	else if (!is_counted)
		expect_exact(t, "records of the code", got, 0, "the code ran at another level");
	else
		expect_bounds(t, "records of the code", got,
		              if_exact_in(whole, whole + 1, "low: one in so many of its events; "
		                          "high: also one for what was missing at its start"),
		              else_in(1, whole + 1, "low: one; high: also one for what was "
		                      "missing at its start"));
}

static void check(struct test_ctx *t, enum cpu_mode mode, unsigned flags)
{
	struct pebs_use use;
	const struct pmu_setup s = pebs_any(&use, flags, MISSING);
	const struct pebs_window w = { .setups = &s, .count = 1, .code = pebs_rounds,
	                               .rounds = ROUNDS, .argument = mode };
	const uint32_t events = pebs_window_events(&w);
	const bool is_counted = flags & (mode_cpl(mode) ? PMU_USR : PMU_OS);
	const unsigned count = pebs_window_run(&w);

	test_sub(t, "%s, OS = %d, USR = %d", mode_name(mode), (flags & PMU_OS) != 0,
	         (flags & PMU_USR) != 0);
	if (pmu_is_exact())
		expect_records(t, "records", count, events, MISSING);
	expect_inside(t, is_counted);
	if (is_sure() && flags == PMU_USR)
		expect_exact(t, "records of other code", count - pebs_rounds_records(), 0,
		             "the kernel runs at CPL 0");
	expect_no_damage(t);
}

static void check_mode(struct test_ctx *t, enum cpu_mode mode)
{
	if (!mode_exists(mode))
		return;
	check(t, mode, PMU_OS);
	check(t, mode, PMU_USR);
	check(t, mode, PMU_BOTH);
	test_sub(t, "%s", "");
}

#define RING(name, mode, text) \
	TEST(name, .id = "pebs.rings." #name, .needs = need_pebs_any, .source = PEBS_SDM, \
	     .claim = "code at " text " is recorded by a counter that counts there, and by no " \
	              "other") \
	{ check_mode(t, mode); }

RING(cpl0, MODE_CPL0, "CPL 0")
RING(cpl1, MODE_CPL1, "CPL 1")
RING(cpl2, MODE_CPL2, "CPL 2")
RING(cpl3, MODE_CPL3, "CPL 3")

#ifdef __x86_64__
TEST(compatibility, .id = "pebs.rings.compatibility", .needs = need_pebs_any,
     .source = PEBS_SDM, .claim = "32-bit code under a 64-bit kernel is recorded with its IP")
{
	check_mode(t, MODE_CPL3_COMPAT);
}
#endif
