/* SPDX-License-Identifier: MIT */
/* The end of a run that cannot go on. */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include <arch/interrupt.h>

/* How a run ends; also what a host sees of it as an exit status. */
enum run_status { RUN_PASSED = 0, RUN_FAILED = 1, RUN_BROKEN = 2 };

/* Prints "Bail out!" with the reason and ends the run as broken. */
void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Ends the run: the last line, then QEMU's or Bochs' way out, else halted with the summary on
 * screen.
 */
void machine_end(enum run_status status) __attribute__((noreturn));

/* Leaves without a last line, by QEMU's and Bochs' ways out; halts where there is neither. */
void machine_leave(enum run_status status) __attribute__((noreturn));

/*
 * From now on, faults that nobody expects end the run. But first they are shown to recover(), which
 * may go on elsewhere instead of returning; text says what happened. NULL: nobody can.
 */
void panic_catch_faults(void (*recover)(const char *text));

#endif
