/* SPDX-License-Identifier: MIT */
/* Finds events and counters of P5, P6 and architectural performance monitoring. */
#include <pmu/events/event_request.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/events.h>

/* ---------------------------------------------------------------------------- P5, P6 */

/*
 * On P5 the row says whether the number stands for clocks. Returns NULL if there is none, or one
 * for each counter.
 */
static const struct pmu_event *find_numbered(uint8_t select, unsigned *rows)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count), *found = NULL;

	*rows = 0;
	for (unsigned i = 0; i < count; i++)
		if (table[i].select == select && pmu_event_exists(&table[i])) {
			found = &table[i];
			++*rows;
		}
	return *rows == 1 ? found : NULL;
}

/* Without a unit mask there are bits for clocks instead. */
static bool has_umask(void) { return pmu_get()->class->events->has_umask; }

static void take_event(struct event_request *w, const struct pmu_event *e)
{
	w->counters = e->counters;
	w->flags |= !has_umask() && e->kind == PMU_CYCLES ? PMU_CLOCKS : 0;
}

static bool find_raw(struct event_request *w, uint16_t event, const struct event_problem *p)
{
	unsigned rows;
	const struct pmu_event *e = find_numbered((uint8_t)event, &rows);

	if (w->text.masks[0])
		return event_refuse(p, "%s: the mask is in the number", w->text.event);
	if (!has_umask() && event > 0x3f)
		return event_refuse(p, "%s: the Pentium's event selects are 0 to 3F, without a "
		                    "unit mask", w->text.event);
	if (!has_umask() && rows > 1)
		return event_refuse(p, "%s is another event on each counter: write its name",
		                    w->text.event);
	w->name = w->text.event;
	w->event = event;
	w->counters = 3;
	if (e)
		take_event(w, e);
	return true;
}

static void list_masks(const struct pmu_event *e, char *buffer, size_t size)
{
	int at = format_buf(buffer, size, "%s", e->masks[0].name ? "; it has" : "; it has none");

	for (unsigned i = 0; i < PMU_EVENT_MASKS_MAX && e->masks[i].name; i++)
		if ((size_t)at < size)
			at += format_buf(buffer + at, size - (size_t)at, " %s", e->masks[i].name);
}

bool event_find_table(struct event_request *w, const struct event_problem *p)
{
	const char *masks = w->text.masks[0] ? w->text.masks : NULL;
	const struct pmu_event *e = pmu_event_find(w->text.event);
	char list[96];
	uint16_t raw;
	uint8_t bits;

	if (!e && event_text_is_raw(w->text.event, &raw))
		return find_raw(w, raw, p);
	if (!e)
		return event_refuse_unknown(w, p);
	if (!pmu_event_exists(e))
		return event_refuse(p, "this processor does not have the event %s: other models "
		                    "of its family do", e->name);
	if (!pmu_event_mask(e, masks, &bits)) {
		list_masks(e, list, sizeof(list));
		return event_refuse(p, "%s has no mask %s%s", e->name, masks, list);
	}
	w->name = e->name;
	w->event = (uint16_t)(bits << 8 | e->select);
	take_event(w, e);
	return true;
}

/* ---------------------------------------------------------------------------- architectural */

/* Libraries write INST_RETIRED:ANY_P, which the manual writes as one name with a full stop. */
const struct arch_event *event_find_arch_name(const struct event_text *t)
{
	char name[2 * EVENT_TEXT_TEXT_SIZE];

	format_buf(name, sizeof(name), "%s%s%s", t->event, t->masks[0] ? "." : "", t->masks);
	return arch_event_find(name);
}

static uint64_t general_counters(void)
{
	return (UINT64_C(1) << pmu_get()->gp_count) - 1;
}

bool event_find_arch(struct event_request *w, const struct event_problem *p)
{
	const struct arch_event *e = event_find_arch_name(&w->text);
	uint16_t raw;

	if (!e && !w->text.masks[0] && event_text_is_raw(w->text.event, &raw)) {
		w->name = w->text.event;
		w->event = raw;
		w->counters = general_counters();
		return true;
	}
	if (!e)
		return event_refuse_unknown(w, p);
	w->name = e->name;
	w->text.masks[0] = '\0';
	w->event = e->event;
	w->event_high = e->umask2;
	w->counters = arch_event_counters(e);
	if (w->text.cmask || w->flags & (PMU_EDGE | PMU_INV))
		w->counters &= UINT32_MAX;     /* fixed counters have no comparison */
	if (!w->counters)
		return event_refuse(p, arch_event_exists(e)
		                    ? "%s is counted by a fixed counter: it has no cmask and edge"
		                    : "this processor does not have the event %s", e->name);
	return true;
}

/* ---------------------------------------------------------------------------- counters */

/* Writes "IA32_PMC0 to IA32_PMC3", or the name of the only one. */
static void describe(uint64_t counters, char *buffer, size_t size)
{
	char name[PMU_NAME_SIZE];
	int at = 0;

	buffer[0] = '\0';
	for (unsigned i = 0; i < 64; i++)
		if ((counters >> i & 1) && pmu_has_counter(i) && (size_t)at < size)
			at += format_buf(buffer + at, size - (size_t)at, "%s%s", at ? ", " : "",
			                 pmu_counter_name(i, name));
}

bool event_place(struct pmu_chosen *c, const struct event_request *requests, unsigned count,
                 const struct event_problem *p)
{
	uint64_t counters[EVENT_REQUESTS_MAX] = { 0 };
	unsigned counter[EVENT_REQUESTS_MAX] = { 0 }, failed;
	char list[160];

	if (count > PMU_SETUPS_MAX)
		return event_refuse(p, "%u counters are needed: at most %d at once", count,
		                    PMU_SETUPS_MAX);
	for (unsigned i = 0; i < count; i++)
		counters[i] = requests[i].counters;
	if (!event_match(counters, count, counter, &failed)) {
		describe(counters[failed], list, sizeof(list));
		return event_refuse(p, "%s: no counter is left for %s: those that can count it, "
		                    "%s, are taken; count one after the other",
		                    requests[failed].of, requests[failed].name, list);
	}
	for (unsigned i = 0; i < count; i++)
		c->setup[i] = (struct pmu_setup){
			.counter = counter[i], .event = requests[i].event,
			.event_high = requests[i].event_high,
			.cmask = requests[i].cmask ? requests[i].cmask
			                           : requests[i].text.cmask,
			.flags = requests[i].flags,
		};
	c->setup_count = count;
	return true;
}
