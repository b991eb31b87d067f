/* SPDX-License-Identifier: MIT */
/* Who handles which exception and interrupt. */
#ifndef ARCH_MODES_INTERRUPT_H
#define ARCH_MODES_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/frame.h>

/* Handles an interrupt; what it leaves in the frame is what is returned to. Interrupts are off. */
typedef void (*interrupt_handler)(struct frame *f);

/*
 * Sets the handler of a vector, NULL for none; returns the one before. A handler goes before
 * FIXUP and before the unexpected hook, and gets exceptions that arise in code under mode_run(),
 * too, if its vector is NMI or an interrupt (2, or from 32 on).
 */
interrupt_handler interrupt_set_handler(unsigned vector, interrupt_handler handler);

/*
 * Takes every handler away, but the NMI's, which cannot be kept off meanwhile; and writes every
 * gate of the IDT anew, whatever a test did to it.
 */
void interrupt_reset_handlers(void);

/* For a handler that does not know the interrupt it got. */
void interrupt_report_unexpected(const struct frame *f);

/* An exception that nobody expected: enough to report it. */
struct unexpected_fault {
	fault_t fault;
	uintptr_t ip, cr2;
	const struct frame *frame;     /* NULL: not known, after a double fault in 32 bits */
	unsigned nesting;              /* 0; more: it came while one was being reported */
};

/* Told about each unexpected fault; must not return. One hook; set before anything can fault. */
void interrupt_set_unexpected_hook(void (*hook)(const struct unexpected_fault *f));

/* The hook is done with it (the test was ended): the next one is not nested. */
void interrupt_unexpected_is_over(void);

/* For the assembly, and for what else gets exceptions: sorts one, and reports one. */
void exception_dispatch(struct frame *f);
void exception_report(fault_t fault, uintptr_t ip, const struct frame *f);

#endif
