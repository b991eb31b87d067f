/* SPDX-License-Identifier: MIT */
/*
 * Events of architectural processors that are not architectural themselves, and the events that
 * PEBS can record. Sources: SDM 3B, "Precise Event Based Sampling" and its tables "PEBS Performance
 * Events" by microarchitecture; "Performance-Monitoring Events" by microarchitecture.
 *
 * Chosen: an instruction that loads from several lines, some of which are not in L1D, is one miss
 * of L1D, and one of L2 if one of these lines is not there either. A load of a locked or other
 * read- modify-write instruction also counts the line of its store. An access that a page's end
 * cuts in two is two micro-operations. The reads and writes of the delivery of an exception or
 * interrupt count with the first instruction of its handler, as if that had made them.
 */
#include <model/arch/arch.h>

enum { CORE2 = MODEL_CORE2, BONNELL = MODEL_BONNELL, NEHALEM = MODEL_NEHALEM,
       SANDY = MODEL_SANDY_BRIDGE, IVY = MODEL_IVY_BRIDGE, HASWELL = MODEL_HASWELL,
       SKYLAKE = MODEL_SKYLAKE, ICE_LAKE = MODEL_ICE_LAKE };

/* These count loads and stores in micro-operations, the others in instructions. */
#define UOPS      (SANDY | IVY | HASWELL)
#define SINCE_IVY (IVY | HASWELL | SKYLAKE | ICE_LAKE)
#define SINCE_SNB (SANDY | SINCE_IVY)
#define ALL_PMCS  0xffff

static const struct model_event_arch events[] = {
	{ EVENT(0xc0, 0x00), SIGNAL_INSTRUCTIONS,  CORE2 | BONNELL | NEHALEM | ICE_LAKE, ALL_PMCS },
	{ EVENT(0xc0, 0x01), SIGNAL_INSTRUCTIONS,  NEHALEM,              ALL_PMCS },
	{ EVENT(0xc0, 0x01), SIGNAL_INSTRUCTIONS,  UOPS | SKYLAKE,       BIT(1) },
	{ EVENT(0xc4, 0x00), SIGNAL_BRANCHES,      NEHALEM | SINCE_SNB,  ALL_PMCS },
	{ EVENT(0xc4, 0x04), SIGNAL_BRANCHES,      NEHALEM | UOPS | SKYLAKE, ALL_PMCS },
	{ EVENT(0xc4, 0x0c), SIGNAL_TAKEN,         CORE2 | BONNELL,      0 },
	{ EVENT(0xc4, 0x01), SIGNAL_CONDITIONAL,   NEHALEM | UOPS | SKYLAKE, ALL_PMCS },
	{ EVENT(0xc4, 0x11), SIGNAL_CONDITIONAL,   ICE_LAKE,             ALL_PMCS },
	{ EVENT(0xc4, 0x10), SIGNAL_NOT_TAKEN,     SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xc5, 0x00), SIGNAL_BRANCH_MISSES, CORE2 | BONNELL | SINCE_SNB, ALL_PMCS },
	{ EVENT(0xc5, 0x04), SIGNAL_BRANCH_MISSES, UOPS | SKYLAKE,       ALL_PMCS },
	{ EVENT(0x0b, 0x01), SIGNAL_LOADS,         NEHALEM,              ALL_PMCS },
	{ EVENT(0x0b, 0x02), SIGNAL_STORES,        NEHALEM,              ALL_PMCS },
	{ EVENT(0xd0, 0x81), SIGNAL_LOADS,         SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xd0, 0x82), SIGNAL_STORES,        SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xcb, 0x01), SIGNAL_L1D_MISSES,    CORE2,                ALL_PMCS },
	{ EVENT(0xcb, 0x02), SIGNAL_L1D_LINES,     CORE2,                ALL_PMCS },
	{ EVENT(0xcb, 0x04), SIGNAL_L2_MISSES,     CORE2,                ALL_PMCS },
	{ EVENT(0xcb, 0x01), SIGNAL_L2_HITS,       BONNELL,              ALL_PMCS },
	{ EVENT(0xcb, 0x02), SIGNAL_L2_MISSES,     BONNELL,              ALL_PMCS },
	{ EVENT(0xcb, 0x02), SIGNAL_L2_HITS,       NEHALEM,              ALL_PMCS },
	{ EVENT(0xd1, 0x02), SIGNAL_L2_HITS,       SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xd1, 0x08), SIGNAL_L1D_MISSES,    SINCE_IVY,            ALL_PMCS },
	{ EVENT(0xd1, 0x10), SIGNAL_L2_MISSES,     SINCE_IVY,            ALL_PMCS },
};

const struct model_event_arch *model_event_arch_find(const struct model_rules *r, uint32_t event)
{
	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i].event == event && (events[i].models & r->events.model))
			return &events[i];
	return NULL;
}

static uint32_t lines_of(const uint32_t by_state[CACHE_STATES])
{
	uint32_t lines = 0;

	for (unsigned state = 0; state < CACHE_STATES; state++)
		lines += by_state[state];
	return lines;
}

/* Counts loads that missed L1D; is_both: their instruction also stores. */
static void count_load_misses(struct refpmu_cpu *m, const struct cache_l2 *l2, bool is_both)
{
	uint32_t lines = lines_of(l2->count[CACHE_LOAD]);
	uint32_t missing = l2->count[CACHE_LOAD][CACHE_I];

	if (is_both) {
		lines += lines_of(l2->count[CACHE_STORE]);
		missing += l2->count[CACHE_STORE][CACHE_I];
	}
	if (!lines)
		return;
	model_count_told(m, SIGNAL_L1D_MISSES, 1);
	model_count_told(m, SIGNAL_L1D_LINES, lines);
	model_count_told(m, missing ? SIGNAL_L2_MISSES : SIGNAL_L2_HITS, 1);
}

void model_count_memory(struct refpmu_cpu *m, const struct cache_cost *cost)
{
	const uint32_t loads = m->pebs.loads, stores = m->pebs.stores;
	const bool has_both = m->pebs.has_both;
	bool has_uops = rules_of(m)->events.model & UOPS;

	model_forget_accesses(m);
	if (stores)
		model_count_told(m, SIGNAL_STORES, has_uops ? stores : 1);
	if (!loads)
		return;
	model_count_told(m, SIGNAL_LOADS, has_uops ? loads : 1);
	if (cost->l2)
		count_load_misses(m, cost->l2, has_both);
}
