/* SPDX-License-Identifier: MIT */
/* Varies, by the word seed=, things that no test may depend on. */
#ifndef KERNEL_RUN_PERTURB_H
#define KERNEL_RUN_PERTURB_H

#include <stdint.h>

/* Each thing gets a number below its span, a different one each time (perturb.c). */
enum perturb {
	PERTURB_ORDER,  /* the order of tests */
	PERTURB_WAIT,   /* the wait before a test: three instructions for each */
	PERTURB_TICK,   /* the watchdog's first tick: so many us sooner */
	PERTURB_STACK,  /* how much lower the stack begins in a test: 16 bytes for each */
	PERTURB_MEMORY, /* pages left free before each other processor's private memory */
	PERTURB_COUNT
};

/* Sets the seed. Must be called once on each processor. With seed 0 nothing varies. */
void perturb_init(uint32_t seed, unsigned cpu);

/*
 * Returns a number, or 0 without a seed. Equal seeds, processors and calls for this thing give
 * equal numbers.
 */
uint32_t perturb(enum perturb what);

/* Waits for as many instructions as PERTURB_WAIT asks for. */
void perturb_wait(void);

#endif
