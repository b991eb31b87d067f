/* SPDX-License-Identifier: MIT */
/*
 * The plan of running counters on P6 and P5, and the registers that decide it. Sources: SDM 3B,
 * "Performance Monitoring (P6 Family Processor)", figure "PerfEvtSel0 and PerfEvtSel1 MSRs";
 * "Performance Monitoring (Pentium Processors)", figure "CESR MSR (Pentium Processor Only)".
 */
#include <model/p5_p6/legacy.h>

#include <arch/regs/p5.h>
#include <arch/regs/p6.h>

/*
 * EN exists in PerfEvtSel0 alone and lets both counters run. Chosen: bit 21, reserved, and EN of
 * PerfEvtSel1 keep what is written and do nothing.
 */
static void set_up_p6(struct refpmu_cpu *m, unsigned i)
{
	uint64_t sel = m->perfevtsel[i];
	bool is_on = m->perfevtsel[0] & IA32_PERFEVTSEL_EN;

	model_choose_event(m, i, (uint8_t)FIELD_GET(IA32_PERFEVTSEL_EVENT_SELECT, sel),
	                   (uint8_t)FIELD_GET(IA32_PERFEVTSEL_UMASK, sel));
	model_set_up_compare(m, i, sel);
	model_start_or_stop(&m->counter[i], is_on, sel & IA32_PERFEVTSEL_OS,
	                    sel & IA32_PERFEVTSEL_USR);
}

/*
 * CC[2] counts the clocks in which the event's condition holds. Without CC[2] an event with a
 * duration counts how often the condition begins. Chosen, where the manual is silent: an event
 * without a duration counts the clocks in which it happens.
 */
static void set_up_p5(struct refpmu_cpu *m, unsigned i)
{
	struct model_counter *c = &m->counter[i];
	uint32_t half = (uint32_t)(m->perfevtsel[0] >> CESR_SHIFT(i));
	uint32_t cc = (uint32_t)FIELD_GET(CESR_CC0, half);
	bool is_clocks = cc & CESR_CC_CLOCKS;
	bool is_duration;

	model_choose_event(m, i, (uint8_t)FIELD_GET(CESR_ES0, half), 0);
	is_duration = c->signal >= SIGNAL_FIRST_OF_CYCLE;
	c->is_edge = is_duration && !is_clocks;
	c->cmask = is_duration != is_clocks;
	model_start_or_stop(c, true, cc & CESR_CC_OS, cc & CESR_CC_USR);
}

void model_plan_p6(struct refpmu_cpu *m)
{
	model_plan_steps(m, set_up_p6);
}

void model_plan_p5(struct refpmu_cpu *m)
{
	model_plan_steps(m, set_up_p5);
}

/* ---------------------------------------------------------------------------- registers */

static MSR_SHOWS(cesr, m->perfevtsel[0])

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

/* They differ from those of later processors by their rules. */
const struct model_msr_row model_msrs_p6[] = {
	{ PerfCtr(0),    2, 1, model_has_gp, pmc_read,        pmc_write },
	{ PerfEvtSel(0), 2, 1, model_has_gp, perfevtsel_read, perfevtsel_write },
	{ .count = 0 }
};
