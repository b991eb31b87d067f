/* SPDX-License-Identifier: MIT */
/*
 * Cycles of P6 and P5, and events with a duration: a condition of the cycle, or a busy unit, which
 * continues to work while instructions retire.
 */
#include <model/p5_p6/legacy.h>

/* Returns whether an event of bus clocks counts in this core cycle, the last one of a bus clock.
 * Its unit works for whole bus clocks. */
static bool is_tick(const struct refpmu_cpu *m, const struct model_event *e)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		if ((e->cycles & CYCLE_UNIT(i)) && m->busy[i] &&
		    (m->busy[i] - 1) % rules_of(m)->counters.bus_ratio == 0)
			return true;
	return false;
}

static void cut_at_durations(const struct refpmu_cpu *m, struct model_stretch *s)
{
	model_cut_at_work(m, s);
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++) {
		const struct model_event *e = m->counter[i].event;

		if (e && e->is_bus_clock && (e->cycles & model_busy_units(m)))
			s->cycles = 1;
	}
}

static void fill_durations(const struct refpmu_cpu *m, struct model_stretch *s)
{
	uint32_t conditions = m->conditions | m->stall | model_busy_units(m);

	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++) {
		const struct model_event *e = m->counter[i].event;
		bool is_so = e && (e->cycles & conditions);

		if (is_so && e->is_bus_clock)
			is_so = is_tick(m, e);
		s->per_cycle[SIGNAL_DURATION_0 + i] = is_so;
	}
}

/* ---------------------------------------------------------------------------- cycles */

void model_close_legacy(struct refpmu_cpu *m, unsigned cause)
{
	struct model_stretch s;

	if (!m->is_open)
		return;
	model_end_cycle(m, &s, cause);
	if (m->plan.has_durations)
		fill_durations(m, &s);
	model_work(m, s.cycles);
	model_count_stretch(m, &s);
}

void model_stall_legacy(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	struct model_stretch s = { .cycles = cycles };

	model_fill_in(m, &s, cause);
	while (cycles) {
		s.cycles = cycles;
		if (m->plan.has_durations) {
			cut_at_durations(m, &s);
			fill_durations(m, &s);
		}
		cycles -= s.cycles;
		model_work(m, s.cycles);
		model_count_stretch(m, &s);
	}
}

/* ---------------------------------------------------------------------------- the end */

/* While the caches and the bus finish, no cycles of the processor pass: only durations count. */
void model_finish_legacy(struct refpmu_cpu *m, enum model_finish before)
{
	struct model_lists durations = m->plan.own;
	struct model_stretch s = { .cycles = 0 };

	(void)before;
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (m->counter[i].signal < SIGNAL_DURATION_0) {
			durations.on_cycle[m->ring] &= ~BIT32(i);
			durations.on_compare[m->ring] &= ~BIT32(i);
		}
	model_close_legacy(m, SIGNAL_BACKEND);
	model_wait_for_divider(m);
	while (model_busy_units(m)) {
		s.cycles = model_longest_work(m);
		cut_at_durations(m, &s);
		fill_durations(m, &s);
		model_count_cycles(m, &durations, m->ring, &s, m->bus_phase);
		model_work(m, s.cycles);
	}
	if (m->overflowed)
		model_settle(m);
}
