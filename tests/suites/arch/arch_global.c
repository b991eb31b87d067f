/* SPDX-License-Identifier: MIT */
/*
 * A counter counts while its own enable bit and its bit of IA32_PERF_GLOBAL_CTRL are both set; no
 * other bit matters to it.
 */
#include <kernel/run/test.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/needs.h>

enum { ROUNDS = ARCH_ROUNDS };

/* Programs every counter from 0 with its own enable bit set. */
static void program_all(void)
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	unsigned n = 0;

	FOR_EACH_COUNTER(c)
		if (n < PMU_SETUPS_MAX)
			s[n++] = arch_setup(c, 0, 0);
	pmu_program(s, n);
}

/* Runs the loop with IA32_PERF_GLOBAL_CTRL = global. */
static void run_with(uint64_t global)
{
	watchdog_pet();
	msr_write(IA32_PERF_GLOBAL_CTRL, global);
	workload_loop.code(ROUNDS, 0);
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
}

/* Checks that the counters in moving have moved and that the others are still 0. */
static void expect_moved(struct test_ctx *t, uint64_t moving, const char *moves_because,
                         const char *stands_because)
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		pmu_counter_name(c, name);
		if (!(moving & arch_global_bit(c)))
			expect_exact(t, name, pmu_read(c), 0, stands_because);
		else if (arch_counts_insns(c))
			expect_between(t, name, pmu_read(c), workload_insns(&workload_loop, ROUNDS),
			               UINT32_MAX, moves_because);
		else if (arch_always_moves(c))
			expect_between(t, name, pmu_read(c), 1, UINT32_MAX, moves_because);
	}
}

#define MOVES  "low: what the loop retires, or any cycles; high: far more than the window holds"

TEST(gates, .id = "arch.global.gates", .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_CTRL",
     .claim = "with one bit of IA32_PERF_GLOBAL_CTRL set, that bit's counter counts "
              "and no other does")
{
	FOR_EACH_COUNTER(c) {
		program_all();
		run_with(arch_global_bit(c));
		test_sub(t, "IA32_PERF_GLOBAL_CTRL = %" PRIX64 "H", arch_global_bit(c));
		expect_moved(t, arch_global_bit(c), MOVES,
		             "the counter's bit in IA32_PERF_GLOBAL_CTRL is 0");
	}
}

TEST(gates_off, .id = "arch.global.gates_off", .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_CTRL",
     .claim = "with one bit of IA32_PERF_GLOBAL_CTRL clear, that bit's counter stops and all "
              "others count")
{
	FOR_EACH_COUNTER(c) {
		uint64_t global = arch_global_bits() & ~arch_global_bit(c);

		program_all();
		run_with(global);
		test_sub(t, "IA32_PERF_GLOBAL_CTRL = %" PRIX64 "H", global);
		expect_moved(t, global, MOVES, "the counter's bit in IA32_PERF_GLOBAL_CTRL is 0");
	}
	program_all();
	run_with(0);
	test_sub(t, "IA32_PERF_GLOBAL_CTRL = 0");
	expect_moved(t, 0, MOVES, "IA32_PERF_GLOBAL_CTRL = 0 stops every counter");
}

/* Clears or sets the counter's own enable bits: EN, or the two of its field. */
static void switch_own(unsigned c, bool on)
{
	uint64_t value = msr_read(arch_enable_msr(c)) & ~arch_enable_bits(c);

	msr_write(arch_enable_msr(c), on ? value | (c < PMU_FIXED ? arch_enable_bits(c)
	          : IA32_FIXED_CTR_CTRL_EN_OS(c - PMU_FIXED)) : value);
}

TEST(own_off, .id = "arch.global.own_enable_off", .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_CTRL and IA32_FIXED_CTR_CTRL; " V1 ", EN",
     .claim = "a counter whose own enable is clear does not count, whatever "
              "IA32_PERF_GLOBAL_CTRL says")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		program_all();
		switch_own(c, false);
		run_with(arch_global_bits());
		test_sub(t, "only %s's own enable is off", pmu_counter_name(c, name));
		expect_moved(t, arch_global_bits() & ~arch_global_bit(c), MOVES,
		             "the counter's own enable is 0");
	}
}

TEST(own_on, .id = "arch.global.own_enable_on", .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_CTRL and IA32_FIXED_CTR_CTRL; " V1 ", EN",
     .claim = "a counter's own enable enables that counter and no other")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		program_all();
		FOR_EACH_COUNTER(other)
			switch_own(other, other == c);
		run_with(arch_global_bits());
		test_sub(t, "only %s's own enable is on", pmu_counter_name(c, name));
		expect_moved(t, arch_global_bit(c), MOVES, "the counter's own enable is 0");
	}
}

/* This holds without global control as well: version 1 has an EN in each
 * IA32_PERFEVTSELx, unlike P6. */
TEST(own_enable, .id = "arch.enable.own", .needs = need_arch, .source = V1 ", EN",
     .claim = "EN of one IA32_PERFEVTSELx starts and stops that counter and no other")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, 0);
		uint64_t value;

		if (c >= PMU_FIXED)
			break;
		pmu_reset();
		/* The other counters are programmed completely, except for EN. */
		pmu_measure(&s, 1, &workload_empty, 0, 0);
		FOR_EACH_COUNTER(other)
			if (other < PMU_FIXED && other != c)
				msr_write(IA32_PERFEVTSEL(other),
				          EVENT_INSTRUCTIONS_RETIRED | IA32_PERFEVTSEL_OS);
		pmu_window(workload_loop.code, ROUNDS, 0);
		test_sub(t, "only EN of %s is set", pmu_counter_name(c, name));
		value = pmu_read(c);
		expect_moved(t, arch_global_bit(c), MOVES, "the counter's own EN is 0");
		workload_loop.code(ROUNDS, 0);
		expect_exact(t, "after the window", pmu_read(c), value, "the counter is stopped");
	}
}

/* The registers' present values decide whether a counter runs, not those with which it was
 * started. */
TEST(cleared, .id = "arch.counters.stopped_by_zero", .needs = need_arch, .source = V1 ", EN",
     .claim = "0 in IA32_PERFEVTSELx and IA32_FIXED_CTR_CTRL stops counters that run")
{
	uint64_t stopped[PMU_SETUPS_MAX];
	unsigned n = 0;
	char name[PMU_NAME_SIZE];

	program_all();
	if (pmu_get()->version >= 2)
		msr_write(IA32_PERF_GLOBAL_CTRL, arch_global_bits());
	workload_loop.code(ROUNDS, 0);
	FOR_EACH_COUNTER(c)
		msr_write(arch_enable_msr(c), 0);
	FOR_EACH_COUNTER(c)
		if (n < PMU_SETUPS_MAX)
			stopped[n++] = pmu_read(c);
	workload_loop.code(ROUNDS, 0);
	n = 0;
	FOR_EACH_COUNTER(c)
		if (n < PMU_SETUPS_MAX)
			expect_exact(t, pmu_counter_name(c, name), pmu_read(c), stopped[n++],
			             "its control has been 0 since it was last read");
}

/* Counters keep their counts while IA32_PERF_GLOBAL_CTRL passes from one of them to the next. */
TEST(hand_over, .id = "arch.global.hand_over", .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_CTRL",
     .claim = "stopping and starting by IA32_PERF_GLOBAL_CTRL keeps what was counted")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		uint64_t once;

		program_all();
		run_with(arch_global_bit(c));
		once = pmu_read(c);
		run_with(arch_global_bits() & ~arch_global_bit(c));
		test_sub(t, "%s", pmu_counter_name(c, name));
		expect_exact(t, "while all others count", pmu_read(c), once,
		             "its bit in IA32_PERF_GLOBAL_CTRL is 0");
		run_with(arch_global_bit(c));
		if (arch_counts_insns(c))
			expect_between(t, "counted again", pmu_read(c),
			               once + workload_insns(&workload_loop, ROUNDS), UINT32_MAX,
			               "low: what the loop retires; high: far more than it");
	}
}
