/* SPDX-License-Identifier: MIT */
/* Finds and starts the processors other than the boot processor, and gives them tests. */
#ifndef KERNEL_RUN_SECONDARIES_H
#define KERNEL_RUN_SECONDARIES_H

#include <stdbool.h>

#include <arch/smp/kinds.h>
#include <arch/smp/smp.h>
#include <kernel/loader/bootinfo.h>
#include <kernel/run/cmdline.h>
#include <kernel/run/execute.h>

/*
 * Reads what the firmware reports about the other processors. Must be called before paging is on,
 * because the tables are found through page 0.
 */
void secondaries_find(const struct bootinfo *boot, const struct cmdline *words);

/* Starts the processors; init runs on each of them before its first test. */
void secondaries_start(const struct cmdline *words, void (*init)(void));

/* Prints the lines of the head about the processors, each beginning with "# ". */
void secondaries_describe(void);

/*
 * Returns the number of processors that have results: those that were started, including one that
 * died later.
 */
unsigned secondaries_count(void);
bool secondaries_has_result(unsigned cpu);

/* Returns whether the test is one for that other processor, by its member runs. */
static inline bool secondaries_runs(const struct test *test, unsigned cpu)
{
	const struct kind *k = kind_of(UINT64_C(1) << cpu);

	return test->runs == TEST_EVERYWHERE || test->runs == TEST_ALONE
	       || (test->runs == TEST_BY_KIND && k && k->first == cpu);
}

/*
 * Runs the test on all other processors at once. Ends a hung test, and gives up a processor that
 * does not answer.
 */
void secondaries_execute(const struct test *test);
const struct test_ctx *secondaries_result(unsigned cpu);

/* ------------------------------------------------------------ for tests with several processors */

/*
 * Gives `part` of the test t to a running processor that has no work; only tests on the boot
 * processor may call it. Statics are private to each processor: data for both must be SHARED, or
 * argument must point to it.
 */
void secondaries_begin(struct test_ctx *t, unsigned cpu, execute_part_fn part, uintptr_t argument);

/*
 * Waits for the end of a part, and adds its expectations to t as "cpu N: ...". Ends the test if the
 * part hung or died.
 */
void secondaries_join(struct test_ctx *t, unsigned cpu);

/* Calls secondaries_begin(), then secondaries_join(). */
void secondaries_do(struct test_ctx *t, unsigned cpu, execute_part_fn part, uintptr_t argument);

/*
 * Ensures after a test that every processor that had a part of it is idle and clean, by INIT if
 * necessary.
 */
void secondaries_clean_up(void);

/* -------------------------------------------------------------------------- work without a test */

/*
 * Makes a running processor call run(argument) and waits for it. If that takes longer than
 * `seconds`, ends whatever execute_work() runs there. Returns false if even that failed: the
 * processor was then stopped by INIT, and runs again if smp_get(cpu)->is_running. work names what
 * ran, in case tests follow.
 */
bool secondaries_work(const struct test *work, unsigned cpu, void (*run)(uintptr_t argument),
                      uintptr_t argument, unsigned seconds);

#endif
