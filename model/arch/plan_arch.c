/* SPDX-License-Identifier: MIT */
/* The plan of running counters, and of those that record for PEBS: after each change of a control
 * register it evaluates the enables of every counter. */
#include <model/arch/arch.h>

/* Source: SDM 3B, table "Architectural Performance Events"; index: the bit in CPUID.0AH:EBX. */
static const struct { uint16_t event; uint8_t signal; } events[] = {
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
	SIGNAL_INSTRUCTIONS, SIGNAL_CYCLES, SIGNAL_TSC_CYCLES, SIGNAL_SLOTS
};

/* Returns the signal of an event select; SIGNAL_NONE if the processor does not know the event,
 * or if it has a UMASK2. */
static uint8_t signal_of(const struct model_rules *r, uint64_t sel)
{
	uint64_t event = sel & (IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK);
	const struct model_event_arch *other = model_event_arch_find(r, (uint32_t)event);
	uint8_t signal = other ? other->signal : SIGNAL_NONE;

	if (sel & IA32_PERFEVTSEL_UMASK2)
		return SIGNAL_NONE;
	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i].event == event && (r->events.architectural >> i & 1))
			signal = events[i].signal;
	return signal;
}

/* ---------------------------------------------------------------------------- PEBS */

#define EVENT_BITS (IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK)

/* SDM 3B, "PEBS Performance Events", notes: "only valid when ... are all zero". */
#define CONDITIONS (IA32_PERFEVTSEL_ANY | IA32_PERFEVTSEL_E | IA32_PERFEVTSEL_INV | \
                    IA32_PERFEVTSEL_CMASK)

static uint64_t enabled(const struct refpmu_cpu *m)
{
	return m->pebs.enable & rules_of(m)->ds.pebs_counters;
}

static bool is_precise(const struct model_rules *r, unsigned i, uint64_t sel)
{
	const struct model_event_arch *e = model_event_arch_find(r, (uint32_t)(sel & EVENT_BITS));

	return r->ds.pebs_is_adaptive || (e && e->precise >> i & 1);
}

/* Returns whether general counter i records, with this event selected. */
static bool is_pebs(const struct refpmu_cpu *m, unsigned i, uint64_t sel)
{
	return enabled(m) >> i & 1 && sel & IA32_PERFEVTSEL_EN && !(sel & CONDITIONS) &&
	       is_precise(rules_of(m), i, sel);
}

/* An overflow before the counter recorded does not arm it. */
static void set_up_pebs(struct model_counter *c, bool is_on, uint64_t adaptive)
{
	c->is_adaptive = adaptive != 0;
	if (is_on == c->is_pebs)
		return;
	c->is_pebs = is_on;
	if (!is_on)
		model_counter_disarm(c);
}

/* ---------------------------------------------------------------------------- running counters */

/* SDM 3B, "Architectural Performance Monitoring Version 2": both enables must be set. */
static bool is_enabled(const struct refpmu_cpu *m, bool is_own, unsigned global_bit)
{
	bool is_global = !rules_of(m)->registers.has_global_control ||
	                 m->global_ctrl >> global_bit & 1;

	return is_own && is_global && !(m->global_status & IA32_PERF_GLOBAL_STATUS_CTR_FRZ);
}

static void set_up_gp(struct refpmu_cpu *m, unsigned i)
{
	struct model_counter *c = &m->counter[i];
	uint64_t sel = m->perfevtsel[i];
	bool is_on = is_enabled(m, sel & IA32_PERFEVTSEL_EN, i);

	c->signal = signal_of(rules_of(m), sel);
	model_set_up_compare(m, i, sel);
	c->is_equal = sel & IA32_PERFEVTSEL_EQ;
	c->is_any = sel & IA32_PERFEVTSEL_ANY;
	set_up_pebs(c, is_pebs(m, i, sel), sel & IA32_PERFEVTSEL_ADAPTIVE);
	model_start_or_stop(c, is_on, sel & IA32_PERFEVTSEL_OS, sel & IA32_PERFEVTSEL_USR);
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
	set_up_pebs(c, is_own && enabled(m) >> (32 + i) & 1,
	            m->fixed_ctr_ctrl & IA32_FIXED_CTR_CTRL_ADAPTIVE(i));
	model_start_or_stop(c, is_enabled(m, is_own, 32 + i), is_os, is_usr);
}

/* SDM 3B, "Performance Metrics": metrics run with fixed counter 3, if GLOBAL_CTRL[48] is set. */
static void plan_metrics(struct refpmu_cpu *m)
{
	const struct model_counter *slots = fixed_counter(m, 3);

	if (!rules_of(m)->counters.has_perf_metrics ||
	    !(m->global_ctrl & IA32_PERF_GLOBAL_CTRL_EN_METRICS))
		return;
	for (unsigned ring = 0; ring < RINGS; ring++)
		m->plan.has_metrics[ring] = slots->rings >> ring & 1;
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
	for (unsigned i = 0; i < MODEL_FIXED_MAX; i++)
		if (r->counters.fixed_map >> i & 1)
			set_up_fixed(m, i);
	model_list_counters(m);
	plan_memory(m);
	plan_metrics(m);
	model_update_activity(m);
}
