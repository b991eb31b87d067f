/* SPDX-License-Identifier: MIT */
/*
 * The registers of AMD's PMUs, and RDPMC. Sources: APM 2, "Performance Counter MSRs", "Global
 * Control", "Freezing", "Performance-Monitoring MSR Cross-Reference"; APM 3, "RDPMC". Reserved
 * bits: what VirtualBox's tables of processors found on K8 and on families 10H, 15H and 17H: no
 * write of a PERF_CTL or of a counter faults; DebugCtl keeps bits 5:0 and refuses bit 6.
 *
 * Chosen, where these are silent: a write of PerfCntrGlobalStatus is dropped, the write-only
 * registers read as 0, reserved bits of all of them are dropped; bits of HWCR that are not the
 * PMU's are kept and have no effect.
 */
#include <model/amd/amd_shared.h>

/* ---------------------------------------------------------------------------- core counters */

static enum refpmu_status ctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	m->perfevtsel[n] = value & (r->registers.perfevtsel_bits | (n == 2 ? r->amd.ctl2_bits : 0));
	model_make_plan(m);
	return REFPMU_OK;
}

bool model_is_merged(const struct refpmu_cpu *m, unsigned i)
{
	uint64_t next = i % 2 == 0 && rules_of(m)->amd.merges ? m->perfevtsel[i + 1] : 0;

	return (next & PERF_CTL_EN) && model_amd_code(next) == AMD_EVENT_MERGE;
}

/* The low 16 bits of the odd counter are the upper ones of a merged pair. */
static uint64_t value_of(const struct refpmu_cpu *m, unsigned n)
{
	uint64_t high = model_is_merged(m, n) ? m->counter[n + 1].value : 0;

	return high << PERF_CTR_WIDTH | m->counter[n].value;
}

static MSR_SHOWS(ctr, value_of(m, n))

static enum refpmu_status ctr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	model_counter_set(&m->counter[n], value);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------- counters beyond the core's */

static MSR_SHOWS(nb_ctl, m->package->nb.ctl[n])
static MSR_SHOWS(nb_ctr, m->package->nb.ctr[n])
static MSR_SHOWS(l3_ctl, m->package->l3.ctl[n])
static MSR_SHOWS(l3_ctr, m->package->l3.ctr[n])
MSR_TAKES(nb_ctr, m->package->nb.ctr[n], value & ones(PERF_CTR_WIDTH))
MSR_TAKES(l3_ctr, m->package->l3.ctr[n], value & ones(rules_of(m)->amd.l3_width))

/* All processors of the package are followed while one of its counters runs. */
static enum refpmu_status shared_ctl_write(struct refpmu_cpu *m, uint64_t *ctl, uint64_t value)
{
	*ctl = value;
	for (struct refpmu_cpu *c = m->package->machine->first; c; c = c->next)
		if (c->package == m->package)
			model_make_plan(c);
	return REFPMU_OK;
}

static enum refpmu_status nb_ctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	return shared_ctl_write(m, &m->package->nb.ctl[n], value & rules_of(m)->amd.nb_bits);
}

static enum refpmu_status l3_ctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	return shared_ctl_write(m, &m->package->l3.ctl[n], value & rules_of(m)->amd.l3_bits);
}

/* ---------------------------------------------------------------------------- PerfMonV2 */

static MSR_SHOWS(status, m->global_status)
static MSR_SHOWS(global_ctl, m->global_ctrl)
static MSR_SHOWS(nothing, 0)

static enum refpmu_status nothing_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)m, (void)n, (void)value;
	return REFPMU_OK;
}

static enum refpmu_status global_ctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	m->global_ctrl = value & ones(rules_of(m)->counters.gp_count);
	model_make_plan(m);
	return REFPMU_OK;
}

/* Register 0 clears bits of the status, register 1 sets them. */
static enum refpmu_status change_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);

	value &= ones(r->counters.gp_count) | r->registers.status_bits;
	m->global_status = n ? m->global_status | value : m->global_status & ~value;
	model_branches_update(m);
	model_make_plan(m);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- the others */

static MSR_SHOWS(debugctl, m->debugctl)
static MSR_SHOWS(hwcr, m->hwcr)
static MSR_SHOWS(irperf, fixed_counter(m, 0)->value)
static MSR_SHOWS(ls_cfg, m->ls_cfg)

/* The core's clock is that of P0: MPERF and APERF count the same. */
uint64_t model_running_clocks(const struct refpmu_cpu *m)
{
	return m->cycles - m->halted_cycles;
}

static MSR_SHOWS(perf, model_running_clocks(m) - m->clocks_of_0[n])
MSR_TAKES(perf, m->clocks_of_0[n], model_running_clocks(m) - value)

static enum refpmu_status debugctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	if (value & BIT(6))
		return REFPMU_GP;
	m->debugctl = value & rules_of(m)->registers.debugctl_bits;
	model_branches_update(m);
	return REFPMU_OK;
}

static enum refpmu_status hwcr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	m->hwcr = value;
	model_make_plan(m);
	return REFPMU_OK;
}

static enum refpmu_status ls_cfg_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	m->ls_cfg = value;
	model_make_plan(m);
	return REFPMU_OK;
}

static MSR_IS_THERE(has_extended, r->counters.gp_count > PERF_LEGACY_COUNTERS)
static MSR_IS_THERE(has_nb, n < r->amd.nb_count)
static MSR_IS_THERE(has_l3, n < r->amd.l3_count)
static MSR_IS_THERE(has_irperf, r->amd.has_irperf)
static MSR_IS_THERE(has_mperf, r->amd.has_mperf)
static MSR_IS_THERE(has_map, r->amd.has_spec_lock_map)

const struct model_msr_row model_msrs_amd[] = {
	{ PERF_LEGACY_CTL(0),       4, 1, NULL,         perfevtsel_read, ctl_write },
	{ PERF_LEGACY_CTR(0),       4, 1, NULL,         ctr_read,        ctr_write },
	{ PERF_CTL(0),              6, 2, has_extended, perfevtsel_read, ctl_write },
	{ PERF_CTR(0),              6, 2, has_extended, ctr_read,        ctr_write },
	{ L3_PERF_CTL(0),           6, 2, has_l3,       l3_ctl_read,     l3_ctl_write },
	{ L3_PERF_CTR(0),           6, 2, has_l3,       l3_ctr_read,     l3_ctr_write },
	{ NB_PERF_CTL(0),          16, 2, has_nb,       nb_ctl_read,     nb_ctl_write },
	{ NB_PERF_CTR(0),          16, 2, has_nb,       nb_ctr_read,     nb_ctr_write },
	{ PerfCntrGlobalStatus,     1, 1, model_is_v2,  status_read,     nothing_write },
	{ PerfCntrGlobalCtl,        1, 1, model_is_v2,  global_ctl_read, global_ctl_write },
	{ PerfCntrGlobalStatusClr,  2, 1, model_is_v2,  nothing_read,    change_write },
	{ DebugCtl,                 1, 1, NULL,         debugctl_read,   debugctl_write },
	{ HWCR,                     1, 1, NULL,         hwcr_read,       hwcr_write },
	{ IRPerfCount,              1, 1, has_irperf,   irperf_read,     NULL },
	{ MPERF,                    2, 1, has_mperf,    perf_read,       perf_write },
	{ MPerfReadOnly,            2, 1, has_mperf,    perf_read,       NULL },
	{ LS_CFG,                   1, 1, has_map,      ls_cfg_read,     ls_cfg_write },
	{ .count = 0 }
};

/* ---------------------------------------------------------------------------- RDPMC */

/* Returns the northbridge's or fabric's counter of this index, or MODEL_SHARED_MAX: 6 to 9 are
 * counters 0 to 3, 16 to 27 counters 4 to 15. */
static uint32_t nb_of(uint32_t ecx)
{
	if (ecx >= AMD_RDPMC_NB(0) && ecx <= AMD_RDPMC_NB(3))
		return ecx - AMD_RDPMC_NB(0);
	if (ecx >= AMD_RDPMC_NB(4) && ecx <= AMD_RDPMC_HIGHEST)
		return ecx - AMD_RDPMC_NB(4) + 4;
	return MODEL_SHARED_MAX;
}

bool model_read_counter_amd(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value)
{
	const struct model_rules *r = rules_of(m);
	uint32_t l3 = ecx - AMD_RDPMC_L3(0), nb = nb_of(ecx);

	if (ecx < r->counters.gp_count)
		*value = value_of(m, ecx);
	else if (nb < r->amd.nb_count)
		*value = m->package->nb.ctr[nb];
	else if (l3 < r->amd.l3_count)
		*value = m->package->l3.ctr[l3];
	else
		return false;
	return true;
}
