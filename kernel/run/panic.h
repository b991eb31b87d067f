/* SPDX-License-Identifier: MIT */
/* The end of a run that cannot go on. */
#ifndef KERNEL_RUN_PANIC_H
#define KERNEL_RUN_PANIC_H

#include <arch/modes/interrupt.h>

/* How a run ends; also what a host sees of it as an exit status. */
enum run_status { RUN_PASSED = 0, RUN_FAILED = 1, RUN_BROKEN = 2 };

/* What else happens at a run's end. kernel_main() sets it once; of what is NULL nothing is done. */
struct end_hooks {
	void (*before_panic)(void);     /* before a panic prints: what it prints must not be held */
	void (*stay)(void);             /* the machine could not be left; may return */
};

void panic_set_hooks(const struct end_hooks *hooks);

/* Prints "Bail out!" with the reason and ends the run as broken. */
void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Ends the run: the last line, then QEMU's or Bochs' way out; where there is neither, the hook
 * stay(), then a halt.
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
