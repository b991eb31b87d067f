/* SPDX-License-Identifier: MIT */
/* Ends the run, regularly or because it cannot continue. */
#ifndef KERNEL_RUN_PANIC_H
#define KERNEL_RUN_PANIC_H

#include <stdbool.h>

#include <arch/modes/interrupt.h>

/* Numbers the results of a run; a host sees them as the exit status, too. */
enum run_status { RUN_PASSED = 0, RUN_FAILED = 1, RUN_BROKEN = 2 };

/* Holds functions to call at the end of a run; each may be NULL. kernel_main() sets them once. */
struct end_hooks {
	void (*before_panic)(void);     /* called first, to release text that is held back */
	/* Called if the machine could not be left; may return. */
	void (*stay)(enum run_status status);
};

/* Chooses the emulators' ports that the end writes to; without this call it writes to none. */
void machine_set_leave(bool by_f4, bool by_8900);

/*
 * Chooses what is written to QEMU's exit port in place of the status, unless the run breaks.
 */
enum { EXIT_NO_PMU = 3 };
void machine_set_exit(unsigned value);

void panic_set_hooks(const struct end_hooks *hooks);

/*
 * Names the test for panic()'s sentence: it is under way, or over, and the next one has not begun.
 * Each processor has its own.
 */
void panic_set_test(const char *id, bool is_over);

/* Prints "Bail out!" with the reason and the test, and ends the run as broken. */
void panic(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * Ends the run: prints the last line, then leaves by QEMU's or Bochs' exit port; if there is
 * neither, calls the hook stay() and halts.
 */
void machine_end(enum run_status status) __attribute__((noreturn));

/* Leaves by QEMU's or Bochs' exit port without a last line; halts if there is neither. */
void machine_leave(enum run_status status) __attribute__((noreturn));

/*
 * Makes unexpected faults end the run from now on. recover is called first; text describes the
 * fault. It may continue elsewhere instead of returning, or return true: then the code that an
 * interrupt interrupted goes on. recover may be NULL.
 */
typedef bool (*panic_recover_fn)(const struct unexpected_fault *f, const char *text);
void panic_catch_faults(panic_recover_fn recover);

#endif
