/* SPDX-License-Identifier: MIT */
/*
 * Lists the events of the P5 and P6 families under the manual's names, one row for each row of its
 * tables.
 *
 *	const struct pmu_event *e = pmu_event_find("L2_RQSTS");
 *	struct pmu_setup s = pmu_event_setup(e, "MESI", 0, PMU_BOTH);
 *
 * The rows are only data and link without the kernel; the functions that depend on this processor
 * do not.
 */
#ifndef PMU_EVENTS_EVENTS_H
#define PMU_EVENTS_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/microarchitecture.h>
#include <pmu/core/program.h>

/* Says what one count means. */
enum pmu_event_kind {
	PMU_COUNT,               /* something happened; P5: "occurrence" */
	PMU_CYCLES,              /* a clock of the processor passed; P5: "duration" */
	PMU_BUS_CYCLES,          /* a clock of the bus passed */
	PMU_WEIGHTED,            /* each clock adds the number of those present */
	PMU_COUNT_OR_CYCLES      /* the manual says both, or its editions differ */
};

/* Gives unit mask values short names. */
struct pmu_event_mask {
	uint8_t bits;
	const char *name;                /* upper case: "MESI", "SELF" */
};

enum { PMU_EVENT_MASKS_MAX = 8, PMU_EVENT_ALIASES_MAX = 2 };

struct pmu_event {
	const char *name;                /* the manual's; unique among those of a processor */
	const char *aliases[PMU_EVENT_ALIASES_MAX];   /* other editions' names; NULL ends them */
	const char *unit;                /* the manual's group: "L2"; P5: "" */
	uint8_t select;
	uint8_t umask;                   /* the full count, used if no mask is named */
	bool is_enumerated;              /* masks are values of one field: not combinable */
	struct pmu_event_mask masks[PMU_EVENT_MASKS_MAX];   /* name NULL ends them */
	uint8_t counters;                /* bit n: counter n can count it */
	enum pmu_event_kind kind;
	bool is_required;                /* every processor of the family has it: must be tested */
	bool is_reserved;                /* an encoding that the manual reserves */
	uint8_t models;                  /* enum pmu_microarchitecture: PMU_MODEL_... */
	const char *description;         /* PMU_WORDS() */
};

extern const struct pmu_event pmu_events_p6[], pmu_events_p5[];
extern const unsigned pmu_events_p6_count, pmu_events_p5_count;

/*
 * Returns all rows of the generation that pmu_get() found, including those of other models, or NULL
 * and a count of 0 if there is no table.
 */
const struct pmu_event *pmu_event_table(unsigned *count);

/* Returns true if this processor has the event, false for reserved encodings. */
bool pmu_event_exists(const struct pmu_event *e);

/*
 * Finds an event by name or alias in the table of this PMU, ignoring case. Prefers events that this
 * processor has, because the Pentium M gave some names a new meaning. Returns NULL if the table
 * does not have the name.
 */
const struct pmu_event *pmu_event_find(const char *name);

/* Returns the first event of this processor with this event select, or NULL. */
const struct pmu_event *pmu_event_of(uint64_t select);

/*
 * Returns the bits of a mask by its name, of several joined by '+' ("E+M"), or the full count if
 * mask is NULL. Returns false if the event has no such mask or its masks cannot be combined.
 */
bool pmu_event_mask(const struct pmu_event *e, const char *mask, uint8_t *bits);

/*
 * Returns a setup for this event, with all else 0. An unknown mask ends the test. Does not check
 * whether the counter can count the event, because a test may want to see that it cannot.
 */
struct pmu_setup pmu_event_setup(const struct pmu_event *e, const char *mask, unsigned counter,
                                 unsigned flags);

#endif
