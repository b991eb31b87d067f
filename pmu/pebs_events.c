/* SPDX-License-Identifier: MIT */
/*
 * Events that PEBS can record, by microarchitecture. Source: SDM 3B, the tables of PEBS events in
 * "Processor Event Based Sampling (PEBS)" by microarchitecture, and of "Performance-Monitoring
 * Events"; NetBurst: table "List of Metrics Available ... At Retirement".
 */
#include <pmu/pebs.h>

#include <kernel/machine.h>
#include <kernel/string.h>
#include <pmu/pmu.h>

/* Bits of struct row.on, so that neighbours share a row. */
enum {
	CORE2 = 1 << 0, BONNELL = 1 << 1, NEHALEM = 1 << 2, SANDY_BRIDGE = 1 << 3,
	IVY_BRIDGE = 1 << 4, HASWELL = 1 << 5, SKYLAKE = 1 << 6, ICE_LAKE = 1 << 7,
	NETBURST = 1 << 8,
	SNB_TO_BDW = SANDY_BRIDGE | IVY_BRIDGE | HASWELL
};

/* By DisplayModel of family 06H: SDM 4, "CPUID Signature Values of DisplayFamily_DisplayModel". */
static const struct { uint8_t model; uint16_t is; } models[] = {
	{ 0x0f, CORE2 }, { 0x16, CORE2 }, { 0x17, CORE2 }, { 0x1d, CORE2 },
	{ 0x1c, BONNELL }, { 0x26, BONNELL }, { 0x27, BONNELL }, { 0x35, BONNELL },
	{ 0x36, BONNELL },
	{ 0x1a, NEHALEM }, { 0x1e, NEHALEM }, { 0x1f, NEHALEM }, { 0x2e, NEHALEM },
	{ 0x25, NEHALEM }, { 0x2c, NEHALEM }, { 0x2f, NEHALEM },
	{ 0x2a, SANDY_BRIDGE }, { 0x2d, SANDY_BRIDGE },
	{ 0x3a, IVY_BRIDGE }, { 0x3e, IVY_BRIDGE },
	{ 0x3c, HASWELL }, { 0x3f, HASWELL }, { 0x45, HASWELL }, { 0x46, HASWELL },
	{ 0x3d, HASWELL }, { 0x47, HASWELL }, { 0x4f, HASWELL }, { 0x56, HASWELL },
	{ 0x4e, SKYLAKE }, { 0x5e, SKYLAKE }, { 0x55, SKYLAKE }, { 0x8e, SKYLAKE },
	{ 0x9e, SKYLAKE }, { 0x66, SKYLAKE }, { 0xa5, SKYLAKE }, { 0xa6, SKYLAKE },
};

#define PMC0        UINT64_C(1)
#define PMC1        UINT64_C(2)
#define PMC0_TO_3   UINT64_C(0xf)
#define ALL_PMCS    UINT64_C(0xffffffff)
#define FIXED0      BIT(32)

static const struct { uint16_t on; struct pebs_event event; } rows[] = {
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
/* Counter 16; of a core's second thread 17: counters_here(). */
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
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static unsigned microarchitecture(void)
{
	const struct pmu *p = pmu_get();

	if (p->class->generation == PMU_NETBURST)
		return NETBURST;
	if (p->class->generation != PMU_ARCH || machine_cpu()->family != 6)
		return 0;
	if (p->capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE)
		return ICE_LAKE;
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (models[i].model == machine_cpu()->model)
			return models[i].is;
	return 0;
}

/* Of all that the row's tables name, those that this processor, and this thread, has. */
static uint64_t counters_here(const struct pebs_event *e)
{
	const struct pmu *p = pmu_get();

	if (p->class->generation == PMU_NETBURST)
		return BIT(16 + netburst_thread());
	return e->counters & (((UINT64_C(1) << p->gp_count) - 1) | (uint64_t)p->fixed_map << 32);
}

const struct pebs_event *pebs_event_at(unsigned i)
{
	static struct pebs_event here[ROWS];
	const unsigned is = microarchitecture();

	for (unsigned row = 0; row < ROWS; row++) {
		if (!(rows[row].on & is) || i-- > 0)
			continue;
		here[row] = rows[row].event;
		here[row].counters = counters_here(&rows[row].event);
		if (is == NETBURST)
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
