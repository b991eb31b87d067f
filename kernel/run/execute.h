/* SPDX-License-Identifier: MIT */
/* Runs one test to its end on the executing processor, and cleans up before and after it. */
#ifndef KERNEL_RUN_EXECUTE_H
#define KERNEL_RUN_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/interrupt.h>
#include <kernel/run/result.h>

/*
 * Limits the time of a test, measured with the 8254. In an emulator our longest test takes a tenth
 * of this time.
 */
#define TEST_SECONDS  2

/* Limits how often a test is repeated because something disturbed it. */
enum { TEST_REPEATS_MAX = 2, TEST_TRIES_MAX = 4 };

/* Runs a test. The result is private to the processor and valid until the next test. Before a test
 * runs again, clean_others_up, or NULL, cleans up the processors that it gave work. */
const struct test_ctx *execute_test(const struct test *test, void (*clean_others_up)(void));

/* Says whether the test would be skipped here and now, without running it. */
bool execute_would_skip(const struct test *test);

/*
 * Runs a part of a test on another processor (secondaries.h). t collects the part's expectations;
 * argument is a number or points to SHARED memory. Nothing is reset before or after a part.
 */
typedef void (*execute_part_fn)(struct test_ctx *t, uintptr_t argument);
const struct test_ctx *execute_part(const struct test *test, execute_part_fn part,
                                    uintptr_t argument);

/*
 * Runs a command, which is not a test, in the same way. seconds is its time limit, 1 to 60, or 0
 * for no limit; a command without a limit may execute others. The result is an error if
 * test_abort(), a fault or the watchdog ended the command; execute_clean_up() must then be called.
 * The command may change CR4.PCE.
 */
const struct test_ctx *execute_work(const struct test *work, execute_part_fn part,
                                    uintptr_t argument, unsigned seconds);

/* Resets whatever state a test left or was aborted in, so that none of it reaches the next test. */
void execute_clean_up(void);

/*
 * Recovers from a fault, for panic_catch_faults(). It ends the running test, or the reset between
 * two tests, as an error. An interrupt that comes between two tests becomes an error of the result
 * that is printed next; then it returns true. It returns false if it can do nothing.
 */
bool execute_recover(const struct unexpected_fault *f, const char *text);

#endif
