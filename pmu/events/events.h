/* SPDX-License-Identifier: MIT */
/*
 * The events of the P5 and P6 families by the manual's names: one row per row of its tables.
 *
 *	const struct pmu_event *e = pmu_event_find("L2_RQSTS");
 *	struct pmu_setup s = pmu_event_setup(e, "MESI", 0, PMU_BOTH);
 *
 * The rows are data alone and link without the kernel, but for what asks for this processor.
 */
#ifndef PMU_EVENTS_EVENTS_H
#define PMU_EVENTS_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/microarchitecture.h>
#include <pmu/core/program.h>

/* What one count stands for. */
enum pmu_event_kind {
	PMU_COUNT,               /* how often something happened; P5: "occurrence" */
	PMU_CYCLES,              /* clocks of the processor; P5: "duration" */
	PMU_BUS_CYCLES,          /* clocks of the bus */
	PMU_WEIGHTED,            /* each clock adds how many there are at that time */
	PMU_COUNT_OR_CYCLES      /* the manual says both, or its editions differ */
};

/* Unit mask values under short names. */
struct pmu_event_mask {
	uint8_t bits;
	const char *name;                /* upper case: "MESI", "SELF" */
};

enum { PMU_EVENT_MASKS_MAX = 8, PMU_EVENT_ALIASES_MAX = 2 };

struct pmu_event {
	const char *name;                /* the manual's; unique among those of one processor */
	const char *aliases[PMU_EVENT_ALIASES_MAX];   /* other editions' spellings; NULL: no more */
	const char *unit;                /* the manual's group: "L2"; P5: "" */
	uint8_t select;
	uint8_t umask;                   /* the full count, if no mask is named */
	bool is_enumerated;              /* masks are values of one field: bits cannot be joined */
	struct pmu_event_mask masks[PMU_EVENT_MASKS_MAX];   /* name NULL: no more */
	uint8_t counters;                /* bit n: counter n can count it */
	enum pmu_event_kind kind;
	bool is_required;                /* every processor of the family has it: must be tested */
	bool is_reserved;                /* an encoding that the manual keeps to itself */
	uint8_t models;                  /* enum pmu_microarchitecture: PMU_MODEL_... */
	const char *description;         /* PMU_WORDS() */
};

extern const struct pmu_event pmu_events_p6[], pmu_events_p5[];
extern const unsigned pmu_events_p6_count, pmu_events_p5_count;

/* All rows of the generation that pmu_get() found, other models' too; NULL and 0: no table. */
const struct pmu_event *pmu_event_table(unsigned *count);

/* Does this processor have it? Reserved encodings: no. */
bool pmu_event_exists(const struct pmu_event *e);

/*
 * By name or alias in the table of this PMU, first among the events that this processor has (the
 * Pentium M gave some names a new meaning), then among all; NULL: the table has none of this name.
 */
const struct pmu_event *pmu_event_find(const char *name);

/*
 * Bits of a mask by its name, or of several joined by '+' ("E+M"); NULL: the full count. False:
 * the event has no such mask, or its masks cannot be joined.
 */
bool pmu_event_mask(const struct pmu_event *e, const char *mask, uint8_t *bits);

/*
 * A setup for this event, everything else 0. An unknown mask ends the test. Whether the counter can
 * count the event is not asked: a test may want to see that it cannot.
 */
struct pmu_setup pmu_event_setup(const struct pmu_event *e, const char *mask, unsigned counter,
                                 unsigned flags);

#endif
