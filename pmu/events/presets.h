/* SPDX-License-Identifier: MIT */
/*
 * One set of events for every generation, named as PAPI names its presets: PAPI_TOT_INS. What a
 * generation cannot count says so with the reason, instead of counting something near.
 *
 * The tables are data alone and link without the kernel.
 */
#ifndef PMU_EVENTS_PRESETS_H
#define PMU_EVENTS_PRESETS_H

#include <stdint.h>

/* One native event of a preset, as choice.h takes it; factor 1 or -1. */
struct pmu_preset_part { const char *event; int8_t factor; };
enum { PMU_PRESET_PARTS = 4 };

struct pmu_preset {
	const char *name;              /* "PAPI_TOT_INS" */
	const char *meaning;           /* "instructions that retired" */
};

/* All of them, in the order in which they are to be shown. */
extern const struct pmu_preset pmu_presets[];
extern const unsigned pmu_preset_count;

/* What a preset is on some microarchitectures. The first row that matches is it. */
struct pmu_preset_row {
	const char *preset;
	uint32_t on;                   /* enum pmu_microarchitecture */
	struct pmu_preset_part parts[PMU_PRESET_PARTS + 1];    /* event NULL: no more, or none */
	const char *note;              /* with parts: what else they count; or NULL */
	const char *why;               /* without: why it is not available */
	const char *near;              /* the event of which `why` says that it is another one */
	const char *lacks;             /* no event there has this word in its name */
};
extern const struct pmu_preset_row pmu_preset_rows[];
extern const unsigned pmu_preset_row_count;

/* The row of a preset on one microarchitecture; NULL: there is none. */
const struct pmu_preset_row *pmu_preset_row(const struct pmu_preset *p, uint32_t on);

/* NULL: there is no preset of this name; capitals do not matter. */
const struct pmu_preset *pmu_preset_find(const char *name);

/*
 * Its parts on this processor, the end marked by event NULL; NULL: not available here, and *why is
 * the reason: "the P6 family has no event for it". What CPUID says is missing is not available.
 */
const struct pmu_preset_part *pmu_preset_here(const struct pmu_preset *p, const char **why);

#endif
