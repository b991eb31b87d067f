/* SPDX-License-Identifier: MIT */
/* Varies, by the word seed=, things that no test may depend on. */
#ifndef KERNEL_RUN_VARY_H
#define KERNEL_RUN_VARY_H

#include <stdint.h>

/* Each thing gets a number below its span, a different one each time (vary.c). */
enum vary {
	VARY_ORDER,             /* the order of tests */
	VARY_WAIT,              /* the wait before a test: three instructions for each */
	VARY_TICK,              /* the watchdog's first tick: so many 8254 clocks sooner */
	VARY_STACK,             /* how much lower the stack begins in a test: 16 bytes for each */
	VARY_MEMORY,            /* pages left free before each other processor's private memory */
	VARY_COUNT
};

/* Sets the seed. Must be called once on each processor. With seed 0 nothing varies. */
void vary_init(uint32_t seed, unsigned cpu);

/*
 * Returns a number, or 0 without a seed. Equal seeds, processors and calls for this thing give
 * equal numbers.
 */
uint32_t vary(enum vary what);

/* Waits for as many instructions as VARY_WAIT asks for. */
void vary_wait(void);

#endif
