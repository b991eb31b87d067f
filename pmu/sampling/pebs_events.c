/* SPDX-License-Identifier: MIT */
/*
 * Lists the events that PEBS can record, by microarchitecture. Source: SDM 3B, the tables of PEBS
 * events in "Processor Event Based Sampling (PEBS)" by microarchitecture, and of
 * "Performance-Monitoring Events"; NetBurst: table "List of Metrics Available ... At Retirement".
 */
#include <pmu/sampling/pebs.h>

#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/core/pmu.h>

/* These are the bits of the column `on`. */
enum {
	CORE2 = PMU_ON_CORE2, BONNELL = PMU_ON_BONNELL, NEHALEM = PMU_ON_NEHALEM,
	SANDY_BRIDGE = PMU_ON_SANDY_BRIDGE, IVY_BRIDGE = PMU_ON_IVY_BRIDGE,
	HASWELL = PMU_ON_HASWELL, SKYLAKE = PMU_ON_SKYLAKE,
	ICE_LAKE = PMU_ON_ICE_LAKE | PMU_ON_TREMONT,
	NETBURST = PMU_ON_NETBURST, SNB_TO_BDW = PMU_ON_SNB_TO_BDW
};

#define PMC0        UINT64_C(1)
#define PMC1        UINT64_C(2)
#define PMC0_TO_3   UINT64_C(0xf)
#define ALL_PMCS    UINT64_C(0xffffffff)
#define FIXED0      BIT(32)

static const struct { uint32_t on; struct pebs_event event; } rows[] = {
#define E(on, short, name, select, umask, counters) \
	{ on, { short, name, EVENT(select, umask), counters, NULL } }
	E(CORE2 | BONNELL, "instructions", "INSTR_RETIRED.ANY_P", 0xc0, 0x00, PMC0),
	E(NEHALEM, "instructions", "INST_RETIRED.ANY_P", 0xc0, 0x00, PMC0_TO_3),
	E(SNB_TO_BDW | SKYLAKE, "instructions", "INST_RETIRED.PREC_DIST", 0xc0, 0x01, PMC1),
	E(ICE_LAKE, "instructions", "INST_RETIRED.ANY_P", 0xc0, 0x00, ALL_PMCS | FIXED0),

	E(NEHALEM | SNB_TO_BDW | SKYLAKE, "branches", "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0x04,
	  PMC0_TO_3),
	E(ICE_LAKE, "branches", "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0x00, ALL_PMCS),

	E(NEHALEM, "loads", "MEM_INST_RETIRED.LOADS", 0x0b, 0x01, PMC0_TO_3),
	E(SNB_TO_BDW, "loads", "MEM_UOPS_RETIRED.ALL_LOADS", 0xd0, 0x81, PMC0_TO_3),
	E(SKYLAKE | ICE_LAKE, "loads", "MEM_INST_RETIRED.ALL_LOADS", 0xd0, 0x81, PMC0_TO_3),

	E(NEHALEM, "stores", "MEM_INST_RETIRED.STORES", 0x0b, 0x02, PMC0_TO_3),
	E(SNB_TO_BDW, "stores", "MEM_UOPS_RETIRED.ALL_STORES", 0xd0, 0x82, PMC0_TO_3),
	E(SKYLAKE | ICE_LAKE, "stores", "MEM_INST_RETIRED.ALL_STORES", 0xd0, 0x82, PMC0_TO_3),

	E(CORE2, "l1_misses", "MEM_LOAD_RETIRED.L1D_MISS", 0xcb, 0x01, PMC0),
	E(BONNELL, "l1_misses", "MEM_LOAD_RETIRED.L2_HIT", 0xcb, 0x01, PMC0),
	E(NEHALEM, "l1_misses", "MEM_LOAD_RETIRED.L2_HIT", 0xcb, 0x02, PMC0_TO_3),
	E(SANDY_BRIDGE, "l1_misses", "MEM_LOAD_UOPS_RETIRED.L2_HIT", 0xd1, 0x02, PMC0_TO_3),
	E(IVY_BRIDGE | HASWELL, "l1_misses", "MEM_LOAD_UOPS_RETIRED.L1_MISS", 0xd1, 0x08,
	  PMC0_TO_3),
	E(SKYLAKE | ICE_LAKE, "l1_misses", "MEM_LOAD_RETIRED.L1_MISS", 0xd1, 0x08, PMC0_TO_3),
#undef E
/* Counter 16, or 17 on a core's second thread: see counters_here(). */
#define METRIC(short, name)  { NETBURST, { short, name, 0, BIT(16) | BIT(17), NULL } }
	METRIC("loads", "memory_loads"),
	METRIC("stores", "memory_stores"),
	METRIC("l1_misses", "1stL_cache_load_miss_retired"),
	METRIC("l2_misses", "2ndL_cache_load_miss_retired"),
	METRIC("dtlb_load_misses", "DTLB_load_miss_retired"),
	METRIC("dtlb_store_misses", "DTLB_store_miss_retired"),
	METRIC("x87", "X87_FP_retired"),
	METRIC("mmx_64", "64_bit_MMX_retired"),
	METRIC("packed_sp", "packed_SP_retired"),
	METRIC("scalar_sp", "scalar_SP_retired"),
#undef METRIC
};
enum { ROWS = COUNT_OF(rows) };

/* Returns those of the row's counters that this processor, and this thread, has. */
static uint64_t counters_here(const struct pebs_event *e)
{
	const struct pmu *p = pmu_get();

	if (pmu_has(PMU_HAS_CCCRS))
		return BIT(16 + netburst_thread());
	return e->counters & (((UINT64_C(1) << p->gp_count) - 1) | (uint64_t)p->fixed_map << 32);
}

const struct pebs_event *pebs_event_at(unsigned i)
{
	static struct pebs_event here[ROWS];
	const uint32_t is = pmu_microarchitecture();

	for (unsigned row = 0; row < ROWS; row++) {
		if (!(rows[row].on & is) || i-- > 0)
			continue;
		here[row] = rows[row].event;
		here[row].counters = counters_here(&rows[row].event);
		if (is & NETBURST)
			here[row].metric = netburst_metric_find(here[row].manual);
		return &here[row];
	}
	return NULL;
}

const struct pebs_event *pebs_find(const char *name)
{
	const struct pebs_event *e;

	for (unsigned i = 0; (e = pebs_event_at(i)) != NULL; i++)
		if (strcmp(e->name, name) == 0)
			return e;
	return NULL;
}
