/* SPDX-License-Identifier: MIT */
/* The counters at work: each counts its own event, from its start value, through the wrap. */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <tests/suites/common/counts/carries.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/identities.h>
#include <tests/suites/common/counts/two_counters.h>
#include <tests/suites/common/needs.h>

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const struct workload *const workloads[] = {
	&workload_empty, &workload_loop, &workload_jmp, &workload_call, &workload_jcc_not_taken,
	&workload_pattern, &workload_random, &workload_divide, &workload_cpuid,
};

static const struct two_counters_code code = { workloads, COUNT_OF(workloads), ROUNDS, SEED };

TEST(two_events, .id = "amd.counters.two_events", .needs = need_amd, .source = AMD_APM,
     .claim = "two counters count one event each at the same time, both exactly")
{
	two_counters_apart(t, &code);
}

/* Before version 2 each counter has a window of its own, and what another thread's code does to the
 * core's caches moves the clocks of one. */
TEST(equal, .id = "amd.counters.equal", .needs = need_amd, .runs = TEST_ALONE, .source = AMD_APM,
     .claim = "two counters on one event count the same")
{
	const struct two_counters_event events[] = {
		{ "instructions", AMD_EVENT_INST_RETIRED, 0 }, { "branches", AMD_EVENT_BRANCHES,
		                                                 0 },
		{ "clocks", pmu_get()->class->cycles, WINDOW_EDGES },
	};

	two_counters_equal(t, events, COUNT_OF(events), &code);
}

/* A write takes all 48 bits. The carry into bit 32 may be lost on family 16H: erratum 795. */
TEST(preset, .id = "amd.counters.preset", .needs = need_amd, .source = AMD_APM,
     .claim = "counting goes on from the start value, whatever it is")
{
	static const uint64_t starts[] = {
		1, 0x10000, 0x7fff0000, 0x80000000, 0x123456789abc, 0xff8001000000, 0xffffff000000,
	};

	two_counters_preset(t, starts, COUNT_OF(starts));
}

/* Erratum 795 of family 16H, again. */
TEST(carries, .id = "amd.counters.carries", .needs = need_amd, .source = AMD_APM,
     .claim = CARRIES_CLAIM)
{
	carries_of_instructions(t);
}

TEST(write_running, .id = "amd.counters.write_running", .needs = need_amd, .source = AMD_APM,
     .claim = "a write into a running counter takes effect and does not change another")
{
	two_counters_write_running(t);
}
