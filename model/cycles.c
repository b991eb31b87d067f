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
#include <model/internal.h>

/* The fields of IA32_PERF_METRICS, by their byte. */
enum { METRIC_RETIRING, METRIC_BAD, METRIC_FRONTEND, METRIC_BACKEND,
       METRIC_HEAVY, METRIC_MISPREDICT, METRIC_FETCH_LATENCY, METRIC_MEMORY };

/* A number of equal cycles. */
struct stretch {
	uint64_t cycles;
	uint64_t bus_ticks;            /* in all of them */
	uint32_t per_cycle[SIGNALS];
};

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
static uint64_t count_bus(struct model *m, struct model_counter *c, uint64_t cycles)
{
	const struct model_rules *r = rules_of(m);
	uint32_t phase = m->bus_phase;
	uint64_t count = 0;

	for (; cycles; cycles--) {
		bool is_tick = ++phase == r->bus_ratio;

		if (is_tick)
			phase = 0;
		count += count_level(c, is_asserted(r, c, is_tick), 1);
	}
	return count;
}

static uint64_t count_compared(struct model *m, struct model_counter *c, const struct stretch *s)
{
	bool level;

	if (c->signal == SIGNAL_BUS_CYCLES)
		return count_bus(m, c, s->cycles);
	level = is_asserted(rules_of(m), c, s->per_cycle[c->signal]);
	return count_level(c, level, s->cycles);
}

static void count_stretch(struct model *m, struct stretch *s)
{
	const struct model_list *plain = &m->plan.on_cycle[m->ring];
	const struct model_list *compare = &m->plan.on_compare[m->ring];
	uint32_t ratio = rules_of(m)->bus_ratio;
	uint64_t phase = m->bus_phase + s->cycles;

	s->bus_ticks = 0;
	if (phase >= ratio) {
		s->bus_ticks = phase / ratio;
		phase %= ratio;
	}
	for (unsigned i = 0; i < plain->count; i++) {
		unsigned index = plain->index[i], signal = m->counter[index].signal;

		model_count(m, index, signal == SIGNAL_BUS_CYCLES ? s->bus_ticks :
		            s->cycles * s->per_cycle[signal]);
	}
	for (unsigned i = 0; i < compare->count; i++) {
		unsigned index = compare->index[i];

		model_count(m, index, count_compared(m, &m->counter[index], s));
	}
	m->bus_phase = (uint32_t)phase;
	m->cycles += s->cycles;
	if (m->overflowed)
		model_settle(m);
}

/* Invented: bad speculation is all misprediction, empty front-end cycles are all latency, and
 * back-end stalls are all memory. */
static void add_metrics(struct model *m, const struct stretch *s, bool is_stall)
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

static void fill_in(const struct model *m, struct stretch *s, unsigned cause)
{
	uint32_t width = rules_of(m)->cycle_width;

	s->per_cycle[SIGNAL_CYCLES] = 1;
	s->per_cycle[SIGNAL_TSC_CYCLES] = 1;
	s->per_cycle[SIGNAL_SLOTS] = width;
	s->per_cycle[cause] = width - s->per_cycle[SIGNAL_RETIRING];
}

void model_close(struct model *m, unsigned cause)
{
	struct stretch s = { .cycles = 1 };

	if (!m->is_open)
		return;
	for (unsigned i = 0; i < SIGNALS; i++) {
		s.per_cycle[i] = m->now[i];
		m->now[i] = 0;
	}
	m->is_open = false;
	fill_in(m, &s, cause);
	if (m->plan.has_metrics[m->ring])
		add_metrics(m, &s, false);
	count_stretch(m, &s);
}

/* How many of these cycles until a counter reaches its limit, at least 1. */
static uint64_t until_limit(const struct model *m, const struct stretch *s)
{
	const struct model_list *lists[] = { &m->plan.on_cycle[m->ring],
	                                     &m->plan.on_compare[m->ring] };
	uint64_t least = s->cycles;

	for (unsigned l = 0; l < 2; l++) {
		for (unsigned i = 0; i < lists[l]->count; i++) {
			const struct model_counter *c = &m->counter[lists[l]->index[i]];
			uint32_t step = c->cmask ? 1 : s->per_cycle[c->signal];
			uint64_t n;

			if (c->signal == SIGNAL_BUS_CYCLES)
				step = 1;
			n = step ? headroom(c) / step + 1 : UINT64_MAX;
			if (n < least)
				least = n;
		}
	}
	return least;
}

void model_stall(struct model *m, uint64_t cycles, unsigned cause)
{
	struct stretch s = { .cycles = cycles };

	fill_in(m, &s, cause);
	while (cycles) {
		/* A freeze stops the counters in the very cycle of the overflow. */
		s.cycles = cycles;
		if (m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI)
			s.cycles = until_limit(m, &s);
		cycles -= s.cycles;
		if (m->plan.has_metrics[m->ring])
			add_metrics(m, &s, true);
		count_stretch(m, &s);
	}
}
