/* SPDX-License-Identifier: MIT */
/* Clocks not halted, event 76H: none in HLT, but for erratum 794 of family 16H; and their PMI. */
#include <tests/suites/common/amd/amd_suite.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define SOURCE AMD_APM ", clocks not halted"

/* Counters 3 to 5 of family 15H do not count them. */
static unsigned clock_counters(void) { return amd_family() == AMD_15H ? 3 : amd_counters(); }

TEST(halted, .id = "amd.cycles.halted", .needs = need_amd_apic, .runs = TEST_ALONE,
     .source = SOURCE, .claim = "clocks do not count in HLT, on any counter that counts them")
{
	for (unsigned i = 0; i < clock_counters(); i++) {
		const struct pmu_setup s = { .counter = i, .event = AMD_EVENT_CYCLES,
		                             .flags = PMU_BOTH };

		test_sub(t, "counter %u", i);
		judge_halted(t, "clocks not halted", &s, 0);
	}
}

TEST(halted_insns, .id = "amd.cycles.halted_instructions", .needs = need_amd_apic,
     .runs = TEST_ALONE, .source = AMD_APM,
     .claim = "the length of a HLT changes no count of instructions")
{
	const struct pmu_setup s = { .counter = 0, .event = AMD_EVENT_INST_RETIRED,
	                             .flags = PMU_BOTH };
	struct pmu_reading few = measure_halt(&s, 1, HALT_SHORT, LOOP_SHORT).reading;
	struct pmu_reading many = measure_halt(&s, 1, HALT_LONG, LOOP_SHORT).reading;

	expect_same(t, "a longer HLT", many.count[0], few.count[0], pmi_return_slack(),
	            "a halted processor retires nothing, and one interrupt ends it");
}

/* Operating systems' watchdogs count clocks, and need the PMI to end code that hangs. */
TEST(pmi_clocks, .id = "amd.pmi.clocks", .needs = need_amd_pmi, .runs = TEST_ALONE,
     .source = SOURCE ", INT", .claim = "an overflow of clocks not halted raises one PMI, on any "
     "counter that counts them")
{
	enum { MISSING = 1000, ROUNDS = 100000 };

	for (unsigned i = 0; i < clock_counters(); i++) {
		const struct pmu_setup s = {
			.counter = i, .event = AMD_EVENT_CYCLES, .flags = PMU_BOTH | PMU_INT,
			.start = (0 - (uint64_t)MISSING) & AMD_COUNTER_MASK,
		};

		test_sub(t, "counter %u", i);
		expect_exact(t, "PMIs", pmi_run_one(&s, user_loop, ROUNDS)->count, 1,
		             "100000 rounds take more than 1000 clocks, and it overflowed once");
	}
}
