/* SPDX-License-Identifier: MIT */
/*
 * The plan of running counters on P6 and P5, and the registers that decide it. Sources: SDM 3B,
 * "Performance Monitoring (P6 Family Processor)", figure "PerfEvtSel0 and PerfEvtSel1 MSRs";
 * "Performance Monitoring (Pentium Processors)", figure "CESR MSR (Pentium Processor Only)".
 */
#include <model/p5_p6/legacy.h>

#include <arch/regs/p5.h>
#include <arch/regs/p6.h>

static bool is_for(const struct model_event *e, uint8_t model, uint8_t select, uint8_t umask)
{
	return e->select == select && (e->models & model) && (umask & e->umask_bits) == e->umask;
}

/* Returns the event of a counter with this select and unit mask, or NULL: it counts nothing. */
static const struct model_event *find(const struct model_rules *r, unsigned counter,
                                      uint8_t select, uint8_t umask)
{
	for (const struct model_event *e = model_events; e->counters; e++)
		if (is_for(e, r->events.model, select, umask) && (e->counters >> counter & 1))
			return e;
	return NULL;
}

/* Chooses the signal that moves the counter: the counter's own if its event has none. */
static void choose(struct refpmu_cpu *m, unsigned i, uint8_t select, uint8_t umask)
{
	struct model_counter *c = &m->counter[i];

	c->umask = umask;
	c->event = find(rules_of(m), i, select, umask);
	if (!c->event || c->event->kind == EVENT_NOT_MODELLED)
		c->signal = SIGNAL_NONE;
	else if (c->event->kind == EVENT_SIGNAL)
		c->signal = c->event->signal;
	else if (c->event->kind == EVENT_CYCLES)
		c->signal = (uint8_t)(SIGNAL_DURATION_0 + i);
	else
		c->signal = (uint8_t)(SIGNAL_EVENT_0 + i);
}

/*
 * EN exists in PerfEvtSel0 alone and lets both counters run. Chosen: bit 21, reserved, and EN of
 * PerfEvtSel1 keep what is written and do nothing.
 */
static void set_up_p6(struct refpmu_cpu *m, unsigned i)
{
	uint64_t sel = m->perfevtsel[i];
	bool is_on = m->perfevtsel[0] & IA32_PERFEVTSEL_EN;

	choose(m, i, (uint8_t)FIELD_GET(IA32_PERFEVTSEL_EVENT_SELECT, sel),
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

	choose(m, i, (uint8_t)FIELD_GET(CESR_ES0, half), 0);
	is_duration = c->signal >= SIGNAL_FIRST_OF_CYCLE;
	c->is_edge = is_duration && !is_clocks;
	c->cmask = is_duration != is_clocks;
	model_start_or_stop(c, true, cc & CESR_CC_OS, cc & CESR_CC_USR);
}

static bool is_running_duration(const struct model_counter *c)
{
	return c->rings && (c->signal == SIGNAL_DURATION_0 || c->signal == SIGNAL_DURATION_1);
}

static void plan(struct refpmu_cpu *m, void (*set_up)(struct refpmu_cpu *m, unsigned i))
{
	m->plan = (struct model_plan){ 0 };
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++) {
		set_up(m, i);
		m->plan.has_durations |= is_running_duration(&m->counter[i]);
	}
	model_list_counters(m);
	model_update_activity(m);
}

void model_plan_p6(struct refpmu_cpu *m)
{
	plan(m, set_up_p6);
}

void model_plan_p5(struct refpmu_cpu *m)
{
	plan(m, set_up_p5);
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
