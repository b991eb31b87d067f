/* SPDX-License-Identifier: MIT */
/* Identities of one CMASK: with INV, with E, of the event of cycles, and of all counters. */
#include <tests/suites/common/counts/identities.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

enum { ROUNDS = 1000, SEED = 0x2545f491 };

static const struct workload *const workloads[] = {
	&workload_loop, &workload_nops, &workload_call, &workload_random, &workload_divide,
	&workload_cpuid,
};

static struct pmu_setup setup(unsigned counter, uint16_t event, unsigned flags, uint8_t cmask)
{
	return (struct pmu_setup){ .counter = counter, .event = event, .flags = PMU_BOTH | flags,
	                           .cmask = cmask };
}

static struct pmu_reading measure(const struct pmu_setup setups[2], unsigned workload)
{
	return counting_measure(setups, 2, workloads[workload]->code, ROUNDS, SEED);
}

bool identities_two_bits(void)
{
	return counting_is_amd() && machine_cpu()->family < 0x17 && !pmu_is_exact();
}

void identity_inv_without_cmask(struct test_ctx *t)
{
	const uint16_t insns = counting_event(COUNTING_INSNS);
	const struct pmu_setup setups[] = { setup(0, insns, 0, 0), setup(1, insns, PMU_INV, 0) };

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 2); i++) {
		struct pmu_reading r = measure(setups, i);

		test_sub(t, "%s", workloads[i]->name);
		expect_exact(t, "instructions with INV = 1, CMASK = 0", r.count[1], r.count[0],
		             "the counter beside it counts as many with INV = 0");
	}
}

/* Each beginning except the first takes at least a clock with the condition and one without it. */
void identity_edge_half(struct test_ctx *t)
{
	for (uint8_t cmask = 1; cmask <= 3 && expect_alive(t, 2); cmask++) {
		const struct pmu_setup setups[] = {
			setup(0, counting_event(COUNTING_INSNS), PMU_EDGE, cmask),
			setup(1, pmu_get()->class->cycles, 0, 0),
		};

		for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
			struct pmu_reading r = measure(setups, i);
			const uint32_t insns = (uint32_t)workload_insns(workloads[i], ROUNDS)
			                       + PMU_WINDOW_INSNS;

			test_sub(t, "%s, CMASK = %u", workloads[i]->name, cmask);
			if (is_comparable(counting_is_together()))
				expect_between(t, "beginnings", r.count[0], cmask == 1,
				               (r.count[1] + 1 + WINDOW_EDGES) >> 1,
				               "low: with CMASK = 1 it begins once, as "
				               "instructions retired; high: half the clocks of the "
				               "same window, and its ends");
			else
				expect_between(t, "beginnings", r.count[0], cmask == 1,
				               insns / cmask,
				               "low: with CMASK = 1 it begins once, as "
				               "instructions retired; high: all instructions, "
				               "divided by those that each beginning retires");
		}
	}
}

/* The event of cycles counts one a clock. */
void identity_clocks(struct test_ctx *t)
{
	static const struct {
		const char *what;
		uint8_t cmask;
		unsigned flags;
		bool is_all;
	} rows[] = {
		{ "CMASK = 1",            1,   0,       true },
		{ "CMASK = 2",            2,   0,       false },
		{ "CMASK = 2, INV = 1",   2,   PMU_INV, true },
		{ "CMASK = 1, INV = 1",   1,   PMU_INV, false },
		{ "CMASK = 255, INV = 1", 255, PMU_INV, true },
	};

	for (unsigned r = 0; r < COUNT_OF(rows); r++) {
		const struct pmu_setup setups[] = {
			setup(0, pmu_get()->class->cycles, 0, 0),
			setup(1, pmu_get()->class->cycles, rows[r].flags, rows[r].cmask),
		};

		for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
			struct pmu_reading got = measure(setups, i);

			test_sub(t, "%s, %s", workloads[i]->name, rows[r].what);
			if (!rows[r].is_all || is_comparable(counting_is_together()))
				expect_same(t, "the counter with this CMASK", got.count[1],
				            rows[r].is_all ? got.count[0] : 0, WINDOW_EDGES,
				            "every clock has one event, and counter 0 counted all "
				            "clocks");
			else
				counting_expect_clocks(t, "the counter with this CMASK",
				                       got.count[1],
				                       workload_insns(workloads[i], ROUNDS));
		}
	}
}

/* ------------------------------------------------------------------------ on each counter */

static const struct { const char *what; uint8_t cmask; unsigned flags; } conditions[] = {
	{ "CMASK = 1",               1, 0 },
	{ "CMASK = 2",               2, 0 },
	{ "CMASK = 1, INV = 1",      1, PMU_INV },
	{ "CMASK = 1, E = 1",        1, PMU_EDGE },
	{ "CMASK = 2, E = 1, INV = 1", 2, PMU_EDGE | PMU_INV },
	{ "CMASK = 1, EQ = 1",       1, PMU_EQ },
};

/* The last of these conditions is for processors with EQ. */
static unsigned conditions_here(void)
{
	return COUNT_OF(conditions) - !cpuid_get(CPUID_PERFMON_EQ);
}

/*
 * Counters that do not start with one write see the WRMSRs between them, too: fewer than 1000
 * clocks each, where one of silicon takes 100 to 250, so that a thousandth of the code is more.
 */
static uint64_t starts_apart(unsigned counters)
{
	return counting_is_together() ? WINDOW_EDGES : 1000u * counters;
}

static void check_condition(struct test_ctx *t, const struct workload *w, unsigned c)
{
	enum { LONG = 20 * ROUNDS };
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, counting_event(COUNTING_INSNS), 0);
	struct pmu_reading r;
	char name[PMU_NAME_SIZE];

	count -= setups[count - 1].counter >= PMU_FIXED;
	for (unsigned i = 0; i < count; i++)
		setups[i] = setup(setups[i].counter, setups[i].event, conditions[c].flags,
		                  conditions[c].cmask);
	r = pmu_is_exact() ? counting_measure(setups, count, w->code, ROUNDS, SEED)
	                   : pmu_measure(setups, count, w, LONG, SEED);
	test_sub(t, "%s, %s", w->name, conditions[c].what);
	for (unsigned i = 1; i < count; i++)
		expect_same(t, pmu_counter_name(setups[i].counter, name), r.count[i], r.count[0],
		            starts_apart(count), "counter 0 counts the same condition of the same "
		            "code");
}

void identity_each_counter(struct test_ctx *t)
{
	static const struct workload *const both[] = { &workload_random, &workload_divide };

	for (unsigned i = 0; i < COUNT_OF(both) && expect_alive(t, PMU_SETUPS_MAX); i++)
		for (unsigned c = 0; c < conditions_here(); c++)
			check_condition(t, both[i], c);
}

void identity_edge_alone(struct test_ctx *t)
{
	const uint16_t insns = counting_event(COUNTING_INSNS);
	const struct pmu_setup setups[] = { setup(0, insns, PMU_EDGE, 1),
	                                    setup(1, insns, PMU_EDGE, 0) };
	struct pmu_reading r = counting_measure(setups, 2, workload_loop.code, ROUNDS, 0);

	test_report(t, "instructions with E = 1, CMASK = 0", "%" PRId64 ", with CMASK = 1 %" PRId64,
	            r.count[1], r.count[0]);
}
