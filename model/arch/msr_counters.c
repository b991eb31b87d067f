/* SPDX-License-Identifier: MIT */
/*
 * The registers of architectural counters: full-width writes, fixed counters, metrics, and the
 * addresses of version 6. Sources: SDM 3B, "Architectural Performance Monitoring"; SDM 4,
 * "Architectural MSRs".
 */
#include <model/arch/arch.h>

static enum refpmu_status a_pmc_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	if (value & ~m->counter[n].mask)
		return REFPMU_GP;
	model_counter_set(&m->counter[n], value);
	return REFPMU_OK;
}

static enum refpmu_status fixed_ctr_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	return pmc_read(m, MODEL_GP_MAX + n, value);
}

static enum refpmu_status fixed_ctr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	return a_pmc_write(m, MODEL_GP_MAX + n, value);
}

static enum refpmu_status fixed_ctrl_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->fixed_ctr_ctrl;
	return REFPMU_OK;
}

static enum refpmu_status fixed_ctrl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	uint64_t bits = 0;

	(void)n;
	for (unsigned i = 0; i < MODEL_FIXED_MAX; i++)
		if (r->counters.fixed_map >> i & 1)
			bits |= r->registers.fixed_nibble_bits << (4 * i) |
			        (r->ds.pebs_is_adaptive ? IA32_FIXED_CTR_CTRL_ADAPTIVE(i) : 0);
	return model_store(m, &m->fixed_ctr_ctrl, value, bits);
}

static enum refpmu_status perf_metrics_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = model_metrics_get(m);
	return REFPMU_OK;
}

static enum refpmu_status perf_metrics_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	if (!rules_of(m)->counters.has_sub_metrics && value > UINT32_MAX)
		return REFPMU_GP;
	model_metrics_set(m, value);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- rows */

MSR_IS_THERE(has_full_width, n < r->counters.gp_count && r->registers.has_full_width_writes)
MSR_IS_THERE(has_gp_alias, n < r->counters.gp_count && r->registers.version >= 6)
MSR_IS_THERE(has_fixed, r->counters.fixed_map >> n & 1)
MSR_IS_THERE(has_fixed_alias, (r->counters.fixed_map >> n & 1) && r->registers.version >= 6)
MSR_IS_THERE(has_metrics, r->counters.has_perf_metrics)
MSR_IS_THERE(has_global, r->registers.has_global_control)
MSR_IS_THERE(is_nowhere, false)

/* SDM 3B, "Architectural Performance Monitoring Version 6": four addresses a counter from 1900H. */
const struct model_msr_row model_msrs_arch_counters[] = {
	{ IA32_PMC(0),              10, 1, model_has_gp,    pmc_read,          pmc_write },
	{ IA32_PERFEVTSEL(0),       10, 1, model_has_gp,    perfevtsel_read,   perfevtsel_write },
	{ IA32_FIXED_CTR(0),         8, 1, has_fixed,       fixed_ctr_read,    fixed_ctr_write },
	{ IA32_PERF_METRICS,         1, 1, has_metrics,     perf_metrics_read, perf_metrics_write },
	{ IA32_FIXED_CTR_CTRL,       1, 1, has_global,      fixed_ctrl_read,   fixed_ctrl_write },
	{ IA32_A_PMC(0),            10, 1, has_full_width,  pmc_read,          a_pmc_write },
	{ IA32_PMC_GP_CTR(0),       16, 4, has_gp_alias,    pmc_read,          a_pmc_write },
	{ IA32_PMC_GP_CFG_A(0),     16, 4, has_gp_alias,    perfevtsel_read,   perfevtsel_write },
	{ IA32_PMC_GP_CFG_A(0) + 1, 16, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_GP_CFG_A(0) + 2, 16, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_FX_CTR(0),        8, 4, has_fixed_alias, fixed_ctr_read,    fixed_ctr_write },
	{ IA32_PMC_FX_CTR(0) + 1,    8, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_FX_CTR(0) + 2,    8, 4, is_nowhere,      refuse_read,       refuse_write },
	{ IA32_PMC_FX_CTR(0) + 3,    8, 4, is_nowhere,      refuse_read,       refuse_write },
	{ .count = 0 }
};

bool model_read_counter_arch(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value)
{
	if (model_read_counter(m, ecx, value))
		return true;
	if (ecx != RDPMC_PERF_METRICS || !rules_of(m)->counters.has_perf_metrics)
		return false;
	*value = model_metrics_get(m);
	return true;
}
