/* SPDX-License-Identifier: MIT */
/*
 * The plan of running counters, and of those that record for PEBS: after each change of a control
 * register it evaluates the enables of every counter.
 *
 * Events of architectural processors that are not architectural themselves, and the events that
 * PEBS can record. Sources: SDM 3B, "Precise Event Based Sampling" and its tables "PEBS Performance
 * Events" by microarchitecture; "Performance-Monitoring Events" by microarchitecture.
 *
 * Chosen: an instruction that loads from several lines, some of which are not in L1D, is one miss
 * of L1D, and one of L2 if one of these lines is not there either. A load of a locked or other
 * read-modify-write instruction also counts the line of its store. An access that a page's end
 * cuts in two is two micro-operations. The reads and writes of the delivery of an exception or
 * interrupt count with the first instruction of its handler, as if that had made them.
 *
 * Skylake's INST_RETIRED.ANY_P is precise, although Intel's lists do not say so: perf's precise
 * cycles are that event with INV and CMASK, and silicon records them (Linux,
 * intel_pebs_aliases_skl()).
 */
#include <model/arch/arch.h>

#include <arch/regs/table.h>
#include <model/steps/steps.h>

/* Source: SDM 3B, table "Architectural Performance Events"; index: the bit in CPUID.0AH:EBX. */
static const struct { uint16_t event; uint8_t signal; } architectural[] = {
	{ EVENT_UNHALTED_CORE_CYCLES,      SIGNAL_CYCLES },
	{ EVENT_INSTRUCTIONS_RETIRED,      SIGNAL_INSTRUCTIONS },
	{ EVENT_UNHALTED_REFERENCE_CYCLES, SIGNAL_BUS_CYCLES },
	{ EVENT_LLC_REFERENCE,             SIGNAL_LLC_REFERENCES },
	{ EVENT_LLC_MISSES,                SIGNAL_LLC_MISSES },
	{ EVENT_BRANCH_INSTR_RETIRED,      SIGNAL_BRANCHES },
	{ EVENT_BRANCH_MISSES_RETIRED,     SIGNAL_BRANCH_MISSES },
	{ EVENT_TOPDOWN_SLOTS,             SIGNAL_SLOTS },
	{ EVENT_TOPDOWN_BACKEND_BOUND,     SIGNAL_BACKEND },
	{ EVENT_TOPDOWN_BAD_SPECULATION,   SIGNAL_BAD_SPECULATION },
	{ EVENT_TOPDOWN_FRONTEND_BOUND,    SIGNAL_FRONTEND },
	{ EVENT_TOPDOWN_RETIRING,          SIGNAL_RETIRING },
	{ EVENT_LBR_INSERTS,               SIGNAL_LBR_INSERTS },
};

/* Source: SDM 3B, table "Association of Fixed-Function Performance Counters with Architectural
 * Performance Events". */
static const uint8_t fixed_signals[MODEL_FIXED_MAX] = {
	SIGNAL_INSTRUCTIONS, SIGNAL_CYCLES, SIGNAL_TSC_CYCLES, SIGNAL_SLOTS,
	SIGNAL_BAD_SPECULATION, SIGNAL_FRONTEND, SIGNAL_RETIRING
};

enum { CORE2 = MODEL_CORE2, BONNELL = MODEL_BONNELL, NEHALEM = MODEL_NEHALEM | MODEL_WESTMERE,
       SANDY = MODEL_SANDY_BRIDGE, IVY = MODEL_IVY_BRIDGE,
       HASWELL = MODEL_HASWELL | MODEL_BROADWELL, SKYLAKE = MODEL_SKYLAKE,
       ICE_LAKE = MODEL_SINCE_ICE_LAKE,
       GOLDEN = MODEL_GOLDEN_COVE, GRACEMONT = MODEL_GRACEMONT, SKYMONT = MODEL_SKYMONT };

/* These count loads and stores in micro-operations, the others in instructions. */
#define UOPS      MODEL_UOPS
#define SINCE_IVY (IVY | HASWELL | SKYLAKE | ICE_LAKE)
#define SINCE_SNB (SANDY | SINCE_IVY)
/* The efficient cores. Their tables of branches count what a mask leaves out. */
#define E_CORES   (GRACEMONT | SKYMONT)
#define ALL_PMCS  0xffff
#define UMASK2(n) FIELD_PUT(IA32_PERFEVTSEL_UMASK2, n)

static const struct event_arch {
	uint64_t event;                /* EVENT(), and UMASK2() where an event has it */
	uint8_t signal;
	uint16_t models;
	uint16_t precise;              /* bit per general counter that can record it, if PEBS can */
} events[] = {
	{ EVENT(0xc0, 0x00), SIGNAL_INSTRUCTIONS,  CORE2 | BONNELL | NEHALEM, ALL_PMCS },
	{ EVENT(0xc0, 0x00), SIGNAL_INSTRUCTIONS,  SKYLAKE | ICE_LAKE,   ALL_PMCS },
	{ EVENT(0xc0, 0x01), SIGNAL_INSTRUCTIONS,  NEHALEM,              ALL_PMCS },
	{ EVENT(0xc0, 0x01), SIGNAL_INSTRUCTIONS,  UOPS | SKYLAKE,       BIT(1) },
	{ EVENT(0xc2, 0x01), SIGNAL_RETIRING,      UOPS,                 ALL_PMCS },
	{ EVENT(0xc4, 0x00), SIGNAL_BRANCHES,      NEHALEM | SINCE_SNB,  ALL_PMCS },
	{ EVENT(0xc4, 0x04), SIGNAL_BRANCHES,      NEHALEM | UOPS | SKYLAKE, ALL_PMCS },
	{ EVENT(0xc4, 0x0c), SIGNAL_TAKEN,         CORE2 | BONNELL,      0 },
	{ EVENT(0xc4, 0x01), SIGNAL_CONDITIONAL,   NEHALEM | UOPS | SKYLAKE, ALL_PMCS },
	{ EVENT(0xc4, 0x11), SIGNAL_CONDITIONAL,   ICE_LAKE & ~MODEL_LION_COVE, ALL_PMCS },
	{ EVENT(0xc4, 0x11) | UMASK2(1), SIGNAL_CONDITIONAL, MODEL_LION_COVE, ALL_PMCS },
	{ EVENT(0xc4, 0x10), SIGNAL_NOT_TAKEN,     SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xc4, 0x02), SIGNAL_CALLS,         SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xc4, 0x08), SIGNAL_RETURNS,       SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xc4, 0x20), SIGNAL_NEAR_TAKEN,    SINCE_SNB,            ALL_PMCS },
	{ EVENT(0xc4, 0x40), SIGNAL_FAR,           SINCE_SNB,            0 },
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
	{ EVENT(0xcc, 0x20), SIGNAL_LBR_INSERTS,   GOLDEN,               0 },
	{ EVENT(0xe4, 0x01), SIGNAL_LBR_INSERTS,   GRACEMONT,            ALL_PMCS },
	{ EVENT(0xc0, 0x00), SIGNAL_INSTRUCTIONS,  E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0x00), SIGNAL_BRANCHES,      E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0x7e), SIGNAL_CONDITIONAL,   E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0x7f), SIGNAL_NOT_TAKEN,     SKYMONT,              ALL_PMCS },
	{ EVENT(0xc4, 0x80), SIGNAL_TAKEN,         E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0xbf), SIGNAL_FAR,           E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0xc0), SIGNAL_NEAR_TAKEN,    E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0xf7), SIGNAL_RETURNS,       E_CORES,              ALL_PMCS },
	{ EVENT(0xc4, 0xf9), SIGNAL_CALLS,         E_CORES,              ALL_PMCS },
	{ EVENT(0xc5, 0x00), SIGNAL_BRANCH_MISSES, E_CORES,              ALL_PMCS },
	{ EVENT(0xd0, 0x81), SIGNAL_LOADS,         E_CORES,              ALL_PMCS },
	{ EVENT(0xd0, 0x82), SIGNAL_STORES,        E_CORES,              ALL_PMCS },
	{ EVENT(0xd1, 0x02), SIGNAL_L2_HITS,       E_CORES,              ALL_PMCS },
	{ EVENT(0xd1, 0x08), SIGNAL_L1D_MISSES,    GRACEMONT,            ALL_PMCS },
	{ EVENT(0xd1, 0x10), SIGNAL_L2_MISSES,     GRACEMONT,            ALL_PMCS },
	{ EVENT(0xd1, 0x40), SIGNAL_L1D_MISSES,    SKYMONT,              ALL_PMCS },
	{ EVENT(0xd1, 0x80), SIGNAL_L2_MISSES,     SKYMONT,              ALL_PMCS },
	{ EVENT(0x73, 0x00), SIGNAL_BAD_SPECULATION, GRACEMONT,          0 },
	{ EVENT(0x74, 0x00), SIGNAL_BACKEND,       E_CORES,              0 },
	{ EVENT(0x71, 0x00), SIGNAL_FRONTEND,      E_CORES,              0 },
	{ EVENT(0xc2, 0x00), SIGNAL_RETIRING,      GRACEMONT,            ALL_PMCS },
	{ EVENT(0x72, 0x00), SIGNAL_RETIRING,      SKYMONT,              0 },
};

#define EVENT_BITS (IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK | IA32_PERFEVTSEL_UMASK2)

/* Returns the row of an event select, or NULL if the event is unknown or only architectural. */
static const struct event_arch *find(const struct model_rules *r, uint64_t sel)
{
	for (unsigned i = 0; i < COUNT_OF(events); i++)
		if (events[i].event == (sel & EVENT_BITS) && (events[i].models & r->events.model))
			return &events[i];
	return NULL;
}

/* Returns the signal of an event select; SIGNAL_NONE if the processor does not know the event. */
static uint8_t signal_of(const struct model_rules *r, uint64_t sel)
{
	uint64_t event = sel & EVENT_BITS;
	const struct event_arch *other = find(r, sel);
	uint8_t signal = other ? other->signal : SIGNAL_NONE;

	for (unsigned i = 0; i < COUNT_OF(architectural); i++)
		if (architectural[i].event == event && (r->events.architectural >> i & 1))
			signal = architectural[i].signal;
	return signal;
}

/* Counts loads that missed L1D; is_both: their instruction also stores. */
static void count_load_misses(struct refpmu_cpu *m, const struct cache_l2 *l2, bool is_both)
{
	unsigned requests = 1 << CACHE_LOAD | (is_both ? 1 << CACHE_STORE : 0);
	uint32_t missing = cache_sum_of(l2, requests, 1 << CACHE_I);
	uint32_t lines = missing + cache_sum_of(l2, requests, ~(1u << CACHE_I));

	if (!lines)
		return;
	model_count_shared(m, SIGNAL_L1D_MISSES, 1);
	model_count_shared(m, SIGNAL_L1D_LINES, lines);
	model_count_shared(m, missing ? SIGNAL_L2_MISSES : SIGNAL_L2_HITS, 1);
}

void model_count_memory(struct refpmu_cpu *m, const struct cache_cost *cost)
{
	const uint32_t loads = m->pebs.loads, stores = m->pebs.stores;
	const bool has_both = m->pebs.has_both;
	bool has_uops = rules_of(m)->events.model & UOPS;

	model_forget_accesses(m);
	if (stores)
		model_count_shared(m, SIGNAL_STORES, has_uops ? stores : 1);
	if (!loads)
		return;
	model_count_shared(m, SIGNAL_LOADS, has_uops ? loads : 1);
	if (cost->l2)
		count_load_misses(m, cost->l2, has_both);
}

/* ---------------------------------------------------------------------------- PEBS */

/* SDM 3B, "PEBS Performance Events", notes: "only valid when ... are all zero", of INV and CMASK,
 * too. With these two silicon records: Linux, perf's cycles (C0H, INV = 1, CMASK = 16). */
#define CONDITIONS (IA32_PERFEVTSEL_ANY | IA32_PERFEVTSEL_E)

static uint64_t enabled(const struct refpmu_cpu *m)
{
	return m->pebs.enable & rules_of(m)->ds.pebs_counters;
}

static bool is_precise(const struct model_rules *r, unsigned i, uint64_t sel)
{
	const struct event_arch *e = find(r, sel);

	return r->ds.pebs_is_adaptive || (e && e->precise >> i & 1);
}

/* Returns whether general counter i records, with this event selected. */
static bool is_pebs(const struct refpmu_cpu *m, unsigned i, uint64_t sel)
{
	return enabled(m) >> i & 1 && sel & IA32_PERFEVTSEL_EN && !(sel & CONDITIONS) &&
	       is_precise(rules_of(m), i, sel);
}

/* An overflow before the counter recorded does not arm it; what is due after its end is lost. */
static void set_up_pebs(struct refpmu_cpu *m, unsigned i, bool is_on, uint64_t adaptive)
{
	m->counter[i].is_adaptive = adaptive != 0;
	if (is_on == m->counter[i].is_pebs)
		return;
	m->counter[i].is_pebs = is_on;
	m->pebs.due &= ~BIT(i);
	model_counter_disarm(&m->counter[i]);
}

/* ---------------------------------------------------------------------------- running counters */

/* libpfm4 has Core 2's MEM_LOAD_RETIRED on counter 0 alone, which records it. */
static bool is_of_counter_0(const struct model_rules *r, uint64_t sel)
{
	return r->events.model == MODEL_CORE2
	       && FIELD_GET(IA32_PERFEVTSEL_EVENT_SELECT, sel) == 0xcb;
}

/* Chooses the row of an event that is neither architectural nor one that PEBS records. */
static void choose_row(struct refpmu_cpu *m, unsigned i, uint64_t sel)
{
	m->counter[i].event = NULL;
	if (i > 0 && is_of_counter_0(rules_of(m), sel))
		m->counter[i].signal = SIGNAL_NONE;
	if (m->counter[i].signal == SIGNAL_NONE && !(sel & IA32_PERFEVTSEL_UMASK2))
		model_choose_event(m, i, (uint8_t)FIELD_GET(IA32_PERFEVTSEL_EVENT_SELECT, sel),
		                   (uint8_t)FIELD_GET(IA32_PERFEVTSEL_UMASK, sel));
}

static void set_up_gp(struct refpmu_cpu *m, unsigned i)
{
	struct model_counter *c = &m->counter[i];
	uint64_t sel = m->perfevtsel[i];
	bool is_on = model_is_enabled(m, sel & IA32_PERFEVTSEL_EN, i);

	c->signal = signal_of(rules_of(m), sel);
	choose_row(m, i, sel);
	model_set_up_compare(m, i, sel);
	c->is_equal = sel & IA32_PERFEVTSEL_EQ;
	c->is_any = sel & IA32_PERFEVTSEL_ANY;
	set_up_pebs(m, i, is_pebs(m, i, sel), sel & IA32_PERFEVTSEL_ADAPTIVE);
	model_start_or_stop(c, is_on, sel & IA32_PERFEVTSEL_OS, sel & IA32_PERFEVTSEL_USR);
	if (c->event && c->event->rings)       /* the event is of one level by itself */
		c->rings &= c->event->rings;
}

static void set_up_fixed(struct refpmu_cpu *m, unsigned i)
{
	struct model_counter *c = fixed_counter(m, i);
	uint64_t nibble = m->fixed_ctr_ctrl >> (4 * i);
	bool is_os = nibble & IA32_FIXED_CTR_CTRL_EN_OS(0);
	bool is_usr = nibble & IA32_FIXED_CTR_CTRL_EN_USR(0);
	bool is_own = is_os | is_usr;

	c->signal = fixed_signals[i];
	c->is_pmi = nibble & IA32_FIXED_CTR_CTRL_PMI(0);
	c->is_any = nibble & IA32_FIXED_CTR_CTRL_ANY(0);
	set_up_pebs(m, MODEL_GP_MAX + i, is_own && enabled(m) >> (32 + i) & 1,
	            m->fixed_ctr_ctrl & IA32_FIXED_CTR_CTRL_ADAPTIVE(i));
	model_start_or_stop(c, model_is_enabled(m, is_own, 32 + i), is_os, is_usr);
}

/* SDM 3B, "Performance Metrics": metrics run with fixed counter 3, if GLOBAL_CTRL[48] is set. */
static void plan_metrics(struct refpmu_cpu *m)
{
	if (!rules_of(m)->counters.has_perf_metrics ||
	    !(m->global_ctrl & IA32_PERF_GLOBAL_CTRL_EN_METRICS))
		return;
	for (unsigned ring = 0; ring < RINGS; ring++)
		m->plan.has_metrics[ring] = fixed_counter(m, 3)->rings >> ring & 1;
}

/* Lists the running counters with rows, which need all effects of every instruction. */
static void plan_rows(struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (m->counter[i].rings && m->counter[i].event
		    && m->counter[i].signal == SIGNAL_EVENT_0 + i)
			m->plan.rows |= BIT32(i);
	m->plan.has_memory |= m->plan.rows != 0;
}

/* Finds out whether a counter needs an instruction's effects on memory. */
static void plan_memory(struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++) {
		unsigned signal = m->counter[i].signal;

		if (!m->counter[i].rings)
			continue;
		m->plan.has_memory |= model_is_memory_signal(signal);
		m->plan.has_accesses |= signal == SIGNAL_LOADS || signal == SIGNAL_STORES;
	}
}

void model_plan_arch(struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);

	m->plan = (struct model_plan){ 0 };
	for (unsigned i = 0; i < r->counters.gp_count; i++)
		set_up_gp(m, i);
	FOR_EACH_BIT(i, r->counters.fixed_map)
		set_up_fixed(m, i);
	model_list_counters(m);
	plan_memory(m);
	plan_rows(m);
	plan_metrics(m);
	model_update_activity(m);
}
