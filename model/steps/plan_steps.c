/* SPDX-License-Identifier: MIT */
/* The plan of running counters that count by rows of an event table. */
#include <model/steps/steps.h>

_Static_assert(SIGNAL_EVENT_0 + MODEL_ROWS_MAX <= SIGNAL_FIRST_OF_CYCLE &&
               SIGNAL_DURATION_0 + MODEL_DURATIONS_MAX == SIGNALS, "each counter has signals");

/* The rows that add to this one are looked at when they count. */
static bool is_for(const struct model_event *e, unsigned model, uint32_t select, uint8_t umask)
{
	return e->select == select && (e->models & model) &&
	       (e[1].adds || model_has_umask(e, umask));
}

/* Returns the event of a counter with this select and unit mask, or NULL: it counts nothing. */
static const struct model_event *find(const struct model_rules *r, unsigned counter,
                                      uint32_t select, uint8_t umask)
{
	for (const struct model_event *e = r->generation->events; e->counters; e++)
		if (is_for(e, r->events.model, select, umask) && (e->counters >> counter & 1))
			return e;
	return NULL;
}

/* A counter whose event has no signal gets the counter's own. */
void model_choose_event(struct refpmu_cpu *m, unsigned i, uint32_t select, uint8_t umask)
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

static bool is_running_duration(const struct model_counter *c)
{
	return c->rings && c->signal >= SIGNAL_DURATION_0;
}

void model_plan_steps(struct refpmu_cpu *m, void (*set_up)(struct refpmu_cpu *m, unsigned i))
{
	m->plan = (struct model_plan){ 0 };
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++) {
		set_up(m, i);
		m->plan.has_durations |= is_running_duration(&m->counter[i]);
	}
	model_list_counters(m);
	model_update_activity(m);
}
