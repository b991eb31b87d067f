/* SPDX-License-Identifier: MIT */
/*
 * Slots and the categories they fall into. SDM 3B, "Pre-defined Architectural Performance Events",
 * Topdown Slots: the slots of the narrowest part of the pipeline, a fixed number in each cycle that
 * is not halted; the four categories of the first level divide them among themselves.
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_sources.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

enum { SLOTS_PER_CYCLE_MAX = 16 };

static const struct workload *const workloads[] = {
	&workload_loop, &workload_jmp, &workload_random, &workload_cpuid, &workload_divide,
};

static const uint32_t seed = 0x2545f491;

static const char *need_slots(struct test_ctx *t)
{
	return need_event(t, EVENT_TOPDOWN_SLOTS);
}

/* Every cycle has the same number of slots. Two threads share them, so a multiple of the cycles is
 * expected only while one thread runs. */
static void check_width(struct test_ctx *t, uint64_t slots, uint64_t cycles)
{
	const uint32_t width = cycles ? (uint32_t)slots / (uint32_t)cycles : 0;
	const uint32_t named = pmu_get()->version < 6 ? 0 : cpuid_get(CPUID_PERFMON_SLOTS);

	expect_between(t, "slots", slots, cycles, cycles * SLOTS_PER_CYCLE_MAX,
	               "low: one a cycle; high: 16 a cycle, twice the widest processor known");
	expect_bounds(t, "slots", slots,
	              if_exact(cycles * width, "every cycle has the same number of slots"),
	              ELSE_NOTHING);
	if (named)
		expect_bounds(t, "slots", slots,
		              if_exact(cycles * named, "CPUID.23H.0:ECX[7:0] names the slots of a "
		                       "cycle"),
		              else_in(0, (cycles + WINDOW_EDGES) * named, "low: threads share "
		                      "them; high: as many a cycle as CPUID.23H.0:ECX[7:0] "
		                      "names"));
	test_report(t, "slots, cycles", "%" PRId64 ", %" PRId64, slots, cycles);
}

static void check_slots(struct test_ctx *t, struct pmu_setup slots)
{
	const struct pmu_setup setups[] = {
		slots,
		{ .counter = 1, .event = EVENT_UNHALTED_CORE_CYCLES, .flags = PMU_BOTH },
	};

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 2); i++) {
		struct pmu_reading r = counting_measure(setups, 2, workloads[i]->code, 1000, seed);

		test_sub(t, "%s", workloads[i]->name);
		check_width(t, r.count[0], r.count[1]);
	}
}

TEST(slots_general, .id = "arch.cycles.slots", .needs = need_slots,
     .source = EVENTS "Topdown Slots",
     .claim = "event A4H, unit mask 01H counts the same number of slots in each cycle")
{
	check_slots(t, (struct pmu_setup){ .counter = 0, .event = EVENT_TOPDOWN_SLOTS,
	                                   .flags = PMU_BOTH });
}

TEST(slots_fixed, .id = "arch.cycles.slots_fixed", .needs = need_fixed3,
     .source = "SDM 3B, Fixed-Function Performance Counters, IA32_FIXED_CTR3",
     .claim = "IA32_FIXED_CTR3 counts the same number of slots in each cycle")
{
	check_slots(t, (struct pmu_setup){ .counter = PMU_FIXED_CTR(3), .flags = PMU_BOTH });
}

static NEED_BOTH(need_both_slots, need_slots, need_fixed3)

TEST(slots_equal, .id = "arch.cycles.slots_equal", .needs = need_both_slots,
     .source = EVENTS "Topdown Slots; Fixed-Function Performance Counters",
     .claim = "IA32_FIXED_CTR3 counts what event A4H, unit mask 01H counts")
{
	const struct pmu_setup setups[] = {
		{ .counter = 0, .event = EVENT_TOPDOWN_SLOTS, .flags = PMU_BOTH },
		{ .counter = PMU_FIXED_CTR(3), .flags = PMU_BOTH },
	};

	for (unsigned i = 0; i < COUNT_OF(workloads) && expect_alive(t, 2); i++) {
		struct pmu_reading r = counting_measure(setups, 2, workloads[i]->code, 1000, seed);

		test_sub(t, "%s", workloads[i]->name);
		expect_same(t, "IA32_FIXED_CTR3", r.count[1], r.count[0],
		            WINDOW_EDGES * SLOTS_PER_CYCLE_MAX,
		            "IA32_PMC0 counted the same slots in the same window");
	}
}

/* ------------------------------------------------------------------------ categories */

static const struct { const char *name; uint16_t event; } categories[] = {
	{ "retiring",        EVENT_TOPDOWN_RETIRING },
	{ "bad speculation", EVENT_TOPDOWN_BAD_SPECULATION },
	{ "frontend bound",  EVENT_TOPDOWN_FRONTEND_BOUND },
	{ "backend bound",   EVENT_TOPDOWN_BACKEND_BOUND },
};

static const char *need_categories(struct test_ctx *t)
{
	const char *problem = need_slots(t);

	for (unsigned i = 0; i < COUNT_OF(categories) && !problem; i++)
		if (categories[i].event != EVENT_TOPDOWN_BAD_SPECULATION)
			problem = need_event(t, categories[i].event);
	return problem;
}

/* Sets up slots, then the categories that this processor has. */
static unsigned category_setups(struct pmu_setup *setups)
{
	unsigned count = 0;

	setups[count++] = (struct pmu_setup){ .counter = 0, .event = EVENT_TOPDOWN_SLOTS,
	                                      .flags = PMU_BOTH };
	for (unsigned i = 0; i < COUNT_OF(categories); i++) {
		if (!pmu_has_event(categories[i].event))
			continue;
		setups[count] = (struct pmu_setup){ .counter = count, .flags = PMU_BOTH,
		                                    .event = categories[i].event };
		count++;
	}
	return count;
}

TEST(topdown_sum, .id = "arch.cycles.topdown_sum", .needs = need_categories,
     .source = EVENTS "Topdown Backend Bound, Bad Speculation, Frontend Bound, Retiring",
     .claim = "each slot is one of retiring, bad speculation, frontend bound and backend bound")
{
	struct pmu_setup setups[1 + COUNT_OF(categories)];
	unsigned count = category_setups(setups);
	bool has_all = count == COUNT_OF(setups);

	for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
		struct pmu_reading r = counting_measure(setups, count, workloads[i]->code, 1000,
		                                        seed);
		uint64_t sum = 0;

		for (unsigned j = 1; j < count; j++)
			sum += r.count[j];
		test_sub(t, "%s", workloads[i]->name);
		if (has_all)
			expect_same(t, "sum of the four categories", sum, r.count[0],
			            WINDOW_EDGES * SLOTS_PER_CYCLE_MAX,
			            "every slot of the window belongs to one category");
		else
			expect_between(t, "sum of the categories except bad speculation", sum, 0,
			               r.count[0] + unless_exact(WINDOW_EDGES
			                                         * SLOTS_PER_CYCLE_MAX),
			               "low: no count is negative; high: the slots of the window, "
			               "as this processor does not count one category");
	}
}

static const char *need_retiring(struct test_ctx *t)
{
	return need_event(t, EVENT_TOPDOWN_RETIRING);
}

TEST(topdown_retiring, .id = "arch.cycles.topdown_retiring", .needs = need_retiring,
     .source = EVENTS "Topdown Retiring",
     .claim = "4096 more NOPs are 4096 more slots that retire")
{
	uint64_t none = counting_one(EVENT_TOPDOWN_RETIRING, workload_nops.code, 0, 0);
	uint64_t many = counting_one(EVENT_TOPDOWN_RETIRING, workload_nops.code, 4096, 0);

	expect_between(t, "retiring slots of 4096 NOPs", many - none, 4096 / 2, 2 * 4096,
	               "low: two NOPs in a slot, as fused pairs are; high: two slots a NOP: one "
	               "micro-operation each, and the rest for what the machine inserts");
}

/* ------------------------------------------------------------------------ PERF_METRICS */

static const char *need_metrics(struct test_ctx *t)
{
	const char *problem = need_fixed3(t);

	if (problem || (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS))
		return problem;
	return test_reason(t, "no IA32_PERF_METRICS: IA32_PERF_CAPABILITIES[15] = 0");
}

/* Both registers must start at 0, IA32_FIXED_CTR3 first (SDM 3B, "Performance Metrics"). */
static uint64_t measure_metrics(const struct workload *w, uint64_t *slots)
{
	const struct pmu_setup setup = { .counter = PMU_FIXED_CTR(3), .flags = PMU_BOTH };
	uint64_t metrics;

	pmu_program(&setup, 1);
	msr_write(IA32_FIXED_CTR(3), 0);
	msr_write(IA32_PERF_METRICS, 0);
	msr_write(IA32_PERF_GLOBAL_CTRL, IA32_PERF_GLOBAL_CTRL_EN_FIXED(3)
	                                 | IA32_PERF_GLOBAL_CTRL_EN_METRICS);
	w->code(1000, seed);
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
	metrics = msr_read(IA32_PERF_METRICS);
	*slots = msr_read(IA32_FIXED_CTR(3));
	return metrics;
}

TEST(metrics, .id = "arch.cycles.perf_metrics", .needs = need_metrics,
     .source = "SDM 3B, Performance Metrics, MSR_PERF_METRICS",
     .claim = "the four fields of the first level of IA32_PERF_METRICS add up to 255")
{
	for (unsigned i = 0; i < COUNT_OF(workloads); i++) {
		uint64_t slots, value = measure_metrics(workloads[i], &slots), rdpmc = 0;
		uint64_t sum = FIELD_GET(IA32_PERF_METRICS_RETIRING, value)
		               + FIELD_GET(IA32_PERF_METRICS_BAD_SPECULATION, value)
		               + FIELD_GET(IA32_PERF_METRICS_FRONTEND_BOUND, value)
		               + FIELD_GET(IA32_PERF_METRICS_BACKEND_BOUND, value);

		test_sub(t, "%s", workloads[i]->name);
		expect_between(t, "sum of the four fields", sum, 255 - 4 + 1, 255 + 4 - 1,
		               "255 stands for all slots; low: each field is rounded down by less "
		               "than 1; high: each is rounded up by less than 1");
		expect_between(t, "IA32_FIXED_CTR3", slots, 1, UINT32_MAX,
		               "low: the slots that the fields are shares of; high: the "
		               "slots of a second");
		expect_no_fault(t, "RDPMC, ECX = 20000000H",
		                pmc_try_read(RDPMC_PERF_METRICS, &rdpmc),
		                "IA32_PERF_CAPABILITIES[15] = 1");
		expect_exact(t, "RDPMC, ECX = 20000000H", rdpmc, value,
		             "the code reads IA32_PERF_METRICS");
	}
}

/*
 * An operating system saves and restores both registers at a switch of tasks, IA32_FIXED_CTR3
 * first. The shares add up to 255. Silicon may keep counts instead of shares and round them.
 */
TEST(restored, .id = "arch.cycles.perf_metrics_restored", .needs = need_metrics,
     .source = "SDM 3B, Performance Metrics, MSR_PERF_METRICS (R/W)",
     .claim = "IA32_PERF_METRICS takes shares that were saved, and 0 (what it reads then is judged "
              "on an exact machine)")
{
	static const uint32_t shares[] = { 0x303f5040, 0x000000ff, 0xff000000, 0x7f014e31, 0 };

	for (unsigned i = 0; i < COUNT_OF(shares); i++) {
		test_sub(t, "%" PRIX32 "H written", shares[i]);
		msr_write(IA32_FIXED_CTR(3), shares[i] ? 25500 : 0);
		expect_no_fault(t, "WRMSR to IA32_PERF_METRICS",
		                msr_try_write(IA32_PERF_METRICS, shares[i]), "it is R/W");
		expect_bounds(t, "IA32_PERF_METRICS", msr_read(IA32_PERF_METRICS),
		              if_exact(shares[i], "nothing has counted since"), ELSE_SHOWN);
	}
}

/* Runs a workload after shares of so many slots were restored; returns the shares then. */
static uint32_t go_on(const struct workload *w, uint32_t shares, uint64_t slots)
{
	const struct pmu_setup setup = { .counter = PMU_FIXED_CTR(3), .flags = PMU_BOTH };

	pmu_program(&setup, 1);
	watchdog_pet();                  /* its handler would take slots */
	msr_write(IA32_FIXED_CTR(3), slots);
	msr_write(IA32_PERF_METRICS, shares);
	msr_write(IA32_PERF_GLOBAL_CTRL, IA32_PERF_GLOBAL_CTRL_EN_FIXED(3)
	                                 | IA32_PERF_GLOBAL_CTRL_EN_METRICS);
	w->code(1000, seed);
	msr_write(IA32_PERF_GLOBAL_CTRL, 0);
	return (uint32_t)msr_read(IA32_PERF_METRICS);
}

/* Expects each field of the first level to be the mean of those restored, which weigh so many
 * times as much, and of the workload's own. */
static void expect_means(struct test_ctx *t, uint32_t got, uint32_t restored, uint32_t times,
                         uint32_t own)
{
	for (unsigned at = 0; at < 32; at += 8) {
		uint32_t mean = ((restored >> at & 0xff) * times + (own >> at & 0xff))
		                / (times + 1);

		test_sub(t, "%" PRIX32 "H of %" PRIu32 " times as many slots, bits %u:%u", restored,
		         times, at + 7, at);
		expect_bounds(t, "IA32_PERF_METRICS", got >> at & 0xff,
		              if_exact_in(mean ? mean - 1 : 0, mean + 2,
		                          "low: shares are rounded, by less than 1 in the mean; "
		                          "high: too, and the mean was rounded down"),
		              ELSE_SHOWN);
	}
}

TEST(gone_on, .id = "arch.cycles.perf_metrics_gone_on", .needs = need_metrics,
     .runs = TEST_ALONE,
     .source = "Linux, arch/x86/events/intel/core.c: icl_set_topdown_event_period() restores "
               "IA32_FIXED_CTR3, then IA32_PERF_METRICS, and goes on; SDM 3B, Performance Metrics",
     .claim = "shares that were restored with their slots in IA32_FIXED_CTR3 stay shares of these: "
              "what is counted later moves them by its own slots alone (judged on an exact "
              "machine)")
{
	static const uint32_t shares[] = { 0x303f5040, 0x000000ff, 0xff000000, 0x7f014e31 };
	uint32_t own = go_on(&workload_random, 0, 0);
	uint64_t slots = msr_read(IA32_FIXED_CTR(3));

	for (unsigned i = 0; i < COUNT_OF(shares); i++)
		for (uint32_t times = 1; times <= 4096; times *= 8)
			expect_means(t, go_on(&workload_random, shares[i], slots * times),
			             shares[i], times, own);
}

TEST(cleared, .id = "arch.cycles.perf_metrics_cleared", .needs = need_metrics,
     .source = "Linux, arch/x86/events/intel/core.c, and Intel's TDX module restore "
               "IA32_FIXED_CTR3 before IA32_PERF_METRICS, as its write clears them",
     .claim = "a write of 0 to IA32_FIXED_CTR3 clears IA32_PERF_METRICS (judged on an exact "
              "machine; what any other value does to it is reported)")
{
	uint64_t slots;

	measure_metrics(&workload_random, &slots);
	msr_write(IA32_FIXED_CTR(3), 0);
	expect_bounds(t, "IA32_PERF_METRICS", msr_read(IA32_PERF_METRICS),
	              if_exact(0, "the shares are those of the slots in IA32_FIXED_CTR3"),
	              ELSE_SHOWN);
	measure_metrics(&workload_random, &slots);
	msr_write(IA32_FIXED_CTR(3), slots);
	test_report(t, "IA32_PERF_METRICS with IA32_FIXED_CTR3 written as it was", "%" PRIX64 "H",
	            msr_read(IA32_PERF_METRICS));
}
