/* SPDX-License-Identifier: MIT */
/* Finds AMD's events: by AMD's names, then by the names that all its processors share. */
#include <pmu/events/event_request.h>

#include <kernel/lib/format.h>
#include <pmu/events/amd_events.h>
#include <pmu/events/arch_events.h>

static void list_masks(const struct amd_row *e, char *buffer, size_t size)
{
	const char *name;
	uint8_t bits;
	int at = format_buf(buffer, size, "%s", amd_event_mask_at(e, 0, &bits) ? "; it has"
	                                                                       : "; it has none");

	for (unsigned i = 0; (name = amd_event_mask_at(e, i, &bits)) && (size_t)at < size; i++)
		at += format_buf(buffer + at, size - (size_t)at, " %s", name);
}

static bool refuse_mask(const struct event_request *w, const struct amd_row *e,
                        const struct event_problem *p)
{
	char list[160];

	list_masks(e, list, sizeof(list));
	return event_refuse(p, "%s has no mask %s, or its masks do not join%s", amd_event_name(e),
	                    w->text.masks, list);
}

/* Returns whether this processor has the event under a name that AMD uses elsewhere. */
static bool is_shared(const char *name)
{
	const struct arch_event *e = arch_event_find(name);

	return e && arch_event_exists(e);
}

bool event_find_amd(struct event_request *w, const struct event_problem *p)
{
	const struct amd_row *e = amd_event_find(w->text.event);
	uint8_t bits;

	if (!e || (!amd_event_exists(e) && is_shared(w->text.event)))
		return event_find_arch(w, p);
	if (!amd_event_exists(e))
		return event_refuse(p, "this processor does not have the event %s: others of AMD's "
		                    "do", amd_event_name(e));
	if (amd_event_counted_by(e))
		return event_refuse(p, "%s, code %XH, is counted by %s, not by the core's",
		                    amd_event_name(e), e->code, amd_event_counted_by(e));
	if (!amd_event_mask(e, w->text.masks[0] ? w->text.masks : NULL, &bits))
		return refuse_mask(w, e, p);
	w->name = amd_event_name(e);
	w->event = (uint16_t)EVENT(e->code & 0xff, bits);
	w->event_high = (uint8_t)(e->code >> 8);
	w->counters = amd_event_counters(e, bits);
	return true;
}
