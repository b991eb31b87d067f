/* SPDX-License-Identifier: MIT */
/*
 * HLT of the whole core: no event of clocks, of the bus or of the caches counts. SDM 3B, "Counting
 * Clocks": non-halted clockticks, and non-sleep clockticks, which a core whose threads are all
 * halted may stop.
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/halting.h>
#include <tests/suites/common/netburst_suite.h>

#define SOURCE "SDM 3B, \"Performance-Monitoring Events\"; \"Counting Clocks\""

static NEED_BOTH(need_netburst_apic, need_netburst, need_local_apic)

/* Clocks, and entries that wait in a queue, are judged only where the machine is exact. */
static const struct { const char *event; bool is_clocks; } rows[] = {
	{ "global_power_events", true },
	{ "TC_deliver_mode",     true },
	{ "FSB_data_activity",   true },
	{ "IOQ_active_entries",  true },
	{ "BSQ_active_entries",  true },
	{ "IOQ_allocation",      false },
	{ "BSQ_allocation",      false },
	{ "BSQ_cache_reference", false },
	{ "BPU_fetch_request",   false },
	{ "ITLB_reference",      false },
	{ "page_walk_type",      false },
	{ "memory_complete",     false },
	{ "branch_retired",      false },
	{ "instr_retired",       false },
	{ "uops_retired",        false },
	{ "machine_clear",       true },
};

static void check(struct test_ctx *t, const char *name, bool is_clocks)
{
	const struct netburst_event *e = netburst_event_find(name);
	unsigned counter = (unsigned)__builtin_ctz(netburst_event_counters(e));
	struct netburst_use use;
	struct pmu_setup s = netburst_setup(&use, e, NULL, counter, PMU_BOTH);

	judge_halted_event(t, name, &s, is_clocks);
}

TEST(halted_events, .id = "netburst.clocks.halted_events", .needs = need_netburst_apic,
     .runs = TEST_ON_BOOT, .source = SOURCE,
     .claim = "in HLT no clock is counted, and no event of the bus, the caches and retirement")
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (netburst_event_exists(netburst_event_find(rows[i].event)))
			check(t, rows[i].event, rows[i].is_clocks);
}
