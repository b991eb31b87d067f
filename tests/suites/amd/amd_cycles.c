/* SPDX-License-Identifier: MIT */
/* Clocks not halted, event 76H: none in HLT, but for erratum 794 of family 16H. */
#include <tests/suites/amd/amd_suite.h>

#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/needs.h>

#define SOURCE AMD_APM ", clocks not halted"

TEST(halted, .id = "amd.cycles.halted", .needs = need_amd_apic, .runs = TEST_ALONE,
     .source = SOURCE, .claim = "clocks do not count in HLT, on any counter that counts them");
static void halted(struct test_ctx *t)
{
	for (unsigned i = 0; i < (amd_family() == AMD_15H ? 3 : amd_counters()); i++) {
		const struct pmu_setup s = { .counter = i, .event = AMD_EVENT_CYCLES,
		                             .flags = PMU_BOTH };

		test_sub(t, "counter %u", i);
		judge_halted(t, "clocks not halted", &s, 0);
	}
}

TEST(halted_insns, .id = "amd.cycles.halted_instructions", .needs = need_amd_apic,
     .runs = TEST_ALONE, .source = AMD_APM,
     .claim = "the length of a HLT changes no count of instructions");
static void halted_insns(struct test_ctx *t)
{
	const struct pmu_setup s = { .counter = 0, .event = AMD_EVENT_INST_RETIRED,
	                             .flags = PMU_BOTH };
	struct pmu_reading few = measure_halt(&s, 1, HALT_SHORT, LOOP_SHORT).reading;
	struct pmu_reading many = measure_halt(&s, 1, HALT_LONG, LOOP_SHORT).reading;

	expect_exact(t, "a longer HLT", many.count[0], few.count[0],
	             "a halted processor retires nothing");
}
