/* SPDX-License-Identifier: MIT */
/* One test, run to its end on the processor that executes this; clean-up before and after it. */
#ifndef KERNEL_RUN_EXECUTE_H
#define KERNEL_RUN_EXECUTE_H

#include <stdint.h>

#include <kernel/run/result.h>

/* A test may take this long by the 8254; the longest of ours takes a tenth of it in an emulator. */
#define TEST_SECONDS  2

/* The result stays until the next one; it is private to the processor. */
const struct test_ctx *execute_test(const struct test *test);

/*
 * A part of a test that another processor's test gives to this one (others.h): t collects
 * its expectations, argument is a number or points to SHARED memory. Nothing is reset before or
 * after.
 */
typedef void (*execute_part_fn)(struct test_ctx *t, uintptr_t argument);
const struct test_ctx *execute_part(const struct test *test, execute_part_fn part,
                                    uintptr_t argument);

/*
 * The same for what is no test, a command: seconds, 1 to 60, is how long it may take. An error is
 * one that it ended in by test_abort(), by a fault or by the watchdog; after it, execute_clean_up()
 * is due. CR4.PCE is its own to change. One of 0 seconds has no limit, and may execute others.
 */
const struct test_ctx *execute_work(const struct test *work, execute_part_fn part,
                                    uintptr_t argument, unsigned seconds);

/* Whatever state a test left or was aborted in: nothing of it reaches the next one. */
void execute_clean_up(void);

/* For panic_catch_faults(): ends the running test as an error; returns if there is none. */
void execute_recover(const char *text);

#endif
