/* SPDX-License-Identifier: MIT */
/* A counter: its value, its width, and what happens when it wraps. */
#include <model/core/internal.h>

static unsigned width_of(const struct model_rules *r, unsigned index)
{
	return index < MODEL_GP_MAX ? r->gp_width : r->fixed_width;
}

/* How far a counter goes before it needs a closer look. */
static uint64_t limit_of(const struct model_rules *r, const struct model_counter *c)
{
	if (c->is_due || c->is_storming || c->is_armed)
		return c->value;
	return r->overflow_is_early ? c->mask - 1 : c->mask;
}

void model_counters_create(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	for (unsigned i = 0; i < MODEL_COUNTERS; i++) {
		struct model_counter *c = &m->counter[i];

		c->is_fixed = i >= MODEL_GP_MAX;
		c->mask = ones(width_of(r, i));
		c->status_bit = (uint8_t)i;
		if (c->is_fixed)
			c->status_bit = (uint8_t)(i - MODEL_GP_MAX + r->status_fixed_shift);
		c->status_bit ^= r->status_bit_flip;
		c->limit = limit_of(r, c);
	}
}

/* A wrap that the rules do not let be seen. */
static bool is_overlooked(const struct model_rules *r, const struct model_counter *c)
{
	uint64_t period = c->mask + 1 - c->preset;

	return c->is_deaf || (r->overflow_needs_zero && c->value != 0) ||
	       (c->preset && period < r->overflow_min_period);
}

/* What a wrap leaves behind, seen or not. */
static void wrap(const struct model_rules *r, struct model_counter *c)
{
	c->upper += c->mask + 1;
	c->preset = 0;
	c->is_deaf = c->is_storming = false;
	if (c->is_fixed)
		c->value += r->overflow_overcount;
}

/* The wrap arms; what comes after it, of the same instruction or of a later one, is recorded. */
static void count_for_pebs(struct model *m, unsigned index, uint64_t n)
{
	const struct model_rules *r = rules_of(m);
	struct model_counter *c = &m->counter[index];
	uint64_t sum = c->value + n, events = n;
	bool is_wrap = sum > c->mask;

	c->value = sum & c->mask;
	if (!c->is_armed && !is_wrap)
		return;
	if (!c->is_armed)
		events = r->pebs_is_early ? 1 : c->value;
	c->is_armed = true;
	c->limit = limit_of(r, c);
	if (events)
		m->pebs.due |= BIT(index);
}

void model_counter_disarm(struct model *m, struct model_counter *c)
{
	c->is_armed = false;
	c->limit = limit_of(rules_of(m), c);
}

void model_count_beyond(struct model *m, unsigned index, uint64_t n)
{
	const struct model_rules *r = rules_of(m);
	struct model_counter *c = &m->counter[index];
	uint64_t before = c->value, sum = before + n;
	bool is_wrap = sum > c->mask;
	bool is_seen = is_wrap;
	bool is_first = !c->is_due;

	if (n == 0)
		return;
	if (c->is_pebs) {
		count_for_pebs(m, index, n);
		return;
	}
	c->value = sum & c->mask;
	if (r->overflow_is_early)
		is_seen = before < c->mask && sum >= c->mask;
	if (is_seen && is_overlooked(r, c))
		is_seen = false;
	if (c->is_due || c->is_storming)
		is_seen = true;
	if (is_wrap)
		wrap(r, c);
	c->is_due = is_seen && is_first && r->overflow_is_twice;
	c->limit = limit_of(r, c);
	if (is_seen)
		m->overflowed |= BIT32(index);
}

void model_counter_set(struct model *m, struct model_counter *c, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	if (!c->rings && r->gp_write_needs_run && !c->is_fixed && !c->is_deferred) {
		c->before = c->value;
		c->is_deferred = true;
	}
	c->upper = value & ~c->mask;
	c->value = value & c->mask;
	if (c->value >> 31 & 1)
		c->value &= ~ones(r->preset_ignored_bits);
	c->preset = c->value;
	c->is_deaf = c->rings && r->running_write_is_deaf;
	c->is_due = r->zero_overflows && c->value == 0;
	c->is_storming = r->legacy_is_untruncated && c->upper;
	c->has_overflowed = c->is_armed = false;
	c->limit = limit_of(r, c);
}

uint64_t model_counter_get(const struct model_counter *c, unsigned extension)
{
	switch (extension) {
	case EXTEND_SIGN: return c->value > c->mask >> 1 ? c->value | ~c->mask : c->value;
	case EXTEND_RAW:  return c->value | c->upper;
	default:          return c->value;
	}
}
