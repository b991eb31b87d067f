/* SPDX-License-Identifier: MIT */
/* Ends the run, regularly or because it cannot continue. */
#ifndef KERNEL_RUN_PANIC_H
#define KERNEL_RUN_PANIC_H

#include <arch/modes/interrupt.h>

/* Numbers the results of a run; a host sees them as the exit status, too. */
enum run_status { RUN_PASSED = 0, RUN_FAILED = 1, RUN_BROKEN = 2 };

/* Holds functions to call at the end of a run; each may be NULL. kernel_main() sets them once. */
struct end_hooks {
	void (*before_panic)(void);     /* called first, to release text that is held back */
	void (*stay)(void);             /* called if the machine could not be left; may return */
};

void panic_set_hooks(const struct end_hooks *hooks);

/* Prints "Bail out!" with the reason and ends the run as broken. */
void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Ends the run: prints the last line, then leaves by QEMU's or Bochs' exit port; if there is
 * neither, calls the hook stay() and halts.
 */
void machine_end(enum run_status status) __attribute__((noreturn));

/* Leaves by QEMU's or Bochs' exit port without a last line; halts if there is neither. */
void machine_leave(enum run_status status) __attribute__((noreturn));

/*
 * Makes unexpected faults end the run from now on. recover() is called first and may continue
 * elsewhere instead of returning; text describes the fault. recover may be NULL.
 */
void panic_catch_faults(void (*recover)(const char *text));

#endif
