/* SPDX-License-Identifier: MIT */
/* Measures the time of a run by the TSC, which tests may write: only steps forward count. */
#ifndef KERNEL_FACE_CLOCK_H
#define KERNEL_FACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void clock_start(void);
bool clock_is_there(void);

/*
 * Returns true if the screen should be drawn again: a quarter of a second has passed since the last
 * time that it returned true, or, without a TSC, this is the 64th call since. The first call after
 * clock_start() returns true.
 */
bool clock_has_moved(void);

/* Returns the eighths of a second between clock_start() and the last clock_has_moved(). */
uint32_t clock_eighths(void);

#endif
