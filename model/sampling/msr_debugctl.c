/* SPDX-License-Identifier: MIT */
/*
 * The registers that switch branch records on and say where the debug store area is, and
 * IA32_MISC_ENABLE, which says what there is of both. Source: SDM 4, "Architectural MSRs". P6 has
 * IA32_DEBUGCTL as DebugCtlMSR, NetBurst as MSR_DEBUGCTLA, under the same number.
 */
#include <model/sampling/branch_records.h>
#include <model/sampling/debug_store.h>

static enum refpmu_status debugctl_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->debugctl;
	return REFPMU_OK;
}

static enum refpmu_status debugctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	enum refpmu_status status;

	(void)n;
	if (r->registers.debugctl_drops)
		value &= r->registers.debugctl_bits;
	status = model_store(m, &m->debugctl, value, r->registers.debugctl_bits);
	model_branches_update(m);
	return status;
}

static enum refpmu_status ds_area_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->ds_area;
	return REFPMU_OK;
}

/*
 * SDM 4, IA32_DS_AREA; SDM 3A, "Canonical Addressing". Bits above the processor's linear addresses
 * must be copies of the highest one there, whatever mode it is in. Chosen: on a processor without
 * 64-bit mode they must be 0, as bits 63:32 are reserved outside of IA-32e mode.
 */
static enum refpmu_status ds_area_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	uint64_t above = value >> (r->registers.linear_bits - 1);
	bool is_sign = above == 0 || above == UINT64_MAX >> (r->registers.linear_bits - 1);
	bool is_address = r->registers.linear_bits == 32 ? value <= UINT32_MAX : is_sign;

	(void)n;
	if (!is_address)
		return REFPMU_GP;
	m->ds_area = value;
	return REFPMU_OK;
}

enum refpmu_status misc_enable_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->misc_enable;
	return REFPMU_OK;
}

/* The bits that are not the PMU's are kept and have no effect. */
enum refpmu_status misc_enable_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	uint64_t fixed = rules_of(m)->registers.misc_enable_read_only;

	(void)n;
	m->misc_enable = (m->misc_enable & fixed) | (value & ~fixed);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- rows */

const struct model_msr_row model_msrs_debugctl[] = {
	{ IA32_DEBUGCTL, 1, 1, NULL, debugctl_read, debugctl_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_debug_store[] = {
	{ IA32_DS_AREA, 1, 1, NULL, ds_area_read, ds_area_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_misc_enable[] = {
	{ IA32_MISC_ENABLE, 1, 1, NULL, misc_enable_read, misc_enable_write },
	{ .count = 0 }
};
