/* SPDX-License-Identifier: MIT */
/*
 * The registers of architectural counters: full-width writes, fixed counters, metrics, and the
 * addresses of version 6. Sources: SDM 3B, "Architectural Performance Monitoring"; SDM 4,
 * "Architectural MSRs".
 */
#include <model/arch/arch.h>

static enum model_status a_pmc_write(struct model *m, unsigned n, uint64_t value)
{
	if (rules_of(m)->full_width_is_legacy)
		return pmc_write(m, n, value);
	if (value & ~m->counter[n].mask)
		return MODEL_GP;
	model_pmc_set(m, n, value);
	return MODEL_OK;
}

static enum model_status fixed_ctr_read(struct model *m, unsigned n, uint64_t *value)
{
	return pmc_read(m, MODEL_GP_MAX + n, value);
}

static enum model_status fixed_ctr_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	struct model_counter *c = fixed_counter(m, n);

	if (r->fixed_write_is_legacy)
		value = model_legacy_value(r, c, value) & c->mask;
	if (value & ~c->mask)
		return MODEL_GP;
	if (!r->fixed_write_needs_stop || !c->rings)
		model_pmc_set(m, MODEL_GP_MAX + n, value);
	return MODEL_OK;
}

static enum model_status fixed_ctrl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->fixed_ctr_ctrl;
	return MODEL_OK;
}

static enum model_status fixed_ctrl_write(struct model *m, unsigned n, uint64_t value)
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

static enum model_status perf_metrics_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = model_metrics_get(m);
	return MODEL_OK;
}

static enum model_status perf_metrics_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	if (!rules_of(m)->has_sub_metrics && value > UINT32_MAX)
		return MODEL_GP;
	model_metrics_set(m, value);
	return MODEL_OK;
}

/* ---------------------------------------------------------------------------- version 6 */

static unsigned flipped(const struct model *m, unsigned n)
{
	return n ^ rules_of(m)->alias_index_flip;
}

static enum model_status pmc_alias_read(struct model *m, unsigned n, uint64_t *value)
{
	return pmc_read(m, flipped(m, n), value);
}

static enum model_status pmc_alias_write(struct model *m, unsigned n, uint64_t value)
{
	return a_pmc_write(m, flipped(m, n), value);
}

static enum model_status perfevtsel_alias_read(struct model *m, unsigned n, uint64_t *value)
{
	return perfevtsel_read(m, flipped(m, n), value);
}

static enum model_status perfevtsel_alias_write(struct model *m, unsigned n, uint64_t value)
{
	return perfevtsel_write(m, flipped(m, n), value);
}

/* ---------------------------------------------------------------------------- rows */

MSR_IS_THERE(has_full_width, n < r->gp_count && r->has_full_width_writes)
MSR_IS_THERE(has_gp_alias, n < r->gp_count && r->has_version_6_aliases)
MSR_IS_THERE(has_fixed, r->fixed_map >> n & 1)
MSR_IS_THERE(has_fixed_alias, (r->fixed_map >> n & 1) && r->has_version_6_aliases)
MSR_IS_THERE(has_metrics, r->has_perf_metrics)
MSR_IS_THERE(has_global, r->has_global_control)
MSR_IS_THERE(is_nowhere, false)

/* SDM 3B, "Architectural Performance Monitoring Version 6": four addresses a counter from 1900H. */
const struct model_msr_row model_msrs_arch_counters[] = {
	{ IA32_PMC(0),              10, 1, model_has_gp,    pmc_read,          pmc_write },
	{ IA32_PERFEVTSEL(0),       10, 1, model_has_gp,    perfevtsel_read,   perfevtsel_write },
	{ IA32_FIXED_CTR(0),         8, 1, has_fixed,       fixed_ctr_read,    fixed_ctr_write },
	{ IA32_PERF_METRICS,         1, 1, has_metrics,     perf_metrics_read, perf_metrics_write },
	{ IA32_FIXED_CTR_CTRL,       1, 1, has_global,      fixed_ctrl_read,   fixed_ctrl_write },
	{ IA32_A_PMC(0),            10, 1, has_full_width,  pmc_read,          a_pmc_write },
	{ IA32_PMC_GP_CTR(0),       16, 4, has_gp_alias,    pmc_alias_read,    pmc_alias_write },
	{ IA32_PMC_GP_CFG_A(0),     16, 4, has_gp_alias,    perfevtsel_alias_read,
	                                                    perfevtsel_alias_write },
	{ IA32_PMC_GP_CFG_A(0) + 1, 16, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_GP_CFG_A(0) + 2, 16, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_FX_CTR(0),        8, 4, has_fixed_alias, fixed_ctr_read,    fixed_ctr_write },
	{ IA32_PMC_FX_CTR(0) + 1,    8, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_FX_CTR(0) + 2,    8, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_FX_CTR(0) + 3,    8, 4, is_nowhere,      refuse_read,       refuse_write },
	{ .count = 0 }
};

bool model_read_counter_arch(struct model *m, uint32_t ecx, unsigned cpl, uint64_t *value)
{
	if (model_read_counter(m, ecx, cpl, value))
		return true;
	if (ecx != RDPMC_PERF_METRICS || !rules_of(m)->has_perf_metrics)
		return false;
	*value = model_metrics_get(m);
	return true;
}
