/* SPDX-License-Identifier: MIT */
/*
 * Finds the events of AMD's processors under AMD's names.
 *
 *	const struct amd_row *e = amd_event_find("RETIRED_SSE_OPERATIONS");
 *	uint8_t umask;
 *	if (e && amd_event_mask(e, "SINGLE_ADD_SUB_OPS+OP_TYPE", &umask)) ...
 */
#ifndef PMU_EVENTS_AMD_EVENTS_H
#define PMU_EVENTS_AMD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/program.h>
#include <pmu/events/amd_rows.h>

enum amd_processor {
	AMD_IS_K7 = 1 << 0, AMD_IS_K8 = 1 << 1, AMD_IS_10H = 1 << 2, AMD_IS_11H = 1 << 3,
	AMD_IS_12H = 1 << 4, AMD_IS_14H = 1 << 5, AMD_IS_15H = 1 << 6, AMD_IS_16H = 1 << 7,
	AMD_IS_ZEN = 1 << 8, AMD_IS_ZEN2 = 1 << 9, AMD_IS_ZEN3 = 1 << 10, AMD_IS_ZEN4 = 1 << 11,
	AMD_IS_ZEN5 = 1 << 12
};

/* Returns the bit of this processor, or 0 if it is none of them. */
uint32_t amd_processor(void);

/* Returns the name of this processor in tables/amd_events.csv: "10H", "Zen2"; "" for none. */
const char *amd_processor_name(void);

/* Returns the number of events of this processor. */
unsigned amd_event_count(void);

/* Returns the nth event of this processor, or NULL if there are no more. */
const struct amd_row *amd_event_at(unsigned n);

/*
 * Finds an event by name, ignoring case: one of this processor, otherwise of another one
 * (amd_event_exists()). Returns NULL if no processor has the name.
 */
const struct amd_row *amd_event_find(const char *name);
bool amd_event_exists(const struct amd_row *e);

/* Returns the event of this processor's core counters that has this code, or NULL. */
const struct amd_row *amd_event_of(uint16_t code);

const char *amd_event_name(const struct amd_row *e);
const char *amd_event_restrictions(const struct amd_row *e);   /* "" if there are none */

/* Returns the name of mask i and its bits, or NULL if there are no more. */
const char *amd_event_mask_at(const struct amd_row *e, unsigned i, uint8_t *bits);

/*
 * Returns the bits of a mask by its name, of several joined by '+', or the full count if mask is
 * NULL. Returns false if the event has no such mask or its masks cannot be joined.
 */
bool amd_event_mask(const struct amd_row *e, const char *mask, uint8_t *bits);

/* Returns the core counters that can count the event with this unit mask: a bit each. */
uint32_t amd_event_counters(const struct amd_row *e, uint8_t umask);

/* Returns which counters count the event instead of the core's, or NULL if the core's do. */
const char *amd_event_counted_by(const struct amd_row *e);

/* Returns a setup for this event on this counter, with all else 0. */
struct pmu_setup amd_event_setup(const struct amd_row *e, uint8_t umask, unsigned counter,
                                 unsigned flags);

#endif
