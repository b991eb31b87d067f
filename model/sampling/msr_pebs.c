/* SPDX-License-Identifier: MIT */
/* PEBS' own registers, of architectural processors. Source: SDM 4, "Architectural MSRs" and the
 * MSRs by microarchitecture. */
#include <model/sampling/debug_store.h>

static enum model_status pebs_enable_arch_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->pebs.enable;
	return MODEL_OK;
}

/* Without PEBS (IA32_MISC_ENABLE[12]) the register is there, and no bit of it. */
static enum model_status pebs_enable_arch_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	return model_store(m, &m->pebs.enable, value, r->pebs_counters | r->pebs_enable_bits);
}

/* Registers that hold what was written, where no other bit is set. */
#define HOLDS(name, field, bits) \
	static enum model_status name##_read(struct model *m, unsigned n, uint64_t *value) \
	{ \
		(void)n; \
		*value = m->pebs.field; \
		return MODEL_OK; \
	} \
	static enum model_status name##_write(struct model *m, unsigned n, uint64_t value) \
	{ \
		(void)n; \
		return model_store(m, &m->pebs.field, value, rules_of(m)->bits); \
	}

HOLDS(pebs_data_cfg, data_cfg, pebs_data_cfg_bits)
HOLDS(pebs_ld_lat, ld_lat, pebs_ld_lat_bits)
HOLDS(pebs_frontend, frontend, pebs_frontend_bits)

MSR_IS_THERE(is_adaptive, r->pebs_is_adaptive)
MSR_IS_THERE(has_ld_lat, r->pebs_ld_lat_bits != 0)
MSR_IS_THERE(has_frontend, r->pebs_frontend_bits != 0)

const struct model_msr_row model_msrs_pebs[] = {
	{ IA32_PEBS_ENABLE,  1, 1, NULL,         pebs_enable_arch_read, pebs_enable_arch_write },
	{ MSR_PEBS_DATA_CFG, 1, 1, is_adaptive,  pebs_data_cfg_read,    pebs_data_cfg_write },
	{ MSR_PEBS_LD_LAT,   1, 1, has_ld_lat,   pebs_ld_lat_read,      pebs_ld_lat_write },
	{ MSR_PEBS_FRONTEND, 1, 1, has_frontend, pebs_frontend_read,    pebs_frontend_write },
	{ .count = 0 }
};
