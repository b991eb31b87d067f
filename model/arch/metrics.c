/* SPDX-License-Identifier: MIT */
/*
 * IA32_PERF_METRICS: where the slots went since it was written, in parts of 255.
 * Source: SDM 3B, "Performance Metrics". What it reads right after a write, before a slot passed,
 * is what was written.
 */
#include <model/core/internal.h>

enum { FIELDS_OF_LEVEL_1 = 4 };

static uint64_t part(const struct model *m, uint64_t slots)
{
	return (slots * rules_of(m)->metrics_whole + m->metric_total / 2) / m->metric_total;
}

uint64_t model_metrics_get(const struct model *m)
{
	uint64_t value = 0, sum = 0;

	if (!m->metric_total)
		return m->perf_metrics;
	/* Running sums are rounded, not the fields: so the four of them always add up to 255. */
	for (unsigned i = 0; i < FIELDS_OF_LEVEL_1; i++) {
		uint64_t before = part(m, sum);

		sum += m->metric_slots[i];
		value |= (part(m, sum) - before) << (8 * i);
	}
	for (unsigned i = FIELDS_OF_LEVEL_1; rules_of(m)->has_sub_metrics && i < MODEL_METRICS; i++)
		value |= part(m, m->metric_slots[i]) << (8 * i);
	return value;
}

void model_metrics_set(struct model *m, uint64_t value)
{
	m->perf_metrics = value;
	m->metric_total = 0;
	for (unsigned i = 0; i < MODEL_METRICS; i++)
		m->metric_slots[i] = 0;
}
