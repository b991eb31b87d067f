/* SPDX-License-Identifier: MIT */
#include <pmu/events/presets.h>

#include <stddef.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <pmu/core/program.h>
#include <pmu/events/arch_events.h>
#include <pmu/events/event_text.h>
#include <pmu/events/intel_events.h>

const struct pmu_preset_row *pmu_preset_row(const struct pmu_preset *p, uint32_t on)
{
	for (unsigned i = 0; i < pmu_preset_row_count; i++)
		if (pmu_preset_rows[i].on & on && strcmp(pmu_preset_rows[i].preset, p->name) == 0)
			return &pmu_preset_rows[i];
	return NULL;
}

const struct pmu_preset *pmu_preset_find(const char *name)
{
	for (unsigned i = 0; i < pmu_preset_count; i++)
		if (event_text_is_same(pmu_presets[i].name, name))
			return &pmu_presets[i];
	return NULL;
}

/* Returns whether Intel's list of this processor's own events has the name. */
static bool is_listed(const char *name)
{
	const struct intel_row *e = intel_event_find(name);

	return e && intel_event_exists(e);
}

/*
 * Architectural processors of one kind differ in the events that CPUID or their list reports.
 * Returns NULL if all parts exist.
 */
static const char *find_missing(const struct pmu_preset_row *row)
{
	if (!pmu_has(PMU_HAS_LEAF_0AH))
		return NULL;
	for (unsigned i = 0; row->parts[i].event; i++) {
		const struct arch_event *e = arch_event_find(row->parts[i].event);

		if (e ? !arch_event_exists(e) : !is_listed(row->parts[i].event))
			return row->parts[i].event;
	}
	return NULL;
}

const struct pmu_preset_part *pmu_preset_here(const struct pmu_preset *p, const char **why)
{
	static char text[96];
	const struct pmu_preset_row *row = pmu_preset_row(p, pmu_microarchitecture());
	const char *missing = row ? find_missing(row) : NULL;

	*why = row ? row->why : "there is no table of events for this processor";
	if (missing) {
		format_buf(text, sizeof(text), "%s says that this processor does not have %s",
		           arch_event_find(missing) ? "CPUID leaf 0AH" : "Intel's list",
		           missing);
		*why = text;
		return NULL;
	}
	return row && row->parts[0].event ? row->parts : NULL;
}

const char *pmu_perf_meaning(const char *name)
{
	for (unsigned i = 0; i < pmu_perf_name_count; i++)
		if (pmu_perf_names[i].on & pmu_microarchitecture()
		    && strcmp(pmu_perf_names[i].name, name) == 0)
			return pmu_perf_names[i].meaning;
	return NULL;
}

const char *pmu_perf_name_of(const char *meaning)
{
	for (unsigned i = 0; i < pmu_perf_name_count; i++) {
		const struct pmu_perf_name *p = &pmu_perf_names[i];

		if (pmu_perf_meaning(p->name) == p->meaning && strcmp(p->meaning, meaning) == 0)
			return p->name;
	}
	return NULL;
}
