/* SPDX-License-Identifier: MIT */
/* The clocks that count at a known rate, and so measure the TSC's. */
#ifndef ARCH_CLOCK_CLOCK_COUNTERS_H
#define ARCH_CLOCK_CLOCK_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Describes a counter that goes up, and round at mask. */
struct counter {
	uint32_t hz, mask;
	uint32_t (*read)(void);
	void (*begin)(void);            /* or NULL; called before each measurement */
};

/* Fill *c and return true if something may be there; that it counts is checked by reading it. */
bool counter_find_pm_timer(struct counter *c, uint16_t port);
bool counter_find_hpet(struct counter *c, uintptr_t base);
bool counter_find_8254(struct counter *c);

/*
 * Returns the TSC's rate in kHz by a counter, or 0, with *problem set to a sentence. Takes at most
 * 20 ms if the counter counts, and 2,000 reads of the counter if it does not.
 */
uint32_t counter_measure(const struct counter *c, const char **problem);

/*
 * Returns the TSC's rate by the seconds of the RTC, or 0 as above. Takes 1 to 2 seconds, up to 5 if
 * a host suspends the machine while a second ends.
 */
uint32_t rtc_measure(const char **problem);

#endif
