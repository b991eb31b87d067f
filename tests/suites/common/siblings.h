/* SPDX-License-Identifier: MIT */
/*
 * Lets another thread of the boot processor's core work while the boot processor counts. Its part
 * of the test, an execute_part_fn, prepares itself, calls sibling_wait(), works, and calls
 * sibling_done().
 */
#ifndef TESTS_SUITES_COMMON_SIBLINGS_H
#define TESTS_SUITES_COMMON_SIBLINGS_H

#include <stdint.h>

#include <kernel/run/execute.h>
#include <pmu/core/program.h>

/* Serve the part: the first function waits at CPL 0 until the other thread's window is open, the
 * second one reports that the work has ended. */
void sibling_wait(void);
void sibling_done(void);

/*
 * Serve the boot processor's window: the first function lets the sibling work, the second one waits
 * for it at CPL 0.
 */
void sibling_go(void);
void sibling_join(void);

/*
 * Programs the counters, gives the sibling its part and, once the part waits, runs code in a
 * window. The code must call sibling_go() and sibling_join(). If code is NULL, the window makes
 * only these two calls.
 */
void sibling_window(struct test_ctx *t, const struct pmu_setup *setups, unsigned count,
                    execute_part_fn part, uintptr_t argument,
                    void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                    uint32_t code_argument);

#endif
