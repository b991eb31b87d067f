/* SPDX-License-Identifier: MIT */
/* Events that PEBS can record, counted without PEBS: loads and stores that retire. */
#include <tests/suites/common/sampling/pebs_window.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/core/pmu.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

enum { FEW = 100, MORE = 1000, OUSTED = 16 };

static const char *need_loads(struct test_ctx *t)
{
	const char *problem = need_pebs_any(t);

	if (!problem && pmu_has(PMU_HAS_CCCRS))
		return test_reason(t, "%s: see netburst.tagging", pmu_get()->class->name);
	if (!problem && !pebs_find("loads"))
		return test_reason(t, "%s", "no event that PEBS records here counts loads");
	return problem;
}

static const struct { const char *event, *workload; uint32_t insns, uops; } rows[] = {
	{ "loads", "load", 1, 1 }, { "loads", "store", 0, 0 }, { "loads", "cmps", 1, 2 },
	{ "loads", "load_store", 1, 1 }, { "stores", "store", 1, 1 }, { "stores", "load", 0, 0 },
	{ "stores", "cmps", 0, 0 }, { "stores", "load_store", 1, 1 },
};

static uint64_t count(const struct pebs_event *e, const struct workload *w, uint32_t rounds)
{
	const uint32_t after = (uint32_t)(uintptr_t)pmu_workload_arena(&(uint32_t){ 0 }) + 4096;
	const struct pmu_setup s = { .counter = 0, .event = e->event, .flags = PMU_BOTH };

	return pmu_measure(&s, 1, w, rounds, after).count[0];
}

TEST(loads, .id = "pebs.events.loads", .needs = need_loads,
     .source = "SDM 3B, MEM_INST_RETIRED, MEM_UOPS_RETIRED",
     .claim = "loads and stores that retire are counted, either per instruction or per access")
{
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		const struct pebs_event *e = pebs_find(rows[i].event);
		const struct workload *w = workload_find(rows[i].workload);
		bool is_uops = strncmp(e->manual, "MEM_UOPS", 8) == 0;
		uint64_t got = count(e, w, FEW + MORE) - count(e, w, FEW);
		uint64_t want = (uint64_t)(is_uops ? rows[i].uops : rows[i].insns) * MORE;

		test_sub(t, "%s, %s, %d more rounds", e->manual, w->name, MORE);
		if (is_uops)
			expect_bounds(t, "count", got, if_exact(want, "each load or store counts"),
			              else_in(want, UINT64_MAX, "low: each access is one; high: it "
			                      "may have more micro-operations"));
		else
			expect_exact(t, "count", got, want, "an instruction with one counts once");
	}
}

TEST(misses, .id = "pebs.events.store_misses", .needs = need_loads,
     .source = "SDM 3B, MEM_LOAD_RETIRED, MEM_LOAD_UOPS_RETIRED",
     .claim = "an instruction that reads a cached line and writes an uncached one is no "
              "load that misses")
{
	const struct pebs_event *e = pebs_find("l1_misses");
	const struct workload *w = workload_find("copy_walk");
	uint64_t got = count(e, w, FEW + MORE) - count(e, w, FEW);

	expect_bounds(t, e->manual, got,
	              if_exact_in(0, OUSTED, "high: each MOVSD reads the same doubleword, and the "
	                          "stores evict only a few lines from the cache"), ELSE_SHOWN);
}
