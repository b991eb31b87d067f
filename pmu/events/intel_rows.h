/* SPDX-License-Identifier: MIT */
/*
 * The packed table of Intel's events (packed_events.h), from tables/intel_events.csv;
 * intel_events.h reads it.
 */
#ifndef PMU_EVENTS_INTEL_ROWS_H
#define PMU_EVENTS_INTEL_ROWS_H

#include <stdint.h>

#include <pmu/events/packed_events.h>

/* The order is that of tests/generate/intel_events.py. */
enum intel_flags { INTEL_INV = 1 << 0, INTEL_EDGE = 1 << 1, INTEL_ANY = 1 << 2 };

struct intel_row {
	struct packed_head head;         /* what follows the name's dot; enum intel_processor */
	uint16_t errata;                 /* a place in the texts */
	uint8_t code, umask, umask2;     /* umask2: UMASK2 of IA32_PERFEVTSELx */
	uint8_t cmask;
	uint8_t flags : 4, counters : 4; /* counters: an index in intel_counters */
	uint8_t msr;                     /* an index in intel_msrs */
};

/* Another register that an event needs, and its value; number 0: none. */
struct intel_msr { uint32_t number, value; };

extern const struct intel_msr intel_msrs[];
extern const uint16_t intel_counters[];
extern const struct packed_table intel_table;

#endif
