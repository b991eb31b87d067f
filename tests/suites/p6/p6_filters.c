/* SPDX-License-Identifier: MIT */
/*
 * OS and USR select the levels of privilege that count. SDM 3B, "Performance Monitoring (P6 Family
 * Processor)": USR counts "when the processor is operating at privilege levels 1, 2 or 3", OS "at
 * privilege level 0".
 */
#include <tests/suites/p6/p6_suite.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/mode_tests.h>
#include <tests/suites/common/needs.h>

#define SOURCE P6_SDM ", USR and OS flags"

#define COUNTS_WITH(name, mode, where, filter) \
	RINGS_MODE_TEST(name, mode, "p6.filters", need_p6_modes, SOURCE, where, filter)
MODE_TESTS(COUNTS_WITH, "OS", "USR", "USR");

TEST(transitions, .id = "p6.filters.transitions", .needs = need_p6_modes, .source = SOURCE,
     .claim = "INT n and the IRET of its handler count once each, at one of the two levels")
{ expect_crossings_of_int(t); }

/* A fault counts no instruction on its way in, so this test sees the IRET alone. */
TEST(transitions_fault, .id = "p6.filters.transitions_fault", .needs = need_p6_modes,
     .source = SOURCE,
     .claim = "the IRET of a fault's handler counts once, at one of the two levels")
{ expect_crossings_of_fault(t); }

TEST(transitions_cpl0, .id = "p6.filters.transitions_cpl0", .needs = need_p6_modes,
     .source = SOURCE, .claim = "INT n and IRET that stay at CPL 0 count there")
{
	static const struct rings insns = { .os = 4 * RINGS_MORE, .usr = 0 };

	rings_open_gates();
	rings_check(t, rings_int, P6_INSTRUCTIONS, MODE_CPL0, &insns,
	            "500 more round trips, all of them at CPL 0");
}

/* There are two counters, so the sum takes a second window. */
TEST(clocks, .id = "p6.filters.clocks", .needs = need_p6_modes, .source = SOURCE,
     .claim = "clocks at CPL 0 and clocks at CPL 1 to 3 add up to the clocks at all levels")
{
	const struct pmu_setup apart[] = {
		{ .counter = 0, .event = p6_clocks(), .flags = PMU_OS },
		{ .counter = 1, .event = p6_clocks(), .flags = PMU_USR },
	};
	const struct pmu_setup none[] = {
		{ .counter = 0, .event = p6_clocks() }, { .counter = 1, .event = p6_clocks() },
	};
	const struct pmu_setup all = p6_setup(0, p6_clocks(), 0);

	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		struct pmu_reading r;
		uint64_t sum;

		test_sub(t, "%s", mode_name(mode));
		r = pmu_measure_code(none, 2, rings_loop, RINGS_MANY, mode);
		expect_exact(t, "OS = 0, USR = 0, both counters", r.count[0] + r.count[1], 0,
		             "no level of privilege is selected");
		r = pmu_measure_code(apart, 2, rings_loop, RINGS_MANY, mode);
		expect_between(t, "clocks at the loop's level", r.count[mode_cpl(mode) ? 1 : 0],
		               2 * RINGS_MANY / INSNS_PER_CYCLE_MAX, UINT32_MAX,
		               "low: 16 instructions a clock; high: a second");
		sum = pmu_measure_code(&all, 1, rings_loop, RINGS_MANY, mode).count[0];
		expect_bounds(t, "OS alone + USR alone", r.count[0] + r.count[1],
		              if_exact(sum, "each clock has one level, and OS and USR together "
		                       "counted all clocks"), ELSE_SHOWN);
	}
}
