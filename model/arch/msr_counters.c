/* SPDX-License-Identifier: MIT */
/* The counters' own registers, and those that select what they count. */
#include <model/core/msrs.h>

enum model_status model_store(struct model *m, uint64_t *target, uint64_t value, uint64_t bits)
{
	if (!(value & ~bits)) {
		*target = value;
		model_make_plan(m);
		return MODEL_OK;
	}
	if (rules_of(m)->fault_stores) {
		*target = value;
		model_make_plan(m);
	}
	return MODEL_GP;
}

enum model_status perfevtsel_read(struct model *m, unsigned n, uint64_t *value)
{
	*value = m->perfevtsel[n & ~(unsigned)rules_of(m)->perfevtsel_ignored_index];
	return MODEL_OK;
}

enum model_status perfevtsel_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	n &= ~(unsigned)r->perfevtsel_ignored_index;
	if (value)
		m->last_select[n] = value;
	if (r->select_clears_pmc && value && !(value & IA32_PERFEVTSEL_EN))
		model_counter_set(m, &m->counter[n], 0);
	return model_store(m, &m->perfevtsel[n], value, r->perfevtsel_bits);
}

enum model_status pmc_read(struct model *m, unsigned n, uint64_t *value)
{
	*value = model_counter_get(&m->counter[n], rules_of(m)->rdmsr_extension) &
	         ~rules_of(m)->read_clears;
	return MODEL_OK;
}

/* SDM 3B, "Full-Width Writes to Performance Counter Registers": bit 31 is extended to the top. */
static uint64_t legacy_value(const struct model_rules *r, const struct model_counter *c,
                             uint64_t value)
{
	uint64_t low = value & UINT32_MAX;
	uint64_t above = ~ones(r->legacy_sign_bit);

	if (r->legacy_keeps_upper)
		return (c->value & ~(uint64_t)UINT32_MAX) | low;
	return low >> r->legacy_sign_bit & 1 ? low | above : low;
}

/* A counter takes a value, or with a quirk those of all processors do. */
static void set_counter(struct model *m, unsigned index, uint64_t value)
{
	model_counter_set(m, &m->counter[index], value);
	if (!rules_of(m)->writes_reach_all)
		return;
	for (struct model *each = m->package->machine->first; each; each = each->next)
		if (each != m)
			model_counter_set(each, &each->counter[index], value);
}

enum model_status pmc_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	unsigned index = n & ~(unsigned)r->pmc_ignored_index;

	set_counter(m, index, legacy_value(r, &m->counter[index], value));
	return MODEL_OK;
}

enum model_status a_pmc_write(struct model *m, unsigned n, uint64_t value)
{
	if (rules_of(m)->full_width_is_legacy)
		return pmc_write(m, n, value);
	if (value & ~m->counter[n].mask)
		return MODEL_GP;
	set_counter(m, n, value);
	return MODEL_OK;
}

enum model_status fixed_ctr_read(struct model *m, unsigned n, uint64_t *value)
{
	return pmc_read(m, MODEL_GP_MAX + n, value);
}

enum model_status fixed_ctr_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	struct model_counter *c = fixed_counter(m, n);

	if (r->fixed_write_is_legacy)
		value = legacy_value(r, c, value) & c->mask;
	if (value & ~c->mask)
		return MODEL_GP;
	if (!r->fixed_write_needs_stop || !c->rings)
		set_counter(m, MODEL_GP_MAX + n, value);
	return MODEL_OK;
}

enum model_status fixed_ctrl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->fixed_ctr_ctrl;
	return MODEL_OK;
}

enum model_status fixed_ctrl_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	uint64_t bits = 0;

	(void)n;
	for (unsigned i = 0; i < MODEL_FIXED_MAX; i++)
		if (r->fixed_map >> i & 1)
			bits |= r->fixed_nibble_bits << (4 * i) |
			        (r->pebs_is_adaptive ? IA32_FIXED_CTR_CTRL_ADAPTIVE(i) : 0);
	return model_store(m, &m->fixed_ctr_ctrl, value, bits);
}

enum model_status perf_metrics_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = model_metrics_get(m);
	return MODEL_OK;
}

enum model_status perf_metrics_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	if (!rules_of(m)->has_sub_metrics && value > UINT32_MAX)
		return MODEL_GP;
	model_metrics_set(m, value);
	return MODEL_OK;
}
