/* SPDX-License-Identifier: MIT */
/*
 * The registers that switch branch records on and say where the debug store area is, and
 * IA32_MISC_ENABLE, which says what there is of both. Source: SDM 4, "Architectural MSRs". P6 has
 * IA32_DEBUGCTL as DebugCtlMSR, NetBurst as MSR_DEBUGCTLA, under the same number.
 */
#include <model/sampling/branch_records.h>
#include <model/sampling/debug_store.h>

static enum model_status debugctl_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->debugctl;
	return MODEL_OK;
}

static enum model_status debugctl_write(struct model *m, unsigned n, uint64_t value)
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

static enum model_status ds_area_read(struct model *m, unsigned n, uint64_t *value)
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
static enum model_status ds_area_write(struct model *m, unsigned n, uint64_t value)
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
	return MODEL_OK;
}

/* ---------------------------------------------------------------------------- rows */

MSR_IS_THERE(has_ds, r->has_ds)

const struct model_msr_row model_msrs_debugctl[] = {
	{ IA32_DEBUGCTL, 1, 1, NULL, debugctl_read, debugctl_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_debug_store[] = {
	{ IA32_DS_AREA, 1, 1, has_ds, ds_area_read, ds_area_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_misc_enable[] = {
	{ IA32_MISC_ENABLE, 1, 1, NULL, misc_enable_read, misc_enable_write },
	{ .count = 0 }
};
