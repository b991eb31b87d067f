/* SPDX-License-Identifier: MIT */
/* Turns texts into setups: expands presets, finds events, assigns counters. */
#include <pmu/events/event_spec.h>

#include <stdarg.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/events/event_request.h>
#include <pmu/events/presets.h>

bool event_refuse(const struct event_problem *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	format_vbuf(p->text, p->size, fmt, args);
	va_end(args);
	return false;
}

/* ---------------------------------------------------------------------------- options */

static bool check_options(const struct event_text *t, const struct event_source *s,
                          const struct event_problem *p)
{
	const bool is_compared = t->cmask || t->flags & (PMU_INV | PMU_EDGE);

	if (is_compared && !s->cmask_max)
		return event_refuse(p, "%s: %s has no cmask, inv and edge", t->event, s->about);
	if (t->cmask > s->cmask_max)
		return event_refuse(p, "%s: cmask is 1 to %u on %s", t->event, s->cmask_max,
		                    s->about);
	if (t->flags & PMU_INV && !t->cmask)
		return event_refuse(p, "%s: inv inverts a comparison, so it needs cmask=N",
		                    t->event);
	if (t->flags & PMU_ANY && !(s->has_any && s->has_any()))
		return event_refuse(p, "%s: there is no \"any\" here: %s", t->event, s->no_any);
	return true;
}

/* ---------------------------------------------------------------------------- one spec */

/* The specs while they are built. */
struct choosing {
	struct pmu_chosen *c;
	const struct event_source *source;
	struct event_problem problem;
	struct event_request request[EVENT_REQUESTS_MAX];
	unsigned count;
};

static bool add_request(struct choosing *s, const struct event_text *t)
{
	struct event_request *w = &s->request[s->count];

	*w = (struct event_request){
		.of = s->c->spec[s->c->count].name, .text = *t, .flags = t->flags,
	};
	if (!check_options(t, s->source, &s->problem)
	    || !s->source->find(w, &s->problem))
		return false;
	s->count++;
	return true;
}

/* A part keeps its own options; rings are those that the user chose. */
static bool add_part(struct choosing *s, const struct pmu_preset_part *part, unsigned flags)
{
	struct event_text t;

	if (!event_text_parse(&t, part->event, s->problem.text, s->problem.size))
		return false;
	t.flags = (t.flags & ~(unsigned)PMU_BOTH) | flags;
	return add_request(s, &t);
}

static bool add_preset(struct choosing *s, const struct pmu_preset *preset, struct event_text *t,
                       struct pmu_event_spec *spec)
{
	const char *why;
	const struct pmu_preset_part *parts = pmu_preset_here(preset, &why);
	unsigned flags = t->flags & (unsigned)(PMU_BOTH | PMU_ANY);

	if (!parts)
		return event_refuse(&s->problem, "%s is not available here: %s", preset->name,
		                    why);
	if (t->masks[0])
		return event_refuse(&s->problem, "%s is a preset: it has no mask %s", preset->name,
		                    t->masks);
	if (t->flags != flags || t->cmask)
		return event_refuse(&s->problem, "%s is a preset: cmask, inv and edge are for one "
		                    "native event: %s", preset->name, parts[0].event);
	event_text_write(t, preset->name, spec->name);
	for (; spec->count < PMU_SPEC_PARTS && parts[spec->count].event; spec->count++) {
		if (!add_part(s, &parts[spec->count], flags))
			return false;
		spec->factor[spec->count] = parts[spec->count].factor;
	}
	return true;
}

/*
 * Replaces one of perf's names by what it means here. Returns perf's name if that is only a number,
 * which nobody would recognize, else NULL.
 */
static const char *translate(struct event_text *t)
{
	const char *meaning = pmu_perf_meaning(t->event);
	uint16_t number;

	if (!meaning)
		return NULL;
	format_buf(t->event, sizeof(t->event), "%s", meaning);
	return event_text_is_raw(meaning, &number) ? pmu_perf_name_of(meaning) : NULL;
}

static bool add_choice(struct choosing *s, const char *text)
{
	struct pmu_event_spec *spec = &s->c->spec[s->c->count];
	const struct pmu_preset *preset;
	const char *perf;
	struct event_text t;

	if (!event_text_parse(&t, text, s->problem.text, s->problem.size))
		return false;
	perf = translate(&t);
	*spec = (struct pmu_event_spec){ .first = s->count, .factor = { 1 } };
	preset = pmu_preset_find(t.event);
	if (preset ? !add_preset(s, preset, &t, spec) : !add_request(s, &t))
		return false;
	if (!preset) {
		spec->count = 1;
		event_text_write(&s->request[spec->first].text,
		                 perf ? perf : s->request[spec->first].name, spec->name);
	}
	s->c->count++;
	return true;
}

/* ---------------------------------------------------------------------------- all specs */

/* Returns true if one of the specs has the name, or none can be added. */
static bool is_complete(const struct pmu_chosen *c, const char *name)
{
	for (unsigned i = 0; i < c->count; i++)
		if (strcmp(c->spec[i].name, name) == 0)
			return true;
	return c->count == PMU_SPECS_MAX;
}

static bool place(struct choosing *s)
{
	return s->source->place(s->c, s->request, s->count, &s->problem);
}

/* Adds a spec and gives all of them counters; takes it out again if that fails. */
static bool place_with(struct choosing *s, const char *text)
{
	const unsigned specs = s->c->count, requests = s->count;

	if (!is_complete(s->c, text) && add_choice(s, text) && place(s))
		return true;
	s->c->count = specs;
	s->count = requests;
	return false;
}

bool pmu_choose(struct pmu_chosen *c, const char *const *texts, unsigned count, char *problem,
                size_t size)
{
	return pmu_choose_and(c, texts, count, NULL, problem, size);
}

bool pmu_choose_and(struct pmu_chosen *c, const char *const *texts, unsigned count,
                    const char *also, char *problem, size_t size)
{
	struct choosing s = { .c = c, .source = pmu_get()->class->events,
	                      .problem = { problem, size } };

	*c = (struct pmu_chosen){ 0 };
	if (!s.source || !pmu_has_counter(0))
		return event_refuse(&s.problem, "nothing can be counted here: %s",
		                    pmu_get()->verdict);
	if (count == 0 || count > PMU_SPECS_MAX)
		return event_refuse(&s.problem, "%u events: there can be 1 to %d at once", count,
		                    PMU_SPECS_MAX);
	for (unsigned i = 0; i < count; i++)
		if (!add_choice(&s, texts[i]))
			return false;
	return (also && place_with(&s, also)) || place(&s);
}

struct pmu_reading pmu_chosen_measure(const struct pmu_chosen *c, const struct workload *w,
                                      uint32_t rounds, uint32_t argument)
{
	return pmu_chosen_measure_code(c, w->code, rounds, argument);
}

struct pmu_reading pmu_chosen_measure_code(const struct pmu_chosen *c,
                                           void (*code)(uint32_t rounds, uint32_t argument),
                                           uint32_t rounds, uint32_t argument)
{
	struct pmu_reading r;

	pmu_chosen_tag(c, true);
	r = pmu_measure_code(c->setup, c->setup_count, code, rounds, argument);
	pmu_chosen_tag(c, false);
	return r;
}

void pmu_chosen_tag(const struct pmu_chosen *c, bool is_on)
{
	if (c->pebs_enable)
		netburst_set_replay(is_on ? c->pebs_enable : 0, is_on ? c->matrix_vert : 0);
}

int64_t pmu_spec_value(const struct pmu_chosen *c, unsigned i, const uint64_t *counts)
{
	const struct pmu_event_spec *spec = &c->spec[i];
	int64_t value = 0;

	for (unsigned part = 0; part < spec->count; part++)
		value += spec->factor[part] * (int64_t)counts[spec->first + part];
	return value;
}
