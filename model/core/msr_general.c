/* SPDX-License-Identifier: MIT */
/* The registers of general counters, which are alike from P6 on; RDPMC of general and fixed
 * ones. */
#include <model/core/msrs.h>

bool model_has_gp(const struct model_rules *r, const struct model_msr_row *row, unsigned n)
{
	(void)row;
	return n < r->counters.gp_count;
}

enum refpmu_status model_store(struct refpmu_cpu *m, uint64_t *target, uint64_t value,
                               uint64_t bits)
{
	if (value & ~bits)
		return REFPMU_GP;
	*target = value;
	model_make_plan(m);
	return REFPMU_OK;
}

MSR_SHOWS(perfevtsel, m->perfevtsel[n])
MSR_SHOWS(pmc, m->counter[n].value)

enum refpmu_status perfevtsel_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	return model_store(m, &m->perfevtsel[n], value, rules_of(m)->registers.perfevtsel_bits);
}

/* SDM 3B, "Full-Width Writes to Performance Counter Registers": bit 31 is extended to the top. */
enum refpmu_status pmc_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	model_counter_set(&m->counter[n], (uint64_t)(int32_t)value);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- RDPMC */

static const struct model_counter *find(const struct refpmu_cpu *m, uint32_t ecx)
{
	const struct model_rules *r = rules_of(m);
	uint32_t fixed = ecx - RDPMC_FIXED;

	if (ecx < r->counters.gp_count)
		return &m->counter[ecx];
	if (fixed < MODEL_FIXED_MAX && (r->counters.fixed_map >> fixed & 1))
		return &m->counter[MODEL_GP_MAX + fixed];
	return NULL;
}

bool model_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value)
{
	const struct model_counter *c = find(m, ecx);

	if (!c)
		return false;
	*value = c->value;
	return true;
}
