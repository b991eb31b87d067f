/* SPDX-License-Identifier: MIT */
/*
 * The registers that switch branch records on and that point to the debug store area;
 * IA32_MISC_ENABLE, which reports whether both exist; and the PEBS registers of architectural
 * processors. P6 calls IA32_DEBUGCTL DebugCtlMSR, NetBurst MSR_DEBUGCTLA.
 */
#include <model/sampling/records.h>

static MSR_SHOWS(debugctl, m->debugctl)
static MSR_SHOWS(ds_area, m->ds_area)
MSR_SHOWS(misc_enable, m->misc_enable)

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

/* Bits that do not belong to the PMU are kept and have no effect. */
enum refpmu_status misc_enable_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	uint64_t fixed = rules_of(m)->registers.misc_enable_read_only;

	(void)n;
	m->misc_enable = (m->misc_enable & fixed) | (value & ~fixed);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- PEBS */

/* Define registers that hold what was written; a write of any other bit is #GP. */
#define HOLDS(name, field, bits) \
	static MSR_SHOWS(name, m->pebs.field) \
	static MSR_WRITE(name) \
	{ \
		const struct model_ds_rules *ds = &rules_of(m)->ds; \
\
		(void)n; \
		return model_store(m, &m->pebs.field, value, bits); \
	}

/* Without PEBS (IA32_MISC_ENABLE[12]) the first register exists, without any bit. */
HOLDS(pebs_enable_arch, enable, ds->pebs_counters | ds->pebs_enable_bits)
HOLDS(pebs_data_cfg, data_cfg, ds->pebs_data_cfg_bits)
HOLDS(pebs_ld_lat, ld_lat, ds->pebs_ld_lat_bits)
HOLDS(pebs_frontend, frontend, ds->pebs_frontend_bits)

static MSR_IS_THERE(has_ds, r->ds.bts_bit != 0)
static MSR_IS_THERE(is_adaptive, r->ds.pebs_is_adaptive)
static MSR_IS_THERE(has_ld_lat, r->ds.pebs_ld_lat_bits != 0)
static MSR_IS_THERE(has_frontend, r->ds.pebs_frontend_bits != 0)

const struct model_msr_row model_msrs_debugctl[] = {
	{ IA32_DEBUGCTL, 1, 1, NULL, debugctl_read, debugctl_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_debug_store[] = {
	{ IA32_DS_AREA, 1, 1, has_ds, ds_area_read, ds_area_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_pebs[] = {
	{ IA32_MISC_ENABLE,  1, 1, NULL,         misc_enable_read,      misc_enable_write },
	{ IA32_PEBS_ENABLE,  1, 1, NULL,         pebs_enable_arch_read, pebs_enable_arch_write },
	{ MSR_PEBS_DATA_CFG, 1, 1, is_adaptive,  pebs_data_cfg_read,    pebs_data_cfg_write },
	{ MSR_PEBS_LD_LAT,   1, 1, has_ld_lat,   pebs_ld_lat_read,      pebs_ld_lat_write },
	{ MSR_PEBS_FRONTEND, 1, 1, has_frontend, pebs_frontend_read,    pebs_frontend_write },
	{ .count = 0 }
};
