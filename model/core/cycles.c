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

/* Only the bus clock differs from cycle to cycle; bus_phase is that before the run of cycles. */
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
                               const struct model_equal_cycles *s, uint32_t bus_phase)
{
	if (c->signal == SIGNAL_BUS_CYCLES)
		return count_bus(r, c, s->cycles, bus_phase);
	return count_level(c, is_asserted(c, s->per_cycle[c->signal]), s->cycles);
}

void model_count_cycles(struct refpmu_cpu *m, const struct model_lists *lists, unsigned ring,
                        const struct model_equal_cycles *s, uint32_t bus_phase)
{
	FOR_EACH_BIT(i, lists->on_cycle[ring]) {
		unsigned signal = m->counter[i].signal;

		model_count(m, i, signal == SIGNAL_BUS_CYCLES ? s->bus_ticks :
		            s->cycles * s->per_cycle[signal]);
	}
	FOR_EACH_BIT(i, lists->on_compare[ring])
		model_count(m, i, count_compared(rules_of(m), &m->counter[i], s, bus_phase));
}

void model_count_for_sibling(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	struct refpmu_cpu *sibling = m->sibling;

	model_count_all(sibling, sibling->plan.any.on_retire[m->ring][signal], n);
	if (sibling->overflowed)
		model_settle(sibling);
}

/* Counts equal cycles on the sibling. */
static void count_sibling_cycles(struct refpmu_cpu *m, const struct model_equal_cycles *s,
                                 uint32_t bus_phase)
{
	struct refpmu_cpu *sibling = m->sibling;

	model_count_cycles(sibling, &sibling->plan.any, m->ring, s, bus_phase);
	if (sibling->overflowed)
		model_settle(sibling);
}

void model_cut_at_freeze(const struct refpmu_cpu *m, const struct model_lists *lists, unsigned ring,
                         struct model_equal_cycles *s)
{
	if (!(m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	FOR_EACH_BIT(i, lists->on_cycle[ring] | lists->on_compare[ring]) {
		const struct model_counter *c = &m->counter[i];
		bool is_slow = c->cmask || c->signal == SIGNAL_BUS_CYCLES;
		uint32_t step = is_slow ? 1 : s->per_cycle[c->signal];

		if (step && headroom(c) / step < s->cycles)
			s->cycles = headroom(c) / step + 1;
	}
}

void model_count_equal_cycles(struct refpmu_cpu *m, struct model_equal_cycles *s)
{
	uint32_t before = m->bus_phase;

	s->bus_ticks = model_pass(m, s->cycles);
	model_count_cycles(m, &m->plan.own, m->ring, s, before);
	if (m->sibling)
		count_sibling_cycles(m, s, before);
	if (m->overflowed)
		model_settle(m);
}

/* ---------------------------------------------------------------------------- metrics */

/*
 * IA32_PERF_METRICS: the use of the slots in IA32_FIXED_CTR3, in parts of 255. Source: SDM 3B,
 * "Performance Metrics". A write gives the slots that are in the counter then these parts, so that
 * an operating system can restore both, the counter first, and go on (Linux,
 * icl_set_topdown_event_period()). A write while the counter is 0 is read back until a slot passes.
 * Chosen: any write of IA32_FIXED_CTR3 clears the metrics; after that, and after a write of 0, they
 * are parts of the slots from then on.
 */
enum { FIELDS_OF_LEVEL_1 = 4, METRICS_WHOLE = 255, SLOTS_COUNTER = 3 };

/* The fields of IA32_PERF_METRICS, by their byte. */
enum { METRIC_RETIRING, METRIC_BAD, METRIC_FRONTEND, METRIC_BACKEND,
       METRIC_HEAVY, METRIC_MISPREDICT, METRIC_FETCH_LATENCY, METRIC_MEMORY };

/* Invented: bad speculation is all misprediction, empty front-end cycles are all latency, and
 * back-end stalls are all memory. */
void model_metrics_add(struct refpmu_cpu *m, const struct model_equal_cycles *s, bool is_stall)
{
	uint64_t n = METRICS_WHOLE * s->cycles;

	m->metric_total += s->cycles * s->per_cycle[SIGNAL_SLOTS];
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

static uint64_t part(const struct refpmu_cpu *m, uint64_t slots)
{
	return (slots + m->metric_total / 2) / m->metric_total;
}

uint64_t model_metrics_get(const struct refpmu_cpu *m)
{
	uint64_t value = 0, sum = 0;

	if (!m->metric_total)
		return m->perf_metrics;
	/* Running sums are rounded, not the fields, so the four fields always add up to 255. */
	for (unsigned i = 0; i < FIELDS_OF_LEVEL_1; i++) {
		uint64_t before = part(m, sum);

		sum += m->metric_slots[i];
		value |= (part(m, sum) - before) << (8 * i);
	}
	for (unsigned i = FIELDS_OF_LEVEL_1;
	     rules_of(m)->counters.has_sub_metrics && i < MODEL_METRICS; i++)
		value |= part(m, m->metric_slots[i]) << (8 * i);
	return value;
}

void model_metrics_set(struct refpmu_cpu *m, uint64_t value)
{
	m->perf_metrics = value;
	m->metric_total = value ? fixed_counter(m, SLOTS_COUNTER)->value : 0;
	for (unsigned i = 0; i < MODEL_METRICS; i++)
		m->metric_slots[i] = (value >> (8 * i) & 0xff) * m->metric_total;
}
