/* SPDX-License-Identifier: MIT */
/* The 8254: channel 0 as the watchdog's one-shot, channel 2 as a stop-watch, and the TSC's rate. */
#ifndef ARCH_CPU_PIT_H
#define ARCH_CPU_PIT_H

#include <stdbool.h>
#include <stdint.h>

/* Channel 0: its output (IRQ 0) rises once, after count clocks of 1/1193182 s; 1 to 65535. */
void pit_start_one_shot(uint16_t count);

/* Has channel 0's output risen since? Yes, once, of a rise before the start, too, whose interrupt
 * had not come then. */
bool pit_has_expired(void);

/*
 * Waits for some 8254 clocks (1 to 65535) on channel 2, interrupts do not matter. Returns false if
 * the 8254 does not count: newer machines stop it (SDM: none; chip set's "8254 static clock
 * gating").
 */
bool pit_wait(uint16_t count);

/* The TSC's rate in kHz, measured once, over 20 ms; 0 without TSC or without a counting 8254. */
uint32_t tsc_khz(void);

#endif
