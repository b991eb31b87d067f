/* SPDX-License-Identifier: MIT */
/*
 * IA32_PERF_METRICS: the use of the slots since the register was written, in parts of 255.
 * Source: SDM 3B, "Performance Metrics". A read right after a write, before a slot passed, returns
 * the written value.
 */
#include <model/core/internal.h>

enum { FIELDS_OF_LEVEL_1 = 4 };

/* The fields of IA32_PERF_METRICS, by their byte. */
enum { METRIC_RETIRING, METRIC_BAD, METRIC_FRONTEND, METRIC_BACKEND,
       METRIC_HEAVY, METRIC_MISPREDICT, METRIC_FETCH_LATENCY, METRIC_MEMORY };

/* Invented: bad speculation is all misprediction, empty front-end cycles are all latency, and
 * back-end stalls are all memory. */
void model_metrics_add(struct refpmu_cpu *m, const struct model_stretch *s, bool is_stall)
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

static uint64_t part(const struct refpmu_cpu *m, uint64_t slots)
{
	return (slots * 255 + m->metric_total / 2) / m->metric_total;
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
	m->metric_total = 0;
	for (unsigned i = 0; i < MODEL_METRICS; i++)
		m->metric_slots[i] = 0;
}
