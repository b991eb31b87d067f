/* SPDX-License-Identifier: MIT */
/*
 * AnyThread: what one thread of a core does counts on the other one's counters.
 *
 * Invented: a cycle belongs to the thread that spent it, so that cycles with AnyThread are those of
 * both threads together; CMASK, INV and EDGE compare the events of one thread's cycle.
 */
#include <model/core/internal.h>

/* In the listener, what it lists for others; with a quirk it repeats what this one counts. */
static const struct model_lists *lists_of(const struct model *m)
{
	return rules_of(m)->counts_are_echoed ? &m->plan.own : &m->listener->plan.any;
}

void model_tell_retire(struct model *m, unsigned signal, uint32_t n)
{
	struct model *listener = m->listener;
	const struct model_list *plain = &lists_of(m)->on_retire[m->ring][signal];

	for (unsigned i = 0; i < plain->count; i++)
		model_count(listener, plain->index[i], n);
	if (listener->overflowed)
		model_settle(listener);
}

void model_tell_cycles(struct model *m, const struct model_stretch *s, uint32_t bus_phase)
{
	struct model *listener = m->listener;

	model_count_cycles(listener, lists_of(m), m->ring, s, bus_phase);
	if (listener->overflowed)
		model_settle(listener);
}
