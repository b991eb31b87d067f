/* SPDX-License-Identifier: MIT */
/*
 * Counters that stand still, but are not stopped for good: what a person has programmed register by
 * register counts while code of interest runs, and not while the monitor reads keys and prints.
 *
 * On: what lets counters count is as it was programmed: IA32_PERF_GLOBAL_CTRL; of architectural
 * version 1, P6 and AMD EN of the event selects; P5's CC fields; NetBurst's ESCRs; and what lets
 * branches be recorded. Paused: it is 0 in the registers, and kept here. Nothing else changes: not
 * CCCRs, as writing one decides on its OVF. A processor's own, as the counters are; threads that
 * share counters each have what they have programmed.
 */
#ifndef PMU_DRIVERS_PAUSE_H
#define PMU_DRIVERS_PAUSE_H

#include <stdint.h>

#include <arch/cpu/fault.h>

/* Keeps the bits and clears them; puts them back. Both do nothing the second time. */
void pmu_pause(void);
void pmu_resume(void);

/* Forgets what was kept: the PMU was reset, or programmed by somebody else. It becomes the hook of
 * pmu_program() and pmu_reset() before the first bit is kept. */
void pmu_pause_forget(void);

/*
 * One RDMSR or RDPMC, which sees registers as they were programmed and counters as they stand; one
 * WRMSR. What is written to a register that pausing changes is there for the few instructions that
 * see whether it faults and what it reads as, and counters keep what they have meanwhile. Paused
 * before and after.
 */
fault_t pmu_awake_read(uint32_t msr, uint64_t *value);
fault_t pmu_awake_write(uint32_t msr, uint64_t value);
fault_t pmu_awake_rdpmc(uint32_t index, uint64_t *value);

/* The register by which a counter gets this value, of as many bits as it has; 0: none can. */
uint32_t pmu_place_to_write(unsigned counter, uint64_t value);

/*
 * For a trial in which counters may count: all are 0, so that none overflows, and get back what
 * they had, but one that no write can give its value back, which goes on.
 */
void pmu_park_counters(void);
void pmu_unpark_counters(void);

/*
 * A call with the counters on as they are programmed, in a window as that of pmu_window(), so that
 * as many instructions are in it each time.
 */
void pmu_awake_run(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                   uint32_t argument);

#endif
