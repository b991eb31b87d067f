/* SPDX-License-Identifier: MIT */
/* The end of a run that cannot go on. */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include <arch/interrupt.h>
#include <kernel/engine.h>

/* Prints "Bail out!" with the reason and ends the run as broken. */
void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Ends the run: the last line, then QEMU's or Bochs' way out, else halted with the summary on
 * screen.
 */
void machine_end(enum run_status status) __attribute__((noreturn));

/* Leaves without a last line, by QEMU's and Bochs' ways out; halts where there is neither. */
void machine_leave(enum run_status status) __attribute__((noreturn));

/* Faults that nobody expects: in a test they end the test as an error, elsewhere the run. */
void panic_catch_faults(void);

#endif
