/* SPDX-License-Identifier: MIT */
/* Waits, with a limit in time, for something that arrives by itself, with
 * interrupts on or off. */
#ifndef TESTS_SUITES_COMMON_BOUNDED_WAIT_H
#define TESTS_SUITES_COMMON_BOUNDED_WAIT_H

#include <stdbool.h>

#include <arch/clock/clocks.h>

/*
 * An awaited event must arrive within this time, 250 ms. An IPI takes microseconds and the longest
 * timer of these tests 1 ms; emulators whose timers are threads of the host need the rest: with
 * 50 ms, 16 processors of QEMU on 2 of the host's were red in platform.apic.timer.one_shot, once.
 */
#define ARRIVAL_SLICES  2500u

/* A test waits this time, 1 ms, for something that must not arrive. */
#define SILENCE_SLICES  10u

#define SLICE_US        100u

static inline void wait_slice(void)
{
	clock_wait_us(SLICE_US);
}

static inline void wait_silence(void)
{
	clock_wait_us(SILENCE_SLICES * SLICE_US);
}

/* Waits until *count has reached want, at most ARRIVAL_SLICES; then waits for SILENCE_SLICES. */
static inline void wait_for_count(const volatile unsigned *count, unsigned want)
{
	for (unsigned i = 0; i < ARRIVAL_SLICES && *count < want; i++)
		wait_slice();
	wait_silence();
}

#endif
