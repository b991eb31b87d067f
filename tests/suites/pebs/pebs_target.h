/* SPDX-License-Identifier: MIT */
/*
 * Runs PEBS over code at CPL 3 in which every instruction of interest changes a register, so that a
 * record's registers alone show after which instruction it was taken. The counters count CPL 3
 * only: the kernel's work around the code, and a PMI's handler, add nothing.
 *
 *	struct pebs_target c = pebs_target("loads", 64);
 *	struct pebs_use use;
 *	struct pmu_setup s = pebs_setup(&use, c.event, pebs_counter(c.event, 0), PMU_USR, 9);
 *	pebs_run(&(struct pebs_window){ .setups = &s, .count = 1, .code = pebs_run_target },
 *	         NULL);
 *	... ds_index(DS_PEBS), pebs_ordinal(&c, 0), pmu_read(s.counter), pmi_get_log()->count ...
 */
#ifndef TESTS_SUITES_PEBS_PEBS_TARGET_H
#define TESTS_SUITES_PEBS_PEBS_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/pmi.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/sampling/pebs_window.h>

#define DS_SDM    "SDM 3B, \"BTS and DS Save Area\""

/* ---------------------------------------------------------------------------- needs */

/* Needs PEBS, code at CPL 3, and LVTPC for the interrupt of the buffer. */
const char *need_pebs_code(struct test_ctx *t);

/* Needs IA32_PERF_GLOBAL_STATUS, too. */
const char *need_pebs_status(struct test_ctx *t);

/* ---------------------------------------------------------------------------- code */

/* Describes consecutive instructions that cause one event each. */
struct pebs_target {
	const struct pebs_event *event;
	const struct pebs_guilty *guilty;
	unsigned count;
	uintptr_t first;               /* the address of the first one */
	unsigned size;                 /* bytes of each */
	unsigned before, after;       /* events of the code around them, at CPL 3 */
};

/* Returns the i-th of "loads", "stores", "instructions", "branches" that this processor can record,
 * or NULL after the last. The first one suits best: nothing around the code causes its event. */
const char *pebs_event_name(unsigned i);

/* Makes the code for pebs_run_target(), of at most PEBS_CODE_MAX instructions. Ends the test if the
 * event does not exist. */
enum { PEBS_CODE_MAX = 256 };
struct pebs_target pebs_target(const char *event, unsigned count);

/* Runs the code that was made last, for a window; argument has the flags that it starts with. */
void pebs_run_target(uint32_t rounds, uint32_t argument);

/* Returns how many of its events the code retires in a window, counted without PEBS. */
uint64_t pebs_events(const struct pebs_target *c, unsigned counter);

/* Returns the events that a counter of PMU_USR has counted when the first instruction of interest
 * begins: those of the code before it and, if the machine counts it as CPL 3's, the IRET. */
uint64_t pebs_prefix(const struct pebs_target *c, unsigned counter);

/* Returns how many of the instructions had been executed, by the registers of record i: 0 for none,
 * count + 1 if the registers make no sense. */
unsigned pebs_ordinal(const struct pebs_target *c, unsigned i);

/* Returns the value that a register, or PEBS_ADDRESS, must hold after so many instructions; in the
 * 32-bit kernel 0 for R8 to R15. */
uint64_t pebs_expected(const struct pebs_target *c, enum pebs_field field, unsigned ordinal);

/* ---------------------------------------------------------------------------- windows */

/*
 * Runs a window (pebs_window.h) with its PMIs as NMIs, and again if one of them may have been the
 * watchdog's tick. Records, pmu_read() and pmi_get_log() can be read afterwards; status is the
 * status after the window. on_pmi is called instead of pebs_go_on() unless it is NULL.
 */
struct pebs_seen { uint64_t status, tsc_before, tsc_after; };
struct pebs_seen pebs_run(const struct pebs_window *w, void (*on_pmi)(struct frame *f));

/* Ends a handler: clears the status and unmasks LVTPC. After many PMIs masks LVTPC, so that a PMU
 * that raises PMIs without end fails the test. */
void pebs_go_on(void);

#endif
