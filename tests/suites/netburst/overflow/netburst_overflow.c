/* SPDX-License-Identifier: MIT */
/*
 * The overflow of a 40-bit counter: only the wrap sets OVF, not a count earlier. Every counter
 * counts the core's clock for that; those that reach retirement also count instructions or branches
 * of code at CPL 3, whose number is known.
 */
#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define OVF_FLAG  NETBURST_CCCR ", OVF flag"

/* All ones; bit 39 is set in a preset of less than 2^39 below 0 until the counter overflows. */
#define ALL_ONES  NETBURST_COUNTER_VALUE
#define SIGN      BIT(39)

/* Checks a run by its counter's value and OVF. */
static void judge_run(struct test_ctx *t, const struct pmu_setup *s, uint64_t start,
                      void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                      uint64_t value, bool is_over)
{
	char name[PMU_NAME_SIZE];

	test_sub(t, "%s, preset %010" PRIX64 "H", pmu_counter_name(s->counter, name),
	         start & ALL_ONES);
	expect_exact(t, "the counter", overflow_run(*s, start, code, rounds), value,
	             "its preset plus what the code counts");
	expect_exact(t, "OVF", overflow_is_set(s->counter), is_over,
	             is_over ? "the last event wrapped the counter to 0"
	                     : "one event is missing before 0");
}

/* Checks a counter that needs `total` events, and one that needs one more. */
static void judge_wrap(struct test_ctx *t, const struct pmu_setup *s,
                       void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds)
{
	uint64_t total = overflow_total(*s, code, rounds);

	judge_run(t, s, 0 - total - 1, code, rounds, ALL_ONES, false);
	judge_run(t, s, 0 - total, code, rounds, 0, true);
	judge_run(t, s, 1 - total, code, rounds, 1, true);
}

/* --------------------------------------------------------------------------- when it is set */

enum { ROUNDS = 200 };

/*
 * Where clocks do not repeat, presets lie far from the wrap on both sides of it. At most three
 * micro-operations retire in a clock, and a round has two, so ROUNDS take more clocks than half of
 * their number; and they take less than a second.
 */
static void judge_clock(struct test_ctx *t, unsigned x)
{
	const struct pmu_setup s = overflow_clock(x, 0, 0);
	const uint64_t least = ROUNDS / 2, most = UINT32_MAX;
	uint64_t value;

	if (pmu_is_exact()) {
		judge_wrap(t, &s, workload_loop.code, ROUNDS);
		return;
	}
	value = overflow_run(s, 0 - least, workload_loop.code, ROUNDS);
	expect_bits(t, "the counter, preset fewer clocks than the loop needs", value, SIGN, 0,
	            "it wrapped");
	expect_exact(t, "OVF", overflow_is_set(x), 1, "it wrapped");
	value = overflow_run(s, 0 - most, workload_loop.code, ROUNDS);
	expect_bits(t, "the counter, preset a second of clocks", value, SIGN, SIGN,
	            "the wrap is far away");
	expect_exact(t, "OVF", overflow_is_set(x), 0, "it did not wrap");
}

TEST(every_counter, .id = "netburst.overflow.every_counter", .needs = need_netburst,
     .source = OVF_FLAG,
     .claim = "each of the 18 counters sets OVF when it wraps to 0, and not one clock before")
{
	FOR_EACH_COUNTER(x)
		judge_clock(t, x);
}

static const uint16_t lengths[] = { 1, 2, 3, 64, 1000 };

TEST(instructions, .id = "netburst.overflow.instructions", .needs = need_netburst_modes,
     .source = OVF_FLAG,
     .claim = "preset to -N a counter of instructions sets OVF with the N-th, not with N - 1")
{
	FOR_EACH_IQ_COUNTER(x) {
		const struct pmu_setup s = pmi_instructions(x, PMU_USR, 0);

		for (size_t i = 0; i < COUNT_OF(lengths); i++)
			judge_wrap(t, &s, user_nops, lengths[i]);
	}
}

TEST(branches, .id = "netburst.overflow.branches", .needs = need_netburst_modes,
     .source = OVF_FLAG,
     .claim = "preset to -N a counter of branches sets OVF with the N-th, not with N - 1")
{
	FOR_EACH_IQ_COUNTER(x) {
		struct netburst_use use;
		struct pmu_setup s = netburst_setup(&use, netburst_event_find("branch_retired"),
		                                    NULL, x, PMU_USR);

		use.is_by_escr = true;
		for (size_t i = 0; i < COUNT_OF(lengths); i++)
			judge_wrap(t, &s, user_loop, lengths[i]);
	}
}

/* ------------------------------------------------------------------- by nothing else, alone */

/* Rounds of workload_loop that take longer than it takes to start 18 counters. */
enum { LONG_ROUNDS = 2000 };

TEST(alone, .id = "netburst.overflow.alone", .needs = need_netburst, .source = OVF_FLAG,
     .claim = "a counter that overflows sets its own OVF and none of the other 17, "
              "which count as well")
{
	struct pmu_setup all[NETBURST_COUNTERS];
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(over) {
		FOR_EACH_COUNTER(x)
			all[x] = overflow_clock(x, 0, x == over ? 0 - UINT64_C(100) : 0);
		pmu_program(all, NETBURST_COUNTERS);
		pmu_window(workload_loop.code, LONG_ROUNDS, 0);
		test_sub(t, "%s from -100, the others from 0", pmu_counter_name(over, name));
		expect_bits(t, "OVF of all CCCRs, as bits", pmu_status(), NETBURST_ALL, BIT(over),
		            "one counter wrapped");
	}
}

TEST(counts_on, .id = "netburst.overflow.counts_on", .needs = need_netburst_modes,
     .source = NETBURST_HALTING ": a counter that overflows goes on from 0",
     .claim = "after its overflow a counter goes on from 0 and loses nothing")
{
	FOR_EACH_IQ_COUNTER(x) {
		const struct pmu_setup s = pmi_instructions(x, PMU_USR, 0);
		const uint64_t total = overflow_total(s, user_nops, 1000);

		judge_run(t, &s, 0 - UINT64_C(10), user_nops, 1000, total - 10, true);
	}
}

/* The carry to the high half: these bits are no counter's width. */
TEST(bit_31, .id = "netburst.overflow.bit_31", .needs = need_netburst_modes,
     .source = NETBURST_SHORT "\"Performance Counters\": 40 bits",
     .claim = "a count from FFFFFFFFH to 100000000H carries, and is no overflow")
{
	const uint64_t start = (UINT64_C(1) << 32) - 10;
	char name[PMU_NAME_SIZE];

	FOR_EACH_IQ_COUNTER(x) {
		const struct pmu_setup s = pmi_instructions(x, PMU_USR, 0);
		const uint64_t total = overflow_total(s, user_nops, 1000);

		judge_run(t, &s, start, user_nops, 1000, start + total, false);
	}
	FOR_EACH_COUNTER(x) {
		const struct pmu_setup s = overflow_clock(x, 0, 0);
		const uint64_t value = overflow_run(s, start, workload_loop.code, ROUNDS);

		test_sub(t, "%s, clocks from %" PRIX64 "H", pmu_counter_name(x, name), start);
		expect_exact(t, "bits 39:32", value >> 32, 1, "200 rounds are more than 10 clocks");
		expect_exact(t, "OVF", overflow_is_set(x), 0, "counters wrap at 40 bits");
	}
}

TEST(halves, .id = "netburst.overflow.bits", .needs = need_netburst_modes,
     .source = NETBURST_SHORT "\"Performance Counters\": 40 bits",
     .claim = "a carry into any of bits 1 to 39 is counted, and sets no OVF")
{
	const struct pmu_setup s = pmi_instructions(NETBURST_IQ_FIRST, PMU_USR, 0);
	const uint64_t total = overflow_total(s, user_nops, 10);

	for (unsigned bit = 1; bit < 40; bit++) {
		const uint64_t start = (UINT64_C(1) << bit) - 1;

		test_sub(t, "from %" PRIX64 "H", start);
		expect_exact(t, "the counter", overflow_run(s, start, user_nops, 10), start + total,
		             "the counter adds over all 40 bits");
		expect_exact(t, "OVF", overflow_is_set(NETBURST_IQ_FIRST), 0,
		             "it is below FFFFFFFFFFH");
	}
}
