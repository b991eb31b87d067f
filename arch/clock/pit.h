/* SPDX-License-Identifier: MIT */
/*
 * Drives the 8254: channel 0 is a one-shot timer that interrupts, channel 2 is a stop-watch. Newer
 * chip sets stop it ("8254 static clock gating"), which the SDM does not mention.
 */
#ifndef ARCH_CLOCK_PIT_H
#define ARCH_CLOCK_PIT_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/clock/one_shot.h>

/* Channel 0, whose output is IRQ 0. */
extern const struct one_shot pit_one_shot;

/*
 * The stop-watch: starts, and returns the clocks of 1/1193182 s since then, modulo 65536. It is
 * channel 2, or channel 0 on machines without port 61H, where channel 2 cannot be started.
 */
void pit_stopwatch_begin(void);
uint32_t pit_stopwatch_read(void);

/* Returns true if port 61H, which starts channel 2 and shows its output, keeps what is written. */
bool pit_has_channel2(void);

/*
 * Start channel 2, whose gate pit_has_channel2() has opened, and return true once its output has
 * risen, count clocks (1 to 65535) after its start.
 */
void pit_begin(uint16_t count);
bool pit_has_ended(void);

#endif
