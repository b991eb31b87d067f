/* SPDX-License-Identifier: MIT */
/*
 * Handles the performance-monitoring interrupt, which LVTPC delivers as NMI or as a fixed
 * interrupt.
 */
#ifndef PMU_CORE_PMI_H
#define PMU_CORE_PMI_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>

enum pmi_delivery { PMI_NMI, PMI_FIXED };
#define PMI_VECTOR VECTOR_PMI      /* of PMI_FIXED */

enum { PMI_LOG_SIZE = 64 };

/* Holds the PMIs seen; to be read after the window. count continues beyond PMI_LOG_SIZE. */
struct pmi_log {
	unsigned count;                /* PMIs since pmi_listen() */
	unsigned unsure;               /* those that may have been only the watchdog's NMI: a
	                                * tick came, too, and an overflow may have been lost */
	unsigned user_returns;         /* PMIs and ticks whose handler returns to CPL 1, 2 or 3 */
	unsigned at_ticks;             /* those that came with a tick, and so have the address that
	                                * the tick interrupted */
	uintptr_t ip[PMI_LOG_SIZE];    /* address of the interrupted code, for the first PMIs */
	unsigned cpl[PMI_LOG_SIZE];
	uint64_t status[PMI_LOG_SIZE]; /* IA32_PERF_GLOBAL_STATUS on entry; 0 if there is none */
	uint32_t lvtpc[PMI_LOG_SIZE];  /* LVTPC on entry */
};

/*
 * Returns NULL, or why this processor raises no PMI: its generation has none, or it has no LVTPC.
 */
const char *pmi_unavailable(void);

/*
 * Returns the number of counts from an overflow to its PMI: 0, or 1 on NetBurst, where the PMI
 * comes with the next count.
 */
unsigned pmi_lag(void);

/*
 * Returns the start value with which `missing` counts give a PMI, or 0 if missing is 0. On NetBurst
 * missing cannot be 1, because the count that overflows and the next one are two.
 */
uint64_t pmi_start(uint64_t missing);

/*
 * Starts to count and log PMIs; the handler then calls on_pmi, if it is not NULL. Without on_pmi
 * the handler clears the status bits it saw, then unmasks LVTPC; an on_pmi must do so itself. The
 * handler always signals the end of interrupt. Writes LVTPC, unmasked, and ends the test if there
 * is no local APIC. PMI_FIXED arrives only while the caller has enabled interrupts. pmu_program(),
 * pmu_window() and pmu_measure() do not affect any of this.
 */
void pmi_listen(enum pmi_delivery delivery, void (*on_pmi)(struct frame *f));

/*
 * Does the default handler's work, for an on_pmi: clears the status bits that are set and unmasks
 * LVTPC.
 */
void pmi_acknowledge(void);

const struct pmi_log *pmi_get_log(void);

/*
 * Waits for a bounded time until `count` PMIs were logged, and returns whether they were. PMI_FIXED
 * needs interrupts on.
 */
bool pmi_wait(unsigned count);

/* Waits until a PMI that is under way must have been delivered. */
void pmi_settle(void);

/*
 * Masks LVTPC and restores the vectors. Drops a fixed PMI that was requested and not taken. The log
 * stays. The engine calls it around each test, too.
 */
void pmi_stop(void);

/* Writes only LVTPC's mask bit. A PMI that meets a masked LVTPC is lost. */
void pmi_set_mask(bool masked);

#endif
