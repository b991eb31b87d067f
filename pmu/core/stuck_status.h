/* SPDX-License-Identifier: MIT */
/*
 * Remembers the bits of the overflow status that the reset between two tests could not clear. A bit
 * that stays fails the test that has just ended; later tests do not see it.
 */
#ifndef PMU_CORE_STUCK_STATUS_H
#define PMU_CORE_STUCK_STATUS_H

#include <stdint.h>

#include <kernel/run/test.h>

/* pmu_reset() sets the bits that are still 1 after it has cleared the status. */
void stuck_status_set(uint64_t bits);
uint64_t stuck_status(void);

/* Lets the test that has just ended fail if a bit became stuck; the hook check_reset(). */
void stuck_status_check(struct test_ctx *t);

/*
 * Returns the id of the test that failed because the bit of a counter is stuck, while it is stuck,
 * or NULL: then tests of this status can be judged.
 */
const char *stuck_status_since(void);

#endif
