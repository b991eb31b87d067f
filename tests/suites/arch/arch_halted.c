/* SPDX-License-Identifier: MIT */
/*
 * HLT: these tests check what counts while the processor is halted, and that counting goes on after
 * it. SDM 3B, "Pre-defined Architectural Performance Events", UnHalted Core Cycles: the event
 * counts "when the clock signal on a specific core is running (not halted)".
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/events/arch_events.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_sources.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/needs.h>

static struct pmu_setup gp(unsigned counter, uint16_t event)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH };
}

static const char *need_cycles(struct test_ctx *t)
{
	return need_event(t, EVENT_UNHALTED_CORE_CYCLES);
}

static NEED_BOTH(need_cycles_and_apic, need_cycles, need_local_apic)
static NEED_BOTH(need_arch_and_apic, need_arch, need_local_apic)

/* judge_halted() uses ticks. */
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

static void check_halt_row(struct test_ctx *t, const struct halt_row *row)
{
	const struct pmu_setup setup = gp(row->counter, row->event);

	if (pmu_has_counter(row->counter) && (!row->event || pmu_has_event(row->event)))
		judge_halted(t, row->what, &setup, row->ticks);
}

TEST(halted, .id = "arch.cycles.halted", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE,
     .source = EVENTS "UnHalted Core Cycles, UnHalted Reference Cycles: an event does not count "
               "while the processor is halted",
     .claim = "cycles, reference cycles and slots do not count in HLT")
{
	for (unsigned i = 0; i < COUNT_OF(halt_rows); i++)
		check_halt_row(t, &halt_rows[i]);
}

static void check_event(struct test_ctx *t, const struct arch_event *e)
{
	uint32_t counters = (uint32_t)arch_event_counters(e);
	struct pmu_setup s = { .event = e->event, .flags = PMU_BOTH };

	while (counters && !(counters >> s.counter & 1))
		s.counter++;
	if (counters && e->kind == PMU_COUNT)
		judge_halted_event(t, e->name, &s, strncmp(e->name, "TOPDOWN", 7) == 0);
}

TEST(halted_events, .id = "arch.cycles.halted_events", .needs = need_arch_and_apic,
     .runs = TEST_ALONE,
     .source = EVENTS "LLC Reference: requests \"originating from the core\"; all others: "
               "retirement",
     .claim = "events of the caches, of branches and of memory do not count in HLT")
{
	for (unsigned i = 0; i < arch_event_count; i++)
		check_event(t, &arch_events[i]);
}

TEST(halted_insns, .id = "arch.cycles.halted_instructions", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE, .source = EVENTS "Instructions Retired",
     .claim = "the length of a HLT changes no count of instructions, and counting "
              "goes on after it")
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
		expect_exact(t, "50000 more rounds of a loop after HLT",
		             loop_more.reading.count[i] - few.reading.count[i],
		             workload_insns(&workload_loop, LOOP_LONG)
		             - workload_insns(&workload_loop, LOOP_SHORT),
		             "counting goes on when HLT ends");
	}
}

TEST(resumed, .id = "arch.cycles.resumed", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE,
     .source = EVENTS "UnHalted Core Cycles", .claim = "cycles count again after HLT")
{
	const struct pmu_setup setup = gp(0, EVENT_UNHALTED_CORE_CYCLES);
	uint64_t few = measure_halt(&setup, 1, HALT_SHORT, LOOP_SHORT).reading.count[0];
	uint64_t many = measure_halt(&setup, 1, HALT_SHORT, LOOP_LONG).reading.count[0];

	expect_between(t, "cycles of 50000 more rounds after HLT", many - few,
	               2 * (LOOP_LONG - LOOP_SHORT) / INSNS_PER_CYCLE_MAX, UINT32_MAX,
	               "low: 16 instructions a cycle; high: a second");
}

/* The manual does not say whether the inverse of a condition holds while the
 * core's clock is stopped. */
TEST(halted_inverted, .id = "arch.cycles.halted_inverted", .needs = need_cycles_and_apic,
     .runs = TEST_ALONE,
     .source = "SDM 3B: not specified", .claim = "what INV counts in HLT is reported")
{
	const struct pmu_setup setup = { .counter = 0, .event = EVENT_UNHALTED_CORE_CYCLES,
	                                 .cmask = 2, .flags = PMU_BOTH | PMU_INV };
	struct halted few = measure_halt(&setup, 1, HALT_SHORT, LOOP_SHORT);
	struct halted many = measure_halt(&setup, 1, HALT_LONG, LOOP_SHORT);

	test_report(t, "CMASK = 2, INV = 1 on core cycles, additional count in the longer HLT",
	            "%" PRId64 ", the TSC %" PRId64,
	            many.reading.count[0] - few.reading.count[0], many.tsc - few.tsc);
}
