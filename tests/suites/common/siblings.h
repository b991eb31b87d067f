/* SPDX-License-Identifier: MIT */
/*
 * Another thread of the boot processor's core works while the boot processor counts. Its part of
 * the test, an execute_part_fn, prepares itself, calls sibling_wait(), works, calls sibling_done().
 */
#ifndef TESTS_SUITES_COMMON_SIBLINGS_H
#define TESTS_SUITES_COMMON_SIBLINGS_H

#include <stdint.h>

#include <kernel/run/execute.h>
#include <pmu/core/program.h>

/* In the part: at CPL 0 until the other one's window is open; the work has ended. */
void sibling_wait(void);
void sibling_done(void);

/* What the boot processor's window runs: lets the sibling work; waits for it, at CPL 0. */
void sibling_go(void);
void sibling_join(void);

/*
 * Programs the counters, gives the sibling its part, and when that waits runs code in a window,
 * which must call sibling_go() and sibling_join(); NULL: it does nothing else.
 */
void sibling_window(struct test_ctx *t, const struct pmu_setup *setups, unsigned count,
                    execute_part_fn part, uintptr_t argument,
                    void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                    uint32_t code_argument);

#endif
