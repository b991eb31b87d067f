/* SPDX-License-Identifier: MIT */
/* The processors beside the one that booted: found, started, given tests. */
#ifndef KERNEL_RUN_OTHERS_H
#define KERNEL_RUN_OTHERS_H

#include <stdbool.h>

#include <arch/smp/smp.h>
#include <kernel/loader/bootinfo.h>
#include <kernel/run/cmdline.h>
#include <kernel/run/execute.h>

/* Reads what the firmware says of them: page 0 is needed, so before paging. */
void others_find(const struct bootinfo *boot, const struct cmdline *words);

/* Starts them; init runs on each before it takes its first test. */
void others_start(const struct cmdline *words, void (*init)(void));

/* Prints its lines of the head, each beginning "# ". */
void others_describe(void);

/* How many there are results of: those that were started, one that died later among them. */
unsigned others_count(void);
bool others_has_result(unsigned cpu);

/* Runs the test on all of them at once; a hung one is ended, one that does not answer given up. */
void others_execute(const struct test *test);
const struct test_ctx *others_result(unsigned cpu);

/* ------------------------------------------------------------ for tests with several processors */

/*
 * Gives `part` of the test t to a running processor that has none; the boot processor's tests only.
 * Statics are each processor's own: what both are to see is SHARED or behind argument.
 */
void others_begin(struct test_ctx *t, unsigned cpu, execute_part_fn part, uintptr_t argument);

/*
 * Waits for the end of a part; its expectations become t's, as "cpu N: ...". One that hung or died
 * ends the test.
 */
void others_join(struct test_ctx *t, unsigned cpu);

/* Both of it. */
void others_do(struct test_ctx *t, unsigned cpu, execute_part_fn part, uintptr_t argument);

/* After a test: whoever had a part of it is idle and clean, by INIT if it must be. */
void others_clean_up(void);

/* ------------------------------------------------------------------------------ what is no test */

/*
 * Has a running processor call run(argument) and waits for it. Longer than these seconds: whatever
 * execute_work() runs there is ended. False: not even that did, it was stopped by INIT, and was
 * started again if smp_get(cpu)->is_running. work: what to call that, if tests follow.
 */
bool others_work(const struct test *work, unsigned cpu, void (*run)(uintptr_t argument),
                 uintptr_t argument, unsigned seconds);

#endif
