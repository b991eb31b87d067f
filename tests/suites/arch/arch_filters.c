/* SPDX-License-Identifier: MIT */
/*
 * OS and USR select the levels of privilege that count. SDM 3B, "Architectural Performance
 * Monitoring Version 1", IA32_PERFEVTSELx: USR "specifies that the selected microarchitectural
 * condition is counted when the logical processor is operating at privilege levels 1, 2 or 3", OS
 * "at privilege level 0"; "Version 2": each fixed counter has the same two bits.
 */
#include <tests/suites/common/counts/counting.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/counts/rings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/mode_tests.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define SDM "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx, OS and USR"

static NEED_BOTH(need_arch_and_modes, need_arch, need_modes)

#define COUNTS_WITH(name, mode, where, filter) \
	RINGS_MODE_TEST(name, mode, "arch.filters", need_arch_and_modes, SDM, where, filter)
MODE_TESTS(COUNTS_WITH, "OS", "USR", "USR");

/* ------------------------------------------------------------------------ transitions */

TEST(transitions, .id = "arch.filters.transitions", .needs = need_arch_and_modes, .source = SDM,
     .claim = "INT n and the IRET of its handler count once each; the IRET at the level that it "
              "returns to, where that was measured")
{ expect_crossings_of_int(t); }

/* INT n and IRET are one instruction each: if both counted at the level that they leave, the counts
 * would be the same. A fault counts nothing on its way in, so this test sees the IRET alone. */
TEST(transitions_fault, .id = "arch.filters.transitions_fault", .needs = need_arch_and_modes,
     .source = SDM, .claim = "the IRET of a fault's handler counts once, at the level that it "
                             "returns to, where that was measured")
{ expect_crossings_of_fault(t); }

TEST(transitions_cpl0, .id = "arch.filters.transitions_cpl0", .needs = need_arch_and_modes,
     .source = SDM, .claim = "INT n and IRET that stay at CPL 0 count there")
{
	static const struct rings insns = { .os = 4 * RINGS_MORE, .usr = 0 };

	rings_open_gates();
	rings_check(t, rings_int, EVENT_INSTRUCTIONS_RETIRED, MODE_CPL0, &insns,
	            "500 more rounds of INT n, IRET, DEC, JNZ, all of them at CPL 0");
}

/* ------------------------------------------------------------------------ cycles */

static const char *need_cycles(struct test_ctx *t)
{
	const char *problem = need_arch_and_modes(t);

	return problem ? problem : need_event(t, EVENT_UNHALTED_CORE_CYCLES);
}

/* Sets up cycles with OS, with USR and with both; the third is on a fixed counter if there are only
 * two general ones. */
static void cycle_setups(struct pmu_setup setups[3])
{
	static const unsigned flags[] = { PMU_OS, PMU_USR, PMU_BOTH };

	for (unsigned i = 0; i < 3; i++)
		setups[i] = (struct pmu_setup){ .counter = i, .flags = flags[i],
		                                .event = EVENT_UNHALTED_CORE_CYCLES };
	if (!pmu_has_counter(2))
		setups[2].counter = PMU_FIXED_CTR(1);
}

static const char *need_three_of_cycles(struct test_ctx *t)
{
	const char *problem = need_cycles(t);

	if (problem)
		return problem;
	if (pmu_get()->version >= 2
	    && (pmu_has_counter(2) || (pmu_has_counter(1) && pmu_has_counter(PMU_FIXED_CTR(1)))))
		return NULL;
	return test_reason(t, "%u general counters, fixed counters %XH: three counters cannot "
	                   "count cycles in one window", pmu_get()->gp_count, pmu_get()->fixed_map);
}

TEST(cycles_sum, .id = "arch.filters.cycles_sum", .needs = need_three_of_cycles, .source = SDM,
     .claim = "cycles at CPL 0 and cycles at CPL 1 to 3 add up to the cycles at all levels")
{
	struct pmu_setup setups[3];
	struct pmu_reading r;

	if (!expect_alive(t, 3))
		return;
	cycle_setups(setups);
	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		r = counting_measure(setups, 3, rings_loop, RINGS_MANY, mode);
		test_sub(t, "%s", mode_name(mode));
		/* At each change of level, a cycle in which instructions of two levels retire may
		 * count as either. */
		if (!silicon_leaves_out(t, SILICON_DEAF_AT_CPL_CHANGE, "OS alone + USR alone"))
			expect_same(t, "OS alone + USR alone", r.count[0] + r.count[1], r.count[2],
			            2 * WINDOW_EDGES, "each cycle has one level, and OS and USR "
			            "together counted all cycles");
	}
}

/* There are so many rounds that the kernel's part, on silicon some thousands of cycles more or
 * less, is small. */
enum { CYCLES_MORE = 50000 };

/* Returns the cycles that CYCLES_MORE rounds at this level add to a counter with these flags. */
static uint64_t more_cycles(unsigned flags, enum cpu_mode mode)
{
	const struct pmu_setup setup = { .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES,
	                                 .flags = flags };
	uint64_t few = pmu_measure_code(&setup, 1, rings_loop, RINGS_FEW, mode).count[0];
	uint64_t many = pmu_measure_code(&setup, 1, rings_loop, RINGS_FEW + CYCLES_MORE,
	                                 mode).count[0];

	return many > few ? many - few : 0;
}

TEST(cycles, .id = "arch.filters.cycles", .needs = need_cycles, .source = SDM,
     .runs = TEST_ALONE,
     .claim = "a loop's cycles count at its own level and not at the other")
{
	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		unsigned own = mode_cpl(mode) == 0 ? PMU_OS : PMU_USR;

		test_sub(t, "%s, 50000 more rounds", mode_name(mode));
		expect_between(t, "cycles at the loop's level", more_cycles(own, mode),
		               2 * CYCLES_MORE / INSNS_PER_CYCLE_MAX, UINT32_MAX,
		               "low: 16 instructions a cycle; high: a second");
		expect_bounds(t, "cycles at the other level", more_cycles(PMU_BOTH & ~own, mode),
		              if_exact_in(0, CYCLES_MORE / 160, "low: no count is negative; high: "
		                          "a 160th of the rounds, for the mispredicted end of the "
		                          "loop"), ELSE_SHOWN);
	}
}

TEST(cycles_none, .id = "arch.filters.cycles_none", .needs = need_cycles, .source = SDM,
     .claim = "with OS = 0 and USR = 0 no cycle counts")
{
	const struct pmu_setup setup = { .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES };

	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		test_sub(t, "%s", mode_name(mode));
		expect_exact(t, "IA32_PMC0",
		             pmu_measure_code(&setup, 1, rings_loop, RINGS_MANY, mode).count[0], 0,
		             "no level of privilege is selected");
	}
}

static NEED_BOTH(need_cycles_and_fixed1, need_cycles, need_fixed1)

static const struct { const char *name; unsigned flags; } filters[] = {
	{ "OS = 0, USR = 0", 0 },
	{ "OS = 1, USR = 0", PMU_OS },
	{ "OS = 0, USR = 1", PMU_USR },
	{ "OS = 1, USR = 1", PMU_BOTH },
};

TEST(cycles_fixed, .id = "arch.filters.cycles_fixed", .needs = need_cycles_and_fixed1,
     .source = "SDM 3B, Architectural Performance Monitoring Version 2, IA32_FIXED_CTR_CTRL",
     .claim = "IA32_FIXED_CTR1 filters levels as a general counter does")
{
	for (enum cpu_mode mode = MODE_CPL0; mode <= MODE_CPL3; mode++) {
		for (unsigned i = 0; i < COUNT_OF(filters); i++) {
			const struct pmu_setup setups[] = {
				{ .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES,
				  .flags = filters[i].flags },
				{ .counter = PMU_FIXED_CTR(1), .flags = filters[i].flags },
			};
			struct pmu_reading r = counting_measure(setups, 2, rings_loop, RINGS_MANY,
			                                        mode);

			test_sub(t, "%s, %s", mode_name(mode), filters[i].name);
			expect_same(t, "IA32_FIXED_CTR1", r.count[1], r.count[0], 2 * WINDOW_EDGES,
			            "IA32_PMC0 counted the same cycles with the same filter");
		}
	}
}
