/* SPDX-License-Identifier: MIT */
/* What counters do while the processor is halted: only a quirk lets some count (halted_signals). */
#include <model/core/internal.h>

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

void model_pass_halted(struct model *m, uint64_t cycles)
{
	const struct model_list *plain = &m->plan.own.on_cycle[m->ring];

	for (unsigned i = 0; i < plain->count; i++) {
		unsigned index = plain->index[i];

		model_count(m, index, progress(m, &m->counter[index], cycles));
	}
}

uint64_t model_until_overflow(const struct model *m)
{
	const struct model_rules *r = rules_of(m);
	const struct model_list *plain = &m->plan.own.on_cycle[m->ring];
	uint64_t least = UINT64_MAX;

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
