/* SPDX-License-Identifier: MIT */
#include <tests/suites/rdpmc/rdpmc_rules.h>

#include <stddef.h>

#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/machine/machine.h>

#define SDM_RDPMC     "SDM 2B, RDPMC"
#define SDM_TABLE     "SDM 2B, RDPMC, table of PMC indices by processor"
#define SDM_FIXED     SDM_RDPMC ", CPUID.0AH:EDX[4:0] and ECX"
#define SDM_METRICS   SDM_RDPMC ", IA32_PERF_CAPABILITIES[15]"
#define APM_RDPMC     "APM 3, RDPMC"
#define APM_NB        APM_RDPMC ", CPUID.80000001H:ECX[24]"
#define APM_LLC       APM_RDPMC ", CPUID.80000001H:ECX[28]"
#define HOLES         "a map with holes, which the arch suites judge"
#define EDITIONS      "2016 SDM: ECX[31] is a fast read where supported; " \
                      "newer SDM: an unsupported encoding"

static uint32_t two(const struct pmu *p)          { (void)p; return 2; }
static uint32_t four(const struct pmu *p)         { (void)p; return 4; }
static uint32_t eighteen(const struct pmu *p)     { (void)p; return 18; }
static uint32_t thirty_two(const struct pmu *p)   { (void)p; return 32; }
static uint32_t gp_counters(const struct pmu *p)  { return p->gp_count; }

static uint32_t fixed_counters(const struct pmu *p)
{
	uint32_t n = 0;

	while (n < 32 && (p->fixed_map >> n & 1))
		n++;
	return n;
}

/* Returns the indices above the first hole of a map with holes (hybrid E-cores). */
static uint32_t fixed_behind_hole(const struct pmu *p)
{
	return p->fixed_map >> fixed_counters(p) ? 32 : 0;
}

/* Valid indices are sorted out before. */
static uint32_t gp_perhaps(const struct pmu *p)
{
	uint32_t n = p->gp_count;

	while (pmu_may_hide_gp(p, n))
		n++;
	return n;
}

static uint32_t fixed_perhaps(const struct pmu *p)
{
	uint32_t n = 0;

	while (n < 32 && ((p->fixed_map >> n & 1) || pmu_may_hide_fixed(p, n)))
		n++;
	return n;
}

static uint32_t metrics(const struct pmu *p)
{
	return p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS ? 1 : 0;
}

static uint32_t metrics_perhaps(const struct pmu *p)
{
	return pmu_may_hide_metrics(p) ? 1 : 0;
}

/* Xeon MP with a third-level cache has counters 18 to 25; CPUID leaf 4 shows the cache. */
static uint32_t l3_counters(const struct pmu *p)
{
	(void)p;
	return machine_cpu()->model >= 3 && cpuid_read(4, 3).eax & 0x1f ? 8 : 0;
}

/* Counters 0 to 3 of the northbridge, later of the data fabric; PerfMonV2 says how many follow. */
static uint32_t northbridge_counters(const struct pmu *p)
{
	(void)p;
	return cpuid_get(CPUID_PERFCTR_NB) ? 4 : 0;
}

static uint32_t more_fabric_counters(const struct pmu *p)
{
	uint32_t count = p->version >= 2 ? cpuid_get(CPUID_AMD_FABRIC_COUNTERS) : 0;

	return count > 4 ? count - 4 : 0;
}

/* L2I of family 16H has four counters, L3 of family 17H and later six. */
static uint32_t llc_counters(const struct pmu *p)
{
	(void)p;
	return !cpuid_get(CPUID_PERFCTR_LLC) ? 0 : machine_cpu()->family < 0x17 ? 4 : 6;
}

static const struct rdpmc_rules rules[] = {
	{ .has = PMU_IS_TOO_EARLY, .exists = false,
	  .source = SDM_RDPMC ", introduced with the Pentium Pro" },
	{ .has = PMU_HAS_CESR, .lacks = PMU_HAS_RDPMC, .exists = false,
	  .source = SDM_RDPMC ", on Pentiums with MMX only" },
	{ .has = PMU_HAS_CESR, .exists = true, .source = SDM_TABLE, .region = {
		{ 0, two, INDEX_VALID, SDM_TABLE },
	} },
	{ .has = PMU_HAS_ONE_ENABLE, .exists = true, .source = SDM_TABLE, .region = {
		{ 0, two, INDEX_VALID, SDM_TABLE },
	} },
	{ .has = PMU_HAS_CCCRS, .exists = true, .source = SDM_TABLE, .region = {
		{ 0, eighteen, INDEX_VALID, SDM_TABLE },
		{ RDPMC_FAST, eighteen, INDEX_FAST, SDM_RDPMC ", fast reads (ECX[31])" },
		{ 18, l3_counters, INDEX_OPEN, SDM_TABLE ", 18 to 25 on Xeon MP with L3" },
		{ RDPMC_FAST + 18, l3_counters, INDEX_OPEN,
		"no manual says so for the L3 counters" },
	} },
	{ .has = PMU_HAS_LEAF_0AH, .exists = true, .source = SDM_RDPMC, .region = {
		{ 0, gp_counters, INDEX_VALID, SDM_RDPMC ", CPUID.0AH:EAX[15:8]" },
		{ RDPMC_FIXED, fixed_counters, INDEX_VALID, SDM_FIXED },
		{ 0, gp_perhaps, INDEX_OPEN, "leaf 0AH shows too few" },
		{ RDPMC_FIXED, fixed_perhaps, INDEX_OPEN, "errata: leaf 0AH shows too few" },
		{ RDPMC_FIXED, fixed_behind_hole, INDEX_OPEN, HOLES },
		{ RDPMC_PERF_METRICS, metrics, INDEX_VALID, SDM_METRICS },
		{ RDPMC_PERF_METRICS, metrics_perhaps, INDEX_OPEN, "leaf 0AH shows too few" },
		{ RDPMC_FAST, gp_counters, INDEX_OPEN, EDITIONS },
		{ RDPMC_FAST | RDPMC_FIXED, thirty_two, INDEX_OPEN, EDITIONS },
	} },
	{ .has = PMU_IS_HIDDEN, .exists = true, .source = SDM_RDPMC, .region = {
		{ 0, thirty_two, INDEX_OPEN, "leaf 0AH hides the number of counters" },
		{ RDPMC_FIXED, thirty_two, INDEX_OPEN, "leaf 0AH hides the number of counters" },
		{ RDPMC_PERF_METRICS, two, INDEX_OPEN, "leaf 0AH hides whether they exist" },
		{ RDPMC_FAST, thirty_two, INDEX_OPEN, EDITIONS },
		{ RDPMC_FAST | RDPMC_FIXED, thirty_two, INDEX_OPEN, EDITIONS },
	} },
	{ .has = PMU_HAS_LEGACY_CTLS, .lacks = PMU_HAS_CORE_CTLS,
	  .exists = true, .source = APM_RDPMC, .region = {
		{ 0, four, INDEX_VALID, APM_RDPMC },
		{ 6, northbridge_counters, INDEX_VALID, APM_NB },
		{ 10, llc_counters, INDEX_VALID, APM_LLC },
	} },
	{ .has = PMU_HAS_CORE_CTLS, .exists = true, .source = APM_RDPMC, .region = {
		{ 0, gp_counters, INDEX_VALID, APM_RDPMC ", CPUID.80000001H:ECX[23]" },
		{ 6, northbridge_counters, INDEX_VALID, APM_NB },
		{ 10, llc_counters, INDEX_VALID, APM_LLC },
		{ 16, more_fabric_counters, INDEX_VALID,
		  APM_RDPMC ", CPUID.80000022H:EBX[15:10]" },
	} },
	{ .exists = true, .is_open = true,
	  .source = "no manual of this vendor was read" },
};

const struct rdpmc_rules *rdpmc_rules(void)
{
	const struct rdpmc_rules *r = rules;

	while ((r->has && !pmu_has(r->has)) || pmu_has(r->lacks))    /* the last row fits all */
		r++;
	return r;
}

enum index_class rdpmc_index_class(const struct rdpmc_rules *r, uint32_t index, const char **source)
{
	*source = r->source;
	if (r->is_open)
		return INDEX_OPEN;
	for (unsigned i = 0; i < RDPMC_REGIONS && r->region[i].count; i++) {
		const struct rdpmc_region *region = &r->region[i];

		if (index - region->first >= region->count(pmu_get()))
			continue;
		*source = region->source;
		return region->class;
	}
	return INDEX_INVALID;
}

/*
 * The indices to try: all counters that could exist and the first that cannot, every power of two
 * to which some processor gives a meaning, and their neighbours.
 */
static const struct { uint32_t first, count; } index_ranges[] = {
	{ 0, 34 }, { 63, 1 }, { 255, 2 }, { 0x10000, 1 },
	{ RDPMC_PERF_METRICS - 1, 4 }, { RDPMC_FIXED - 1, 21 }, { RDPMC_FAST - 1, 21 },
	{ RDPMC_FAST | RDPMC_FIXED, 3 }, { UINT32_MAX, 1 },
};

bool rdpmc_index(unsigned i, uint32_t *index)
{
	for (size_t r = 0; r < COUNT_OF(index_ranges); r++) {
		*index = index_ranges[r].first + i;
		if (i < index_ranges[r].count)
			return true;
		i -= index_ranges[r].count;
	}
	return false;
}

unsigned rdpmc_width(uint32_t index)
{
	const struct pmu *p = pmu_get();

	if (index < p->gp_count)
		return p->gp_width;
	if (pmu_has(PMU_HAS_LEAF_0AH) && index - RDPMC_FIXED < 32)
		return p->fixed_width;
	return 64;
}

bool rdpmc_find_valid(const struct rdpmc_rules *r, uint32_t *index)
{
	const char *source;

	for (unsigned i = 0; rdpmc_index(i, index); i++)
		if (rdpmc_index_class(r, *index, &source) == INDEX_VALID)
			return true;
	return false;
}
