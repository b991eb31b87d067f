/* SPDX-License-Identifier: MIT */
/* Finds Intel's events: by the names of arch_events.h, then by those of Intel's lists. */
#include <pmu/events/event_request.h>

#include <kernel/lib/format.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/intel_events.h>

/* Libraries write MEM_INST_RETIRED:ALL_LOADS, which the lists write with a dot. */
static const struct intel_row *find(const struct event_text *t)
{
	char name[2 * EVENT_TEXT_TEXT_SIZE];

	format_buf(name, sizeof(name), "%s%s%s", t->event, t->masks[0] ? "." : "", t->masks);
	return intel_event_find(name);
}

static bool refuse_msr(const char *name, const struct intel_row *e, const struct event_problem *p)
{
	const struct intel_msr *msr = intel_event_msr(e);

	return event_refuse(p, "%s needs MSR %" PRIX32 "H = %" PRIX32 "H: write that by \"wrmsr\", "
	                    "and count r%02X%02X", name, msr->number, msr->value, e->umask,
	                    e->code);
}

static bool take(struct event_request *w, const struct intel_row *e, const struct event_problem *p)
{
	const struct pmu_setup own = intel_event_setup(e, 0, 0);

	intel_event_name(e, w->text.event);
	w->text.masks[0] = '\0';
	if (intel_event_msr(e))
		return refuse_msr(w->text.event, e, p);
	if (own.cmask && w->text.cmask)
		return event_refuse(p, "%s has a cmask of its own, %u", w->text.event, own.cmask);
	if ((own.flags & PMU_ANY) && !event_source_arch.has_any())
		return event_refuse(p, "%s needs AnyThread, which this processor does not have",
		                    w->text.event);
	w->name = w->text.event;
	w->event = own.event;
	w->event_high = own.event_high;
	w->cmask = own.cmask;
	w->flags |= own.flags;
	w->counters = intel_event_counters(e);
	return true;
}

bool event_find_intel(struct event_request *w, const struct event_problem *p)
{
	const struct arch_event *arch = event_find_arch_name(&w->text);
	const struct intel_row *e = arch && arch_event_exists(arch) ? NULL : find(&w->text);

	if (!e || (arch && !intel_event_exists(e)))
		return event_find_arch(w, p);
	if (intel_event_exists(e))
		return take(w, e, p);
	intel_event_name(e, w->text.event);
	return event_refuse(p, "this processor does not have the event %s: others of Intel's do",
	                    w->text.event);
}
