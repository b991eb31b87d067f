/* SPDX-License-Identifier: MIT */
/* Between choice.c and what it asks of each generation: native events, one counter each. */
#ifndef PMU_EVENTS_CHOICE_WISH_H
#define PMU_EVENTS_CHOICE_WISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/events/choice.h>
#include <pmu/events/choice_text.h>

/* A native event that wants a counter. */
struct choice_wish {
	const char *name;              /* the manual's */
	const char *of;                /* the choice that it is a part of, as that is named */
	struct choice_text text;
	uint16_t event;                /* not on NetBurst */
	unsigned flags;                /* enum pmu_flags */
	uint64_t counters;             /* those that can count it: bit n; not on NetBurst */
	const struct netburst_event *netburst;         /* or */
	const struct netburst_metric *metric;
};

struct choice_problem { char *text; size_t size; };

/* Writes the sentence; false, so that a caller can return it. */
bool choice_refuse(const struct choice_problem *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Finds w->text.event among the events of this processor; name, event, counters and flags are
 * filled. False: the problem is told.
 */
bool choice_find_table(struct choice_wish *w, const struct choice_problem *p);    /* P5, P6 */
bool choice_find_arch(struct choice_wish *w, const struct choice_problem *p);
bool choice_find_netburst(struct choice_wish *w, const struct choice_problem *p);

/* A setup for each wish, in their order. */
bool choice_place(struct pmu_chosen *c, const struct choice_wish *wishes, unsigned count,
                  const struct choice_problem *p);
bool choice_place_netburst(struct pmu_chosen *c, const struct choice_wish *wishes, unsigned count,
                           const struct choice_problem *p);

/*
 * Gives each of `count` wishes one of its counters, the lowest bit that is free first, but fixed
 * ones before general ones, so that as many as possible have one. False: wish *failed has none.
 */
enum { CHOICE_WISHES_MAX = PMU_CHOICES_MAX * PMU_CHOICE_PARTS };
bool choice_match(const uint64_t *counters, unsigned count, unsigned *counter, unsigned *failed);

#endif
