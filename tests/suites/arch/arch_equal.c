/* SPDX-License-Identifier: MIT */
/*
 * Counters that are programmed alike count alike: all general ones; general and fixed ones; and,
 * with AnyThread, any of them while only one thread runs.
 */
#include <tests/suites/common/counts/counting.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

#define SDM "SDM 3B, Architectural Performance Monitoring "

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const struct workload *const workloads[] = {
	&workload_empty, &workload_loop, &workload_jmp, &workload_random, &workload_divide,
	&workload_cpuid, &workload_walk,
};

static const struct { const char *name; uint16_t event; bool is_per_cycle; } events[] = {
	{ "core cycles",       EVENT_UNHALTED_CORE_CYCLES,      true },
	{ "instructions",      EVENT_INSTRUCTIONS_RETIRED,      false },
	{ "reference cycles",  EVENT_UNHALTED_REFERENCE_CYCLES, true },
	{ "cache references",  EVENT_LLC_REFERENCE,             true },
	{ "cache misses",      EVENT_LLC_MISSES,                true },
	{ "branches",          EVENT_BRANCH_INSTR_RETIRED,      false },
	{ "mispredictions",    EVENT_BRANCH_MISSES_RETIRED,     true },
};

static uint32_t argument_of(const struct workload *w)
{
	uint32_t size;

	return w == &workload_walk ? (uint32_t)(uintptr_t)pmu_workload_arena(&size) : SEED;
}

static void check_equal(struct test_ctx *t, const struct workload *w, uint16_t event,
                        unsigned slack)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, event, PMU_BOTH);
	struct pmu_reading r = counting_measure(setups, count, w->code,
	                                        counting_rounds(w, ROUNDS), argument_of(w));
	char name[PMU_NAME_SIZE];

	for (unsigned i = 1; i < count; i++) {
		pmu_counter_name(setups[i].counter, name);
		if (!slack || is_comparable(counting_is_together()))
			expect_same(t, name, r.count[i], r.count[0], slack,
			            "IA32_PMC0 counted the same event");
		else if (event == EVENT_UNHALTED_CORE_CYCLES)
			counting_expect_clocks(t, name, r.count[i],
			                       workload_insns(w, counting_rounds(w, ROUNDS)));
		else
			test_report(t, name, "%" PRId64 "; IA32_PMC0 in another window: %" PRId64,
			            r.count[i], r.count[0]);
	}
}

TEST(counters, .id = "arch.identities.counters", .needs = need_gp2, .source = SDM "Version 1",
     .claim = "all counters on one event count the same, including the fixed counter for it")
{
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		if (!pmu_has_event(events[i].event))
			continue;
		for (size_t j = 0; j < COUNT_OF(workloads); j++) {
			test_sub(t, "%s of %s", events[i].name, workloads[j]->name);
			check_equal(t, workloads[j], events[i].event,
			            events[i].is_per_cycle ? WINDOW_EDGES : 0);
		}
	}
}

/* ------------------------------------------------------------------------ repetition */

/* Other processors share a cache: what they do at the same time changes cycles and references. */
TEST(repeats, .id = "arch.identities.repeats", .runs = TEST_ALONE, .needs = need_arch,
     .source = SDM "Version 1; the kernel's word `exact`",
     .claim = "the same code gives the same count each time: instructions and branches "
              "on every machine")
{
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		uint64_t low = UINT64_MAX, high = 0;

		if (!pmu_has_event(events[i].event))
			continue;
		for (unsigned j = 0; j < 8; j++) {
			uint64_t got = counting_one(events[i].event, workload_random.code, ROUNDS,
			                            SEED);

			low = got < low ? got : low;
			high = got > high ? got : high;
		}
		if (is_comparable(!events[i].is_per_cycle))
			expect_exact(t, events[i].name, high, low,
			             "the highest of eight counts is the lowest");
		else
			test_report(t, events[i].name, "%" PRId64 " to %" PRId64, low, high);
	}
}

/* ------------------------------------------------------------------------ AnyThread */

static NEED_BOTH(need_any, need_any_thread, need_gp2)

/* Needs a core that runs one thread: its other thread, if it has one, is halted
 * or was never started. */
TEST(any_general, .id = "arch.identities.any_general", .runs = TEST_ALONE, .needs = need_any,
     .source = SDM "Version 3, AnyThread",
     .claim = "while one thread runs, AnyThread changes no count of a general counter")
{
	if (!expect_alive(t, 2))
		return;
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		const struct pmu_setup setups[] = {
			{ .counter = 0, .event = events[i].event, .flags = PMU_BOTH },
			{ .counter = 1, .event = events[i].event, .flags = PMU_BOTH | PMU_ANY },
		};
		struct pmu_reading r;

		if (!pmu_has_event(events[i].event))
			continue;
		r = counting_measure(setups, 2, workload_random.code, ROUNDS, SEED);
		if (!silicon_leaves_out(t, SILICON_ANY_INEXACT, events[i].name))
			expect_same(t, events[i].name, r.count[1], r.count[0],
			            events[i].is_per_cycle ? WINDOW_EDGES : 0,
			            "no other thread of the core runs");
	}
}

static NEED_BOTH(need_any_fixed, need_any, need_fixed0)

TEST(any_fixed, .id = "arch.identities.any_fixed", .runs = TEST_ALONE, .needs = need_any_fixed,
     .source = SDM "Version 3, AnyThread",
     .claim = "while one thread runs, AnyThread changes no count of a fixed counter")
{
	const struct pmu_setup setups[] = {
		{ .counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED, .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(0), .flags = PMU_BOTH | PMU_ANY },
	};
	struct pmu_reading r = counting_measure(setups, 2, workload_random.code, ROUNDS, SEED);

	expect_exact(t, "IA32_FIXED_CTR0", r.count[1], r.count[0],
	             "no other thread of the core runs");
}
