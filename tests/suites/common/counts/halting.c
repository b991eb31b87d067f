/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/halting.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <pmu/events/events.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

static uint64_t tsc_start, tsc_end;

static void on_timer(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

static volatile uint32_t rounds_after;

/* Halts until the APIC's timer has counted `argument`; then loops rounds_after times. */
static void halt(uint32_t rounds, uint32_t argument)
{
	(void)rounds;
	tsc_start = tsc_read();
	apic_timer_start(VECTOR_TEST, argument);
	interrupts_enable_and_halt();
	interrupts_disable();
	tsc_end = tsc_read();
	workload_loop.code(rounds_after, 0);
}

struct halted measure_halt(const struct pmu_setup *setups, unsigned count, uint32_t length,
                           uint32_t loop)
{
	uintptr_t flags = flags_read();
	interrupt_handler before = interrupt_set_handler(VECTOR_TEST, on_timer);
	/* This alignment puts the stack below into the same cache lines and pages for all
	 * callers. */
	struct halted h __attribute__((aligned(4096)));

	rounds_after = loop;
	interrupts_disable();
	h.reading = counting_measure(setups, count, halt, 1,
	                             apic_timer_clocks(length));
	apic_timer_stop();
	flags_write(flags);
	interrupt_set_handler(VECTOR_TEST, before);
	h.tsc = tsc_end - tsc_start;
	return h;
}

/*
 * Checks what a longer HLT adds to a count of cycles: from `few` to `many`, of so many TSC clocks
 * that were halted.
 */
static void expect_halted(struct test_ctx *t, const char *what, unsigned ticks, uint64_t few,
                          uint64_t many, uint64_t tsc)
{
	if (!pmu_is_exact())
		expect_between(t, what, many > few ? many - few : 0, 0, tsc / 16,
		               "low: a halted processor has no cycles; high: a 16th of the time "
		               "halted, for waking up with cold caches");
	else if (ticks)
		expect_between(t, what, many, few > ticks ? few - ticks : 0,
		               few + ticks,
		               "the count is that of the shorter HLT, except for a tick before the "
		               "HLT and one after it; low: both fewer; high: both more");
	else
		expect_exact(t, what, many, few,
		             "the count is that of the shorter HLT, as a halted "
		             "processor has no cycles");
}

void judge_halted(struct test_ctx *t, const char *what, const struct pmu_setup *setup,
                  unsigned ticks)
{
	struct halted few = measure_halt(setup, 1, HALT_SHORT, LOOP_SHORT);
	struct halted many = measure_halt(setup, 1, HALT_LONG, LOOP_SHORT);

	expect_between(t, "additional TSC clocks of the long halt", many.tsc - few.tsc,
	               4096, UINT64_MAX / 2, "low: the timer ran 20 times as long; high: no bound");
	expect_halted(t, what, ticks, few.reading.count[0], many.reading.count[0],
	              many.tsc - few.tsc);
}

void judge_halted_event(struct test_ctx *t, const char *what, const struct pmu_setup *setup,
                        bool is_clocks)
{
	struct halted few = measure_halt(setup, 1, HALT_SHORT, LOOP_SHORT);
	struct halted many = measure_halt(setup, 1, HALT_LONG, LOOP_SHORT);
	uint64_t least = few.reading.count[0], got = many.reading.count[0];

	expect_bounds(t, what, got,
	              if_exact(least, "the count is that of the shorter HLT: a halted processor "
	                       "fetches, reads, writes and retires nothing"),
	              is_clocks ? ELSE_SHOWN
	              : else_in(0, least + (many.tsc - few.tsc) / 1024, "low: no bound; high: what "
	                        "the shorter HLT counts, and one in 1024 clocks halted, for what "
	                        "others cause and for waking up"));
}

static bool is_counted(const struct pmu_event *e)
{
	return pmu_event_exists(e) && e->is_required;
}

void judge_halted_table(struct test_ctx *t)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count);

	for (const struct pmu_event *e = table; e < table + count; e++) {
		bool is_clocks = e->kind != PMU_COUNT;
		unsigned flags = counting_is_p5() && e->kind == PMU_CYCLES ? PMU_CLOCKS : 0;
		struct pmu_setup s = pmu_event_setup(e, NULL, e->counters & 1 ? 0 : 1,
		                                     PMU_BOTH | flags);

		if (is_counted(e))
			judge_halted_event(t, e->name, &s, is_clocks);
	}
}
