/* SPDX-License-Identifier: MIT */
/*
 * Connects event_spec.c with each generation, which finds native events and gives them one counter
 * each.
 */
#ifndef PMU_EVENTS_EVENT_REQUEST_H
#define PMU_EVENTS_EVENT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/events/event_spec.h>
#include <pmu/events/event_text.h>

/* Describes a native event that needs a counter. */
struct event_request {
	const char *name;              /* the manual's name */
	const char *of;                /* name of the spec that it is a part of */
	struct event_text text;
	uint16_t event;                /* unused on NetBurst */
	uint8_t event_high;            /* as in struct pmu_setup */
	uint8_t cmask;                 /* the event's own; 0: that of the text */
	unsigned flags;                /* enum pmu_flags */
	uint64_t counters;             /* those that can count it: bit n; unused on NetBurst */
	const struct netburst_event *netburst;         /* NetBurst: either this or metric */
	uint16_t netburst_mask;
	const struct netburst_metric *metric;
};

struct event_problem { char *text; size_t size; };

/* Formats the problem and returns false, so that a caller can return this result. */
bool event_refuse(const struct event_problem *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Says that no event has the name w->text.event, and which names are like it; returns false. */
bool event_refuse_unknown(const struct event_request *w, const struct event_problem *p);

/* Describes where the events of a class of PMU come from, and what its counters do with them. */
struct event_source {
	/*
	 * Finds w->text.event among the events of this processor, and fills in name, event,
	 * counters and flags. Returns false after reporting the problem.
	 */
	bool (*find)(struct event_request *w, const struct event_problem *p);
	/* Makes a setup for each request, in their order. */
	bool (*place)(struct pmu_chosen *c, const struct event_request *requests, unsigned count,
	              const struct event_problem *p);
	bool (*list)(unsigned n, struct pmu_native *e);        /* as pmu_native_at() */
	const char *(*name)(const char *select, uint64_t value);       /* as pmu_selected() */
	const struct pmu_event *table;     /* the manual's, or NULL */
	const unsigned *table_count;
	unsigned cmask_max;            /* 0: there is no CMASK, INV and EDGE */
	bool has_umask;
	bool (*has_any)(void);         /* NULL: there is no AnyThread */
	const char *no_any;            /* why, if not */
	const char *about;             /* "P6" */
};
extern const struct event_source event_source_p5, event_source_p6, event_source_netburst,
	event_source_arch, event_source_amd;

/* Are operations of the sources. */
bool event_find_table(struct event_request *w, const struct event_problem *p);    /* P5, P6 */
bool event_find_arch(struct event_request *w, const struct event_problem *p);
bool event_find_intel(struct event_request *w, const struct event_problem *p);
bool event_find_amd(struct event_request *w, const struct event_problem *p);
bool event_find_netburst(struct event_request *w, const struct event_problem *p);
bool event_place(struct pmu_chosen *c, const struct event_request *requests, unsigned count,
                 const struct event_problem *p);
bool event_place_netburst(struct pmu_chosen *c, const struct event_request *requests,
                          unsigned count,
                          const struct event_problem *p);

/* Returns the event of arch_events.h with this name, or NULL. */
struct arch_event;
const struct arch_event *event_find_arch_name(const struct event_text *t);

/*
 * Gives each of `count` requests one of its counters, so that as many as possible have one: the
 * lowest free counter, but fixed counters before general ones. Returns false if request *failed has
 * none.
 */
enum { EVENT_REQUESTS_MAX = PMU_SPECS_MAX * PMU_SPEC_PARTS };
bool event_match(const uint64_t *counters, unsigned count, unsigned *counter, unsigned *failed);

#endif
