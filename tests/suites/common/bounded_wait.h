/* SPDX-License-Identifier: MIT */
/* Bounded waiting for what arrives by itself, by the 8254, with or without interrupts. */
#ifndef TESTS_SUITES_COMMON_BOUNDED_WAIT_H
#define TESTS_SUITES_COMMON_BOUNDED_WAIT_H

#include <stdbool.h>

#include <arch/cpu/pit.h>
#include <arch/regs/apic.h>

/*
 * Until it must have arrived: 50 ms. An IPI takes microseconds and the longest timer of these tests
 * 1 ms; emulators whose timers are threads of the host's are what the rest is for.
 */
#define ARRIVAL_SLICES  500u

/* Until it would have arrived if it did: 1 ms. */
#define SILENCE_SLICES  10u

/* One slice, 0.1 ms. False: the 8254 does not count, and a second or more has gone by. */
static inline bool wait_slice(void)
{
	return pit_wait(PIT_HZ / 10000);
}

static inline void wait_silence(void)
{
	for (unsigned i = 0; i < SILENCE_SLICES && wait_slice(); i++)
		;
}

/* Waits until *count has reached want, at most ARRIVAL_SLICES; then whether more come. */
static inline void wait_for_count(const volatile unsigned *count, unsigned want)
{
	for (unsigned i = 0; i < ARRIVAL_SLICES && *count < want && wait_slice(); i++)
		;
	wait_silence();
}

#endif
