/* SPDX-License-Identifier: MIT */
/*
 * The registers that stand once per logical processor. Sources: SDM 3B, "Architectural Performance
 * Monitoring Version 2" to "Version 5"; SDM 4, "Architectural MSRs".
 */
#include <model/core/msrs.h>
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

enum model_status global_ctrl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->global_ctrl;
	return MODEL_OK;
}

enum model_status global_ctrl_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	m->is_toggled |= m->was_all_on && value == 0;
	m->was_all_on |= (value & ones(r->gp_count)) == ones(r->gp_count);
	return model_store(m, &m->global_ctrl, value, overflow_bits(r) | r->global_ctrl_bits);
}

enum model_status global_status_read(struct model *m, unsigned n, uint64_t *value)
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

enum model_status ovf_ctrl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)m, (void)n;
	*value = 0;
	return MODEL_OK;
}

enum model_status ovf_ctrl_write(struct model *m, unsigned n, uint64_t value)
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

enum model_status status_set_write(struct model *m, unsigned n, uint64_t value)
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
enum model_status global_inuse_read(struct model *m, unsigned n, uint64_t *value)
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

enum model_status capabilities_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = rules_of(m)->capabilities | model_pebs_capabilities(rules_of(m));
	return MODEL_OK;
}

enum model_status debugctl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->debugctl;
	return MODEL_OK;
}

enum model_status debugctl_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	bool is_checked = !(value & r->debugctl_permit_bits);
	enum model_status status;

	(void)n;
	if (r->debugctl_drops)
		value &= r->debugctl_bits;
	status = model_store(m, &m->debugctl, value, is_checked ? r->debugctl_bits : UINT64_MAX);
	model_branches_update(m);
	return status;
}

enum model_status ds_area_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->ds_area;
	return MODEL_OK;
}

/*
 * SDM 4, IA32_DS_AREA; SDM 3A, "Canonical Addressing". Bits above the processor's linear addresses
 * must be copies of the highest one there, whatever mode it is in. Chosen: on a processor without
 * 64-bit mode they must be 0, as bits 63:32 are reserved outside of IA-32e mode.
 */
enum model_status ds_area_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	uint64_t above = value >> (r->linear_bits - 1);
	bool is_sign = above == 0 || above == UINT64_MAX >> (r->linear_bits - 1);
	bool is_address = r->linear_bits == 32 ? value <= UINT32_MAX : is_sign;

	(void)n;
	if (!is_address && !r->ds_area_takes_all)
		return MODEL_GP;
	m->ds_area = value;
	if (r->ds_area_is_shared && m->other)
		m->other->ds_area = value;
	return MODEL_OK;
}

enum model_status misc_enable_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->misc_enable ^ (m->is_active ? rules_of(m)->misc_enable_flip : 0);
	return MODEL_OK;
}

/* The bits that are not the PMU's are kept and have no effect. */
enum model_status misc_enable_write(struct model *m, unsigned n, uint64_t value)
{
	uint64_t fixed = rules_of(m)->misc_enable_read_only;

	(void)n;
	m->misc_enable = (m->misc_enable & fixed) | (value & ~fixed);
	if (m->is_netburst && m->other)        /* one register for both threads */
		m->other->misc_enable = m->misc_enable;
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
