/* SPDX-License-Identifier: MIT */
/* CPU_CLK_UNHALTED counts clocks of running code, and none in HLT. */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/insn.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/needs.h>

#define SOURCE P6_EVENTS ", CPU_CLK_UNHALTED"

TEST(halted, .id = "p6.cycles.halted", .needs = need_p6_apic, .runs = TEST_ALONE, .source = SOURCE,
     .claim = "CPU_CLK_UNHALTED does not count in HLT, on either counter")
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		const struct pmu_setup setup = p6_setup(x, p6_clocks(), 0);

		test_sub(t, "PerfCtr%u", x);
		judge_halted(t, "CPU_CLK_UNHALTED", &setup, 0);
	}
}

TEST(resumed, .id = "p6.cycles.resumed", .needs = need_p6_apic, .runs = TEST_ALONE,
     .source = SOURCE, .claim = "clocks and instructions count again after HLT")
{
	const struct pmu_setup both[] = { p6_setup(0, P6_INSTRUCTIONS, 0),
	                                  p6_setup(1, p6_clocks(), 0) };
	struct pmu_reading few = measure_halt(both, 2, HALT_SHORT, LOOP_SHORT).reading;
	struct pmu_reading many = measure_halt(both, 2, HALT_SHORT, LOOP_LONG).reading;

	expect_exact(t, "instructions of 50000 more rounds", many.count[0] - few.count[0],
	             workload_insns(&workload_loop, LOOP_LONG)
	             - workload_insns(&workload_loop, LOOP_SHORT),
	             "two instructions a round count after HLT");
	expect_between(t, "clocks of 50000 more rounds", many.count[1] - few.count[1],
	               2 * (LOOP_LONG - LOOP_SHORT) / INSNS_PER_CYCLE_MAX, UINT32_MAX,
	               "low: 16 instructions a clock; high: a second");
}

TEST(halted_insns, .id = "p6.cycles.halted_instructions", .needs = need_p6_apic,
     .runs = TEST_ALONE,
     .source = P6_EVENTS ", INST_RETIRED",
     .claim = "the length of a HLT changes no count of instructions")
{
	const struct pmu_setup both[] = { p6_setup(0, P6_INSTRUCTIONS, 0),
	                                  p6_setup(1, P6_INSTRUCTIONS, 0) };
	struct pmu_reading few = measure_halt(both, 2, HALT_SHORT, LOOP_SHORT).reading;
	struct pmu_reading many = measure_halt(both, 2, HALT_LONG, LOOP_SHORT).reading;

	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		test_sub(t, "PerfCtr%u", x);
		expect_exact(t, "a longer HLT", many.count[x], few.count[x],
		             "HLT is one instruction, and a halted processor retires none");
	}
}

TEST(halted_events, .id = "p6.cycles.halted_events", .needs = need_p6_apic, .runs = TEST_ON_BOOT,
     .source = P6_EVENTS,
     .claim = "nothing else counts in HLT: bus clocks, transactions, cache lines, stalls")
{ judge_halted_table(t); }

static uint64_t tsc_begin, tsc_end;

static void timed_loop(uint32_t rounds, uint32_t argument)
{
	tsc_begin = tsc_read();
	workload_loop.code(rounds, argument);
	tsc_end = tsc_read();
}

/* On P6 both count the processor's clocks: SDM 3B, "Time-Stamp Counter". */
TEST(tsc, .id = "p6.cycles.tsc", .needs = need_p6, .source = SOURCE,
     .claim = "CPU_CLK_UNHALTED counts at the rate of the time-stamp counter")
{
	const struct pmu_setup setup = p6_setup(0, p6_clocks(), 0);

	for (uint32_t rounds = 1000; rounds <= 100000; rounds *= 10) {
		uint64_t before = tsc_read(), after;
		uint64_t clocks = pmu_measure_code(&setup, 1, timed_loop, rounds, 0).count[0];

		after = tsc_read();
		test_sub(t, "%" PRIu32 " rounds", rounds);
		expect_between(t, "PerfCtr0", clocks, tsc_end - tsc_begin, after - before,
		               "low: the TSC from the first to the last instruction of the code; "
		               "high: the TSC around the whole measurement");
	}
}
