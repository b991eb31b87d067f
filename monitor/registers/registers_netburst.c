/* SPDX-License-Identifier: MIT */
/*
 * Lists NetBurst's registers; names and numbers of counters, CCCRs and ESCRs are those of
 * netburst_pmu.h.
 */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/regs/netburst.h>
#include <pmu/events/netburst_pmu.h>

static struct monitor_identity identify_counter(unsigned i)
{
	return (struct monitor_identity){ netburst_counters[i].name, netburst_counters[i].msr };
}

static struct monitor_identity identify_cccr(unsigned i)
{
	const struct netburst_counter *c = &netburst_counters[i];

	return (struct monitor_identity){ c->cccr_name, c->cccr };
}

/* Identifies the nth of the ESCRs that this processor certainly has. */
static struct monitor_identity identify_escr(unsigned n)
{
	const struct netburst_escr *e = netburst_escrs;

	while (!netburst_has_escr(e) || n-- > 0)
		e++;
	return (struct monitor_identity){ e->name, e->msr };
}

static const char *const active_thread_values[] = {
	[ACTIVE_THREAD_NONE] = "counts while no thread runs",
	[ACTIVE_THREAD_SINGLE] = "counts while one thread runs",
	[ACTIVE_THREAD_BOTH] = "counts while both threads run",
	[ACTIVE_THREAD_ANY] = "counts whatever runs",
};

static const struct monitor_field cccr_fields[] = {
	{ "CASCNT_INTO", CCCR_CASCNT_INTO,
	  .meaning = "the overflow of a counter of another pair starts it" },
	{ "ENABLE", CCCR_ENABLE, .meaning = "the counter counts", .zero = "it stands still" },
	{ "ESCR_SELECT", CCCR_ESCR_SELECT, .meaning = "selects an ESCR by its number" },
	{ "ACTIVE_THREAD", CCCR_ACTIVE_THREAD, .values = active_thread_values },
	{ "COMPARE", CCCR_COMPARE, .meaning = "counts cycles by THRESHOLD",
	  .zero = "counts events" },
	{ "COMPLEMENT", CCCR_COMPLEMENT, .meaning = "with THRESHOLD events or fewer",
	  .zero = "with more than THRESHOLD" },
	{ "THRESHOLD", CCCR_THRESHOLD, .meaning = "events a cycle" },
	{ "EDGE", CCCR_EDGE, .meaning = "counts how often the comparison becomes true" },
	{ "FORCE_OVF", CCCR_FORCE_OVF, .meaning = "every count is an overflow" },
	{ "OVF_PMI_T0", CCCR_OVF_PMI_T0, .meaning = "an overflow raises a PMI on thread 0" },
	{ "OVF_PMI_T1", CCCR_OVF_PMI_T1, .meaning = "an overflow raises a PMI on thread 1" },
	{ "CASCADE", CCCR_CASCADE,
	  .meaning = "the overflow of the other pair's counter starts it" },
	{ "OVF", CCCR_OVF, .meaning = "it overflowed" },
	{ .name = NULL }
};

static const struct monitor_field escr_fields[] = {
	{ "T1_USR", ESCR_T1_USR, .meaning = "thread 1 at CPL 1, 2, 3" },
	{ "T1_OS", ESCR_T1_OS, .meaning = "thread 1 at CPL 0" },
	{ "T0_USR", ESCR_T0_USR, .meaning = "thread 0 at CPL 1, 2, 3" },
	{ "T0_OS", ESCR_T0_OS, .meaning = "thread 0 at CPL 0" },
	{ "TAG_ENABLE", ESCR_TAG_ENABLE, .meaning = "tags micro-operations" },
	MONITOR_NAMED("TAG_VALUE", ESCR_TAG_VALUE),
	MONITOR_NAMED("EVENT_MASK", ESCR_EVENT_MASK),
	MONITOR_NAMED("EVENT_SELECT", ESCR_EVENT_SELECT),
	{ .name = NULL }
};

static const struct monitor_field counter_fields[] = {
	MONITOR_NAMED("COUNT", NETBURST_COUNTER_VALUE), { .name = NULL }
};

static const struct monitor_field debugctl_fields[] = {
	{ "LBR", MSR_DEBUGCTLA_LBR, .meaning = "branches are recorded" },
	{ "BTF", MSR_DEBUGCTLA_BTF, .meaning = "EFLAGS.TF stops at branches only" },
	{ "TR", MSR_DEBUGCTLA_TR, .refusal = MONITOR_TO_MEMORY },
	{ "BTS", MSR_DEBUGCTLA_BTS, .refusal = MONITOR_TO_MEMORY },
	{ "BTINT", MSR_DEBUGCTLA_BTINT, .refusal = MONITOR_TO_MEMORY },
	MONITOR_NAMED("BTS_OFF_OS", MSR_DEBUGCTLA_BTS_OFF_OS),
	MONITOR_NAMED("BTS_OFF_USR", MSR_DEBUGCTLA_BTS_OFF_USR),
	{ .name = NULL }
};

static const struct monitor_field pebs_enable_fields[] = {
	{ "METRICS", PEBS_ENABLE_METRICS, .meaning = "which replays are tagged" },
	{ "UOP_TAG", PEBS_ENABLE_UOP_TAG, .meaning = "replays are tagged" },
	{ "ENABLE_PEBS_MY_THR", PEBS_ENABLE_MY_THR, .refusal = MONITOR_BY_PEBS },
	{ "ENABLE_PEBS_OTH_THR", PEBS_ENABLE_OTH_THR, .refusal = MONITOR_BY_PEBS },
	{ .name = NULL }
};

static const struct monitor_field matrix_fields[] = {
	MONITOR_NAMED("LOADS", PEBS_MATRIX_VERT_LOADS),
	MONITOR_NAMED("STORES", PEBS_MATRIX_VERT_STORES),
	MONITOR_NAMED("BRANCHES", PEBS_MATRIX_VERT_BRANCHES), { .name = NULL }
};

#define ROW  .has = PMU_HAS_CCCRS

const struct monitor_register monitor_registers_netburst[] = {
	{ .name = "MSR_COUNTER#", .alias = "COUNTER#", .count = MONITOR_PER_COUNTER, ROW,
	  .identify = identify_counter, .msr = MSR_COUNTER(0), .fields = counter_fields },
	{ .name = "MSR_CCCR#", .count = MONITOR_PER_COUNTER, ROW, .identify = identify_cccr,
	  .msr = MSR_CCCR(0), .fields = cccr_fields },
	{ .name = "MSR_ESCR#", .count = MONITOR_PER_ESCR, ROW, .identify = identify_escr,
	  .msr = MSR_ESCR_BLOCK0, .fields = escr_fields, .is_select = true },
	{ .name = "MSR_DEBUGCTLA", .msr = MSR_DEBUGCTLA, ROW, .fields = debugctl_fields },
	{ .name = "MSR_PEBS_ENABLE", .alias = "IA32_PEBS_ENABLE", .msr = MSR_PEBS_ENABLE, ROW,
	  .fields = pebs_enable_fields },
	{ .name = "MSR_PEBS_MATRIX_VERT", .msr = MSR_PEBS_MATRIX_VERT, ROW,
	  .fields = matrix_fields },
	{ .name = "MSR_TC_PRECISE_EVENT", .msr = MSR_TC_PRECISE_EVENT, ROW,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = NULL }
};
