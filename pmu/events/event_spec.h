/* SPDX-License-Identifier: MIT */
/*
 * Parses events as people write them, for any generation, and gives them counters, ready to be
 * measured.
 *
 *	EVENT[:MASK...][:u][:k][,cmask=N][,inv][,edge][,any]
 *
 * EVENT is a preset (presets.h: PAPI_TOT_INS), one of perf's (cycles, branch-misses), an event
 * by the manual's name on this processor (events.h for P5 and P6; netburst_pmu.h for NetBurst's
 * events and metrics; arch_events.h for architectural and model-specific ones), or its number:
 * rUUEE, the unit mask and the event select in hexadecimal, as Linux' perf writes it. Masks by name
 * are joined by ':' or '+'. u counts CPL 3 (on P5, NetBurst and others PMU_USR), k counts CPL 0;
 * without either, both count. Case does not matter, but perf's names have small letters.
 */
#ifndef PMU_EVENTS_EVENT_SPEC_H
#define PMU_EVENTS_EVENT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/core/program.h>
#include <pmu/events/event_text.h>
#include <pmu/events/netburst_pmu.h>

enum { PMU_SPECS_MAX = 8, PMU_SPEC_PARTS = 4, PMU_SPEC_NAME_SIZE = 64 };

/* Describes one spec. Its value is the sum of its setups' counts, each times its factor. */
struct pmu_event_spec {
	char name[PMU_SPEC_NAME_SIZE];     /* as it was written, with the manual's capitals */
	unsigned first, count;             /* its setups in struct pmu_chosen */
	int8_t factor[PMU_SPEC_PARTS];     /* 1 or -1 */
};

struct pmu_chosen {
	unsigned count, setup_count;
	struct pmu_event_spec spec[PMU_SPECS_MAX];
	struct pmu_setup setup[PMU_SETUPS_MAX];
	struct netburst_use use[PMU_SETUPS_MAX];
	uint32_t pebs_enable, matrix_vert;     /* NetBurst: what enables replay tagging; else 0 */
};

/*
 * Parses the texts and gives each a counter that can count it, none twice. c must not be copied,
 * because setups point into it. Returns false if that fails; problem, of size bytes, is then a
 * sentence without a full stop. It names an event that this processor does not have, a mask that
 * the event does not have (and those it has), an option that this generation lacks, or the counters
 * that are missing.
 */
bool pmu_choose(struct pmu_chosen *c, const char *const *texts, unsigned count, char *problem,
                size_t size);

/*
 * Does the same, and adds the spec `also`, as the last one, if it is not among the others and a
 * counter is left for it.
 */
bool pmu_choose_and(struct pmu_chosen *c, const char *const *texts, unsigned count,
                    const char *also, char *problem, size_t size);

/*
 * Measures all specs with pmu_measure(), after pmu_choose(). Enables NetBurst's replay tagging.
 */
struct pmu_reading pmu_chosen_measure(const struct pmu_chosen *c, const struct workload *w,
                                      uint32_t rounds, uint32_t argument);

/*
 * Switches replay tagging on or off in NetBurst's MSR_PEBS_ENABLE and _MATRIX_VERT, for callers
 * that measure c->setup themselves. Does nothing on other processors.
 */
void pmu_chosen_tag(const struct pmu_chosen *c, bool is_on);

/* Does the same with code that is not a workload of known counts. */
struct pmu_reading pmu_chosen_measure_code(const struct pmu_chosen *c,
                                           void (*code)(uint32_t rounds, uint32_t argument),
                                           uint32_t rounds, uint32_t argument);

/* Describes a native event of this processor that can be chosen. */
enum { PMU_NATIVE_MASKS = 32 };
struct pmu_native {
	const char *name;              /* may point to joined: copies of *e are not valid */
	char joined[EVENT_TEXT_TEXT_SIZE];             /* Intel: a name of two texts */
	uint64_t counters;             /* bit n is counter n, bit 32 + i counter PMU_FIXED + i */
	const char *mask[PMU_NATIVE_MASKS + 1];        /* NULL ends them */
	const char *const *aliases;    /* alias_count of them; NULL ends them */
	unsigned alias_count;
	const char *counted_by;        /* AMD: counters that are not the core's; else NULL */
	const char *restrictions;      /* steppings, errata and more; may be NULL */
	bool is_metric;                /* NetBurst: another event tags what it counts */
};

/* Returns the nth event in *e, or false if there are no more. */
bool pmu_native_at(unsigned n, struct pmu_native *e);

/*
 * Writes " (did you mean A, B or C?)", of names of events like this one, or nothing, to text, of
 * NEAREST_TEXT_SIZE bytes (kernel/lib/nearest.h); returns text.
 */
const char *pmu_nearest_events(const char *name, char *text);

/*
 * Returns the name of the event, or of CESR's two, that a register with this name and value
 * selects, or NULL if it is unknown.
 */
const char *pmu_selected(const char *select, uint64_t value);

/* Returns the value of spec i, computed from the setups' counts. */
int64_t pmu_spec_value(const struct pmu_chosen *c, unsigned i, const uint64_t *counts);

#endif
