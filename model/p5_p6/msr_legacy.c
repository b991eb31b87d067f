/* SPDX-License-Identifier: MIT */
/* The registers of P5 that differ from those of all others. PerfEvtSel and PerfCtr of P6 do not:
 * their rules differ. Source: SDM 3B, "Performance Monitoring (Pentium Processors)". */
#include <model/p5_p6/legacy.h>

#include <arch/regs/p5.h>
#include <arch/regs/p6.h>

static enum refpmu_status cesr_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = m->perfevtsel[0];
	return REFPMU_OK;
}

/* Chosen, as the manual only asks for zeros: reserved bits are dropped. */
static enum refpmu_status cesr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	m->perfevtsel[0] = value & rules_of(m)->registers.perfevtsel_bits;
	model_make_plan(m);
	return REFPMU_OK;
}

/* Chosen: bits above the counter's width are dropped. */
static enum refpmu_status ctr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	model_counter_set(&m->counter[n], value);
	return REFPMU_OK;
}

const struct model_msr_row model_msrs_p5[] = {
	{ CESR, 1, 1, NULL,         cesr_read, cesr_write },
	{ CTR0, 2, 1, model_has_gp, pmc_read,  ctr_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_p6[] = {
	{ PerfCtr(0),    2, 1, model_has_gp, pmc_read,        pmc_write },
	{ PerfEvtSel(0), 2, 1, model_has_gp, perfevtsel_read, perfevtsel_write },
	{ .count = 0 }
};
