/* SPDX-License-Identifier: MIT */
/* Sends interrupts from this processor to itself while it counts, with handlers of known counts. */
#ifndef TESTS_SUITES_COMMON_SELF_INTERRUPTS_H
#define TESTS_SUITES_COMMON_SELF_INTERRUPTS_H

#include <stdint.h>

/* Chooses an NMI, or an interrupt of fixed delivery. */
enum arch_interrupt { ARCH_INTERRUPT_NMI, ARCH_INTERRUPT_FIXED };

/* Holds what a round of arch_interrupts_send() retires, and what each handler retires. */
struct arch_interrupt_counts {
	uint32_t insns_each, branches_each;
	uint32_t handler_insns, handler_branches;
};

/* Sets the gate and the addresses; the engine restores the gate. Needs a local APIC. */
struct arch_interrupt_counts arch_interrupts_prepare(enum arch_interrupt kind);

/*
 * Sends itself one interrupt in each round and spins until the interrupt must have come; this is
 * the code to be measured. rounds is at least 1, argument an enum arch_interrupt.
 */
void arch_interrupts_send(uint32_t rounds, uint32_t argument);

/*
 * Returns how many handlers ran since arch_interrupts_prepare() or since the last call of this
 * function.
 */
uint32_t arch_interrupts_take_count(void);

/* Executes only IRET, as a gate's target. */
extern void arch_interrupts_return(void);

#endif
