/* SPDX-License-Identifier: MIT */
/* Waits, with a limit measured by the 8254, for something that arrives by itself, with
 * interrupts on or off. */
#ifndef TESTS_SUITES_COMMON_BOUNDED_WAIT_H
#define TESTS_SUITES_COMMON_BOUNDED_WAIT_H

#include <stdbool.h>

#include <arch/cpu/pit.h>
#include <arch/regs/apic.h>

/*
 * An awaited event must arrive within this time, 50 ms. An IPI takes microseconds and the longest
 * timer of these tests 1 ms; emulators whose timers are threads of the host need the rest.
 */
#define ARRIVAL_SLICES  500u

/* A test waits this time, 1 ms, for something that must not arrive. */
#define SILENCE_SLICES  10u

/* Waits one slice, 0.1 ms. Returns false if the 8254 does not count; a second or
 * more has passed then. */
static inline bool wait_slice(void)
{
	return pit_wait(PIT_HZ / 10000);
}

static inline void wait_silence(void)
{
	for (unsigned i = 0; i < SILENCE_SLICES && wait_slice(); i++)
		;
}

/* Waits until *count has reached want, at most ARRIVAL_SLICES; then waits for SILENCE_SLICES. */
static inline void wait_for_count(const volatile unsigned *count, unsigned want)
{
	for (unsigned i = 0; i < ARRIVAL_SLICES && *count < want && wait_slice(); i++)
		;
	wait_silence();
}

#endif
