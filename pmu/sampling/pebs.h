/* SPDX-License-Identifier: MIT */
/*
 * PEBS of all generations: what its records look like here, and counters that write them. Source:
 * SDM 3B, "Processor Event Based Sampling (PEBS)" by microarchitecture; NetBurst: "Processor Event-
 * Based Sampling (PEBS)".
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

/* An event that PEBS can record here. name: "instructions", "loads", "stores", "branches",
 * "l1_misses", ... ; on NetBurst a metric's, with its tags. */
struct pebs_event {
	const char *name;
	const char *manual;            /* "MEM_LOAD_RETIRED.L1D_MISS"; NetBurst: the metric */
	uint16_t event;                /* EVENT(select, umask) */
	uint64_t counters;             /* that can record it, bit n; 32 + n: IA32_FIXED_CTRn */
	const struct netburst_metric *metric;  /* NetBurst */
};
const struct pebs_event *pebs_find(const char *name);          /* NULL: not here */
const struct pebs_event *pebs_event_at(unsigned i);            /* NULL after the last one */

/* ---------------------------------------------------------------------------- programming */

/* What a setup of PEBS needs on NetBurst; elsewhere unused. It must live until pebs_disable(). */
struct pebs_use {
	struct netburst_use counting;          /* first: a setup's field netburst leads here */
	struct netburst_use tagging;
	unsigned tagging_counter;
	const struct netburst_metric *metric;
};

/* NULL, or why there is no PEBS. Tests that can take a machine down run on hardware only with the
 * word `sampling`: need_pebs() says so, too, pebs_unavailable() asks the processor alone. */
const char *need_pebs(struct test_ctx *t);
const char *need_pebs_counters(struct test_ctx *t, unsigned count);
const char *pebs_unavailable(void);

/* The nth counter that can record e here, from 0; PMU_NO_COUNTER: there is none. */
enum { PMU_NO_COUNTER = 64 };
unsigned pebs_counter(const struct pebs_event *e, unsigned n);

/* A counter of PEBS that records every (missing + 1)th event: after `missing` events it is armed,
 * the next one is recorded. flags: PMU_OS, PMU_USR. counter: bit of e->counters. */
struct pmu_setup pebs_setup(struct pebs_use *use, const struct pebs_event *e, unsigned counter,
                            unsigned flags, uint64_t missing);

/* The counter reset values of these setups, by slot of the area: for struct ds_plan. And the slot
 * of a counter. */
unsigned pebs_slot(unsigned counter);
const uint64_t *pebs_resets(const struct pmu_setup *setups, unsigned count);

/* IA32_PEBS_ENABLE, or NetBurst's MSRs with what tags; off again. After pmu_program(), and outside
 * of windows: nothing counts. */
void pebs_enable(const struct pmu_setup *setups, unsigned count);
void pebs_disable(void);
uint64_t pebs_enable_bits(const struct pmu_setup *setups, unsigned count);

/* For the engine's hook: what was left on, or NULL; all of it off, whatever faults. */
const char *pebs_running(void);
void pebs_reset(void);

#endif
