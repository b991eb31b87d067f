/* SPDX-License-Identifier: MIT */
/* The performance-monitoring interrupt: LVTPC, as NMI or as a fixed interrupt. */
#ifndef PMU_CORE_PMI_H
#define PMU_CORE_PMI_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>

enum pmi_delivery { PMI_NMI, PMI_FIXED };
#define PMI_VECTOR VECTOR_PMI      /* of PMI_FIXED */

enum { PMI_LOG_SIZE = 64 };

/* What was seen; read it after the window. count goes on beyond PMI_LOG_SIZE. */
struct pmi_log {
	unsigned count;                /* PMIs since pmi_listen() */
	unsigned unsure;               /* of them, those that may have been the watchdog's alone: a
	                                  tick came, too, and an overflow that may have been lost */
	uintptr_t ip[PMI_LOG_SIZE];    /* of the interrupted code, the first PMIs */
	unsigned cpl[PMI_LOG_SIZE];
	uint64_t status[PMI_LOG_SIZE]; /* IA32_PERF_GLOBAL_STATUS on entry; 0 where there is none */
	uint32_t lvtpc[PMI_LOG_SIZE];  /* LVTPC on entry */
};

/* NULL, or why this processor raises no PMI: the generation has none, there is no LVTPC. */
const char *pmi_unavailable(void);

/* Counts from an overflow to its PMI: none. On NetBurst 1: it comes with the next count. */
unsigned pmi_lag(void);

/* The start value with which so many counts give a PMI; nothing is missing: 0. On NetBurst 1 cannot
 * be missing, as the count that overflows and the next one are two. */
uint64_t pmi_start(uint64_t missing);

/*
 * From now on PMIs are counted and logged; then on_pmi, if not NULL, is called in the handler.
 * By default (on_pmi == NULL) the handler clears the status bits it saw, then unmasks LVTPC; an
 * on_pmi does its own, but the end of interrupt, which is the handler's. Writes LVTPC, unmasked.
 * Ends the test where there is no local APIC. PMI_FIXED arrives only with interrupts enabled, which
 * is the caller's business. pmu_program(), pmu_window() and pmu_measure() leave all this alone.
 */
void pmi_listen(enum pmi_delivery delivery, void (*on_pmi)(struct frame *f));

/* The default handler's work, for an on_pmi that wants it: clear what is set, unmask LVTPC. */
void pmi_acknowledge(void);

const struct pmi_log *pmi_get_log(void);

/* Waits, bounded, until so many PMIs were logged; true: they were. Needs interrupts on if fixed. */
bool pmi_wait(unsigned count);

/* Until a PMI that is under way must have been delivered. */
void pmi_settle(void);

/*
 * Masks LVTPC and hands the vectors back. A fixed PMI that was requested and not taken is dropped.
 * The engine does it around each test, too. The log stays.
 */
void pmi_stop(void);

/* Writes LVTPC's mask bit alone. A PMI that meets a masked LVTPC is lost. */
void pmi_set_mask(bool masked);

#endif
