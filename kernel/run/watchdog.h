/* SPDX-License-Identifier: MIT */
/*
 * Ends a test that hangs, with the machine's own timer.
 *
 * The 8254, or the HPET in its place, counts 55 ms, one shot at a time, and reports by NMI through
 * the IO-APIC, so that a test with interrupts off is caught, too. If that does not work, it reports
 * by a plain interrupt, and tests run with interrupts on. If neither runs, a processor of another
 * core sends the NMIs (watch.h). The watchdog does not catch hangs with NMIs blocked, nor hangs
 * with interrupts off on machines without an IO-APIC.
 */
#ifndef KERNEL_RUN_WATCHDOG_H
#define KERNEL_RUN_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/modes/interrupt.h>

/*
 * Tries out how a timer can interrupt this machine. Comes after clock_init(), which knows the
 * timers that run.
 */
void watchdog_init(void);

/* Returns a description of the way found, or why no way works, for the head of the output. */
const char *watchdog_describe(void);

/* Puts the handlers into the IDT, or puts them back. */
void watchdog_install(void);

/*
 * Starts the watchdog for the given time, 1 to 60 seconds; then it calls on_hang(), which must not
 * return.
 */
void watchdog_start(unsigned seconds, void (*on_hang)(unsigned ticks));

/*
 * The same for work that belongs to no test, in which only a tick ends anything: any other NMI is a
 * late one of a finished test.
 */
void watchdog_guard(unsigned seconds, void (*on_hang)(unsigned ticks));
void watchdog_stop(void);

/* Restarts the seconds of watchdog_start(), for a long test that has made progress; on another
 * processor those that the boot processor waits for it. */
void watchdog_renew(void);

/* Returns true, once for each processor, if it has called watchdog_renew(). */
bool watchdog_has_renewed(unsigned cpu);

/*
 * Delays the next tick to a full 55 ms from now, so that no tick falls into a short window that
 * follows.
 */
void watchdog_pet(void);

/*
 * Sets the handler of NMIs that are not the watchdog's; without one (NULL) they are unexpected
 * faults. is_sure is false if a tick came at the same time, because two NMIs may have become one.
 */
void nmi_set_handler(void (*handler)(struct frame *f, bool is_sure));

/*
 * Sets the handler of NMIs that would otherwise be unexpected faults, or removes it if NULL. The
 * handler stays when handlers are reset.
 */
void nmi_set_default(void (*handler)(void));

/*
 * Ends the blocking of NMIs that an NMI or a VM exit left behind, as an NMI handler's IRET does.
 * One that is pending comes then.
 */
void nmi_unblock(void);

/* Returns the number of ticks since watchdog_start(). A tick inside a measurement spoils it. */
unsigned watchdog_ticks(void);
#define WATCHDOG_TICKS_PER_SECOND  18u
#define WATCHDOG_TICK_US           54924u

/*
 * Returns true if a timer of the machine ticks, whatever the processors do, and so ends a HLT with
 * interrupts on.
 */
bool watchdog_has_ticks(void);

/*
 * Leaves the timer to the boot processor; the other processors call this. On them on_hang() is
 * called when the boot processor sends an NMI (smp.h), and the seconds have no effect.
 */
void watchdog_leave_to_boot(void);

#endif
