/* SPDX-License-Identifier: MIT */
/*
 * The counters that the cores of a package share: those of the northbridge of families 15H and 16H,
 * and of L3. Sources: the event lists of libpfm4 and LIKWID; Linux, events/amd/uncore.c, for the
 * threads and slices that L3 counters of Zen select.
 *
 * Chosen: all lines are in slice 0 of L3, and thread n is the nth of the package. Not modelled: the
 * events of the data fabric and of L2I, and PMIs of these counters.
 */
#include <model/amd/amd_shared.h>

#define READS (1u << CACHE_BUS_BRD | 1u << CACHE_BUS_RFO | 1u << CACHE_BUS_IFETCH)

/* A bit of the unit mask adds these transactions of the bus, or what L3 was asked for. */
static const struct shared_event {
	uint16_t code;
	uint8_t umask;                 /* 0: whatever the unit mask is */
	uint16_t bus;                  /* bit per enum cache_bus */
	bool counts_hits, counts_misses;       /* of the last level */
	uint16_t models;
} nb_events[] = {
	{ 0x0e0, 0x01, READS | 1u << CACHE_BUS_WB, false, false, AMD_15H | AMD_16H },
	{ 0x0ea, 0x01, 1u << CACHE_BUS_WB,         false, false, AMD_15H | AMD_16H },
	{ 0x0ea, 0x04, 1u << CACHE_BUS_BRD,        false, false, AMD_15H | AMD_16H },
	{ 0x0ea, 0x08, 1u << CACHE_BUS_IFETCH,     false, false, AMD_15H | AMD_16H },
	{ 0x0ea, 0x10, 1u << CACHE_BUS_RFO,        false, false, AMD_15H | AMD_16H },
	{ 0x0ea, 0x20, 1u << CACHE_BUS_INVAL,      false, false, AMD_15H | AMD_16H },
	{ 0x1f0, 0x01, 1u << CACHE_BUS_WB,         false, false, AMD_15H | AMD_16H },
	{ 0x1f0, 0x02, READS,                      false, false, AMD_15H | AMD_16H },
	{ 0x4e0, 0x01, 0,                          true,  true,  AMD_15H },
	{ 0x4e1, 0x01, 0,                          false, true,  AMD_15H },
	{ 0 }
}, l3_events[] = {
	{ 0x01, 0,    0, true,  true,  AMD_ZEN | AMD_ZEN2 },
	{ 0x06, 0,    0, false, true,  AMD_ZEN | AMD_ZEN2 },
	{ 0x04, 0x01, 0, false, true,  AMD_ZEN2 | AMD_ZEN3 | AMD_ZEN4 | AMD_ZEN5 },
	{ 0x04, 0xfe, 0, true,  false, AMD_ZEN2 | AMD_ZEN3 | AMD_ZEN4 | AMD_ZEN5 },
	{ 0 }
};

static bool does_run(const struct model_shared_counters *s)
{
	for (unsigned n = 0; n < MODEL_SHARED_MAX; n++)
		if (s->ctl[n] & PERF_CTL_EN)
			return true;
	return false;
}

bool model_shared_run(const struct refpmu_package *package)
{
	return does_run(&package->nb) || does_run(&package->l3);
}

/* ---------------------------------------------------------------------------- L3's selection */

static unsigned thread_in_package(const struct refpmu_cpu *m)
{
	unsigned n = 0;

	for (const struct refpmu_cpu *c = m->package->machine->first; c != m; c = c->next)
		n += c->package == m->package;
	return n;
}

/* Family 17H: a bit for each of eight threads, and for each of four slices. */
static bool selects_by_masks(const struct refpmu_cpu *m, uint64_t ctl)
{
	return (ctl & L3_PERF_CTL_SLICE_MASK & BIT(48)) &&
	       FIELD_GET(L3_PERF_CTL_THREAD_MASK, ctl) >> thread_in_package(m) % 8 & 1;
}

/* Family 19H: a bit for each thread of a core; one core or all, one slice or all. */
static bool selects_by_number(const struct refpmu_cpu *m, uint64_t ctl)
{
	unsigned thread = thread_in_package(m), threads = m->core->threads;
	bool is_core = (ctl & L3_PERF_CTL_ALL_CORES) ||
	               FIELD_GET(L3_PERF_CTL_CORE, ctl) == thread / threads;
	bool is_slice = (ctl & L3_PERF_CTL_ALL_SLICES) || !(ctl & L3_PERF_CTL_SLICE);

	return is_core && is_slice && FIELD_GET(L3_PERF_CTL_THREADS, ctl) >> thread % threads & 1;
}

static bool is_selected(const struct refpmu_cpu *m, uint64_t ctl)
{
	if (rules_of(m)->events.model & (AMD_ZEN | AMD_ZEN2))
		return selects_by_masks(m, ctl);
	return selects_by_number(m, ctl);
}

/* ---------------------------------------------------------------------------- counting */

static uint32_t amount_of(const struct shared_event *e, const struct model_retired *retired)
{
	uint32_t hits = retired->cost->llc_references - retired->cost->llc_misses;

	return model_sum_of_bus(e->bus, retired->traffic->bus) + (e->counts_hits ? hits : 0) +
	       (e->counts_misses ? retired->cost->llc_misses : 0);
}

static uint32_t sum_of(const struct refpmu_cpu *m, const struct shared_event *e, uint64_t ctl,
                       const struct model_retired *retired)
{
	uint64_t umask = FIELD_GET(PERF_CTL_UNIT_MASK, ctl);
	uint32_t sum = 0;

	for (; e->models; e++)
		if (e->code == model_amd_code(ctl) && (e->models & rules_of(m)->events.model) &&
		    (!e->umask || (umask & e->umask)))
			sum += amount_of(e, retired);
	return sum;
}

void model_count_in_package(struct refpmu_cpu *m, const struct model_retired *retired)
{
	struct model_shared_counters *nb = &m->package->nb, *l3 = &m->package->l3;
	const struct model_amd_rules *r = &rules_of(m)->amd;

	for (unsigned n = 0; n < r->nb_count; n++)
		if (nb->ctl[n] & PERF_CTL_EN)
			nb->ctr[n] = (nb->ctr[n] + sum_of(m, nb_events, nb->ctl[n], retired)) &
			             ones(PERF_CTR_WIDTH);
	for (unsigned n = 0; n < r->l3_count; n++)
		if ((l3->ctl[n] & PERF_CTL_EN) && is_selected(m, l3->ctl[n]))
			l3->ctr[n] = (l3->ctr[n] + sum_of(m, l3_events, l3->ctl[n], retired)) &
			             ones(r->l3_width);
}
