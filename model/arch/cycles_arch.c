/* SPDX-License-Identifier: MIT */
/* Cycles of processors with architectural performance monitoring: a freeze ends a stretch of them,
 * and IA32_PERF_METRICS takes their slots. */
#include <model/arch/arch.h>

/* Apart: model_close_arch() is asked more often than there is a cycle to close. */
static void end_cycle(struct refpmu_cpu *m, unsigned cause)
{
	struct model_stretch s;

	model_end_cycle(m, &s, cause);
	if (m->plan.has_metrics[m->ring])
		model_metrics_add(m, &s, false);
	model_count_stretch(m, &s);
}

void model_close_arch(struct refpmu_cpu *m, unsigned cause)
{
	if (m->is_open)
		end_cycle(m, cause);
}

/* How many of these cycles until a counter of m in the list reaches its limit, at least 1. */
static uint64_t until_limit(const struct refpmu_cpu *m, const struct model_list *list,
                            const struct model_stretch *s)
{
	uint64_t least = s->cycles;

	for (unsigned i = 0; i < list->count; i++) {
		const struct model_counter *c = &m->counter[list->index[i]];
		uint32_t step = c->cmask ? 1 : s->per_cycle[c->signal];
		uint64_t n;

		if (c->signal == SIGNAL_BUS_CYCLES)
			step = 1;
		n = step ? headroom(c) / step + 1 : UINT64_MAX;
		if (n < least)
			least = n;
	}
	return least;
}

/* A freeze stops the counters in the very cycle of the overflow. */
static void cut_at_freeze(const struct refpmu_cpu *m, const struct model_lists *lists,
                          unsigned ring, struct model_stretch *s)
{
	if (!(m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	s->cycles = until_limit(m, &lists->on_cycle[ring], s);
	s->cycles = until_limit(m, &lists->on_compare[ring], s);
}

void model_stall_arch(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	struct model_stretch s = { .cycles = cycles };

	model_fill_in(m, &s, cause);
	while (cycles) {
		s.cycles = cycles;
		cut_at_freeze(m, &m->plan.own, m->ring, &s);
		if (m->listener)
			cut_at_freeze(m->listener, &m->listener->plan.any, m->ring, &s);
		cycles -= s.cycles;
		if (m->plan.has_metrics[m->ring])
			model_metrics_add(m, &s, true);
		model_count_stretch(m, &s);
	}
}
