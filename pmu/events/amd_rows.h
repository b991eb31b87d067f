/* SPDX-License-Identifier: MIT */
/*
 * The packed table of AMD's events (packed_events.h), from tables/amd_events.csv; amd_events.h
 * reads it.
 */
#ifndef PMU_EVENTS_AMD_ROWS_H
#define PMU_EVENTS_AMD_ROWS_H

#include <stdint.h>

#include <pmu/events/packed_events.h>

/* Which counters count an event. The order is that of tests/generate/amd_events.py. */
enum amd_counters {
	AMD_ANY_COUNTER, AMD_0_TO_2, AMD_3_TO_5, AMD_3,
	AMD_3_IF_HALVES,                 /* 3 to 5; 3 if both halves of the unit mask have bits */
	AMD_3_IF_TWO_BITS,               /* 3 to 5; 3 if the unit mask has several bits */
	AMD_ODD,                         /* beside the even counter that it extends */
	AMD_NORTHBRIDGE, AMD_L2I, AMD_L3 /* counters of their own, not the core's */
};

struct amd_row {
	struct packed_head head;         /* restrictions; enum amd_processor */
	uint16_t masks;                  /* in amd_masks: a count, then bits and a name each */
	uint16_t code : 12, counters : 4;
	uint8_t is_valued;               /* masks are numbers in four bits, not bits that add */
	uint8_t full;                    /* the unit mask without a name */
};

extern const uint8_t amd_masks[];
extern const struct packed_table amd_table;

#endif
