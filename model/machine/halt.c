/* SPDX-License-Identifier: MIT */
/*
 * Halted, or waiting for a SIPI: the time stamp goes on, counters stand still, but for what the
 * core's other thread does on those with AnyThread. Source: SDM 3B, "Architectural Performance
 * Monitoring Version 1" on Unhalted Core Cycles and Unhalted Reference Cycles. Only a quirk lets
 * some count (halted_signals).
 */
#include <model/netburst/netburst_shared.h>

enum { NOW_AND_THEN = 1000 };          /* cycles */

/* How far this counter moves in so many halted cycles. */
static uint64_t progress(const struct model *m, const struct model_counter *c, uint64_t cycles)
{
	const struct model_rules *r = rules_of(m);

	if (!(r->halted_signals >> c->signal & 1))
		return 0;
	switch (c->signal) {
	case SIGNAL_BUS_CYCLES: return (m->bus_phase + cycles) / r->bus_ratio;
	case SIGNAL_SLOTS:      return cycles * r->cycle_width;
	default:                return cycles;
	}
}

/* NetBurst's counters, with a quirk: they are looked at now and then. */
static bool counts_halted(const struct model *m)
{
	return m->is_netburst && (rules_of(m)->halted_signals >> SIGNAL_CYCLES & 1);
}

static uint64_t cycles_until_overflow(const struct model *m)
{
	const struct model_rules *r = rules_of(m);
	const struct model_list *plain = &m->plan.own.on_cycle[m->ring];
	uint64_t least = UINT64_MAX;

	if (counts_halted(m))
		return NOW_AND_THEN;
	for (unsigned i = 0; i < plain->count; i++) {
		const struct model_counter *c = &m->counter[plain->index[i]];
		uint64_t n = headroom(c);

		if (!(r->halted_signals >> c->signal & 1))
			continue;
		if (c->signal == SIGNAL_SLOTS)
			n /= r->cycle_width;
		if (c->signal == SIGNAL_BUS_CYCLES)
			n = (n + 1) * r->bus_ratio - m->bus_phase - 1;
		if (n < least)
			least = n;
	}
	return least == UINT64_MAX ? UINT64_MAX : least + 1;
}

uint64_t model_halt(struct model *m)
{
	if (m->is_legacy)
		model_finish(m);
	if (m->is_netburst)
		netburst_finish(m);
	model_close(m, SIGNAL_BACKEND);
	model_flush_pmi(m);
	m->global_ctrl &= ~rules_of(m)->halt_disables;
	m->netburst.is_inactive = true;
	m->is_halted = true;
	model_make_plan(m);
	return cycles_until_overflow(m);
}

uint64_t model_halted(struct model *m, uint64_t cycles)
{
	const struct model_list *plain = &m->plan.own.on_cycle[m->ring];

	m->cycles += cycles;
	for (unsigned i = 0; i < plain->count; i++) {
		unsigned index = plain->index[i];

		model_count(m, index, progress(m, &m->counter[index], cycles));
	}
	if (counts_halted(m))
		netburst_end_cycles(m, cycles);
	m->bus_phase = (uint32_t)((m->bus_phase + cycles) % rules_of(m)->bus_ratio);
	model_settle(m);
	model_flush_pmi(m);
	return cycles_until_overflow(m);
}
