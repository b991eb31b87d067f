/* SPDX-License-Identifier: MIT */
#include <pmu/events/arch_events.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <pmu/core/program.h>
#include <pmu/events/event_text.h>

static bool is_fixed_here(const struct arch_event *e)
{
	return e->fixed != ARCH_NOT_FIXED && (pmu_get()->fixed_map >> e->fixed & 1);
}

/*
 * Leaf 0AH reports which architectural events exist; a fixed counter counts its own event anyway.
 */
bool arch_event_exists(const struct arch_event *e)
{
	if (!(e->on & pmu_microarchitecture()))
		return false;
	if ((e->umask2 || e->lacks_umask2) && cpuid_get(CPUID_PERFMON_UMASK2) != (e->umask2 != 0))
		return false;
	return is_fixed_here(e) || (e->is_architectural ? pmu_has_event(e->event)
	                                                : e->event != ARCH_FIXED_ALONE);
}

uint64_t arch_event_counters(const struct arch_event *e)
{
	uint64_t counters = 0;

	if (!arch_event_exists(e))
		return 0;
	if (e->event != ARCH_FIXED_ALONE && (!e->is_architectural || pmu_has_event(e->event)))
		for (unsigned i = 0; i < pmu_get()->gp_count; i++)
			counters |= (uint64_t)(e->counters >> i & 1) << i;
	return is_fixed_here(e) ? counters | BIT(PMU_FIXED + e->fixed) : counters;
}

static bool is_named(const struct arch_event *e, const char *name)
{
	if (event_text_is_same(e->name, name))
		return true;
	for (unsigned i = 0; i < ARCH_EVENT_ALIASES && e->aliases[i]; i++)
		if (event_text_is_same(e->aliases[i], name))
			return true;
	return false;
}

/* On AMD UMASK2's bits are others. */
static bool is_selected_by(const struct arch_event *e, uint64_t select)
{
	return e->event == (uint16_t)select
	       && (!e->umask2 || e->umask2 == FIELD_GET(IA32_PERFEVTSEL_UMASK2, select));
}

const struct arch_event *arch_event_of(uint64_t select)
{
	const struct arch_event *other = NULL;

	for (unsigned i = 0; i < arch_event_count; i++) {
		if (!is_selected_by(&arch_events[i], select))
			continue;
		if (arch_event_exists(&arch_events[i]))
			return &arch_events[i];
		other = other ? other : &arch_events[i];
	}
	return other;
}

const struct arch_event *arch_event_find(const char *name)
{
	const struct arch_event *other = NULL;

	for (unsigned i = 0; i < arch_event_count; i++) {
		if (!is_named(&arch_events[i], name))
			continue;
		if (arch_event_exists(&arch_events[i]))
			return &arch_events[i];
		other = other ? other : &arch_events[i];
	}
	return other;
}
