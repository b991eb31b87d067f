/* SPDX-License-Identifier: MIT */
/* Lists the native events of this processor. */
#include <pmu/events/event_request.h>

#include <kernel/lib/nearest.h>
#include <pmu/events/amd_events.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/events.h>
#include <pmu/events/presets.h>

_Static_assert((int)PMU_NATIVE_MASKS >= (int)PMU_EVENT_MASKS_MAX, "masks of P6");
_Static_assert((int)PMU_NATIVE_MASKS >= (int)NETBURST_MASKS_MAX, "masks of NetBurst");

/* ---------------------------------------------------------------------------- P5, P6 */

static bool table_at(unsigned n, struct pmu_native *e)
{
	unsigned count;
	const struct pmu_event *table = pmu_event_table(&count);

	for (unsigned i = 0; i < count; i++) {
		if (!pmu_event_exists(&table[i]) || n-- > 0)
			continue;
		*e = (struct pmu_native){ .name = table[i].name, .counters = table[i].counters };
		for (unsigned m = 0; m < PMU_EVENT_MASKS_MAX; m++)
			e->mask[m] = table[i].masks[m].name;
		return true;
	}
	return false;
}

/* ---------------------------------------------------------------------------- architectural */

static bool arch_at(unsigned n, struct pmu_native *e)
{
	for (unsigned i = 0; i < arch_event_count; i++) {
		if (!arch_event_exists(&arch_events[i]) || n-- > 0)
			continue;
		*e = (struct pmu_native){
			.name = arch_events[i].name,
			.counters = arch_event_counters(&arch_events[i]),
			.aliases = arch_events[i].aliases,
			.alias_count = ARCH_EVENT_ALIASES,
		};
		return true;
	}
	return false;
}

/* ---------------------------------------------------------------------------- AMD */

static void fill_amd(const struct amd_row *e, struct pmu_native *native)
{
	uint8_t bits;

	*native = (struct pmu_native){
		.name = amd_event_name(e), .counters = amd_event_counters(e, e->full),
		.counted_by = amd_event_counted_by(e), .restrictions = amd_event_restrictions(e),
	};
	for (unsigned i = 0; i < PMU_NATIVE_MASKS; i++)
		native->mask[i] = amd_event_mask_at(e, i, &bits);
}

/* AMD's own events, then those names of arch_events.h that AMD does not use here. */
static bool amd_at(unsigned n, struct pmu_native *e)
{
	const struct amd_row *row = amd_event_at(n);
	unsigned own = row ? 0 : amd_event_count();

	if (row) {
		fill_amd(row, e);
		return true;
	}
	for (unsigned i = 0; arch_at(i, e); i++) {
		const struct amd_row *same = amd_event_find(e->name);

		if (!(same && amd_event_exists(same)) && own++ == n)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------------------- NetBurst */

static bool netburst_at(unsigned n, struct pmu_native *e)
{
	for (unsigned i = 0; i < NETBURST_EVENTS; i++) {
		const struct netburst_event *event = &netburst_events[i];

		if (!netburst_event_exists(event) || n-- > 0)
			continue;
		*e = (struct pmu_native){
			.name = event->name, .counters = netburst_event_counters(event),
		};
		for (unsigned m = 0; m < NETBURST_MASKS_MAX && event->masks[m].name; m++)
			e->mask[m] = event->masks[m].name;
		return true;
	}
	if (n >= netburst_metric_count)
		return false;
	*e = (struct pmu_native){
		.name = netburst_metrics[n].name, .is_metric = true,
		.counters = netburst_event_counters(netburst_event_find(netburst_metrics[n].event)),
	};
	return true;
}

bool pmu_native_at(unsigned n, struct pmu_native *e)
{
	switch (pmu_get()->class->generation) {
	case PMU_AMD_K7:
	case PMU_AMD_CORE: return amd_at(n, e);
	case PMU_ARCH:     return arch_at(n, e);
	case PMU_NETBURST: return netburst_at(n, e);
	default:           return table_at(n, e);
	}
}

bool event_refuse_unknown(const struct event_request *w, const struct event_problem *p)
{
	char meant[NEAREST_TEXT_SIZE];
	struct nearest nearest;
	struct pmu_native e;

	nearest_begin(&nearest, w->text.event);
	for (unsigned i = 0; pmu_native_at(i, &e); i++)
		nearest_try(&nearest, e.name);
	for (unsigned i = 0; i < pmu_preset_count; i++)
		nearest_try(&nearest, pmu_presets[i].name);
	return event_refuse(p, "there is no event %s%s%s on this processor%s; \"events\" lists all "
	                    "events", w->text.event, w->text.masks[0] ? ":" : "", w->text.masks,
	                    nearest_text(&nearest, meant));
}
