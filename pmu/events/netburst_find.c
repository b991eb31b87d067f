/* SPDX-License-Identifier: MIT */
/* Finds NetBurst's ESCRs, events and metrics by name, and which of them this processor has. */
#include <pmu/events/netburst_pmu.h>

#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <pmu/events/event_text.h>

/*
 * Models that no manual lists, and other families with the word uarch=, have what all models have.
 */
enum { MODEL_OF_OTHERS = 3, FAMILY = 0xf };

static uint32_t model_bit(void)
{
	const struct cpu_identity *cpu = machine_cpu();
	bool is_listed = cpu->family == FAMILY && cpu->model < 32
	                 && (NETBURST_ALL_MODELS >> cpu->model & 1);

	return UINT32_C(1) << (is_listed ? cpu->model : MODEL_OF_OTHERS);
}

/* CCCR bit 11. Source: SDM 3B, "Extended Cascading": models 2, 3, 4, 6. */
bool netburst_has_extended_cascading(void)
{
	return machine_cpu()->family == FAMILY && machine_cpu()->model >= 2;
}

const struct netburst_escr *netburst_escr_find(const char *name)
{
	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		if (strcmp(netburst_escrs[i].name, name) == 0)
			return &netburst_escrs[i];
	return NULL;
}

const struct netburst_escr *netburst_escr_of(unsigned counter, unsigned select)
{
	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		if (netburst_escrs[i].select == select
		    && (netburst_escrs[i].counters >> counter & 1))
			return &netburst_escrs[i];
	return NULL;
}

bool netburst_has_escr(const struct netburst_escr *e)
{
	return (e->models & model_bit()) != 0;
}

const struct netburst_event *netburst_event_find(const char *name)
{
	for (unsigned i = 0; i < NETBURST_EVENTS; i++)
		if (event_text_is_same(netburst_events[i].name, name))
			return &netburst_events[i];
	return NULL;
}

/*
 * Returns the bits of the mask whose name is the first length characters of text, or 0 if there is
 * none.
 */
static uint16_t find_mask(const struct netburst_event *e, const char *text, size_t length)
{
	for (unsigned i = 0; i < NETBURST_MASKS_MAX && e->masks[i].name; i++)
		if (strlen(e->masks[i].name) == length
		    && memcmp(e->masks[i].name, text, length) == 0)
			return e->masks[i].bits;
	return 0;
}

bool netburst_event_mask(const struct netburst_event *e, const char *masks, uint16_t *bits)
{
	size_t length;
	uint16_t found;

	*bits = masks ? 0 : e->all;
	for (bool is_more = masks != NULL; is_more; masks += length + 1) {
		for (length = 0; masks[length] && masks[length] != '+'; length++)
			;
		is_more = masks[length] == '+';
		found = find_mask(e, masks, length);
		if (!found)
			return false;
		*bits = (uint16_t)(*bits | found);
	}
	return true;
}

bool netburst_event_exists(const struct netburst_event *e)
{
	return (e->models & model_bit()) != 0;
}

/* Returns the event's ESCR i on this processor, or NULL. */
static const struct netburst_escr *escr_of_event(const struct netburst_event *e, unsigned i)
{
	return e->escrs[i] && netburst_has_escr(e->escrs[i]) ? e->escrs[i] : NULL;
}

const struct netburst_escr *netburst_event_escr(const struct netburst_event *e, unsigned counter)
{
	for (unsigned i = 0; i < NETBURST_ESCRS_PER_EVENT; i++) {
		const struct netburst_escr *escr = escr_of_event(e, i);

		if (escr && (escr->counters >> counter & 1))
			return escr;
	}
	return NULL;
}

const struct netburst_event *netburst_event_of(const struct netburst_escr *escr, uint64_t value)
{
	for (unsigned i = 0; escr && i < NETBURST_EVENTS; i++) {
		const struct netburst_event *e = &netburst_events[i];

		if (e->select == FIELD_GET(ESCR_EVENT_SELECT, value) && netburst_event_exists(e)
		    && (e->escrs[0] == escr || e->escrs[1] == escr))
			return e;
	}
	return NULL;
}

uint32_t netburst_event_counters(const struct netburst_event *e)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < NETBURST_ESCRS_PER_EVENT && netburst_event_exists(e); i++) {
		const struct netburst_escr *escr = escr_of_event(e, i);

		counters |= escr ? escr->counters : 0;
	}
	return counters;
}

const struct netburst_metric *netburst_metric_find(const char *name)
{
	for (unsigned i = 0; i < netburst_metric_count; i++)
		if (event_text_is_same(netburst_metrics[i].name, name))
			return &netburst_metrics[i];
	return NULL;
}
