/* SPDX-License-Identifier: MIT */
/* Assigns handlers to exceptions and interrupts. */
#ifndef ARCH_MODES_INTERRUPT_H
#define ARCH_MODES_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/frame.h>

/*
 * Handles an interrupt, with interrupts off. The processor returns to the state that the handler
 * leaves in the frame.
 */
typedef void (*interrupt_handler)(struct frame *f);

/*
 * Sets the handler of a vector (NULL: none) and returns the one before it. Handlers take precedence
 * over FIXUP and over the unexpected hook. Only handlers of NMI and of interrupts (vectors 2 and 32
 * to 255) also get what arises in code under mode_run().
 */
interrupt_handler interrupt_set_handler(unsigned vector, interrupt_handler handler);

/*
 * Removes every handler except the NMI's, because NMIs cannot be masked meanwhile, and rewrites
 * every gate of the IDT, whatever a test changed there.
 */
void interrupt_reset_handlers(void);

/*
 * Reports an interrupt as unexpected. Handlers call it for an interrupt that they do not recognise.
 */
void interrupt_report_unexpected(const struct frame *f);

/* Describes an unexpected exception. */
struct unexpected_fault {
	fault_t fault;
	uintptr_t ip, cr2;
	const struct frame *frame;     /* NULL if unknown, after a double fault in 32 bits */
	unsigned nesting;              /* 0, or more if it came while another was being reported */
};

/*
 * Sets the only hook, which gets each unexpected fault; it may return only from an interrupt, and
 * what was interrupted goes on. Must be called before anything can fault.
 */
void interrupt_set_unexpected_hook(void (*hook)(const struct unexpected_fault *f));

/*
 * Declares the last unexpected fault handled (the hook ended the test, or returns): the next one is
 * not nested.
 */
void interrupt_unexpected_is_over(void);

/*
 * Dispatches an exception to its handler or fixup, or reports it as unexpected. vectors.asm calls
 * this function, and so does other code that gets exceptions.
 */
void exception_dispatch(struct frame *f);
void exception_report(fault_t fault, uintptr_t ip, const struct frame *f);

#endif
