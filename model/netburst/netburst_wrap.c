/* SPDX-License-Identifier: MIT */
/*
 * From a counter's wrap to a PMI. Sources: SDM 3B, "CCCR MSRs": OVF, FORCE_OVF, OVF_PMI ("the PMI
 * is generated on the next event count after the counter has overflowed"); "Generating an Interrupt
 * on Overflow"; "CCCR MSRs" of Hyper-Threading: OVF_PMI_T0, OVF_PMI_T1.
 *
 * From that next count on the line to the local APIC of the thread is asserted, as long as OVF and
 * OVF_PMI are 1: LVTPC, which masks itself with each PMI, gives another one once it is unmasked.
 */
#include <model/netburst/netburst_shared.h>

static uint32_t ovf_pmi(unsigned thread)
{
	return (uint32_t)(thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);
}

/* Does the counter interrupt this thread? */
static bool interrupts(const struct model_rules *r, const struct netburst_slot *s, unsigned thread)
{
	uint32_t cccr = (s->cccr | r->cccr_forced) & ~r->cccr_ignored;
	uint32_t both = cccr & (ovf_pmi(0) | ovf_pmi(1));

	if (!r->pmi_needs_int || (r->force_ovf_is_pmi && (cccr & CCCR_FORCE_OVF)))
		return thread == 0;
	if (r->pmi_is_for_all || r->pmi_is_for_counted)
		return both;
	if (r->pmi_is_for_thread_0)
		return thread == 0 && both;
	return cccr & ovf_pmi(thread ^ r->pmi_thread_flip);
}

void netburst_assert_lines(struct model *m, struct netburst_slot *s)
{
	const struct model_rules *r = rules_of(m);

	if (s->is_cascaded && r->cascade_has_no_pmi)
		return;
	for (unsigned t = 0; t < m->core->threads; t++) {
		struct model *to = m->core->thread[t];

		if (!interrupts(r, s, t) || (r->pmi_is_for_counted && to != m) ||
		    (r->pmi_needs_active && to->netburst.is_inactive))
			continue;
		to->is_pmi_due = true;
		s->is_line[t] = !r->ovf_pmi_is_pulse;
		to->is_polling |= s->is_line[t];
	}
}

/* Does a counter's line to the thread end here? */
static bool drop_line(const struct model_rules *r, struct netburst_slot *s, unsigned thread)
{
	bool is_over = s->cccr & CCCR_OVF;

	if (!s->is_line[thread] || (is_over && interrupts(r, s, thread)))
		return false;
	s->is_line[thread] = false;
	return true;
}

void netburst_drop_lines(struct model_core *c)
{
	const struct model_rules *r = &c->rules;

	for (unsigned t = 0; t < c->threads; t++) {
		bool is_dropped = false;

		for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
			is_dropped |= drop_line(r, &c->netburst.slot[i], t);
		for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
			if (is_dropped && r->pmi_lines_drop_together)
				c->netburst.slot[i].is_line[t] = false;
	}
}

bool netburst_is_line(const struct model *m)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (netburst_of(m)->slot[i].is_line[m->netburst.number])
			return true;
	return false;
}

/* FORCE_OVF makes each count an overflow. */
static bool is_forced(const struct model_rules *r, struct netburst_slot *s)
{
	uint32_t cccr = (s->cccr | r->cccr_forced) & ~r->cccr_ignored;
	bool is_over = (cccr & CCCR_FORCE_OVF) && !(r->force_ovf_once && s->has_forced);

	s->has_forced |= is_over;
	return is_over;
}

/* Counters that run since their partner's OVF changed. Only quirks do more with them. */
static void start_cascades(struct model *m)
{
	const struct model_rules *r = rules_of(m);
	struct netburst *b = netburst_of(m);
	uint32_t before = b->running;

	netburst_plan(m->core);
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		if (!((b->running & ~before) >> i & 1))
			continue;
		b->slot[i].value = (b->slot[i].value + r->cascade_takes_same) & ones(r->gp_width);
		if (r->cascade_pmi_is_source)
			netburst_assert_lines(m, &b->slot[i]);
	}
}

/* At once, or late: netburst_skid.c. */
static void raise(struct model *m, struct netburst_slot *s)
{
	if (rules_of(m)->skid_from && netburst_row_is_replay(s->row))
		netburst_skid_start(m, (unsigned)(s - netburst_of(m)->slot));
	else
		netburst_assert_lines(m, s);
}

/* A count comes, of an overflow or not; the one before it may have been an overflow. */
static void note(struct model *m, struct netburst_slot *s, bool is_overflow)
{
	const struct model_rules *r = rules_of(m);
	bool is_due = s->is_due || (is_overflow && r->ovf_pmi_is_on_wrap);
	bool was_set = s->cccr & CCCR_OVF;

	s->is_due = is_overflow && !r->ovf_pmi_is_on_wrap;
	if (is_overflow && !r->ovf_is_never)
		s->cccr |= (uint32_t)CCCR_OVF;
	if (is_due && (s->cccr & CCCR_OVF))
		raise(m, s);
	if (!is_overflow && r->ovf_is_not_sticky) {
		s->cccr &= ~(uint32_t)CCCR_OVF;
		netburst_drop_lines(m->core);
	}
	if (was_set != !!(s->cccr & CCCR_OVF))
		start_cascades(m);
}

static void count_once(struct model *m, struct netburst_slot *s, uint32_t n)
{
	const struct model_rules *r = rules_of(m);
	uint64_t part = s->value & ones(r->ovf_width);
	bool is_carry = part + n > ones(r->ovf_width);
	bool is_over;

	if (r->overflow_is_early)
		is_carry = part < ones(r->ovf_width) && part + n >= ones(r->ovf_width);
	s->value = (s->value + n) & ones(r->gp_width);
	is_over = is_forced(r, s);
	if (is_over && r->force_ovf_loads)
		s->value = 0;
	note(m, s, is_carry || is_over);
}

/* How often it can count n before it has to be looked at. */
static uint64_t times_until_overflow(const struct model *m, const struct netburst_slot *s,
                                     uint32_t n)
{
	const struct model_rules *r = rules_of(m);
	uint64_t last = ones(r->ovf_width < r->gp_width ? r->ovf_width : r->gp_width) - 1;
	uint64_t part = s->value & (last + 1);

	if (s->is_due || r->ovf_is_not_sticky || ((s->cccr | r->cccr_forced) & CCCR_FORCE_OVF))
		return 0;
	return part < last ? (last - part) / n : 0;
}

void netburst_move(struct model *m, unsigned i, uint32_t n, uint64_t times)
{
	struct netburst_slot *s = &netburst_of(m)->slot[i];

	if ((netburst_of(m)->pebs >> i & 1) && n && times) {
		netburst_pebs_move(m, i, n * times);
		return;
	}
	while (n && times) {
		uint64_t plain = times_until_overflow(m, s, n);

		if (plain > times)
			plain = times;
		s->value += n * plain;
		times -= plain;
		if (times) {
			count_once(m, s, n);
			times--;
		}
	}
}
