/* SPDX-License-Identifier: MIT */
/*
 * Connects choice.c with each generation, which finds native events and gives them one counter
 * each.
 */
#ifndef PMU_EVENTS_CHOICE_WISH_H
#define PMU_EVENTS_CHOICE_WISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/events/choice.h>
#include <pmu/events/choice_text.h>

/* Is a native event that needs a counter. */
struct choice_wish {
	const char *name;              /* the manual's name */
	const char *of;                /* name of the choice that it is a part of */
	struct choice_text text;
	uint16_t event;                /* unused on NetBurst */
	unsigned flags;                /* enum pmu_flags */
	uint64_t counters;             /* those that can count it: bit n; unused on NetBurst */
	const struct netburst_event *netburst;         /* NetBurst: either this or metric */
	uint16_t netburst_mask;
	const struct netburst_metric *metric;
};

struct choice_problem { char *text; size_t size; };

/* Formats the problem and returns false, so that a caller can return that. */
bool choice_refuse(const struct choice_problem *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Find w->text.event among the events of this processor, and fill in name, event, counters and
 * flags. Return false after reporting the problem.
 */
bool choice_find_table(struct choice_wish *w, const struct choice_problem *p);    /* P5, P6 */
bool choice_find_arch(struct choice_wish *w, const struct choice_problem *p);
bool choice_find_netburst(struct choice_wish *w, const struct choice_problem *p);

/* Make a setup for each wish, in their order. */
bool choice_place(struct pmu_chosen *c, const struct choice_wish *wishes, unsigned count,
                  const struct choice_problem *p);
bool choice_place_netburst(struct pmu_chosen *c, const struct choice_wish *wishes, unsigned count,
                           const struct choice_problem *p);

/*
 * Gives each of `count` wishes one of its counters, so that as many as possible have one: the
 * lowest free counter, but fixed counters before general ones. Returns false if wish *failed has
 * none.
 */
enum { CHOICE_WISHES_MAX = PMU_CHOICES_MAX * PMU_CHOICE_PARTS };
bool choice_match(const uint64_t *counters, unsigned count, unsigned *counter, unsigned *failed);

#endif
