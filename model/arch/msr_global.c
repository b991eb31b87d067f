/* SPDX-License-Identifier: MIT */
/*
 * The registers that stand once per logical processor. Sources: SDM 3B, "Architectural Performance
 * Monitoring Version 2" to "Version 5"; SDM 4, "Architectural MSRs".
 */
#include <model/arch/arch.h>
#include <model/sampling/branch_records.h>

/* One bit per counter that there is, as in GLOBAL_CTRL. */
static uint64_t counter_bits(const struct model_rules *r)
{
	return ones(r->counters.gp_count) | (uint64_t)r->counters.fixed_map << 32;
}

/* The bits that STATUS has for counters, and for the metrics as GLOBAL_CTRL has one too. */
static uint64_t overflow_bits(const struct model_rules *r)
{
	return counter_bits(r) |
	       (r->counters.has_perf_metrics ? IA32_PERF_GLOBAL_STATUS_OVF_METRICS : 0);
}

static enum refpmu_status global_ctrl_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->global_ctrl;
	return REFPMU_OK;
}

static enum refpmu_status global_ctrl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	return model_store(m, &m->global_ctrl, value, overflow_bits(rules_of(m)));
}

static enum refpmu_status global_status_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->global_status;
	return REFPMU_OK;
}

static enum refpmu_status ovf_ctrl_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)m, (void)n;
	*value = 0;
	return REFPMU_OK;
}

static enum refpmu_status ovf_ctrl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	if (value & ~(overflow_bits(r) | r->registers.status_bits))
		return REFPMU_GP;
	m->global_status &= ~value;
	model_branches_update(m);
	model_make_plan(m);
	return REFPMU_OK;
}

static enum refpmu_status status_set_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	if (value & ~(overflow_bits(r) | r->registers.status_bits))
		return REFPMU_GP;
	m->global_status |= value;
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

static enum refpmu_status capabilities_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = rules_of(m)->registers.capabilities | model_pebs_capabilities(rules_of(m));
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- rows */

MSR_IS_THERE(has_global, r->registers.has_global_control)
MSR_IS_THERE(is_version_4, r->registers.version >= 4)

const struct model_msr_row model_msrs_arch_global[] = {
	{ IA32_PERF_CAPABILITIES,      1, 1, NULL,         capabilities_read,  refuse_write },
	{ IA32_PERF_GLOBAL_STATUS,     1, 1, has_global,   global_status_read, refuse_write },
	{ IA32_PERF_GLOBAL_CTRL,       1, 1, has_global,   global_ctrl_read,   global_ctrl_write },
	{ IA32_PERF_GLOBAL_OVF_CTRL,   1, 1, has_global,   ovf_ctrl_read,      ovf_ctrl_write },
	{ IA32_PERF_GLOBAL_STATUS_SET, 1, 1, is_version_4, ovf_ctrl_read,      status_set_write },
	{ IA32_PERF_GLOBAL_INUSE,      1, 1, is_version_4, global_inuse_read,  refuse_write },
	{ .count = 0 }
};

/* ---------------------------------------------------------------------------- reset */

/* Source: SDM 4, "Architectural MSRs". */
void model_reset_arch(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	const struct model_rules *r = rules_of(m);

	if (kind == REFPMU_RESET_INIT)
		return;
	m->global_ctrl = r->registers.has_global_control ? ones(r->counters.gp_count) : 0;
	model_metrics_set(m, 0);
}
