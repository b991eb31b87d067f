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
	return ones(r->gp_count) | (uint64_t)r->fixed_map << 32;
}

/* The bits that STATUS has for counters, and for the metrics as GLOBAL_CTRL has one too. */
static uint64_t overflow_bits(const struct model_rules *r)
{
	return counter_bits(r) | (r->has_perf_metrics ? IA32_PERF_GLOBAL_STATUS_OVF_METRICS : 0);
}

static enum model_status global_ctrl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->global_ctrl;
	return MODEL_OK;
}

static enum model_status global_ctrl_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	m->is_toggled |= m->was_all_on && value == 0;
	m->was_all_on |= (value & ones(r->gp_count)) == ones(r->gp_count);
	return model_store(m, &m->global_ctrl, value, overflow_bits(r) | r->global_ctrl_bits);
}

static enum model_status global_status_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->global_status | rules_of(m)->status_stuck;
	if (rules_of(m)->status_clears_on_read)
		m->global_status = 0;
	return MODEL_OK;
}

static void zero_counters(struct model *m, uint64_t bits)
{
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		if (bits >> m->counter[i].status_bit & 1)
			model_counter_set(m, &m->counter[i], 0);
}

static enum model_status ovf_ctrl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)m, (void)n;
	*value = 0;
	return MODEL_OK;
}

static enum model_status ovf_ctrl_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	uint64_t left = m->global_status & ~value;

	(void)n;
	if (value & ~(overflow_bits(r) | r->status_clear_bits))
		return MODEL_GP;
	if (r->status_clear == CLEAR_ZEROS)
		left = m->global_status & value;
	if (r->status_clear == CLEAR_ALL)
		left = 0;
	if (!r->status_clear_unfreezes)
		left |= m->global_status & IA32_PERF_GLOBAL_STATUS_CTR_FRZ;
	if (r->status_clear_zeroes_counter)
		zero_counters(m, value);
	m->global_status = left;
	m->pebs.cleared = m->retired;
	model_branches_update(m);
	model_make_plan(m);
	return MODEL_OK;
}

static enum model_status status_set_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	if (value & ~(overflow_bits(r) | r->status_set_bits))
		return MODEL_GP;
	m->global_status = (m->global_status & ~r->status_set_drops) | value;
	if (value & r->status_set_disables)
		m->global_ctrl = 0;
	model_branches_update(m);
	model_make_plan(m);
	return MODEL_OK;
}

/* SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR". */
static enum model_status global_inuse_read(struct model *m, unsigned n, uint64_t *value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	*value = m->global_ctrl & r->inuse_global_bits;
	for (unsigned i = 0; i < r->gp_count; i++) {
		if (m->perfevtsel[i] & r->inuse_perfevtsel_bits)
			*value |= IA32_PERF_GLOBAL_INUSE_PERFEVTSEL(i);
		if (m->perfevtsel[i] & IA32_PERFEVTSEL_INT)
			*value |= IA32_PERF_GLOBAL_INUSE_PMI;
	}
	for (unsigned i = 0; i < MODEL_FIXED_MAX; i++) {
		if (m->fixed_ctr_ctrl >> (4 * i) & r->inuse_nibble_bits)
			*value |= IA32_PERF_GLOBAL_INUSE_FIXED_CTR(i);
		if (m->fixed_ctr_ctrl & IA32_FIXED_CTR_CTRL_PMI(i))
			*value |= IA32_PERF_GLOBAL_INUSE_PMI;
	}
	if (m->pebs.enable & r->pebs_counters)
		*value |= IA32_PERF_GLOBAL_INUSE_PMI;
	return MODEL_OK;
}

static enum model_status capabilities_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = rules_of(m)->capabilities | model_pebs_capabilities(rules_of(m));
	return MODEL_OK;
}

/* ---------------------------------------------------------------------------- rows */

MSR_IS_THERE(has_global, r->has_global_control)
MSR_IS_THERE(is_version_4, r->version >= 4)
MSR_IS_THERE(has_pdcm, r->has_pdcm)

const struct model_msr_row model_msrs_arch_global[] = {
	{ IA32_PERF_CAPABILITIES,      1, 1, has_pdcm,     capabilities_read,  refuse_write },
	{ IA32_PERF_GLOBAL_STATUS,     1, 1, has_global,   global_status_read, refuse_write },
	{ IA32_PERF_GLOBAL_CTRL,       1, 1, has_global,   global_ctrl_read,   global_ctrl_write },
	{ IA32_PERF_GLOBAL_OVF_CTRL,   1, 1, has_global,   ovf_ctrl_read,      ovf_ctrl_write },
	{ IA32_PERF_GLOBAL_STATUS_SET, 1, 1, is_version_4, ovf_ctrl_read,      status_set_write },
	{ IA32_PERF_GLOBAL_INUSE,      1, 1, is_version_4, global_inuse_read,  refuse_write },
	{ .count = 0 }
};

/* ---------------------------------------------------------------------------- reset */

static void reset_global_ctrl(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	m->global_ctrl = 0;
	if (r->has_global_control && r->resets_gp_enables)
		m->global_ctrl |= ones(r->gp_count);
	if (r->boot_lacks_enables && m == m->package->machine->first)
		m->global_ctrl = 0;
	if (r->has_global_control && r->resets_fixed_enables)
		m->global_ctrl |= (uint64_t)r->fixed_map << 32;
}

/* Source: SDM 4, "Architectural MSRs". With a quirk INIT clears control registers, too. */
void model_reset_arch(struct model *m, enum model_reset kind)
{
	if (kind != MODEL_RESET_INIT) {
		reset_global_ctrl(m);
		model_metrics_set(m, 0);
		m->is_toggled = m->was_all_on = false;
	} else if (rules_of(m)->init_clears_controls) {
		m->global_ctrl = 0;
	}
}
