/* SPDX-License-Identifier: MIT */
/*
 * Cycles: the counters of cycles, and CMASK, INV and EDGE, which compare the events of one cycle.
 * Source: SDM 3B, "Architectural Performance Monitoring Version 1", figure "Layout of
 * IA32_PERFEVTSELx MSRs" and the text under it.
 *
 * Stalls are not walked through cycle by cycle: all their cycles are alike, so each counter moves
 * once. Invented, because no specification says it: time stamps count one per core cycle; the bus
 * clock ticks with the last core cycle of its period.
 *
 * AnyThread: events of one thread of a core count on the other thread's counters. Invented: a cycle
 * belongs to the thread that spent it, so cycles with AnyThread are those of both threads together;
 * CMASK, INV and EDGE compare the events of one thread's cycle.
 */
#include <model/core/internal.h>

static bool is_asserted(const struct model_counter *c, uint32_t n)
{
	bool level = c->is_equal ? n == c->cmask : n >= c->cmask;

	return level != c->is_inverted;
}

/* Returns the count of this many cycles at one level: each cycle, or the rising edge. */
static uint64_t count_level(struct model_counter *c, bool level, uint64_t cycles)
{
	bool is_rise = level && !c->was_asserted;

	c->was_asserted = level;
	if (c->is_edge)
		return is_rise;
	return level ? cycles : 0;
}

/* Only the bus clock differs from cycle to cycle; bus_phase is that before the stretch. */
static uint64_t count_bus(const struct model_rules *r, struct model_counter *c, uint64_t cycles,
                          uint32_t phase)
{
	uint64_t count = 0;

	for (; cycles; cycles--) {
		bool is_tick = ++phase == r->counters.bus_ratio;

		if (is_tick)
			phase = 0;
		count += count_level(c, is_asserted(c, is_tick), 1);
	}
	return count;
}

static uint64_t count_compared(const struct model_rules *r, struct model_counter *c,
                               const struct model_stretch *s, uint32_t bus_phase)
{
	if (c->signal == SIGNAL_BUS_CYCLES)
		return count_bus(r, c, s->cycles, bus_phase);
	return count_level(c, is_asserted(c, s->per_cycle[c->signal]), s->cycles);
}

void model_count_cycles(struct refpmu_cpu *m, const struct model_lists *lists, unsigned ring,
                        const struct model_stretch *s, uint32_t bus_phase)
{
	FOR_EACH_BIT(i, lists->on_cycle[ring]) {
		unsigned signal = m->counter[i].signal;

		model_count(m, i, signal == SIGNAL_BUS_CYCLES ? s->bus_ticks :
		            s->cycles * s->per_cycle[signal]);
	}
	FOR_EACH_BIT(i, lists->on_compare[ring])
		model_count(m, i, count_compared(rules_of(m), &m->counter[i], s, bus_phase));
}

void model_tell_retire(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	struct refpmu_cpu *listener = m->listener;

	model_count_all(listener, listener->plan.any.on_retire[m->ring][signal], n);
	if (listener->overflowed)
		model_settle(listener);
}

/* Counts a stretch of equal cycles on the listener. */
static void tell_cycles(struct refpmu_cpu *m, const struct model_stretch *s, uint32_t bus_phase)
{
	struct refpmu_cpu *listener = m->listener;

	model_count_cycles(listener, &listener->plan.any, m->ring, s, bus_phase);
	if (listener->overflowed)
		model_settle(listener);
}

void model_count_stretch(struct refpmu_cpu *m, struct model_stretch *s)
{
	uint32_t before = m->bus_phase;

	s->bus_ticks = model_pass(m, s->cycles);
	model_count_cycles(m, &m->plan.own, m->ring, s, before);
	if (m->listener)
		tell_cycles(m, s, before);
	if (m->overflowed)
		model_settle(m);
}
