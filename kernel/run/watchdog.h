/* SPDX-License-Identifier: MIT */
/*
 * Ends a test that hangs, by the machine's own timer.
 *
 * The 8254 counts 55 ms, one shot at a time, and reports by NMI through the IO-APIC, so that a test
 * with interrupts off is caught too. Where that does not work it is a plain interrupt, and tests
 * run with interrupts on. Not covered: hangs with NMIs blocked, and with interrupts off on machines
 * without an IO-APIC.
 */
#ifndef KERNEL_RUN_WATCHDOG_H
#define KERNEL_RUN_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/interrupt.h>

/* Finds out by trying how the 8254 can interrupt this machine. */
void watchdog_init(void);

/* The way found, or why there is none, for the head of the output. */
const char *watchdog_describe(void);

/* Puts the handlers into the IDT (again). */
void watchdog_install(void);

/* From now on, so many seconds, 1 to 60; then on_hang() is called, which must not return. */
void watchdog_start(unsigned seconds, void (*on_hang)(unsigned ticks));
void watchdog_stop(void);

/* The seconds of watchdog_start() begin again: for a test that is long, and has come further. */
void watchdog_renew(void);

/* A full 55 ms from now before the next tick: no tick falls into a short window that follows. */
void watchdog_pet(void);

/*
 * Who gets NMIs that are not the watchdog's, NULL for nobody (then they are unexpected faults).
 * is_sure is false where a tick came at the same time: two NMIs may have become one.
 */
void nmi_set_handler(void (*handler)(struct frame *f, bool is_sure));

/* Whom those reach that would be unexpected faults; NULL: they are. Handlers may be reset. */
void nmi_set_default(void (*handler)(void));

/* Ticks since watchdog_start(); one that falls into a measurement spoils it. */
unsigned watchdog_ticks(void);
#define WATCHDOG_TICKS_PER_SECOND  18u

/* Is there a timer that ticks, ending a HLT with interrupts on? */
bool watchdog_has_ticks(void);

/*
 * For a processor that did not boot the machine: the 8254 is not its own. There on_hang() is called
 * when the boot processor asks for the end by NMI (smp.h), whatever seconds say.
 */
void watchdog_leave_to_boot(void);

#endif
