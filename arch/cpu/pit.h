/* SPDX-License-Identifier: MIT */
/*
 * Drives the 8254: channel 0 is the watchdog's one-shot timer, channel 2 is a stop-watch that also
 * measures the TSC's rate.
 */
#ifndef ARCH_CPU_PIT_H
#define ARCH_CPU_PIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Starts channel 0: its output (IRQ 0) rises once, after count clocks of 1/1193182 s. count is 1 to
 * 65535.
 */
void pit_start_one_shot(uint16_t count);

/*
 * Returns true if channel 0's output has risen since pit_start_one_shot(). Also returns true once
 * for a rise before the start whose interrupt had not arrived by then.
 */
bool pit_has_expired(void);

/* Returns true if port 61H, which starts channel 2 and shows its output, keeps what is written. */
bool pit_has_channel2(void);

/*
 * Waits for count 8254 clocks (1 to 65535) on channel 2, or by the TSC where channel 2 is missing
 * or another processor's, whether interrupts are on or off. Returns
 * false if the 8254 does not count: newer chip sets stop it ("8254 static clock gating"), which the
 * SDM does not mention.
 */
bool pit_wait(uint16_t count);

/*
 * Returns the TSC's rate in kHz, measured once over 20 ms, or 0 without a TSC or without a counting
 * 8254. The first call comes before watchdog_init(), because it may use channel 0.
 */
uint32_t tsc_khz(void);

#endif
