/* SPDX-License-Identifier: MIT */
/* Finds events: selects the table, the rows of this processor, and the setup for a row. */
#include <pmu/events/events.h>

#include <stddef.h>

#include <kernel/run/test.h>
#include <pmu/events/event_request.h>
#include <pmu/events/event_text.h>

const struct pmu_event *pmu_event_table(unsigned *count)
{
	const struct event_source *s = pmu_get()->class->events;

	*count = s && s->table ? *s->table_count : 0;
	return s ? s->table : NULL;
}

bool pmu_event_exists(const struct pmu_event *e)
{
	return !e->is_reserved && (e->models & pmu_microarchitecture());
}

static bool is_named(const struct pmu_event *e, const char *name)
{
	if (event_text_is_same(e->name, name))
		return true;
	for (unsigned i = 0; i < PMU_EVENT_ALIASES_MAX && e->aliases[i]; i++)
		if (event_text_is_same(e->aliases[i], name))
			return true;
	return false;
}

const struct pmu_event *pmu_event_find(const char *name)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count), *other = NULL;

	for (unsigned i = 0; i < count; i++) {
		if (!is_named(&table[i], name))
			continue;
		if (pmu_event_exists(&table[i]))
			return &table[i];
		other = other ? other : &table[i];
	}
	return other;
}

const struct pmu_event *pmu_event_of(uint64_t select)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count);

	for (unsigned i = 0; i < count; i++)
		if (table[i].select == select && pmu_event_exists(&table[i]))
			return &table[i];
	return NULL;
}

struct pmu_setup pmu_event_setup(const struct pmu_event *e, const char *mask, unsigned counter,
                                 unsigned flags)
{
	uint8_t bits;

	if (!pmu_event_mask(e, mask, &bits))
		test_abort("the event %s has no mask %s", e->name, mask);
	return (struct pmu_setup){
		.counter = counter, .flags = flags, .event = (uint16_t)(bits << 8 | e->select),
	};
}
