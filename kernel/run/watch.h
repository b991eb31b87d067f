/* SPDX-License-Identifier: MIT */
/*
 * The watchdog of machines on which neither the 8254 nor the HPET runs: the APIC's timer of an idle
 * processor, of another core, sends an NMI to the boot processor. It stops while that processor has
 * work of its own.
 */
#ifndef KERNEL_RUN_WATCH_H
#define KERNEL_RUN_WATCH_H

#include <stdbool.h>

/* Chooses the processor, after all have been started, where watchdog_has_ticks() is false. */
void watch_choose(void);

/* Returns a description, or why there is none, for the head of the output. */
const char *watch_describe(void);

/*
 * Start and stop the ticks. From watch_begin() on the processor sends an NMI in each 55 ms in which
 * watch_pet() was not called. All do nothing if no processor was chosen.
 */
void watch_begin(void);
void watch_pet(void);
void watch_end(void);

/* Returns true, once, if an NMI was sent. */
bool watch_has_ticked(void);

/* Gives the processor back, if it is this one, before it gets other work. */
void watch_leave(unsigned cpu);

#endif
