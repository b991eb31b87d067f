/* SPDX-License-Identifier: MIT */
/* PEBS' own registers, of architectural processors. Source: SDM 4, "Architectural MSRs" and the
 * MSRs by microarchitecture. */
#include <model/sampling/debug_store.h>

static enum refpmu_status pebs_enable_arch_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->pebs.enable;
	return REFPMU_OK;
}

/* Without PEBS (IA32_MISC_ENABLE[12]) the register is there, and no bit of it. */
static enum refpmu_status pebs_enable_arch_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	return model_store(m, &m->pebs.enable, value, r->ds.pebs_counters | r->ds.pebs_enable_bits);
}

/* Registers that hold what was written, where no other bit than the rules' is set. */
#define HOLDS(name, field) \
	static enum refpmu_status name##_read(struct refpmu_cpu *m, unsigned n, uint64_t *value) \
	{ \
		(void)n; \
		*value = m->pebs.field; \
		return REFPMU_OK; \
	} \
	static enum refpmu_status name##_write(struct refpmu_cpu *m, unsigned n, uint64_t value) \
	{ \
		(void)n; \
		return model_store(m, &m->pebs.field, value, rules_of(m)->ds.name##_bits); \
	}

HOLDS(pebs_data_cfg, data_cfg)
HOLDS(pebs_ld_lat, ld_lat)
HOLDS(pebs_frontend, frontend)

MSR_IS_THERE(is_adaptive, r->ds.pebs_is_adaptive)
MSR_IS_THERE(has_ld_lat, r->ds.pebs_ld_lat_bits != 0)
MSR_IS_THERE(has_frontend, r->ds.pebs_frontend_bits != 0)

const struct model_msr_row model_msrs_pebs[] = {
	{ IA32_PEBS_ENABLE,  1, 1, NULL,         pebs_enable_arch_read, pebs_enable_arch_write },
	{ MSR_PEBS_DATA_CFG, 1, 1, is_adaptive,  pebs_data_cfg_read,    pebs_data_cfg_write },
	{ MSR_PEBS_LD_LAT,   1, 1, has_ld_lat,   pebs_ld_lat_read,      pebs_ld_lat_write },
	{ MSR_PEBS_FRONTEND, 1, 1, has_frontend, pebs_frontend_read,    pebs_frontend_write },
	{ .count = 0 }
};
