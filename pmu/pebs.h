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
#ifndef PMU_PEBS_H
#define PMU_PEBS_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/ds.h>
#include <pmu/netburst.h>
#include <pmu/program.h>

/* ---------------------------------------------------------------------------- records */

enum pebs_field {
	PEBS_FLAGS, PEBS_IP, PEBS_AX, PEBS_BX, PEBS_CX, PEBS_DX, PEBS_SI, PEBS_DI, PEBS_BP, PEBS_SP,
	PEBS_R8, PEBS_R9, PEBS_R10, PEBS_R11, PEBS_R12, PEBS_R13, PEBS_R14, PEBS_R15,
	PEBS_STATUS,                   /* IA32_PERF_GLOBAL_STATUS; format 3: applicable counters */
	PEBS_ADDRESS, PEBS_SOURCE, PEBS_LATENCY, PEBS_EVENTING_IP, PEBS_TX, PEBS_TSC,
	PEBS_FORMAT_SIZE,              /* adaptive records' first word */
	PEBS_FIELDS
};

/* The layout on this processor: NetBurst's and Core's without DTES64, formats 0 to 6. */
struct pebs_layout {
	const char *name;              /* "32-bit", "format 1", "adaptive" */
	unsigned size;                 /* bytes; of adaptive records: by MSR_PEBS_DATA_CFG */
	uint16_t offset[PEBS_FIELDS];  /* plus 1; 0: there is no such field */
	uint8_t width;                 /* of a field: 4 or 8 */
	bool is_adaptive;
};
const struct pebs_layout *pebs_layout(void);   /* NULL: a format that is not known */
unsigned pebs_format(void);                    /* IA32_PERF_CAPABILITIES[11:8] */

/* The bytes of a record with this MSR_PEBS_DATA_CFG; without adaptive records: the layout's. */
unsigned pebs_record_size(void);

/* Where a group of adaptive records begins, by its bit of MSR_PEBS_DATA_CFG; -1: it has none. */
int pebs_group_at(uint64_t bit);

/* A field of record i; false: these records have none. */
bool pebs_get(unsigned i, enum pebs_field field, uint64_t *value);

/* Does PEBS_IP stand behind the instruction that caused the event (a trap), or on it? NetBurst: not
 * known, a test takes both. By IA32_PERF_CAPABILITIES[6]; adaptive records: eventing IP in
 * PEBS_EVENTING_IP, PEBS_IP behind it. */
enum pebs_ip { PEBS_IP_NEXT, PEBS_IP_EVENTING, PEBS_IP_UNSURE };
enum pebs_ip pebs_ip_is(void);

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
enum { PEBS_RESETS = 40 };
unsigned pebs_slot(unsigned counter);
const uint64_t *pebs_resets(const struct pmu_setup *setups, unsigned count);

/* IA32_PEBS_ENABLE, or NetBurst's MSRs with what tags; off again. After pmu_program(), and outside
 * of windows: nothing counts. */
void pebs_enable(const struct pmu_setup *setups, unsigned count);
void pebs_disable(void);
uint64_t pebs_enable_bits(const struct pmu_setup *setups, unsigned count);

/* MSR_PEBS_DATA_CFG, where records are adaptive; elsewhere nothing. Before ds_set_up(): it makes
 * the records' size. pebs_setup() sets PMU_ADAPTIVE there; without it records are the basic group,
 * which the functions above do not know. The engine writes 0 around each test. */
void pebs_set_data_cfg(uint64_t value);

/* For the engine's hook: what was left on, or NULL; all of it off, whatever faults. */
const char *pebs_running(void);
void pebs_reset(void);
void pebs_forget_data_cfg(void);

#endif
