/* SPDX-License-Identifier: MIT */
/*
 * Counters that stand still, but are not stopped for good: what a person has programmed register by
 * register counts while code of interest runs, and not while the monitor reads keys and prints.
 *
 * On: the bits that let counters count (IA32_PERF_GLOBAL_CTRL; of architectural version 1 and P6
 * EN of the event selects; P5's CC fields; ENABLE of NetBurst's CCCRs) are as they were programmed.
 * Paused: they are 0 in the registers, and kept here. A processor's own, as the counters are.
 */
#ifndef PMU_PAUSE_H
#define PMU_PAUSE_H

#include <stdint.h>

#include <arch/fault.h>

/* Keeps the bits and clears them; puts them back. Both do nothing the second time. */
void pmu_pause(void);
void pmu_resume(void);

/* Forgets what was kept: the PMU was reset, or programmed by somebody else. */
void pmu_pause_forget(void);

/*
 * One RDMSR, WRMSR or RDPMC with the counters on as they are programmed: as few instructions as
 * possible around it. A register that pausing changes is seen as it was programmed.
 */
fault_t pmu_awake_read(uint32_t msr, uint64_t *value);
fault_t pmu_awake_write(uint32_t msr, uint64_t value);
fault_t pmu_awake_rdpmc(uint32_t index, uint64_t *value);

/* A call with the counters on as they are programmed. */
void pmu_awake_run(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                   uint32_t argument);

#endif
