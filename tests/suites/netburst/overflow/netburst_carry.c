/* SPDX-License-Identifier: MIT */
/*
 * The carry between a counter's low 32 and high 8 bits in the cases in which a processor could lose
 * it or add one: the counter is stopped in that clock, or is written while it runs. Both are errata
 * of early Xeon MP processors.
 */
#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/carries.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/netburst/overflow/netburst_overflow.h>

#define CARRY  (UINT64_C(1) << 32)

/* One counter of each block, and the last one. */
static const uint8_t some[] = { 0, 5, 10, 12, 17 };
#define FOR_EACH_OF_SOME(i)  for (size_t i = 0; i < COUNT_OF(some); i++)

/* Returns a setup whose window ends with a write of the CCCR, ENABLE = 0. */
static struct pmu_setup stopped_by_cccr(struct pmu_setup s)
{
	static struct netburst_use use;

	use = *s.netburst;
	use.is_by_escr = false;
	s.netburst = &use;
	return s;
}

/* ----------------------------------------------------------------------- lost by the stop */

TEST(stop_events, .id = "netburst.overflow.carry.instructions", .needs = need_netburst_modes,
     .source = NETBURST_HALTING "; Xeon MP Specification Update, O9",
     .claim = "a counter that is stopped right after it has carried to bit 32 keeps the carry")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_IQ_COUNTER(x) {
		struct pmu_setup s = stopped_by_cccr(pmi_instructions(x, PMU_USR, 0));
		uint64_t total = overflow_total(s, user_nops, 20);

		for (uint64_t beyond = 0; beyond < 4; beyond++) {
			uint64_t start = CARRY + beyond - total;

			test_sub(t, "%s, stopped at %" PRIX64 "H", pmu_counter_name(x, name),
			         CARRY + beyond);
			expect_unless(t, SILICON_CARRY_OF_32, "the counter",
			              overflow_run(s, start, user_nops, 20), CARRY + beyond,
			              "its preset plus what the code counts");
		}
	}
}

TEST(each_distance, .id = "netburst.overflow.carries", .needs = need_netburst_modes,
     .source = NETBURST_HALTING "; Xeon MP Specification Update, O8, O9", .claim = CARRIES_CLAIM)
{
	struct pmu_setup setups[NETBURST_COUNTERS];
	struct carries c = { .setups = setups, .code = user_nops, .rounds = 10 };

	FOR_EACH_IQ_COUNTER(x)
		setups[c.count++] = pmi_instructions(x, PMU_USR, 0);
	expect_carries(t, &c, SILICON_CARRY_OF_32);
}

/* The carry falls into each clock around the stop. */
enum { CLOCKS_AROUND = 24, ROUNDS = 50 };

TEST(stop_clock, .id = "netburst.overflow.carry.stop", .needs = need_netburst,
     .source = NETBURST_HALTING "; Xeon MP Specification Update, O9",
     .claim = "a counter of clocks that is stopped in the clock of its carry keeps the carry")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_OF_SOME(i) {
		struct pmu_setup s = stopped_by_cccr(overflow_clock(some[i], 0, 0));
		uint64_t total = overflow_total(s, workload_loop.code, ROUNDS);
		uint64_t most = 0;

		for (uint64_t missing = total - CLOCKS_AROUND; missing <= total + CLOCKS_AROUND;
		     missing++) {
			uint64_t start = CARRY - missing;
			uint64_t counted = overflow_run(s, start, workload_loop.code, ROUNDS)
			                   - start;

			if (counted > most)
				most = counted;
		}
		test_sub(t, "%s", pmu_counter_name(some[i], name));
		expect_between_unless(t, SILICON_CARRY_OF_32, "most clocks counted, 49 presets",
		                      most, total / 2, CARRY / 2,
		                      "low: half of them, if the code runs faster; high: a "
		                      "lost carry makes the count negative");
	}
}

/* ----------------------------------------------------------------------- added by a write */

static struct { uint64_t most, wrote; } worst;

static void write_and_read(unsigned x, uint64_t value)
{
	uint64_t distance;

	msr_write(MSR_COUNTER(x), value);
	distance = (msr_read(MSR_COUNTER(x)) - value) & NETBURST_COUNTER_VALUE;
	if (distance >= worst.most) {
		worst.most = distance;
		worst.wrote = value;
	}
}

/* For pmu_window(): writes a counter that is about to carry, and writes another so that it is. */
static void write_around_carry(uint32_t rounds, uint32_t x)
{
	for (uint32_t i = 0; i < rounds; i++) {
		write_and_read(x, CARRY - 1 - i);
		write_and_read(x, 7 * CARRY + 1000);
		write_and_read(x, 3 * CARRY - 1 - 16 * i);
		write_and_read(x, 0x10);
	}
}

TEST(write_running, .id = "netburst.overflow.carry.write", .needs = need_netburst,
     .source = "Xeon MP Specification Update, O8; Linux p4.c, p4_pmu_set_period()",
     .claim = "a counter that is written while it counts holds what was written, without an "
              "additional carry")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_OF_SOME(i) {
		const struct pmu_setup s = overflow_clock(some[i], 0, 0);

		worst.most = 0;
		pmu_program(&s, 1);
		pmu_window(write_around_carry, 64, some[i]);
		test_sub(t, "%s", pmu_counter_name(some[i], name));
		expect_between_unless(t, SILICON_CARRY_OF_32,
		                      "most clocks from a write to the next read", worst.most, 1,
		                      CARRY / 2, "low: the counter runs; high: a wrong carry would "
		                      "be 2^32 clocks");
		test_report(t, "the value written then", "%" PRIX64 "H", worst.wrote);
	}
}
