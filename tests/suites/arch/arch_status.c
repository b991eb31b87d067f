/* SPDX-License-Identifier: MIT */
/* Overflow status: these tests check which bit is set, at which count, how long it
 * stays, and what clears it. */
#include <kernel/run/test.h>

#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/common/smp_tests.h>

#define STATUS "SDM 3B, Architectural Performance Monitoring Version 2, IA32_PERF_GLOBAL_STATUS"
#define CLEAR  "SDM 3B, Architectural Performance Monitoring Version 2, IA32_PERF_GLOBAL_OVF_CTRL"

enum { ROUNDS = ARCH_ROUNDS };

static NEED_BOTH(need_status, need_arch_v2, need_clear_status)

static bool expect_status(struct test_ctx *t, const char *what, uint64_t got, uint64_t want,
                          const char *why)
{
	return expect_bits(t, what, got, ~arch_unrelated_status(), want, why);
}

static struct pmu_reading overflow(unsigned c, unsigned flags, uint64_t start)
{
	struct pmu_setup s = arch_setup(c, flags, start);

	return pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
}

/* Overflows all counters that must move; returns the bits of IA32_PERF_GLOBAL_STATUS to expect. */
static uint64_t overflow_all(void)
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	uint64_t bits = 0;
	unsigned n = 0;

	FOR_EACH_COUNTER(c) {
		if (!arch_always_moves(c) || n == PMU_SETUPS_MAX)
			continue;
		s[n++] = arch_setup(c, 0, arch_counter_max(c));
		bits |= arch_global_bit(c);
	}
	pmu_measure(s, n, &workload_loop, ROUNDS, 0);
	return bits;
}

TEST(at_rest, .id = "arch.status.at_rest", .needs = need_status, .source = STATUS,
     .claim = "IA32_PERF_GLOBAL_STATUS is 0 while no counter has overflowed; its reserved "
              "bits are always 0")
{
	pmu_clear_status(arch_bits(ARCH_GLOBAL_OVF_CTRL, 0, ARCH_DEFINED));
	expect_status(t, "IA32_PERF_GLOBAL_STATUS", msr_read(IA32_PERF_GLOBAL_STATUS), 0,
	              "nothing has overflowed");
}

static void check_set(struct test_ctx *t, unsigned c, unsigned flags)
{
	struct pmu_reading r = overflow(c, flags, arch_counter_max(c));

	expect_status(t, "IA32_PERF_GLOBAL_STATUS", r.status, arch_global_bit(c),
	              "an overflow sets this counter's bit, and no other");
	expect_exact(t, "IA32_PERF_GLOBAL_STATUS, read again", pmu_status(), r.status,
	             "reading the register does not change it");
}

TEST(set, .id = "arch.status.set", .needs = need_status, .source = STATUS,
     .claim = "a counter that overflows sets its bit and no other, with and without an interrupt")
{
	char name[PMU_NAME_SIZE];

	pmi_set_mask(true);
	FOR_EACH_COUNTER(c) {
		if (!arch_always_moves(c))
			continue;
		test_sub(t, "%s, no interrupt", pmu_counter_name(c, name));
		check_set(t, c, 0);
		test_sub(t, "%s, interrupt requested, LVTPC masked", name);
		check_set(t, c, PMU_INT);
	}
}

TEST(set_all, .id = "arch.status.set_all", .needs = need_status, .source = STATUS,
     .claim = "counters that overflow together set all their bits")
{
	uint64_t want = overflow_all();

	expect_status(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), want,
	              "an overflow sets the counter's bit");
}

/* length is what the window counts. From minus (length + 1), the last count leaves all ones. */
TEST(exact, .id = "arch.status.exact", .needs = need_status, .source = STATUS,
     .claim = "the bit is set by the count that wraps the counter to 0, not by the one before")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		uint64_t length;
		struct pmu_reading r;

		if (!arch_counts_insns(c) || (c == PMU_FIXED_CTR(0) && smp_find(true)
		    && silicon_leaves_out(t, SILICON_FIXED0_GAINS_32, "IA32_FIXED_CTR0")))
			continue;
		length = overflow(c, 0, 0).value[0];
		r = overflow(c, 0, arch_counter_max(c) - length);
		test_sub(t, "%s, %" PRIu64 " counts from minus %" PRIu64,
		         pmu_counter_name(c, name), length, length + 1);
		expect_exact(t, "value", r.value[0], arch_counter_max(c),
		             "it is one count before 0");
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", r.status, 0, "it has not wrapped yet");
		test_sub(t, "%s, %" PRIu64 " counts from minus %" PRIu64, name, length, length);
		if (silicon_leaves_out(t, SILICON_STOP_AT_OVERFLOW, "value"))
			continue;
		r = overflow(c, 0, arch_counter_max(c) - length + 1);
		expect_exact(t, "value", r.value[0], 0, "the last count wraps it");
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", r.status, arch_global_bit(c),
		              "it wrapped with the last count");
	}
}

/* Start values near other carries: of bit 31, of the legacy write's sign, of the
 * width's highest bit. */
static uint64_t near_wraps(unsigned i, unsigned c)
{
	const uint64_t starts[] = {
		0, 0x7fffffff - ROUNDS, 0xffffffff - ROUNDS, (arch_counter_max(c) >> 1) - ROUNDS,
	};

	return starts[i];
}

static bool can_start_at(unsigned c, uint64_t start)
{
	return c >= PMU_FIXED || start <= INT32_MAX || counting_has_full_width(c);
}

TEST(no_wrap, .id = "arch.status.no_wrap", .needs = need_status, .source = STATUS,
     .claim = "no carry sets a bit except the one out of the counter's highest bit")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		for (unsigned i = 0; i < 4 && arch_always_moves(c); i++) {
			uint64_t start = near_wraps(i, c);

			if (!can_start_at(c, start))
				continue;
			test_sub(t, "%s from %" PRIX64 "H", pmu_counter_name(c, name), start);
			expect_status(t, "IA32_PERF_GLOBAL_STATUS", overflow(c, 0, start).status,
			              0, "only counting from all ones to 0 is an overflow");
		}
	}
}

static void expect_sticky(struct test_ctx *t, const char *what, uint64_t want)
{
	expect_status(t, what, pmu_status(), want, "the bit is sticky");
}

/* Writes a positive and a negative value, by each of the counter's addresses. */
static void write_each_way(unsigned c)
{
	for (unsigned n = 0; n < 2; n++) {
		const uint64_t value = n ? arch_counter_max(c) - (1u << 30) : 1;

		pmu_write(c, value);
		if (counting_has_full_width(c))
			msr_write(IA32_A_PMC(c), value);
	}
}

static void write_running(uint32_t rounds, uint32_t counter)
{
	write_each_way(counter);
	workload_loop.code(rounds, 0);
}

TEST(sticky, .id = "arch.status.sticky", .needs = need_status, .source = STATUS,
     .claim = "a bit stays set until it is cleared, whatever counts or is written meanwhile")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		uint64_t want;

		if (!arch_always_moves(c))
			continue;
		want = overflow(c, 0, arch_counter_max(c)).status & ~arch_unrelated_status();
		test_sub(t, "%s overflowed, then", pmu_counter_name(c, name));
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", want, arch_global_bit(c),
		              "the counter overflowed");
		pmu_window(workload_loop.code, ROUNDS, 0);
		expect_sticky(t, "IA32_PERF_GLOBAL_STATUS, counted on", want);
		pmu_write(c, arch_counter_max(c));
		pmu_window(workload_loop.code, ROUNDS, 0);
		expect_sticky(t, "IA32_PERF_GLOBAL_STATUS, overflowed again", want);
		write_each_way(c);
		expect_sticky(t, "IA32_PERF_GLOBAL_STATUS, its counter was written", want);
		pmu_window(write_running, ROUNDS, c);
		expect_sticky(t, "IA32_PERF_GLOBAL_STATUS, its counter was written while it ran",
		              want);
		msr_write(arch_enable_msr(c), 0);
		msr_write(IA32_PERF_GLOBAL_CTRL, 0);
		expect_sticky(t, "IA32_PERF_GLOBAL_STATUS, its controls were written", want);
	}
}

TEST(clear_one, .id = "arch.status.clear_one", .needs = need_arch_v2, .source = CLEAR,
     .claim = "writing one bit of 390H clears that bit of IA32_PERF_GLOBAL_STATUS and no other")
{
	uint64_t left = overflow_all();

	expect_status(t, "IA32_PERF_GLOBAL_STATUS before", pmu_status(), left,
	              "all counters overflowed");
	FOR_EACH_COUNTER(c) {
		uint64_t bit = arch_global_bit(c);

		if (!(left & bit))
			continue;
		pmu_clear_status(bit);
		left &= ~bit;
		test_sub(t, "390H written with %" PRIX64 "H", bit);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), left,
		              "the write clears this bit; bits that it does not name stay");
	}
}

TEST(clear_none, .id = "arch.status.clear_none", .needs = need_arch_v2, .source = CLEAR,
     .claim = "writing 0 or a bit that is not set into 390H clears nothing")
{
	uint64_t all = overflow_all();

	pmu_clear_status(0);
	expect_status(t, "IA32_PERF_GLOBAL_STATUS, after 0 was written into 390H", pmu_status(),
	              all, "zeros clear nothing");
	FOR_EACH_COUNTER(c) {
		uint64_t want;

		if (!arch_always_moves(c))
			continue;
		want = overflow(c, 0, arch_counter_max(c)).status & ~arch_unrelated_status();
		pmu_clear_status(arch_bits(ARCH_GLOBAL_CTRL, 0, ARCH_DEFINED)
		                 & ~arch_global_bit(c));
		test_sub(t, "390H written with all counters' bits but %" PRIX64 "H", want);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), want,
		              "the counter's own bit was not written");
	}
}

/* Returns a register that software has written. */
static uint64_t register_of(unsigned c, unsigned which)
{
	switch (which) {
	case 0:  return pmu_read(c);
	case 1:  return msr_read(arch_enable_msr(c));
	default: return msr_read(IA32_PERF_GLOBAL_CTRL);
	}
}

TEST(clear_only, .id = "arch.status.clear_only", .needs = need_arch_v2, .source = CLEAR,
     .claim = "clearing a status bit changes neither counters nor controls")
{
	static const char *const what[] = { "counter", "control", "IA32_PERF_GLOBAL_CTRL" };
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		uint64_t before[3];

		overflow(c, 0, arch_counter_max(c));
		/* Nothing runs, as the bits set in IA32_PERF_GLOBAL_CTRL are those of counters that
		 * are not enabled. */
		msr_write(IA32_PERF_GLOBAL_CTRL, arch_global_bits() & ~arch_global_bit(c));
		for (unsigned i = 0; i < 3; i++)
			before[i] = register_of(c, i);
		pmu_clear_status(arch_global_bit(c));
		test_sub(t, "%s's bit cleared", pmu_counter_name(c, name));
		for (unsigned i = 0; i < 3; i++)
			expect_exact(t, what[i], register_of(c, i), before[i],
			             "390H changes the status only");
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), 0, "the bit was cleared");
	}
}

TEST(write_is_no_wrap, .id = "arch.status.write_is_no_wrap", .needs = need_status,
     .source = STATUS, .claim = "writing 0 into a counter that held all ones is no overflow")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, arch_counter_max(c));

		test_sub(t, "%s written from all ones to 0", pmu_counter_name(c, name));
		if (c > PMU_FIXED_CTR(0)
		    && silicon_leaves_out(t, SILICON_FIXED_WRITES, "IA32_PERF_GLOBAL_STATUS"))
			continue;
		pmu_program(&s, 1);
		pmu_write(c, 0);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), 0,
		              "only counting makes a counter overflow");
		pmu_window(workload_loop.code, ROUNDS, 0);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS after counting", pmu_status(), 0,
		              "it counted from 0 and did not wrap");
		pmu_reset();
	}
}

/* Leaves the counter a hundred counts before its wrap while it runs. */
static void write_near_wrap(uint32_t rounds, uint32_t argument)
{
	workload_loop.code(ROUNDS, 0);
	pmu_write(argument, arch_counter_max(argument) - 2 * ROUNDS);
	workload_loop.code(rounds, 0);
}

TEST(running_write, .id = "arch.status.running_write", .needs = need_status, .source = STATUS,
     .claim = "a counter overflows from a value that was written while it ran")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		struct pmu_setup s = arch_setup(c, 0, 0);

		if (!arch_counts_insns(c))
			continue;
		test_sub(t, "%s written with minus %u while it runs", pmu_counter_name(c, name),
		         2 * ROUNDS + 1);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS after 20 more instructions",
		              pmu_measure_code(&s, 1, write_near_wrap, 10, c).status, 0,
		              "these are too few for a wrap");
		expect_status(t, "IA32_PERF_GLOBAL_STATUS after 400 more instructions",
		              pmu_measure_code(&s, 1, write_near_wrap, 2 * ROUNDS, c).status,
		              arch_global_bit(c), "the counter wrapped");
	}
}

TEST(once, .id = "arch.status.once", .needs = need_status, .source = STATUS,
     .claim = "an overflow sets the bit once: after it is cleared, it stays clear while "
              "counting goes on")
{
	char name[PMU_NAME_SIZE];

	FOR_EACH_COUNTER(c) {
		if (!arch_always_moves(c))
			continue;
		overflow(c, 0, arch_counter_max(c));
		pmu_clear_status(arch_global_bit(c));
		test_sub(t, "%s overflowed, its bit was cleared", pmu_counter_name(c, name));
		expect_status(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), 0, "the bit was cleared");
		pmu_window(workload_loop.code, ROUNDS, 0);
		expect_status(t, "IA32_PERF_GLOBAL_STATUS after more counts", pmu_status(), 0,
		              "there was no other overflow");
	}
}
