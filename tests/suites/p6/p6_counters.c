/* SPDX-License-Identifier: MIT */
/*
 * The two counters at work: each counts its own event, from its start value, through the wrap. P6
 * has no status register: an overflow shows in the counter's sign, bit 39, which is 0 again.
 */
#include <tests/suites/p6/p6_suite.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/carries.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/two_counters.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define COUNTERS P6_SDM ", PerfCtr0 and PerfCtr1"

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const struct workload *const workloads[] = {
	&workload_empty, &workload_loop, &workload_jmp, &workload_call, &workload_jcc_not_taken,
	&workload_pattern, &workload_random, &workload_divide, &workload_cpuid,
};

static const struct two_counters_code code = { workloads, COUNT_OF(workloads), ROUNDS, SEED };

TEST(two_events, .id = "p6.counters.two_events", .needs = need_p6, .source = COUNTERS,
     .claim = "the counters count one event each at the same time, both exactly")
{
	two_counters_apart(t, &code);
}

TEST(equal, .id = "p6.counters.equal", .needs = need_p6, .source = COUNTERS,
     .claim = "both counters on one event count the same")
{
	const struct two_counters_event events[] = {
		{ "instructions", P6_INSTRUCTIONS, 0 }, { "branches", P6_BRANCHES, 0 },
		{ "clocks", p6_clocks(), WINDOW_EDGES },
	};

	two_counters_equal(t, events, COUNT_OF(events), &code);
}

TEST(preset, .id = "p6.counters.preset", .needs = need_p6, .source = COUNTERS,
     .claim = "counting goes on from the start value, whatever it is")
{
	/* A write can make these values: bits 31 and up are all equal. */
	static const uint64_t starts[] = { 1, 0x10000, 0x7fff0000, 0xff80010000, 0xffffff0000 };

	two_counters_preset(t, starts, COUNT_OF(starts));
}

static const char *need_upper_bits(struct test_ctx *t)
{
	return silicon_need_not(t, SILICON_UPPER_BITS);
}

static NEED_BOTH(need_wrap, need_p6_modes, need_upper_bits)
static NEED_BOTH(need_bit_31, need_p6, need_upper_bits)

static const uint16_t periods[] = { 1, 2, 3, 7, 64, 255, 1000, 1999 };

/* At CPL 3 nothing counts except the code under test. */
static void check_wrap(struct test_ctx *t, unsigned x, uint64_t events, uint32_t nops)
{
	struct pmu_setup s = { .counter = x, .event = P6_INSTRUCTIONS, .flags = PMU_USR };

	test_sub(t, "PerfCtr%u, %" PRIu64 " events", x, events);
	s.start = 0 - events;
	expect_exact(t, "from minus as many", pmu_measure_code(&s, 1, user_nops, nops, 0).value[0],
	             0, "the last event wrapped the counter");
	s.start = 0 - (events + 1);
	expect_exact(t, "from minus one more", pmu_measure_code(&s, 1, user_nops, nops, 0).value[0],
	             P6_COUNTER_MASK, "one event is missing before the wrap: all 40 bits are 1");
	s.start = 0 - (events - 1);
	expect_exact(t, "from minus one fewer",
	             pmu_measure_code(&s, 1, user_nops, nops, 0).value[0], 1,
	             "it counts on from 0");
}

TEST(wrap, .id = "p6.counters.wrap", .needs = need_wrap, .source = COUNTERS,
     .claim = "a counter preset to -N is 0 after N events, so its sign shows the overflow")
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		uint64_t base = user_base(x);

		for (unsigned i = 0; i < COUNT_OF(periods); i++)
			check_wrap(t, x, base + periods[i], periods[i]);
	}
}

/* A write extends bit 31; counting does not. */
TEST(bit_31, .id = "p6.counters.bit_31", .needs = need_bit_31, .source = COUNTERS,
     .claim = "a count carries from bit 31 into bit 32, whatever a write would make of it")
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		struct pmu_setup s = p6_setup(x, P6_INSTRUCTIONS, 0);
		uint64_t from_0 = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).count[0];

		test_sub(t, "PerfCtr%u", x);
		s.start = 0x7fffff00;
		expect_exact(t, "from 7FFFFF00H",
		             pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0],
		             s.start + from_0, "bit 31 counts like other bits");
		s.start = FIELD(39, 31);
		expect_exact(t, "from FF80000000H",
		             pmu_measure(&s, 1, &workload_loop, ROUNDS, 0).value[0],
		             s.start + from_0, "bits 39:31 stay set");
	}
}

TEST(write_running, .id = "p6.counters.write_running", .needs = need_p6, .source = COUNTERS,
     .claim = "a write into a running counter takes effect and does not change the other counter")
{
	two_counters_write_running(t);
}

TEST(carries, .id = "p6.counters.carries", .needs = need_bit_31, .source = COUNTERS,
     .claim = CARRIES_CLAIM)
{
	carries_of_instructions(t);
}

static const uint32_t few_rounds[] = { 1, 2, 3, 64, 1000 };

TEST(instructions, .id = "p6.counters.instructions", .needs = need_p6,
     .source = P6_EVENTS ", INST_RETIRED",
     .claim = "each instruction counts once; one that faults does not count")
{
	static const struct workload *const all[] = {
		&workload_loop, &workload_nops, &workload_cpuid, &workload_enter_leave,
		&workload_divide, &workload_call, &workload_far_call, &workload_int_iret,
		&workload_iret, &workload_fault,
	};

	pmu_workload_gates();
	for (unsigned i = 0; i < COUNT_OF(all); i++)
		expect_workload(t, COUNTING_INSNS, all[i], few_rounds, COUNT_OF(few_rounds), 0,
		                "every instruction that retires counts once");
	for (uint32_t bytes = 0; bytes <= 1000; bytes = 3 * bytes + 1)
		expect_workload(t, COUNTING_INSNS, &workload_movsb, few_rounds,
		                COUNT_OF(few_rounds), bytes,
		                "a REP string instruction is one instruction, whatever its length");
}
