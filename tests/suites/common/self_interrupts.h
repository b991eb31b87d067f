/* SPDX-License-Identifier: MIT */
/* Interrupts that this processor sends to itself while it counts, with handlers of known counts. */
#ifndef TESTS_SUITES_COMMON_SELF_INTERRUPTS_H
#define TESTS_SUITES_COMMON_SELF_INTERRUPTS_H

#include <stdint.h>

/* An NMI, or an interrupt of fixed delivery. */
enum arch_interrupt { ARCH_INTERRUPT_NMI, ARCH_INTERRUPT_FIXED };

/* What a round of arch_interrupts_send() retires, and what each handler retires. */
struct arch_interrupt_counts {
	uint32_t insns_each, branches_each;
	uint32_t handler_insns, handler_branches;
};

/* Sets the gate and the addresses; the engine restores the gate. Needs a local APIC. */
struct arch_interrupt_counts arch_interrupts_prepare(enum arch_interrupt kind);

/*
 * The code to be measured: sends itself one interrupt a round, from 1, and spins until it must have
 * come. argument is an enum arch_interrupt.
 */
void arch_interrupts_send(uint32_t rounds, uint32_t argument);

/* Returns how many handlers ran since arch_interrupts_prepare() or the last call. */
uint32_t arch_interrupts_take_count(void);

/* A gate's target that only executes IRET. */
extern void arch_interrupts_return(void);

#endif
