/* SPDX-License-Identifier: MIT */
/* What the word seed= varies: things that no test may depend on. */
#ifndef KERNEL_RUN_VARY_H
#define KERNEL_RUN_VARY_H

#include <stdint.h>

/* Each is a number below its span, another one each time (vary.c). */
enum vary {
	VARY_ORDER,             /* of tests */
	VARY_WAIT,              /* before a test: instructions, three for each */
	VARY_TICK,              /* the watchdog's first one in a test: so many 8254 clocks sooner */
	VARY_STACK,             /* how much lower it begins in a test: 16 bytes for each */
	VARY_MEMORY,            /* pages left out before each other processor's private memory */
	VARY_COUNT
};

/* Once on each processor. seed 0: none, nothing varies. */
void vary_init(uint32_t seed, unsigned cpu);

/* 0 without a seed. Equal seeds, processors and calls for this thing give equal numbers. */
uint32_t vary(enum vary what);

/* Waits as many instructions as it is this time. */
void vary_wait(void);

#endif
