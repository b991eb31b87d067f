/* SPDX-License-Identifier: MIT */
/* The general counters' registers, alike from P6 on, and RDPMC of them and of fixed ones. */
#include <model/core/msrs.h>

bool model_has_gp(const struct model_rules *r, const struct model_msr_row *row, unsigned n)
{
	(void)row;
	return n < r->gp_count;
}

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
uint64_t model_legacy_value(const struct model_rules *r, const struct model_counter *c,
                            uint64_t value)
{
	uint64_t low = value & UINT32_MAX;
	uint64_t above = ~ones(r->legacy_sign_bit);

	if (r->legacy_keeps_upper)
		return (c->value & ~(uint64_t)UINT32_MAX) | low;
	return low >> r->legacy_sign_bit & 1 ? low | above : low;
}

/* A counter takes a value, or with a quirk those of all processors do. */
void model_pmc_set(struct model *m, unsigned index, uint64_t value)
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

	model_pmc_set(m, index, model_legacy_value(r, &m->counter[index], value));
	return MODEL_OK;
}

enum model_status refuse_write(struct model *m, unsigned n, uint64_t value)
{
	(void)m, (void)n, (void)value;
	return MODEL_GP;
}

enum model_status refuse_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)m, (void)n, (void)value;
	return MODEL_GP;
}

/* ---------------------------------------------------------------------------- RDPMC */

static const struct model_counter *find(const struct model *m, uint32_t ecx, unsigned cpl)
{
	const struct model_rules *r = rules_of(m);
	uint32_t fixed = ecx - RDPMC_FIXED;

	if (ecx < r->gp_count)
		return &m->counter[r->rdpmc_user_swaps && cpl ? ecx ^ 1 : ecx];
	if (fixed < MODEL_FIXED_MAX && (r->fixed_map >> fixed & 1))
		return &m->counter[MODEL_GP_MAX + fixed];
	return NULL;
}

static uint64_t disturb(struct model *m, uint64_t value)
{
	m->is_odd_rdpmc = !m->is_odd_rdpmc;
	return m->is_odd_rdpmc ? value : value ^ rules_of(m)->rdpmc_flip;
}

bool model_read_counter(struct model *m, uint32_t ecx, unsigned cpl, uint64_t *value)
{
	const struct model_rules *r = rules_of(m);
	const struct model_counter *c = find(m, ecx, cpl);

	if (!c)
		return false;
	*value = disturb(m, model_counter_get(c, r->rdpmc_extension) & ~r->read_clears);
	return true;
}
