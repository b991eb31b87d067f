/* SPDX-License-Identifier: MIT */
/*
 * Pauses counters, so that what a user has programmed register by register counts while code of
 * interest runs, but not while the monitor reads keys and prints.
 *
 * While counters are on, the registers that enable them are as they were programmed:
 * IA32_PERF_GLOBAL_CTRL; the EN bits of the event selects in architectural version 1, P6 and AMD;
 * P5's CC fields; NetBurst's ESCRs; and the enables of branch records. While they are paused, those
 * bits are 0 in the registers and saved here. Nothing else changes; CCCRs do not, because a write
 * to one affects its OVF. Like the counters, this state belongs to one processor; threads that
 * share counters each save what they have programmed.
 */
#ifndef PMU_DRIVERS_SUSPEND_H
#define PMU_DRIVERS_SUSPEND_H

#include <stdint.h>

#include <arch/cpu/fault.h>

/* Save and clear the bits, and restore them. Each does nothing if it was the last one called. */
void pmu_suspend(void);
void pmu_resume(void);

/*
 * Forgets the saved bits, because the PMU was reset or programmed otherwise. It becomes the hook of
 * pmu_program() and pmu_reset() before the first bits are saved.
 */
void pmu_suspend_forget(void);

/*
 * Execute one RDMSR, WRMSR or RDPMC while the counters are paused before and after. Reads return
 * registers as they were programmed and counters as they stand. A write to a register that pausing
 * changes takes effect only for the few instructions that check whether it faults and what it reads
 * as; counters keep what they count meanwhile.
 */
fault_t pmu_awake_read(uint32_t msr, uint64_t *value);
fault_t pmu_awake_write(uint32_t msr, uint64_t value);
fault_t pmu_awake_rdpmc(uint32_t index, uint64_t *value);

/* Returns what pmu_awake_read() reads, or 0 if that faults. */
uint64_t pmu_awake_value(uint32_t msr);

/*
 * Returns the register by which a counter can be given this value in full width, or 0 if none can.
 */
uint32_t pmu_place_to_write(unsigned counter, uint64_t value);

/*
 * Set all counters to 0 for a trial in which they may count, so that none overflows, and restore
 * them. A counter whose value no write can restore continues instead.
 */
void pmu_park_counters(void);
void pmu_unpark_counters(void);

/*
 * Calls code with the counters on as they are programmed, in a window like that of pmu_window(), so
 * that the number of instructions in it is the same each time.
 */
void pmu_awake_run(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                   uint32_t argument);

#endif
