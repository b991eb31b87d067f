/* SPDX-License-Identifier: MIT */
/*
 * Programs PEBS on all generations: the records of this processor, and the counters that write
 * them. Source: SDM 3B, "Processor Event Based Sampling (PEBS)" by microarchitecture; NetBurst:
 * "Processor Event-Based Sampling (PEBS)".
 *
 *	struct pebs_use use;
 *	struct pmu_setup s = pebs_setup(&use, pebs_find("instructions"), 0, PMU_OS, period);
 *	ds_set_up(&(struct ds_plan){ .buffer[DS_PEBS] = { .records = 8, .threshold = 9 },
 *	                             .resets = pebs_resets(&s, 1), .reset_count = PEBS_RESETS });
 *	pmu_program(&s, 1);
 *	pebs_enable(&s, 1);
 *	pmu_window(...);
 *	pebs_disable();
 *	... ds_index(DS_PEBS), pebs_get(i, PEBS_IP, &ip) ...
 */
#ifndef PMU_SAMPLING_PEBS_H
#define PMU_SAMPLING_PEBS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/core/program.h>
#include <pmu/events/netburst_pmu.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/pebs_layouts.h>

/* Reads a field of record i; returns false if these records do not have it. */
bool pebs_get(unsigned i, enum pebs_field field, uint64_t *value);

/* ---------------------------------------------------------------------------- events */

/*
 * Describes an event that PEBS can record here. name is "instructions", "loads", "stores",
 * "branches", "l1_misses", ...; on NetBurst it is a metric's event, with its tags.
 */
struct pebs_event {
	const char *name;
	const char *manual;            /* "MEM_LOAD_RETIRED.L1D_MISS"; on NetBurst the metric */
	uint16_t event;                /* EVENT(select, umask) */
	uint64_t counters;             /* bit n: counter n; bit 32 + n: IA32_FIXED_CTRn */
	const struct netburst_metric *metric;  /* NetBurst only */
};
const struct pebs_event *pebs_find(const char *name);          /* returns NULL if unknown here */
const struct pebs_event *pebs_event_at(unsigned i);            /* returns NULL after the last one */

/* ---------------------------------------------------------------------------- programming */

/*
 * Holds what a setup of PEBS needs on NetBurst; other generations do not use it. It must live until
 * pebs_disable().
 */
struct pebs_use {
	struct netburst_use counting;          /* first: a setup's field netburst points here */
	struct netburst_use tagging;
	unsigned tagging_counter;
	const struct netburst_metric *metric;
};

/*
 * Return NULL, or why there is no PEBS. On hardware, tests that can take a machine down run only
 * with the word `sampling`: need_pebs() checks that, too, while pebs_unavailable() checks only the
 * processor.
 */
const char *need_pebs(struct test_ctx *t);
const char *need_pebs_counters(struct test_ctx *t, unsigned count);
const char *pebs_unavailable(void);

/* Returns the nth counter, from 0, that can record e here, or PMU_NO_COUNTER. */
enum { PMU_NO_COUNTER = 64 };
unsigned pebs_counter(const struct pebs_event *e, unsigned n);

/*
 * Returns a setup that records every (missing + 1)th event: `missing` events arm PEBS, and the next
 * one is recorded. flags are PMU_OS and PMU_USR; counter is one of e->counters.
 */
struct pmu_setup pebs_setup(struct pebs_use *use, const struct pebs_event *e, unsigned counter,
                            unsigned flags, uint64_t missing);

/*
 * Return the slot of a counter in the area, and the counter reset values of these setups by slot,
 * for struct ds_plan.
 */
unsigned pebs_slot(unsigned counter);
const uint64_t *pebs_resets(const struct pmu_setup *setups, unsigned count);

/*
 * Write IA32_PEBS_ENABLE, or NetBurst's MSRs including those that tag, and clear them. Must be
 * called after pmu_program() and outside of windows, while nothing counts.
 */
void pebs_enable(const struct pmu_setup *setups, unsigned count);
void pebs_disable(void);
uint64_t pebs_enable_bits(const struct pmu_setup *setups, unsigned count);

/*
 * Return NULL or what was left on, for the engine's hook, and switch all of it off, ignoring
 * faults.
 */
const char *pebs_running(void);
void pebs_reset(void);

#endif
