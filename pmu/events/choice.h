/* SPDX-License-Identifier: MIT */
/*
 * Events as people write them, on any generation: parsed, given counters, ready to be measured.
 *
 *	EVENT[:MASK...][:u][:k][,cmask=N][,inv][,edge][,any]
 *
 * EVENT is a preset (presets.h: PAPI_TOT_INS), an event by the manual's name on this
 * processor (P5, P6: events.h; NetBurst's and its metrics: netburst_pmu.h; architectural and
 * model-specific ones: arch_events.h), or its number: rUUEE, the unit mask and the event
 * select in hexadecimal, as Linux' perf writes it. Masks by name are joined by ':' or '+'. u: CPL
 * 3 (P5, NetBurst and others: PMU_USR), k: CPL 0; without either both. Capital letters do not
 * matter.
 */
#ifndef PMU_EVENTS_CHOICE_H
#define PMU_EVENTS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/core/program.h>
#include <pmu/events/netburst_pmu.h>

enum { PMU_CHOICES_MAX = 8, PMU_CHOICE_PARTS = 4, PMU_CHOICE_NAME_SIZE = 64 };

/* One of them: the sum of its setups' counts, each times its factor. */
struct pmu_choice {
	char name[PMU_CHOICE_NAME_SIZE];   /* as it was written, capitals as the manual has them */
	unsigned first, count;             /* its setups in struct pmu_chosen */
	int8_t factor[PMU_CHOICE_PARTS];   /* 1 or -1 */
};

struct pmu_chosen {
	unsigned count, setup_count;
	struct pmu_choice choice[PMU_CHOICES_MAX];
	struct pmu_setup setup[PMU_SETUPS_MAX];
	struct netburst_use use[PMU_SETUPS_MAX];
	uint32_t pebs_enable, matrix_vert;     /* NetBurst: what tags replays; else 0 */
};

/*
 * Parses the texts and gives each a counter that can count it, none twice. Do not copy c: setups
 * point into it. False: problem, of size bytes, is a sentence without a full stop: an event that
 * this processor does not have, a mask that it has not (with those it has), an option that this
 * generation lacks, or which counters are missing for what.
 */
bool pmu_choose(struct pmu_chosen *c, const char *const *texts, unsigned count, char *problem,
                size_t size);

/* After pmu_choose(): pmu_measure() of all of it. NetBurst's replay tagging included. */
struct pmu_reading pmu_chosen_measure(const struct pmu_chosen *c, const struct workload *w,
                                      uint32_t rounds, uint32_t argument);

/* NetBurst's MSR_PEBS_ENABLE and _MATRIX_VERT, for whoever measures c->setup himself: what tags
 * replays is on, or off. Elsewhere nothing. */
void pmu_chosen_tag(const struct pmu_chosen *c, bool is_on);

/* The same around code that is not a workload of known counts. */
struct pmu_reading pmu_chosen_measure_code(const struct pmu_chosen *c,
                                           void (*code)(uint32_t rounds, uint32_t argument),
                                           uint32_t rounds, uint32_t argument);

/* A native event of this processor, as it can be chosen. */
enum { PMU_NATIVE_MASKS = 16 };
struct pmu_native {
	const char *name;
	uint64_t counters;             /* that can count it: bit n; PMU_FIXED + i is bit 32 + i */
	const char *mask[PMU_NATIVE_MASKS + 1];        /* NULL: no more */
	const char *const *aliases;    /* alias_count of them; NULL: no more */
	unsigned alias_count;
	bool is_metric;                /* NetBurst: something else tags what it counts */
};

/* The nth; false: no more. */
bool pmu_native_at(unsigned n, struct pmu_native *e);

/* What choice i has counted, from the setups' counts. */
int64_t pmu_choice_value(const struct pmu_chosen *c, unsigned i, const uint64_t *counts);

#endif
