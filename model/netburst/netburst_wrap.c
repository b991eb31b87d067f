/* SPDX-License-Identifier: MIT */
/*
 * From a counter's wrap to a PMI. Sources: SDM 3B, "CCCR MSRs": OVF, FORCE_OVF, OVF_PMI ("the PMI
 * is generated on the next event count after the counter has overflowed"); "Generating an Interrupt
 * on Overflow"; "CCCR MSRs" of Hyper-Threading: OVF_PMI_T0, OVF_PMI_T1.
 *
 * From that next count on the line to the local APIC of the thread is asserted, as long as OVF and
 * OVF_PMI are 1: LVTPC, which each PMI masks, gives another PMI once it is unmasked.
 */
#include <model/netburst/netburst_shared.h>

/* Returns whether the counter interrupts this thread. */
static bool interrupts(const struct netburst_slot *s, unsigned thread)
{
	return s->cccr & (thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);
}

void netburst_assert_lines(struct refpmu_cpu *m, struct netburst_slot *s)
{
	if (s->is_cascaded && rules_of(m)->netburst.cascade_has_no_pmi)
		return;
	for (unsigned t = 0; t < m->core->threads; t++) {
		struct refpmu_cpu *to = m->core->thread[t];

		if (!interrupts(s, t))
			continue;
		to->is_pmi_due = true;
		to->is_polling = true;
		s->is_line[t] = true;
	}
}

void netburst_drop_line(struct netburst_slot *s)
{
	for (unsigned t = 0; t < NETBURST_THREADS; t++)
		if (!(s->cccr & CCCR_OVF) || !interrupts(s, t))
			s->is_line[t] = false;
}

bool netburst_is_line(const struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (netburst_of(m)->slot[i].is_line[m->netburst.number])
			return true;
	return false;
}

/* Raises the PMI at once, or late: netburst_skid.c. */
static void raise(struct refpmu_cpu *m, struct netburst_slot *s)
{
	if (netburst_row_is_replay(s->row))
		netburst_skid_start(m, (unsigned)(s - netburst_of(m)->slot));
	else
		netburst_assert_lines(m, s);
}

/* Notes a count, which may be an overflow; the count before it may have been one, too. */
static void note(struct refpmu_cpu *m, struct netburst_slot *s, bool is_overflow)
{
	bool is_due = s->is_due;
	bool was_set = s->cccr & CCCR_OVF;

	s->is_due = is_overflow;
	if (is_overflow)
		s->cccr |= (uint32_t)CCCR_OVF;
	if (is_due && (s->cccr & CCCR_OVF))
		raise(m, s);
	if (is_overflow && !was_set)
		netburst_plan(m);        /* the overflow may start another counter */
}

/* FORCE_OVF makes each count an overflow. */
static void count_once(struct refpmu_cpu *m, struct netburst_slot *s, uint32_t n)
{
	uint64_t sum = s->value + n;

	s->value = sum & NETBURST_COUNTER_VALUE;
	note(m, s, sum > NETBURST_COUNTER_VALUE || (s->cccr & CCCR_FORCE_OVF));
}

/* Returns how often the counter can count n before it needs attention. */
static uint64_t times_until_overflow(const struct netburst_slot *s, uint32_t n)
{
	if (s->is_due || (s->cccr & CCCR_FORCE_OVF))
		return 0;
	return (NETBURST_COUNTER_VALUE - s->value) / n;
}

void netburst_move(struct refpmu_cpu *m, unsigned i, uint32_t n, uint64_t times)
{
	struct netburst_slot *s = &netburst_of(m)->slot[i];
	uint64_t plain;

	if (!n || !times)
		return;
	if (netburst_of(m)->pebs >> i & 1) {
		netburst_pebs_move(m, i, n * times);
		return;
	}
	while ((plain = times_until_overflow(s, n)) < times) {
		s->value += n * plain;
		count_once(m, s, n);
		times -= plain + 1;
	}
	s->value += n * times;
}
