/* SPDX-License-Identifier: MIT */
/*
 * Operating systems make an NMI watchdog of a PMU: a counter of unhalted cycles with an NMI every N
 * cycles. It fires while the processor spins with interrupts off, and is quiet in HLT.
 */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_snippets.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define SOURCE "SDM 3B, \"Pre-defined Architectural Performance Events\", unhalted core cycles; " \
               "\"Counting Clocks\""

/*
 * A period is much longer than a handler. The loop takes at least a cycle for four instructions, so
 * at least five periods; the halt is 10 ms, at least two periods at 10 million cycles a second.
 */
#define PERIOD   50000u
#define ROUNDS   500000u
#define HALT_MS  10u

static const struct way {
	struct pmu_setup setup;
	bool is_any_cycle;             /* counts halted cycles as well, as far as the SDM says */
} general = { { .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES, .flags = PMU_BOTH }, false },
  fixed = { { .counter = PMU_FIXED_CTR(1), .flags = PMU_BOTH }, false },
  total = { { .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES, .cmask = 2,
              .flags = PMU_BOTH | PMU_INV }, true };

static const char *need_cycles(struct test_ctx *t)
{
	const char *reason = need_pmi(t);

	if (!reason && !pmu_has_event(EVENT_UNHALTED_CORE_CYCLES))
		return test_reason(t, "CPUID.0AH:EBX[0] = 1: the event of unhalted core cycles is "
		                      "not available");
	return reason;
}

static const char *need_pmi_fixed1(struct test_ctx *t)
{
	const char *reason = need_pmi(t);

	if (!reason && !pmu_has_counter(PMU_FIXED_CTR(1)))
		return test_reason(t, "fixed counters %XH: no IA32_FIXED_CTR1",
		                   pmu_get()->fixed_map);
	return reason;
}

static unsigned counter;

static void reload(struct frame *f)
{
	(void)f;
	pmu_write(counter, (pmu_read(counter) - PERIOD) & counter_mask(counter));
	pmi_go_on();
}

static const struct pmi_log *run(const struct way *way,
                                 void (*code)(uint32_t rounds, uint32_t argument))
{
	struct pmu_setup s = way->setup;

	s.flags |= PMU_INT;
	s.start = 0 - (uint64_t)PERIOD;
	counter = s.counter;
	return pmi_run(&(const struct pmi_window){ .setups = &s, .count = 1, .code = code,
	                                           .rounds = ROUNDS, .on_pmi = reload,
	                                           .most = 100 * ROUNDS / PERIOD });
}

static void spin(struct test_ctx *t, const struct way *way)
{
	uintptr_t flags = flags_read();
	uint32_t quiet, pmis;
	uint64_t left;

	interrupts_disable();
	quiet = (uint32_t)pmu_measure(&way->setup, 1, &workload_loop, ROUNDS, 0).count[0];
	pmis = run(way, workload_loop.code)->count;
	left = (0 - pmu_read(counter)) & counter_mask(counter);
	flags_write(flags);
	expect_between(t, "cycles of the loop without PMIs", quiet, 2 * ROUNDS / 8, 100 * ROUNDS,
	               "low: no processor retires more than 8 instructions a cycle; high: 100 "
	               "cycles a round");
	expect_between(t, "PMIs", pmis, quiet / PERIOD / 2, 2 * (quiet / PERIOD) + 2,
	               "low: half the periods of the loop, in case its second run is faster; high: "
	               "twice as many, in case the handlers take as long as the loop");
	expect_between(t, "cycles to the next overflow", left, 1, PERIOD,
	               "low: the counter is below 0, so no overflow passed without its "
	               "PMI; high: a period");
}

TEST(spin_general, .id = "arch.watchdog.spin.general", .needs = need_cycles, .source = SOURCE,
     .claim = "a general counter of unhalted cycles interrupts a loop with IF = 0 again and again")
{
	spin(t, &general);
}

TEST(spin_fixed, .id = "arch.watchdog.spin.fixed", .needs = need_pmi_fixed1, .source = SOURCE,
     .claim = "IA32_FIXED_CTR1 interrupts a loop with IF = 0 again and again")
{
	spin(t, &fixed);
}

TEST(spin_total, .id = "arch.watchdog.spin.total_cycles", .needs = need_cycles, .source = SOURCE,
     .claim = "counting cycles with fewer than 2 unhalted cycles, which is every cycle, interrupts "
              "a loop as well")
{
	spin(t, &total);
}

/* ---------------------------------------------------------------------------------------- HLT */

static uint64_t ticks_halted;

static void halt(uint32_t rounds, uint32_t argument)
{
	uint64_t before = tsc_read();

	pmi_hlt(rounds, argument);
	ticks_halted = tsc_read() - before;
}

static uint64_t counted(const struct way *way)
{
	return (pmu_read(way->setup.counter) + PERIOD) & counter_mask(way->setup.counter);
}

static void judge_halt(struct test_ctx *t, const struct way *way)
{
	uintptr_t flags = flags_read();
	const struct pmi_log *log;

	interrupts_disable();
	wake_after(HALT_MS);
	interrupts_enable();
	log = run(way, halt);
	interrupts_disable();
	flags_write(flags);
	wake_stop();
	if (way->is_any_cycle) {
		test_report(t, "PMIs, and cycles counted, in HLT", "%u, %" PRId64, log->count,
		            counted(way));
	} else {
		expect_exact(t, "PMIs", log->count, 0, "unhalted cycles do not count in HLT");
		expect_between(t, "cycles counted", counted(way), 1, PERIOD - 1,
		               "low: some code runs around the HLT; high: no overflow");
		expect_exact(t, "timer interrupts", wake_count(), 1, "the timer ends the HLT");
	}
	expect_between(t, "ticks of the time-stamp counter in HLT", ticks_halted, 2 * PERIOD,
	               UINT64_MAX, "low: two periods, or the test would show "
	                           "nothing; high: no bound");
}

TEST(halt_general, .id = "arch.watchdog.halt.general", .needs = need_cycles, .source = SOURCE,
     .claim = "a general counter of unhalted cycles does not interrupt HLT")
{
	judge_halt(t, &general);
}

TEST(halt_fixed, .id = "arch.watchdog.halt.fixed", .needs = need_pmi_fixed1, .source = SOURCE,
     .claim = "IA32_FIXED_CTR1 does not interrupt HLT")
{
	judge_halt(t, &fixed);
}

TEST(halt_total, .id = "arch.watchdog.halt.total_cycles", .needs = need_cycles, .source = SOURCE,
     .claim = "whether CMASK = 2, INV = 1 makes cycles count in HLT is reported")
{
	judge_halt(t, &total);
}
