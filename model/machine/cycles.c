/* SPDX-License-Identifier: MIT */
/*
 * Cycles: what they count, and CMASK, INV and EDGE, which compare the events of one cycle.
 * Source: SDM 3B, "Architectural Performance Monitoring Version 1", figure "Layout of
 * IA32_PERFEVTSELx MSRs" and the text under it.
 *
 * Stalls are not walked through cycle by cycle: all their cycles are alike, so each counter moves
 * once. Invented, as no specification says: time stamps count one per core cycle; the bus clock
 * ticks with the last core cycle of its period.
 */
#include <model/netburst/netburst_shared.h>

/* The fields of IA32_PERF_METRICS, by their byte. */
enum { METRIC_RETIRING, METRIC_BAD, METRIC_FRONTEND, METRIC_BACKEND,
       METRIC_HEAVY, METRIC_MISPREDICT, METRIC_FETCH_LATENCY, METRIC_MEMORY };

static bool is_asserted(const struct model_rules *r, const struct model_counter *c, uint32_t n)
{
	bool level = c->is_equal ? n == c->cmask :
	             r->cmask_is_above ? n > c->cmask : n >= c->cmask;

	return level != c->is_inverted;
}

/* A level of so many cycles: each of them counts, or its rising edge. */
static uint64_t count_level(struct model_counter *c, bool level, uint64_t cycles)
{
	bool is_rise = level && !c->was_asserted;

	c->was_asserted = level;
	if (c->is_edge)
		return is_rise;
	return level ? cycles : 0;
}

/* The bus clock alone differs from cycle to cycle: the phase is that before the stretch. */
static uint64_t count_bus(const struct model_rules *r, struct model_counter *c, uint64_t cycles,
                          uint32_t phase)
{
	uint64_t count = 0;

	for (; cycles; cycles--) {
		bool is_tick = ++phase == r->bus_ratio;

		if (is_tick)
			phase = 0;
		count += count_level(c, is_asserted(r, c, is_tick), 1);
	}
	return count;
}

static uint64_t count_compared(const struct model_rules *r, struct model_counter *c,
                               const struct model_stretch *s, uint32_t bus_phase)
{
	bool level;

	if (c->signal == SIGNAL_BUS_CYCLES)
		return count_bus(r, c, s->cycles, bus_phase);
	level = is_asserted(r, c, s->per_cycle[c->signal]);
	return count_level(c, level, s->cycles);
}

void model_count_cycles(struct model *m, const struct model_lists *lists, unsigned ring,
                        const struct model_stretch *s, uint32_t bus_phase)
{
	const struct model_list *plain = &lists->on_cycle[ring];
	const struct model_list *compare = &lists->on_compare[ring];

	for (unsigned i = 0; i < plain->count; i++) {
		unsigned index = plain->index[i], signal = m->counter[index].signal;

		model_count(m, index, signal == SIGNAL_BUS_CYCLES ? s->bus_ticks :
		            s->cycles * s->per_cycle[signal]);
	}
	for (unsigned i = 0; i < compare->count; i++) {
		unsigned index = compare->index[i];

		model_count(m, index, count_compared(rules_of(m), &m->counter[index], s,
		                                     bus_phase));
	}
}

/* NetBurst's counters look at its own state, and nobody listens. */
static void count_netburst(struct model *m, uint64_t cycles)
{
	uint32_t ratio = rules_of(m)->bus_ratio;
	uint64_t phase = m->bus_phase + cycles;

	m->bus_phase = (uint32_t)(phase < ratio ? phase : phase % ratio);
	m->cycles += cycles;
	netburst_end_cycles(m, cycles);
	netburst_work(m, cycles);
}

static void count_stretch(struct model *m, struct model_stretch *s)
{
	uint32_t ratio = rules_of(m)->bus_ratio, before = m->bus_phase;
	uint64_t phase = before + s->cycles;

	s->bus_ticks = 0;
	if (phase >= ratio) {
		s->bus_ticks = phase / ratio;
		phase %= ratio;
	}
	m->bus_phase = (uint32_t)phase;
	m->cycles += s->cycles;
	if (m->is_legacy)
		model_work(m, s->cycles);
	model_count_cycles(m, &m->plan.own, m->ring, s, before);
	if (m->listener)
		model_tell_cycles(m, s, before);
	if (m->overflowed)
		model_settle(m);
}

/* Invented: bad speculation is all misprediction, empty front-end cycles are all latency, and
 * back-end stalls are all memory. */
static void add_metrics(struct model *m, const struct model_stretch *s, bool is_stall)
{
	uint64_t n = s->cycles;

	m->metric_total += n * s->per_cycle[SIGNAL_SLOTS];
	m->metric_slots[METRIC_RETIRING] += n * s->per_cycle[SIGNAL_RETIRING];
	m->metric_slots[METRIC_BAD] += n * s->per_cycle[SIGNAL_BAD_SPECULATION];
	m->metric_slots[METRIC_FRONTEND] += n * s->per_cycle[SIGNAL_FRONTEND];
	m->metric_slots[METRIC_BACKEND] += n * s->per_cycle[SIGNAL_BACKEND];
	m->metric_slots[METRIC_MISPREDICT] += n * s->per_cycle[SIGNAL_BAD_SPECULATION];
	if (is_stall) {
		m->metric_slots[METRIC_FETCH_LATENCY] += n * s->per_cycle[SIGNAL_FRONTEND];
		m->metric_slots[METRIC_MEMORY] += n * s->per_cycle[SIGNAL_BACKEND];
	}
}

static void fill_in(const struct model *m, struct model_stretch *s, unsigned cause)
{
	uint32_t width = rules_of(m)->cycle_width;

	s->per_cycle[SIGNAL_CYCLES] = 1;
	s->per_cycle[SIGNAL_TSC_CYCLES] = 1;
	s->per_cycle[SIGNAL_SLOTS] = width;
	s->per_cycle[cause] = width - s->per_cycle[SIGNAL_RETIRING];
}

void model_close(struct model *m, unsigned cause)
{
	struct model_stretch s;

	if (!m->is_open)
		return;
	if (m->is_netburst) {
		m->is_open = false;
		m->now[SIGNAL_RETIRING] = 0;
		count_netburst(m, 1);
		return;
	}
	s.cycles = 1;
	for (unsigned i = 0; i < SIGNALS; i++) {
		s.per_cycle[i] = m->now[i];
		m->now[i] = 0;
	}
	m->is_open = false;
	fill_in(m, &s, cause);
	if (m->plan.has_durations)
		model_fill_durations(m, &s);
	if (m->plan.has_metrics[m->ring])
		add_metrics(m, &s, false);
	count_stretch(m, &s);
}

/* How many of these cycles until a counter of m in the list reaches its limit, at least 1. */
static uint64_t until_limit(const struct model *m, const struct model_list *list,
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
static void cut_at_freeze(const struct model *m, const struct model_lists *lists, unsigned ring,
                          struct model_stretch *s)
{
	if (!(m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	s->cycles = until_limit(m, &lists->on_cycle[ring], s);
	s->cycles = until_limit(m, &lists->on_compare[ring], s);
}

static void stall_netburst(struct model *m, uint64_t cycles)
{
	struct model_stretch s;

	for (; cycles; cycles -= s.cycles) {
		s.cycles = cycles;
		netburst_cut(m, &s);
		netburst_cut_at_cascade(m, &s);
		count_netburst(m, s.cycles);
	}
}

void model_stall(struct model *m, uint64_t cycles, unsigned cause)
{
	struct model_stretch s = { .cycles = cycles };

	if (m->is_netburst) {
		stall_netburst(m, cycles);
		return;
	}
	fill_in(m, &s, cause);
	while (cycles) {
		s.cycles = cycles;
		cut_at_freeze(m, &m->plan.own, m->ring, &s);
		if (m->listener)
			cut_at_freeze(m->listener, &m->listener->plan.any, m->ring, &s);
		if (m->plan.has_durations) {
			model_cut_at_work(m, &s);
			model_fill_durations(m, &s);
		}
		cycles -= s.cycles;
		if (m->plan.has_metrics[m->ring])
			add_metrics(m, &s, true);
		count_stretch(m, &s);
	}
}
