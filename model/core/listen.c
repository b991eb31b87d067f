/* SPDX-License-Identifier: MIT */
/*
 * AnyThread: what one thread of a core does counts on the other one's counters.
 *
 * Invented: a cycle belongs to the thread that spent it, so that cycles with AnyThread are those of
 * both threads together; CMASK, INV and EDGE compare the events of one thread's cycle.
 */
#include <model/core/internal.h>

void model_tell_retire(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	struct refpmu_cpu *listener = m->listener;
	const struct model_list *plain = &listener->plan.any.on_retire[m->ring][signal];

	for (unsigned i = 0; i < plain->count; i++)
		model_count(listener, plain->index[i], n);
	if (listener->overflowed)
		model_settle(listener);
}

void model_tell_cycles(struct refpmu_cpu *m, const struct model_stretch *s, uint32_t bus_phase)
{
	struct refpmu_cpu *listener = m->listener;

	model_count_cycles(listener, &listener->plan.any, m->ring, s, bus_phase);
	if (listener->overflowed)
		model_settle(listener);
}
