/* SPDX-License-Identifier: MIT */
/*
 * Who runs: after each change of a control register every counter's enables are looked at once,
 * and those that run are listed by what moves them, so that an instruction visits no other.
 */
#include <model/arch/events_arch.h>
#include <model/netburst/netburst_shared.h>

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

/* An event that the processor does not know counts nothing; so does any with a UMASK2. */
static uint8_t signal_of(const struct model_rules *r, uint64_t sel)
{
	uint64_t event = sel & (IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK);
	const struct model_event_arch *other = model_event_arch_find(r, (uint32_t)event);
	uint8_t signal = other ? other->signal : SIGNAL_NONE;

	if (sel & IA32_PERFEVTSEL_UMASK2)
		return SIGNAL_NONE;
	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i].event == event && (r->events >> i & 1))
			signal = events[i].signal;
	return signal == r->signal_from ? r->signal_to : signal;
}

static uint8_t rings_of(const struct model_rules *r, bool is_os, bool is_usr)
{
	if (!is_os && !is_usr && r->no_ring_is_both)
		is_os = is_usr = true;
	return (uint8_t)((is_os ? 1u << RING_OS : 0) | (is_usr ? 1u << RING_USR : 0));
}

/* SDM 3B, "Architectural Performance Monitoring Version 2": both enables must be set. */
static bool is_enabled(const struct model *m, bool is_own, unsigned global_bit)
{
	const struct model_rules *r = rules_of(m);
	bool is_global = m->global_ctrl >> global_bit & 1;

	if (m->global_status & r->status_freezes)
		return false;
	if (!r->needs_global_enable)
		return is_own;
	return r->adds_global_enable ? is_own || is_global : is_own && is_global;
}

/* rings: where it is to run, 0 for nowhere. */
static void run_in(struct model_counter *c, unsigned rings)
{
	if (rings && !c->rings) {
		c->was_asserted = false;
		c->is_deaf = false;
		if (c->is_deferred)
			c->value = c->before;
		c->is_deferred = false;
	}
	c->rings = (uint8_t)rings;
}

void model_start_or_stop(struct model *m, struct model_counter *c, bool is_on, bool is_os,
                         bool is_usr)
{
	run_in(c, is_on ? rings_of(rules_of(m), is_os, is_usr) : 0);
}

void model_set_up_compare(struct model *m, unsigned i, uint64_t sel)
{
	struct model_counter *c = &m->counter[i];

	c->cmask = rules_of(m)->has_cmask ? (uint8_t)FIELD_GET(IA32_PERFEVTSEL_CMASK, sel) : 0;
	c->is_edge = sel & IA32_PERFEVTSEL_E;
	c->is_inverted = c->cmask && (sel & IA32_PERFEVTSEL_INV);
	c->is_pmi = sel & IA32_PERFEVTSEL_INT;
	if (c->is_edge && !c->cmask)               /* the SDM leaves it open; here: as CMASK = 1 */
		c->cmask = 1;
}

/* An overflow from before it recorded does not arm it. */
static void set_up_pebs(struct model *m, struct model_counter *c, bool is_on, uint64_t adaptive)
{
	c->is_adaptive = adaptive != 0;
	if (is_on == c->is_pebs)
		return;
	c->is_pebs = is_on;
	if (!is_on)
		model_counter_disarm(m, c);
}

/* What the counter goes by: the register, but for a rule that no processor has. */
static uint64_t select_of(const struct model *m, unsigned i)
{
	const struct model_rules *r = rules_of(m);
	bool is_stale = r->select_zero_goes_on && !m->perfevtsel[i];

	return ((is_stale ? m->last_select[i] : m->perfevtsel[i]) | r->perfevtsel_forced) &
	       ~r->perfevtsel_ignored;
}

static void set_up_gp(struct model *m, unsigned i, unsigned *running)
{
	const struct model_rules *r = rules_of(m);
	struct model_counter *c = &m->counter[i];
	uint64_t sel = select_of(m, i);
	unsigned bit = i & ~(unsigned)r->global_ignored_index;
	bool is_on = is_enabled(m, sel & IA32_PERFEVTSEL_EN, bit) && !(sel & r->perfevtsel_stops) &&
	             (m->is_toggled || !r->needs_global_toggle) && *running < r->gp_running_max;

	c->signal = signal_of(r, sel);
	model_set_up_compare(m, i, sel);
	c->is_equal = sel & IA32_PERFEVTSEL_EQ;
	c->is_any = sel & IA32_PERFEVTSEL_ANY;
	set_up_pebs(m, c, model_pebs_is_on(m, i, sel), sel & IA32_PERFEVTSEL_ADAPTIVE);
	if (c->is_pebs && r->pebs_ignores_cpl)
		sel |= IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_USR;
	model_start_or_stop(m, c, is_on, sel & IA32_PERFEVTSEL_OS, sel & IA32_PERFEVTSEL_USR);
	*running += is_on;
}

static void set_up_fixed(struct model *m, unsigned i)
{
	const struct model_rules *r = rules_of(m);
	struct model_counter *c = fixed_counter(m, i);
	uint64_t nibble = m->fixed_ctr_ctrl >> (4 * i);
	bool is_os = nibble & IA32_FIXED_CTR_CTRL_EN_OS(0);
	bool is_usr = nibble & IA32_FIXED_CTR_CTRL_EN_USR(0);
	bool is_own = (is_os | is_usr) & !(nibble & r->fixed_nibble_stops);
	bool is_on = is_enabled(m, is_own, 32 + i);

	c->signal = r->fixed_signal[i];
	c->is_pmi = nibble & IA32_FIXED_CTR_CTRL_PMI(0);
	c->is_any = nibble & IA32_FIXED_CTR_CTRL_ANY(0);
	set_up_pebs(m, c, is_own && model_pebs_is_fixed_on(m, i),
	            m->fixed_ctr_ctrl & IA32_FIXED_CTR_CTRL_ADAPTIVE(i));
	if (r->fixed_rings_are_swapped)
		model_start_or_stop(m, c, is_on, is_usr, is_os);
	else
		model_start_or_stop(m, c, is_on, is_os, is_usr);
}

static void list(struct model_list *l, unsigned index)
{
	l->index[l->count++] = (uint8_t)index;
}

static void list_in(struct model_lists *lists, const struct model_counter *c, unsigned index)
{
	for (unsigned ring = 0; ring < RINGS; ring++) {
		if (!(c->rings >> ring & 1) || c->signal == SIGNAL_NONE)
			continue;
		if (c->cmask)
			list(&lists->on_compare[ring], index);
		else if (c->signal < SIGNAL_FIRST_OF_CYCLE)
			list(&lists->on_retire[ring][c->signal], index);
		else
			list(&lists->on_cycle[ring], index);
	}
}

/*
 * SDM 3B, "Architectural Performance Monitoring Version 3": with AnyThread a counter takes the
 * events of all threads of the core, each in the ring that this thread is in.
 */
static void list_counter(struct model *m, unsigned index)
{
	const struct model_rules *r = rules_of(m);
	const struct model_counter *c = &m->counter[index];
	bool is_any = (c->is_any && !r->any_is_ignored) || r->any_is_always;
	bool is_own = !is_any || !r->any_skips_own;

	if (!c->rings)
		return;
	m->plan.has_memory |= model_is_memory_signal(c->signal);
	m->plan.has_accesses |= c->signal == SIGNAL_LOADS || c->signal == SIGNAL_STORES;
	if (is_own) {
		list_in(&m->plan.own, c, index);
		m->plan.has_own = true;
	}
	if (is_any) {
		list_in(&m->plan.any, c, index);
		m->plan.has_any = true;
	}
}

/* SDM 3B, "Performance Metrics": they run with fixed counter 3, if GLOBAL_CTRL[48] is set. */
static void plan_metrics(struct model *m)
{
	const struct model_counter *slots = fixed_counter(m, 3);

	if (!rules_of(m)->has_perf_metrics || !(m->global_ctrl & IA32_PERF_GLOBAL_CTRL_EN_METRICS))
		return;
	for (unsigned ring = 0; ring < RINGS; ring++)
		m->plan.has_metrics[ring] = slots->rings >> ring & 1;
}

void model_make_plan(struct model *m)
{
	const struct model_rules *r = rules_of(m);
	struct model_plan *plan = &m->plan;
	unsigned running = 0;

	if (m->is_netburst) {
		netburst_plan(m->core);
		return;
	}
	*plan = (struct model_plan){ 0 };
	for (unsigned i = 0; i < r->gp_count; i++)
		if (m->is_legacy)
			model_set_up_legacy(m, i);
		else
			set_up_gp(m, i, &running);
	for (unsigned i = 0; i < MODEL_FIXED_MAX; i++)
		if (r->fixed_map >> i & 1)
			set_up_fixed(m, i);
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		list_counter(m, i);
	plan->has_odd_counts = r->int_retires_twice || r->insns_lost || r->ip_bits;
	plan->has_odd_rings = r->ring_is_after || r->syscall_keeps_ring;
	plan->is_odd = plan->has_odd_counts || plan->has_odd_rings ||
	               r->access_signal != SIGNAL_NONE;
	plan_metrics(m);
	model_update_activity(m);
}
