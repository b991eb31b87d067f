/* SPDX-License-Identifier: MIT */
/*
 * The registers of architectural processors, except those of sampling. Sources: SDM 3B,
 * "Architectural Performance Monitoring", "Version 1" to "Version 6"; SDM 4, "Architectural MSRs".
 */
#include <model/arch/arch.h>
#include <model/sampling/records.h>

/* ---------------------------------------------------------------------------- counters */

static MSR_SHOWS(fixed_ctr, fixed_counter(m, n)->value)
static MSR_SHOWS(fixed_ctrl, m->fixed_ctr_ctrl)
static MSR_SHOWS(metrics, model_metrics_get(m))

static enum refpmu_status a_pmc_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	if (value & ~m->counter[n].mask)
		return REFPMU_GP;
	model_counter_set(&m->counter[n], value);
	return REFPMU_OK;
}

static enum refpmu_status fixed_ctr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	if (n == 3 && value <= fixed_counter(m, n)->mask)
		model_metrics_set(m, 0);
	return a_pmc_write(m, MODEL_GP_MAX + n, value);
}

static enum refpmu_status fixed_ctrl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	uint64_t bits = 0;

	(void)n;
	FOR_EACH_BIT(i, r->counters.fixed_map)
		bits |= r->registers.fixed_nibble_bits << (4 * i) |
		        (r->ds.pebs_is_adaptive ? IA32_FIXED_CTR_CTRL_ADAPTIVE(i) : 0);
	return model_store(m, &m->fixed_ctr_ctrl, value, bits);
}

static enum refpmu_status metrics_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	if (!rules_of(m)->counters.has_sub_metrics && value > UINT32_MAX)
		return REFPMU_GP;
	model_metrics_set(m, value);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- all of them */

/* Returns the bits of IA32_PERF_CAPABILITIES that PEBS defines. */
static uint64_t pebs_capabilities(const struct model_rules *r)
{
	if (!r->ds.pebs_counters)
		return 0;
	return IA32_PERF_CAPABILITIES_PEBS_TRAP | IA32_PERF_CAPABILITIES_PEBS_ARCH_REG |
	       FIELD_PUT(IA32_PERF_CAPABILITIES_PEBS_FMT, r->ds.pebs_format) |
	       (r->ds.pebs_is_adaptive ? IA32_PERF_CAPABILITIES_PEBS_BASELINE : 0);
}

static MSR_SHOWS(global_ctrl, m->global_ctrl)
static MSR_SHOWS(global_status, m->global_status)
static MSR_SHOWS(change, 0)
static MSR_SHOWS(capabilities, rules_of(m)->registers.capabilities | pebs_capabilities(rules_of(m)))

static enum refpmu_status global_ctrl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	return model_store(m, &m->global_ctrl, value, model_global_bits(rules_of(m)));
}

/* The first register clears bits of the status, the second one sets them. */
static enum refpmu_status change_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	if (value & ~(model_global_bits(r) | r->registers.status_bits))
		return REFPMU_GP;
	m->global_status = n ? m->global_status | value : m->global_status & ~value;
	model_branches_update(m);
	model_make_plan(m);
	return REFPMU_OK;
}

static uint64_t gp_in_use(const struct refpmu_cpu *m, unsigned i)
{
	uint64_t sel = m->perfevtsel[i];

	return (sel & IA32_PERFEVTSEL_EVENT_SELECT ? IA32_PERF_GLOBAL_INUSE_PERFEVTSEL(i) : 0) |
	       (sel & IA32_PERFEVTSEL_INT ? IA32_PERF_GLOBAL_INUSE_PMI : 0);
}

static uint64_t fixed_in_use(const struct refpmu_cpu *m, unsigned i)
{
	uint64_t ctrl = m->fixed_ctr_ctrl;
	uint64_t enables = IA32_FIXED_CTR_CTRL_EN_OS(i) | IA32_FIXED_CTR_CTRL_EN_USR(i);

	return (ctrl & enables ? IA32_PERF_GLOBAL_INUSE_FIXED_CTR(i) : 0) |
	       (ctrl & IA32_FIXED_CTR_CTRL_PMI(i) ? IA32_PERF_GLOBAL_INUSE_PMI : 0);
}

/* SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR". */
static enum refpmu_status global_inuse_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	*value = m->pebs.enable & r->ds.pebs_counters ? IA32_PERF_GLOBAL_INUSE_PMI : 0;
	for (unsigned i = 0; i < r->counters.gp_count; i++)
		*value |= gp_in_use(m, i);
	for (unsigned i = 0; i < MODEL_FIXED_MAX; i++)
		*value |= fixed_in_use(m, i);
	return REFPMU_OK;
}

static MSR_IS_THERE(has_fw_write, n < r->counters.gp_count && r->registers.has_full_width_writes)
static MSR_IS_THERE(has_gp_alias, n < r->counters.gp_count && r->registers.version >= 6)
static MSR_IS_THERE(has_fixed, r->counters.fixed_map >> n & 1)
static MSR_IS_THERE(has_fx_alias, (r->counters.fixed_map >> n & 1) && r->registers.version >= 6)
static MSR_IS_THERE(has_metrics, r->counters.has_perf_metrics)
static MSR_IS_THERE(has_change, n ? r->registers.version >= 4 : r->registers.has_global_control)
static MSR_IS_THERE(is_version_4, r->registers.version >= 4)
static MSR_IS_THERE(is_nowhere, false)

/* SDM 3B, "Architectural Performance Monitoring Version 6": each counter has four addresses from
 * 1900H on, most of them without a register. */
const struct model_msr_row model_msrs_arch[] = {
	{ IA32_PMC(0),                 10, 1, model_has_gp, pmc_read,           pmc_write },
	{ IA32_PERFEVTSEL(0),          10, 1, model_has_gp, perfevtsel_read,    perfevtsel_write },
	{ IA32_FIXED_CTR(0),            8, 1, has_fixed,    fixed_ctr_read,     fixed_ctr_write },
	{ IA32_PERF_METRICS,            1, 1, has_metrics,  metrics_read,       metrics_write },
	{ IA32_FIXED_CTR_CTRL,          1, 1, model_is_v2,  fixed_ctrl_read,    fixed_ctrl_write },
	{ IA32_A_PMC(0),               10, 1, has_fw_write, pmc_read,           a_pmc_write },
	{ IA32_PMC_GP_CTR(0),          16, 4, has_gp_alias, pmc_read,           a_pmc_write },
	{ IA32_PMC_GP_CFG_A(0),        16, 4, has_gp_alias, perfevtsel_read,    perfevtsel_write },
	{ IA32_PMC_FX_CTR(0),           8, 4, has_fx_alias, fixed_ctr_read,     fixed_ctr_write },
	{ IA32_PMC_GP_CTR(0),          64, 1, is_nowhere,   NULL,               NULL },
	{ IA32_PMC_FX_CTR(0),          32, 1, is_nowhere,   NULL,               NULL },
	{ IA32_PERF_CAPABILITIES,       1, 1, NULL,         capabilities_read,  NULL },
	{ IA32_PERF_GLOBAL_STATUS,      1, 1, model_is_v2,  global_status_read, NULL },
	{ IA32_PERF_GLOBAL_CTRL,        1, 1, model_is_v2,  global_ctrl_read,   global_ctrl_write },
	{ IA32_PERF_GLOBAL_OVF_CTRL,    2, 1, has_change,   change_read,        change_write },
	{ IA32_PERF_GLOBAL_INUSE,       1, 1, is_version_4, global_inuse_read,  NULL },
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
