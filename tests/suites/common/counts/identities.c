/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/identities.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

#define NEVER  "no cycle has so many"
enum { CMASK_MAX = 255, ROUNDS = 1000, SEED = 0x2545f491 };
static const struct workload *const workloads[] = {
	&workload_loop, &workload_nops, &workload_jmp, &workload_call, &workload_random,
	&workload_divide, &workload_cpuid, &workload_movsb,
};

/* Events that can occur several times a cycle, and their names. */
static const struct { const char *name; uint16_t event; } events[] = {
	{ "instructions", EVENT_INSTRUCTIONS_RETIRED },
	{ "branches",     EVENT_BRANCH_INSTR_RETIRED },
};

static bool is_netburst(void)
{
	return pmu_has(PMU_HAS_CCCRS);
}

static unsigned cmask_max(void)
{
	return is_netburst() ? IDENTITIES_CMASK_NETBURST : identities_two_bits() ? 3 : CMASK_MAX;
}

static unsigned at_most_max(unsigned cmask)
{
	return cmask < cmask_max() ? cmask : cmask_max();
}

/* Returns how many a clock has at most, if this is the highest threshold that was reached. */
static unsigned most_a_clock(unsigned threshold)
{
	return !threshold ? 1 : threshold < cmask_max() ? threshold : INSNS_PER_CYCLE_MAX;
}

/* Returns false if the threshold is the highest one reached. */
static bool has_next(const uint8_t *thresholds, size_t i)
{
	return i == 0 || thresholds[i - 1] < cmask_max();
}

static struct pmu_setup gp(unsigned counter, uint16_t event, unsigned cmask, unsigned flags)
{
	if (is_netburst())
		return identities_netburst(counter, event, cmask, flags);
	return (struct pmu_setup){ .counter = counter, .event = event, .cmask = (uint8_t)cmask,
	                           .flags = PMU_BOTH | flags };
}

/* Returns whether one window starts and stops these counters at the same time. */
static bool is_together(void)
{
	return is_netburst() || counting_is_together();
}

static unsigned window_size(void)
{
	return is_netburst() ? IDENTITIES_SAME_ESCR : counting_window_size();
}

/* On NetBurst, COMPARE might count while the ESCR is 0, up to the RDMSR that reads the counter. */
static unsigned window_slack(void)
{
	return is_netburst() ? 1024 : WINDOW_EDGES;
}

static uint32_t rounds_of(const struct workload *w)
{
	return counting_rounds(w, ROUNDS);
}

static struct pmu_reading measure(const struct pmu_setup *setups, unsigned count,
                                  const struct workload *w, uint32_t argument)
{
	return is_together() ? pmu_measure(setups, count, w, rounds_of(w), argument)
	                     : counting_measure(setups, count, w->code, rounds_of(w), argument);
}

/* P6 and NetBurst do not enumerate events; theirs exist. */
static bool identities_have(uint16_t event)
{
	return !pmu_has(PMU_HAS_LEAF_0AH) || pmu_has_event(event);
}

/* argument is the number of bytes for REP MOVSB, or the seed of random directions. */
static uint32_t argument_of(const struct workload *w)
{
	return w == &workload_movsb ? 16 : SEED;
}

/* Runs check for all events and workloads. */
static void for_each(struct test_ctx *t, void (*check)(struct test_ctx *t, const struct workload *w,
                                                        uint16_t event))
{
	if (!expect_alive(t, PMU_SETUPS_MAX))
		return;
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		if (!identities_have(events[i].event))
			continue;
		for (size_t j = 0; j < COUNT_OF(workloads); j++) {
			if (is_netburst())
				test_sub(t, "%s of %s (CMASK is THRESHOLD + 1)",
				         identities_netburst_event(events[i].event),
				         workloads[j]->name);
			else
				test_sub(t, "%s of %s", events[i].name, workloads[j]->name);
			check(t, workloads[j], events[i].event);
		}
	}
}

/* ------------------------------------------------------------------------ sums */

struct sweep {
	uint64_t plain, sum;
	unsigned max;                  /* the highest threshold that was reached */
	unsigned windows;
};

/* Measures CMASK = 1, 2, ... until nothing is counted; every window begins with the plain count. */
static struct sweep sweep(const struct workload *w, uint16_t event)
{
	unsigned size = window_size();
	struct pmu_setup setups[PMU_SETUPS_MAX];
	struct sweep s = { .windows = 0 };

	for (unsigned cmask = 1; cmask <= cmask_max(); s.windows++) {
		unsigned count = 0, first = cmask;
		struct pmu_reading r;

		setups[count++] = gp(0, event, 0, 0);
		for (unsigned i = 1; i < (size > 1 ? size : 2) && cmask <= cmask_max(); i++)
			setups[count++] = gp(i, event, cmask++, 0);
		r = measure(setups, count, w, argument_of(w));
		s.plain = r.count[0];
		for (unsigned i = 1; i < count; i++) {
			s.sum += r.count[i];
			if (r.count[i])
				s.max = first + i - 1;
		}
		if (r.count[count - 1] == 0)
			break;
	}
	s.windows++;
	return s;
}

static void check_sum(struct test_ctx *t, const struct workload *w, uint16_t event)
{
	struct sweep s = sweep(w, event);

	if (is_comparable(s.windows == 1))
		expect_same(t, "sum over CMASK = 1, 2, ...", s.sum, s.plain,
		            window_slack() * (s.max + 1u),
		            "the thresholds 1 to n count a cycle with n events");
	else
		test_report(t, "sum over CMASK = 1, 2, ...", "%" PRId64 ", without CMASK %" PRId64
		            ", in %u windows", s.sum, s.plain, s.windows);
}

void identity_sum(struct test_ctx *t)
{
	for_each(t, check_sum);
}

void identity_widest(struct test_ctx *t)
{
	if (!expect_alive(t, PMU_SETUPS_MAX))
		return;
	for (size_t i = 0; i < COUNT_OF(workloads); i++) {
		struct sweep s = sweep(workloads[i], EVENT_INSTRUCTIONS_RETIRED);
		struct pmu_setup setups[2];
		struct pmu_reading r;

		setups[0] = gp(0, EVENT_INSTRUCTIONS_RETIRED, 0, 0);
		setups[1] = gp(1, pmu_get()->class->cycles, 0, 0);
		r = measure(setups, 2, workloads[i], argument_of(workloads[i]));

		test_sub(t, "%s, at most %u a cycle", workloads[i]->name, s.max);
		expect_between(t, "highest threshold reached", s.max, 1, 16,
		               "low: some instruction retired; high: 8 slots, the widest processor "
		               "known, of two fused instructions each");
		expect_between(t, "cycles", r.count[1],
		               (uint32_t)r.count[0] / most_a_clock(s.max), UINT32_MAX,
		               "low: no cycle retires more; high: a second");
	}
}

/* Returns the most cycles of any window that can have n of the events; each has as many events. */
static uint64_t cycles_with(unsigned n, const struct workload *w, uint16_t event)
{
	return (uint32_t)counting_one(event, w->code, rounds_of(w), argument_of(w)) / n;
}

/* Checks that counts by threshold never grow: a cycle with n events has n - 1 as well. */
static void check_order(struct test_ctx *t, const struct workload *w, uint16_t event)
{
	uint64_t before = UINT64_MAX;

	for (unsigned cmask = 1; cmask < at_most_max(16) && before != 0; cmask++) {
		const struct pmu_setup setups[] = { gp(0, event, cmask, 0),
		                                    gp(1, event, cmask + 1, 0) };
		struct pmu_reading r = measure(setups, 2, w, argument_of(w));

		expect_between(t, "count of the higher threshold of two", r.count[1], 0,
		               is_comparable(is_together())
		               ? r.count[0] + unless_exact(window_slack())
		               : cycles_with(cmask + 1, w, event),
		               "low: no count is negative; high: each of its cycles reaches the "
		               "lower one, too; in another window, all events by those of each");
		before = r.count[1];
	}
}

void identity_order(struct test_ctx *t)
{
	for_each(t, check_order);
}

/* ------------------------------------------------------------------------ inverses */

/*
 * A threshold, its inverse, and the cycles; the cycles are on IA32_FIXED_CTR1 where only two
 * general counters exist. Version 1 repeats the window.
 */
static unsigned inverse_setups(struct pmu_setup setups[3], uint16_t event, unsigned cmask,
                               unsigned flags)
{
	setups[0] = gp(0, event, cmask, flags);
	setups[1] = gp(1, event, cmask, flags | PMU_INV);
	setups[2] = gp(2, pmu_get()->class->cycles, 0, 0);
	if (pmu_has_counter(2))
		return 3;
	setups[2] = (struct pmu_setup){ .counter = PMU_FIXED_CTR(1), .flags = PMU_BOTH };
	if (pmu_has_counter(PMU_FIXED_CTR(1)))
		return 3;
	setups[2] = gp(0, pmu_get()->class->cycles, 0, 0);
	return !is_together() ? 3 : 2;
}

/* Measures both conditions and the cycles, which need a second window with only two counters. */
static struct pmu_reading measure_inverse(const struct workload *w, uint16_t event, unsigned cmask,
                                          unsigned flags, bool *is_one_window)
{
	struct pmu_setup setups[3];
	unsigned count = inverse_setups(setups, event, cmask, flags);
	struct pmu_reading r = measure(setups, count, w, argument_of(w));

	if (count == 2)
		r.count[2] = pmu_measure_code(&setups[2], 1, w->code, rounds_of(w),
		                              argument_of(w)).count[0];
	*is_one_window = count == 3 && is_together();
	return r;
}

static void check_inverse(struct test_ctx *t, const struct workload *w, uint16_t event)
{
	static const uint8_t thresholds[] = { 1, 2, 3, 4, 8, 64, CMASK_MAX };
	char what[48];

	for (size_t i = 0; i < COUNT_OF(thresholds) && has_next(thresholds, i); i++) {
		unsigned cmask = at_most_max(thresholds[i]);
		bool is_one_window;
		struct pmu_reading r = measure_inverse(w, event, cmask, 0, &is_one_window);

		format_buf(what, sizeof(what), "CMASK = %u: INV = 0 and INV = 1 together", cmask);
		if (is_comparable(is_one_window))
			expect_same(t, what, r.count[0] + r.count[1], r.count[2], window_slack(),
			            "each cycle reaches the threshold or does not, so together "
			            "they are all cycles");
		else
			test_report(t, what, "%" PRId64 ", cycles of other windows: %" PRId64,
			            r.count[0] + r.count[1], r.count[2]);
	}
}

void identity_inverse(struct test_ctx *t)
{
	for_each(t, check_inverse);
}

/* A threshold that no cycle reaches: 32 instructions are more than twice what any retires. */
static void check_unreachable(struct test_ctx *t, const struct workload *w, uint16_t event)
{
	static const uint8_t thresholds[] = { 32, 128, CMASK_MAX };
	char what[48];

	for (size_t i = 0; i < COUNT_OF(thresholds) && has_next(thresholds, i); i++) {
		unsigned cmask = at_most_max(thresholds[i]);
		bool is_one_window;
		struct pmu_reading r = measure_inverse(w, event, cmask, 0, &is_one_window);

		format_buf(what, sizeof(what), "CMASK = %u", cmask);
		expect_bounds(t, what, r.count[0], if_exact(0, NEVER),
		              identities_two_bits() ? ELSE_SHOWN : else_exact(0, NEVER));
		format_buf(what, sizeof(what), "CMASK = %u, INV = 1", cmask);
		if (is_comparable(is_one_window))
			expect_same(t, what, r.count[1], r.count[2], window_slack(),
			            "every cycle has fewer");
		else
			test_report(t, what, "%" PRId64 ", cycles of another window: %" PRId64,
			            r.count[1], r.count[2]);
	}
}

void identity_unreachable(struct test_ctx *t)
{
	for_each(t, check_unreachable);
}

/* ------------------------------------------------------------------------ edges */

static void check_edges(struct test_ctx *t, const struct workload *w, uint16_t event)
{
	static const uint8_t thresholds[] = { 1, 2, 3 };
	char what[48];

	for (size_t i = 0; i < COUNT_OF(thresholds); i++) {
		bool is_one_window;
		struct pmu_reading r = measure_inverse(w, event, thresholds[i], PMU_EDGE,
		                                       &is_one_window);
		uint64_t edges = r.count[0], back = r.count[1];

		format_buf(what, sizeof(what), "CMASK = %u, E = 1, INV = 1", thresholds[i]);
		if (is_comparable(is_one_window))
			expect_between(t, what, back, edges ? edges - 1 : 0, edges + 1,
			               "between two beginnings a condition ends once; low: one "
			               "beginning fewer; high: one more");
		else
			test_report(t, what, "%" PRId64 ", INV = 0: %" PRId64, back, edges);
	}
}

void identity_edges(struct test_ctx *t)
{
	for_each(t, check_edges);
}

/* Measures cycles with the condition, cycles without it, and how often it begins. On AMD an edge
 * may count falsely when a control is enabled: BKDG of family 10H, PERF_CTL[18]. */
static void check_edge_count(struct test_ctx *t, const struct workload *w, uint16_t event)
{
	const struct pmu_setup setups[] = { gp(0, event, 1, 0), gp(1, event, 1, PMU_EDGE) };
	struct pmu_reading r = measure(setups, 2, w, argument_of(w));

	expect_between(t, "CMASK = 1, E = 1", r.count[1], 1,
	               unless_exact(counting_is_amd())
	               + (is_comparable(is_together()) ? r.count[0] + unless_exact(window_slack())
	                                               : cycles_with(1, w, event)),
	               "low: something retired, so the condition began; high: every cycle with the "
	               "condition may be a beginning");
}

void identity_edge_count(struct test_ctx *t)
{
	for_each(t, check_edge_count);
}

/* After a mispredicted branch nothing can retire until the right way is fetched, which happens for
 * half of 4096 branches. */
void identity_edge_random(struct test_ctx *t)
{
	const struct pmu_setup setup = gp(0, EVENT_INSTRUCTIONS_RETIRED, 1, PMU_EDGE);
	uint64_t few = pmu_measure(&setup, 1, &workload_random, 4096, SEED).count[0];
	uint64_t many = pmu_measure(&setup, 1, &workload_random, 8192, SEED).count[0];
	uint64_t insns = workload_insns(&workload_random, 8192)
	                 - workload_insns(&workload_random, 4096);

	expect_between(t, "beginnings of 4096 more random branches", many - few, 4096 / 16, insns,
	               "low: an eighth of the 2048 mispredictions, as the others may be resolved "
	               "while older instructions still retire; high: each beginning "
	               "retires an instruction");
}

/* The event of cycles occurs once in every cycle, so its condition begins once. */
void identity_edge_cycles(struct test_ctx *t)
{
	const struct pmu_setup setup = gp(0, pmu_get()->class->cycles, 1, PMU_EDGE);

	for (size_t i = 0; i < COUNT_OF(workloads); i++) {
		uint64_t got = pmu_measure(&setup, 1, workloads[i], rounds_of(workloads[i]),
		                           argument_of(workloads[i])).count[0];

		test_sub(t, "%s", workloads[i]->name);
		expect_bounds(t, "CMASK = 1, E = 1 on cycles", got,
		              if_exact(1, "the window is one stretch of cycles that are not "
		                       "halted"), ELSE_SHOWN);
	}
}
