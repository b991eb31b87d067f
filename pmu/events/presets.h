/* SPDX-License-Identifier: MIT */
/*
 * Defines one set of events for every generation, with the names of PAPI's presets: PAPI_TOT_INS.
 * If a generation cannot count a preset, it gives the reason, instead of counting something
 * similar.
 *
 * The tables are only data and link without the kernel.
 */
#ifndef PMU_EVENTS_PRESETS_H
#define PMU_EVENTS_PRESETS_H

#include <stdint.h>

/* Describes one native event of a preset, written as event_spec.h accepts it. factor is 1 or -1. */
struct pmu_preset_part { const char *event; int8_t factor; };
enum { PMU_PRESET_PARTS = 4 };

struct pmu_preset {
	const char *name;              /* "PAPI_TOT_INS" */
	const char *meaning;           /* "instructions that retired" */
};

/* Lists all presets, in the order for display. */
extern const struct pmu_preset pmu_presets[];
extern const unsigned pmu_preset_count;

/* Describes a preset on some microarchitectures. The first row that matches applies. */
struct pmu_preset_row {
	const char *preset;
	uint32_t on;                   /* enum pmu_microarchitecture */
	struct pmu_preset_part parts[PMU_PRESET_PARTS + 1];    /* event NULL ends them */
	const char *note;              /* if there are parts: what else they count, or NULL */
	const char *why;               /* if there are no parts: why it is not available */
	const char *near;              /* the similar event that `why` explains is not the same */
	const char *lacks;             /* a word that no event of that processor has in its name */
};
extern const struct pmu_preset_row pmu_preset_rows[];
extern const unsigned pmu_preset_row_count;

/* Returns the row of a preset on one microarchitecture, or NULL. */
const struct pmu_preset_row *pmu_preset_row(const struct pmu_preset *p, uint32_t on);

/* Finds a preset by its name, ignoring case; returns NULL if the name is unknown. */
const struct pmu_preset *pmu_preset_find(const char *name);

/*
 * Returns the preset's parts on this processor, ended by an event of NULL. If the preset is not
 * available, or if CPUID reports one of its events as missing, returns NULL and sets *why to the
 * reason: "the P6 family has no event for it".
 */
const struct pmu_preset_part *pmu_preset_here(const struct pmu_preset *p, const char **why);

/*
 * Describes a name of an event in Linux' perf, and what it means on some microarchitectures: a
 * preset, or an event as event_spec.h accepts it.
 */
struct pmu_perf_name { const char *name; uint32_t on; const char *meaning; };
extern const struct pmu_perf_name pmu_perf_names[];
extern const unsigned pmu_perf_name_count;

/*
 * Return what one of perf's names means here, or perf's name for that; or NULL. Perf's names have
 * small letters, because in capitals BRANCHES is the Pentium's own event.
 */
const char *pmu_perf_meaning(const char *name);
const char *pmu_perf_name_of(const char *meaning);

#endif
