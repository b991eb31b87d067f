/* SPDX-License-Identifier: MIT */
/* Declares guests that execute single instructions on a PMU's registers, one after the other. */
#ifndef TESTS_LINUX_GUESTS_GUESTS_INSIDE_H
#define TESTS_LINUX_GUESTS_GUESTS_INSIDE_H

#include <tests/linux/vmm/vmm.h>

/* By the order of guests_code.asm. LOOP's argument is the number of its turns, of two instructions
 * and a branch each. Those that are timed return the clocks of the guest's TSC that RDPMC, WRMSR or
 * CPUID takes. */
enum operation { READ_MSR, WRITE_MSR, READ_PMC, LOOP, FOREVER, TIME_PMC, TIME_WRMSR, TIME_CPUID };

/* Makes a guest of guests_code.asm and runs it up to its first exit. Ends the program if KVM
 * refuses. */
void guest_make(struct guest *guest);

/* Executes one operation; returns EDX:EAX after it, and whether it raised #GP. FOREVER does not
 * return. */
uint64_t guest_do(struct guest *guest, enum operation operation, uint32_t argument, uint64_t value,
                  bool *is_fault);

/* Write a register, which has to exist, and run the loop. */
void guest_write(struct guest *guest, uint32_t msr, uint64_t value);
void guest_loop(struct guest *guest, uint32_t turns);

/* ------------------------------------------------------------------------ guests_registers.c */

/* The PMU that KVM shows on this processor, by the numbers of its MSRs. */
struct pmu {
	uint32_t control, count, step;          /* those of counter 0, and from one to the next */
	uint32_t fixed, fixed_ctrl;             /* 0: there are none */
	uint32_t global_ctrl, global_status;    /* they may be absent */
	uint64_t instructions, branches;        /* values of a control that counts these */
};
const struct pmu *pmu_here(void);
bool pmu_is_control(uint32_t msr);

/* Calls `act` for each register of the PMU that the guest has, with what it reads. */
void registers_each(struct guest *guest,
                    void (*act)(struct guest *guest, uint32_t msr, uint64_t value));

#endif
