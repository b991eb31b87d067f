/* SPDX-License-Identifier: MIT */
/*
 * HLT: what counts while the processor is halted, and whether it goes on. SDM 3B, "Pre-defined
 * Architectural Performance Events", UnHalted Core Cycles: the event counts "when the clock signal
 * on a specific core is running (not halted)".
 */
#include <tests/arch_measure.h>

#include <arch/apic.h>
#include <arch/insn.h>
#include <arch/interrupt.h>
#include <arch/segments.h>
#include <kernel/format.h>
#include <pmu/workload.h>
#include <tests/needs.h>

#define SDM "SDM 3B, Pre-defined Architectural Performance Events, "

static uint64_t tsc_start, tsc_end;

static struct pmu_setup gp(unsigned counter, uint16_t event)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH };
}

static const char *need_cycles(struct test_ctx *t)
{
	return need_event(t, EVENT_UNHALTED_CORE_CYCLES);
}

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

static const char *need_cycles_and_apic(struct test_ctx *t)
{
	const char *problem = need_cycles(t);

	return problem ? problem : need_local_apic(t);
}

struct halted { struct pmu_reading reading; uint64_t tsc; };

static struct halted measure_halt(const struct pmu_setup *setups, unsigned count, uint32_t length,
                                  uint32_t loop)
{
	uintptr_t flags = flags_read();
	interrupt_handler before = interrupt_set_handler(VECTOR_TEST, on_timer);
	struct halted h;

	rounds_after = loop;
	interrupts_disable();
	h.reading = counting_measure(setups, count, halt, 1, length);
	apic_timer_stop();
	flags_write(flags);
	interrupt_set_handler(VECTOR_TEST, before);
	h.tsc = tsc_end - tsc_start;
	return h;
}

/* Bus clocks of the APIC's timer: at 100 MHz 1 and 20 ms, both below the watchdog's 55 ms. */
enum { HALT_SHORT = 100000, HALT_LONG = 2000000, LOOP_SHORT = 1000, LOOP_LONG = 51000 };

/*
 * ticks: how far two counts of the same code may be apart where the clock is slower than the core's
 * and its ticks fall by chance: one in each of the two stretches that run.
 */
struct halt_row {
	const char *what;
	uint16_t event;
	unsigned counter, ticks;
};

static const struct halt_row halt_rows[] = {
	{ "core cycles",      EVENT_UNHALTED_CORE_CYCLES,      0,                0 },
	{ "reference cycles", EVENT_UNHALTED_REFERENCE_CYCLES, 0,                2 },
	{ "slots",            EVENT_TOPDOWN_SLOTS,             0,                0 },
	{ "IA32_FIXED_CTR1",  0,                               PMU_FIXED_CTR(1), 0 },
	{ "IA32_FIXED_CTR2",  0,                               PMU_FIXED_CTR(2), 0 },
	{ "IA32_FIXED_CTR3",  0,                               PMU_FIXED_CTR(3), 0 },
};

/* What a longer HLT adds, of so many TSC clocks that were halted. */
static void expect_halted(struct test_ctx *t, const struct halt_row *row, uint64_t few,
                          uint64_t many, uint64_t tsc)
{
	if (!pmu_is_exact())
		expect_between(t, row->what, many > few ? many - few : 0, 0, tsc / 16,
		               "low: a halted processor has no cycles; high: a 16th of the time "
		               "halted, for waking up with caches that went cold");
	else if (row->ticks)
		expect_between(t, row->what, many, few > row->ticks ? few - row->ticks : 0,
		               few + row->ticks, "as in the shorter HLT, and a tick less or more "
		               "before and behind it: low: both less; high: both more");
	else
		expect_exact(t, row->what, many, few,
		             "as in the shorter HLT: a halted processor has no cycles");
}

static void check_halt_row(struct test_ctx *t, const struct halt_row *row)
{
	const struct pmu_setup setup = gp(row->counter, row->event);
	struct halted few, many;

	if (!pmu_has_counter(row->counter) || (row->event && !pmu_has_event(row->event)))
		return;
	few = measure_halt(&setup, 1, HALT_SHORT, LOOP_SHORT);
	many = measure_halt(&setup, 1, HALT_LONG, LOOP_SHORT);
	expect_between(t, "TSC clocks that the long halt takes more", many.tsc - few.tsc,
	               4096, UINT64_MAX / 2, "low: the timer was 20 times as long; high: no bound");
	expect_halted(t, row, few.reading.count[0], many.reading.count[0], many.tsc - few.tsc);
}

TEST(halted, .id = "arch.cycles.halted", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE,
     .source = SDM "UnHalted Core Cycles, UnHalted Reference Cycles: an event does not count while "
               "the processor is halted",
     .claim = "cycles, reference cycles and slots do not count in HLT");
static void halted(struct test_ctx *t)
{
	for (unsigned i = 0; i < COUNT_OF(halt_rows); i++)
		check_halt_row(t, &halt_rows[i]);
}

TEST(halted_insns, .id = "arch.cycles.halted_instructions", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE, .source = SDM "Instructions Retired",
     .claim = "the length of a HLT changes no count of instructions, and behind it they go on");
static void halted_insns(struct test_ctx *t)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, EVENT_INSTRUCTIONS_RETIRED, PMU_BOTH);
	struct halted few = measure_halt(setups, count, HALT_SHORT, LOOP_SHORT);
	struct halted halt_more = measure_halt(setups, count, HALT_LONG, LOOP_SHORT);
	struct halted loop_more = measure_halt(setups, count, HALT_SHORT, LOOP_LONG);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "%s", pmu_counter_name(setups[i].counter, name));
		expect_exact(t, "a longer HLT",
		             halt_more.reading.count[i] - few.reading.count[i], 0,
		             "HLT is one instruction, and a halted processor retires none");
		expect_exact(t, "50000 more rounds of a loop behind HLT",
		             loop_more.reading.count[i] - few.reading.count[i],
		             workload_insns(&workload_loop, LOOP_LONG)
		             - workload_insns(&workload_loop, LOOP_SHORT),
		             "counting goes on when HLT ends");
	}
}

TEST(resumed, .id = "arch.cycles.resumed", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE,
     .source = SDM "UnHalted Core Cycles", .claim = "cycles count again behind HLT");
static void resumed(struct test_ctx *t)
{
	const struct pmu_setup setup = gp(0, EVENT_UNHALTED_CORE_CYCLES);
	uint64_t few = measure_halt(&setup, 1, HALT_SHORT, LOOP_SHORT).reading.count[0];
	uint64_t many = measure_halt(&setup, 1, HALT_SHORT, LOOP_LONG).reading.count[0];

	expect_between(t, "cycles of 50000 more rounds behind HLT", many > few ? many - few : 0,
	               2 * (LOOP_LONG - LOOP_SHORT) / INSNS_PER_CYCLE_MAX, UINT32_MAX,
	               "low: 16 instructions a cycle; high: a second");
}

/* Whether a condition that no event fulfils holds in cycles that are no cycles. */
TEST(halted_inverted, .id = "arch.cycles.halted_inverted", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE,
     .source = "SDM 3B: not specified", .claim = "what INV counts in HLT is reported");
static void halted_inverted(struct test_ctx *t)
{
	const struct pmu_setup setup = { .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES,
	                                 .cmask = 2, .flags = PMU_BOTH | PMU_INV };
	struct halted few = measure_halt(&setup, 1, HALT_SHORT, LOOP_SHORT);
	struct halted many = measure_halt(&setup, 1, HALT_LONG, LOOP_SHORT);

	test_report(t, "CMASK = 2, INV = 1 on core cycles, more in the longer HLT",
	            "%" PRIu64 ", the TSC %" PRIu64,
	            many.reading.count[0] - few.reading.count[0], many.tsc - few.tsc);
}
