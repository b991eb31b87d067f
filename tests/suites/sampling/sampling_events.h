/* SPDX-License-Identifier: MIT */
/* Finds the counters of the experiment: L1 misses at CPL 3, by PEBS and with interrupts. */
#ifndef TESTS_SUITES_SAMPLING_SAMPLING_EVENTS_H
#define TESTS_SUITES_SAMPLING_SAMPLING_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/sampling/pebs.h>

struct sampling_events {
	struct pmu_setup pebs, interrupts;
	bool has_interrupts;           /* in the same run: a second counter can count the event */
};

/* Finds the counters of a run with this period; the counter with interrupts is half a period
 * ahead. */
void sampling_events_find(struct sampling_events *e, uint32_t period, bool has_interrupts);

/* Finds the counter of PEBS, with interrupts instead of records, for a run of interrupts alone. */
void sampling_events_alone(struct sampling_events *e, uint32_t period);

/* Finds a counter with interrupts on an AMD processor; returns false if none counts L1 misses. */
bool sampling_events_amd(struct sampling_events *e, uint32_t period);

/* Returns whether this processor's event counts hits in L2 instead of misses in L1. */
bool sampling_counts_l2_hits(void);

#endif
