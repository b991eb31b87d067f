/* SPDX-License-Identifier: MIT */
/* PEBS' own registers, of architectural processors. Source: SDM 4, "Architectural MSRs" and the
 * MSRs by microarchitecture. */
#include <model/msrs.h>

enum model_status pebs_enable_arch_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->pebs.enable;
	return MODEL_OK;
}

/* Without PEBS (IA32_MISC_ENABLE[12]) the register is there, and no bit of it. */
enum model_status pebs_enable_arch_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	(void)n;
	return model_store(m, &m->pebs.enable, value, r->pebs_counters | r->pebs_enable_bits);
}

enum model_status pebs_data_cfg_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->pebs.data_cfg;
	return MODEL_OK;
}

enum model_status pebs_data_cfg_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	return model_store(m, &m->pebs.data_cfg, value, rules_of(m)->pebs_data_cfg_bits);
}

enum model_status pebs_ld_lat_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->pebs.ld_lat;
	return MODEL_OK;
}

enum model_status pebs_ld_lat_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	return model_store(m, &m->pebs.ld_lat, value, rules_of(m)->pebs_ld_lat_bits);
}

enum model_status pebs_frontend_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->pebs.frontend;
	return MODEL_OK;
}

enum model_status pebs_frontend_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	return model_store(m, &m->pebs.frontend, value, rules_of(m)->pebs_frontend_bits);
}
