/* SPDX-License-Identifier: MIT */
/*
 * Cycles and reference cycles of running code. SDM 3B, "Pre-defined Architectural
 * Performance Events": core cycles count "when the clock signal on a specific core is running (not
 * halted)"; table "Association of Fixed-Function Performance Counters with Architectural
 * Performance Events".
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/cpu/insn.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_sources.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define FIXED "SDM 3B, Fixed-Function Performance Counters, "

static struct pmu_setup gp(unsigned counter, uint16_t event)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH };
}

static const char *need_cycles(struct test_ctx *t)
{
	return need_event(t, EVENT_UNHALTED_CORE_CYCLES);
}

TEST(running, .id = "arch.cycles.running", .needs = need_cycles,
     .source = EVENTS "UnHalted Core Cycles",
     .claim = "NOPs take at least one cycle for each 16, and so do other instructions")
{
	uint64_t none = counting_one(EVENT_UNHALTED_CORE_CYCLES, workload_nops.code, 0, 0);
	uint64_t nops = counting_one(EVENT_UNHALTED_CORE_CYCLES, workload_nops.code, 4096, 0);
	uint64_t divisions = counting_one(EVENT_UNHALTED_CORE_CYCLES, workload_divide.code, 4096,
	                                  0);

	expect_between(t, "cycles of a window without NOPs", none, 1, UINT32_MAX,
	               "low: the window itself takes time; high: a second");
	expect_between(t, "cycles of a window with 4096 NOPs", nops, 4096 / INSNS_PER_CYCLE_MAX,
	               UINT32_MAX, "low: 16 instructions a cycle; high: a second");
	expect_between(t, "cycles of a window with 4096 divisions", divisions,
	               workload_insns(&workload_divide, 4096) / INSNS_PER_CYCLE_MAX, UINT32_MAX,
	               "low: 16 instructions a cycle; high: a second");
	test_report(t, "cycles of 100 NOPs", "%d", (int)(nops - none) * 25 / 1024);
	test_report(t, "cycles of 100 divisions", "%" PRIu32, (uint32_t)divisions * 25 / 1024);
}

TEST(per_insns, .id = "arch.cycles.instructions", .needs = need_gp2,
     .source = EVENTS "UnHalted Core Cycles, Instructions Retired",
     .claim = "in one window there are at most 16 times as many instructions as cycles")
{
	const struct pmu_setup setups[] = { gp(0, EVENT_INSTRUCTIONS_RETIRED),
	                                    gp(1, EVENT_UNHALTED_CORE_CYCLES) };
	static const struct workload *const workloads[] = {
		&workload_loop, &workload_jmp, &workload_call, &workload_cpuid, &workload_divide,
	};

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 2); i++) {
		struct pmu_reading r = counting_measure(setups, 2, workloads[i]->code, 1000, 0);

		test_sub(t, "%s", workloads[i]->name);
		expect_between(t, "cycles", r.count[1], r.count[0] / INSNS_PER_CYCLE_MAX,
		               UINT32_MAX, "low: 16 instructions a cycle; high: a second");
	}
}

TEST(fixed, .id = "arch.cycles.fixed", .needs = need_fixed1, .source = FIXED "IA32_FIXED_CTR1",
     .claim = "IA32_FIXED_CTR1 counts what event 3CH counts")
{
	const struct pmu_setup setups[] = {
		gp(0, EVENT_UNHALTED_CORE_CYCLES),
		{ .counter = PMU_FIXED_CTR(1), .flags = PMU_BOTH },
	};
	static const struct workload *const workloads[] = {
		&workload_empty, &workload_loop, &workload_cpuid, &workload_divide,
		&workload_fault, &workload_int_iret,
	};

	pmu_workload_gates();
	for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
		struct pmu_reading r = counting_measure(setups, 2, workloads[i]->code, 1000, 0);

		test_sub(t, "%s", workloads[i]->name);
		expect_same(t, "IA32_FIXED_CTR1", r.count[1], r.count[0], WINDOW_EDGES,
		            "IA32_PMC0 counted the same cycles in the same window");
	}
}

/* ------------------------------------------------------------------------ reference cycles */

static uint64_t tsc_start, tsc_end;

static void timed_loop(uint32_t rounds, uint32_t argument)
{
	tsc_start = tsc_read();
	workload_loop.code(rounds, argument);
	tsc_end = tsc_read();
}

/* The counter may move in steps of a slower clock; the slowest crystal has 24 MHz (SDM
 * 3B, "Time-Stamp Counter", nominal core crystal clock frequency), and no TSC is faster than 5 GHz.
 * Each end of the window may be off by a step. */
static uint64_t reference_steps(void)
{
	return unless_exact(2 * (5000 / 24 + 1));
}

/* A hypervisor may run something else: the guest's TSC goes on, its counter stands still. */
static uint64_t least_of(uint64_t inner)
{
	return cpuid_get(CPUID_HYPERVISOR) ? 1 : inner;
}

TEST(reference, .id = "arch.cycles.reference_tsc", .needs = need_fixed2,
     .source = FIXED "IA32_FIXED_CTR2, CPU_CLK_UNHALTED.REF_TSC",
     .claim = "IA32_FIXED_CTR2 counts at the rate of the time-stamp counter")
{
	const struct pmu_setup setup = { .counter = PMU_FIXED_CTR(2), .flags = PMU_BOTH };
	uint64_t steps = reference_steps(), before, after, inner;
	struct pmu_reading r;

	for (uint32_t rounds = 1000; rounds <= 100000; rounds *= 10) {
		before = tsc_read();
		r = pmu_measure_code(&setup, 1, timed_loop, rounds, 0);
		after = tsc_read();
		inner = least_of(tsc_end - tsc_start);
		test_sub(t, "%" PRIu32 " rounds", rounds);
		expect_between_unless(t, SILICON_FIXED2_HAS_OWN_RATE, "IA32_FIXED_CTR2", r.count[0],
		                      inner > steps ? inner - steps : 0, after - before + steps,
		                      "low: the TSC from the first to the last instruction of the "
		                      "code, in a guest 1; high: the TSC around the whole "
		                      "measurement");
	}
}

/* On other machines the core's clock differs from the TSC's: it is slower to save power, or
 * faster. */
TEST(core, .id = "arch.cycles.core_tsc", .needs = need_cycles,
     .source = EVENTS "UnHalted Core Cycles",
     .claim = "where every core cycle is a TSC clock, event 3CH counts what the TSC counts")
{
	for (uint32_t rounds = 10; rounds <= 100000; rounds *= 10) {
		uint64_t before = tsc_read();
		uint64_t cycles = counting_one(EVENT_UNHALTED_CORE_CYCLES, timed_loop, rounds, 0);
		uint64_t after = tsc_read(), inner = tsc_end - tsc_start;

		test_sub(t, "%" PRIu32 " rounds", rounds);
		expect_bounds(t, "IA32_PMC0", cycles,
		              if_exact_in(inner, after - before, "low: the TSC from the first to "
		                          "the last instruction of the code; high: the TSC around "
		                          "the whole measurement"), ELSE_SHOWN);
	}
}

static const char *need_reference(struct test_ctx *t)
{
	return need_event(t, EVENT_UNHALTED_REFERENCE_CYCLES);
}

/* The rate of this clock depends on the model: a bus or crystal clock, on some
 * processors the TSC's. */
TEST(bus, .id = "arch.cycles.reference", .needs = need_reference,
     .source = EVENTS "UnHalted Reference Cycles",
     .claim = "event 3CH, unit mask 01H counts in proportion to time")
{
	const struct pmu_setup setups[] = { gp(0, EVENT_UNHALTED_REFERENCE_CYCLES),
	                                    gp(1, EVENT_UNHALTED_CORE_CYCLES) };
	unsigned count = pmu_has_counter(1) ? 2 : 1;
	struct pmu_reading few = counting_measure(setups, count, timed_loop, 100000, 0);
	uint64_t few_tsc = tsc_end - tsc_start;
	struct pmu_reading many = counting_measure(setups, count, timed_loop, 400000, 0);
	uint64_t many_tsc = tsc_end - tsc_start;

	if (silicon_leaves_out(t, SILICON_NO_REFERENCE_CYCLES, "IA32_PMC0"))
		return;
	expect_between(t, "IA32_PMC0 in a loop of 100000", few.count[0], few_tsc / 512,
	               2 * few_tsc, "low: a clock of 24 MHz against a TSC of 12 GHz; high: no "
	               "reference clock is twice as fast as the TSC");
	expect_between(t, "IA32_PMC0 in a loop of 400000", many.count[0], 2 * few.count[0],
	               8 * few.count[0] + 8,
	               "the work is four times as long; low: twice the count; high: eight times, "
	               "whatever the core's clock did meanwhile");
	test_report(t, "TSC, reference cycles, core cycles", "%" PRId64 ", %" PRId64 ", %" PRId64,
	            many_tsc, many.count[0], many.count[1]);
}

/* ------------------------------------------------------------------------ "total cycles" */

/* Counters 0 and 1 count all cycles; if each has a window of its own, its cycles are its own. */
static void expect_all_cycles(struct test_ctx *t, const char *what,
                              const struct pmu_setup setups[2], uint32_t rounds, const char *why)
{
	struct pmu_reading r = counting_measure(setups, 2, workload_divide.code, rounds, 0);

	if (is_comparable(counting_is_together()))
		expect_same(t, what, r.count[1], r.count[0], WINDOW_EDGES, why);
	else
		counting_expect_clocks(t, what, r.count[1],
		                       workload_insns(&workload_divide, rounds));
}

TEST(total, .id = "arch.cycles.inverted", .needs = need_gp2,
     .source = "SDM 3B, Architectural Performance Monitoring Version 1, CMASK and INV",
     .claim = "event 3CH occurs at most once a cycle: fewer than two occur in every cycle")
{
	const struct pmu_setup setups[] = {
		gp(0, EVENT_UNHALTED_CORE_CYCLES),
		{ .counter = 1, .event = EVENT_UNHALTED_CORE_CYCLES, .flags = PMU_BOTH | PMU_INV,
		  .cmask = 2 },
	};
	const struct pmu_setup at_least[] = {
		gp(0, EVENT_UNHALTED_CORE_CYCLES),
		{ .counter = 1, .event = EVENT_UNHALTED_CORE_CYCLES, .flags = PMU_BOTH,
		  .cmask = 1 },
	};

	for (uint32_t rounds = 1; rounds <= 10000; rounds *= 10) {
		test_sub(t, "%" PRIu32 " divisions", rounds);
		expect_all_cycles(t, "IA32_PMC1, CMASK = 2, INV = 1", setups, rounds,
		                  "every cycle has fewer than two of the event, and IA32_PMC0 "
		                  "counted all cycles");
		expect_all_cycles(t, "IA32_PMC1, CMASK = 1", at_least, rounds,
		                  "every cycle has one of the event, and IA32_PMC0 counted all "
		                  "cycles");
	}
}
