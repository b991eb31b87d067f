/* SPDX-License-Identifier: MIT */
/* A counter: its value, its width, and what happens when it wraps. */
#include <model/core/internal.h>

void model_counters_create(struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);

	for (unsigned i = 0; i < MODEL_COUNTERS; i++) {
		struct model_counter *c = &m->counter[i];
		bool is_fixed = i >= MODEL_GP_MAX;

		c->mask = ones(is_fixed ? r->counters.fixed_width : r->counters.gp_width);
		c->status_bit = (uint8_t)(is_fixed ? 32 + i - MODEL_GP_MAX : i);
	}
}

/* The wrap arms; what comes after it, of the same instruction or of a later one, is recorded. */
static void count_for_pebs(struct refpmu_cpu *m, unsigned index)
{
	struct model_counter *c = &m->counter[index];

	if (c->is_armed || c->value)
		m->pebs.due |= BIT(index);
	c->is_armed = true;
	c->limit = c->value;
}

void model_count_beyond(struct refpmu_cpu *m, unsigned index, uint64_t n)
{
	struct model_counter *c = &m->counter[index];

	c->value = (c->value + n) & c->mask;
	if (c->is_pebs)
		count_for_pebs(m, index);
	else
		m->overflowed |= BIT32(index);
}

void model_counter_disarm(struct model_counter *c)
{
	c->is_armed = false;
	c->limit = c->mask;
}

void model_counter_set(struct model_counter *c, uint64_t value)
{
	c->value = value & c->mask;
	model_counter_disarm(c);
}
