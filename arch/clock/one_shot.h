/* SPDX-License-Identifier: MIT */
/* Starts the timer that interrupts the boot processor: channel 0 of the 8254, or the HPET's. */
#ifndef ARCH_CLOCK_ONE_SHOT_H
#define ARCH_CLOCK_ONE_SHOT_H

#include <stdbool.h>
#include <stdint.h>

/* The longest time of a one shot, which is the 8254's 65535 clocks, in us. */
#define ONE_SHOT_US_MAX   54924u

/*
 * Describes a timer. program() starts it for 1 to ONE_SHOT_US_MAX us; is_over() returns true from
 * the end of that time until the next program().
 */
struct one_shot {
	void (*program)(uint32_t us);
	bool (*is_over)(void);
};

/* Selects the timer for the functions below, or none if NULL. */
void one_shot_select(const struct one_shot *timer);

/* Starts the timer, if there is one; it interrupts once. */
void one_shot_start(uint32_t us);

/*
 * Returns true if the timer has ended since one_shot_start(). Also returns true once for an end
 * before the start whose interrupt had not arrived by then.
 */
bool one_shot_has_expired(void);

#endif
