/* SPDX-License-Identifier: MIT */
#include <kernel/run/watch.h>

#include <stddef.h>
#include <stdint.h>

#include <arch/clock/clocks.h>
#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <arch/smp/smp.h>
#include <kernel/run/watchdog.h>

/* It has to set up one register or clear it. */
#define ANSWER_MS  100

static SHARED unsigned watcher;                 /* 0: there is none */
static SHARED volatile uint32_t pets, sent, taken;
static SHARED volatile bool is_wanted;
static SHARED bool is_armed;

/* --------------------------------------------------------------------- on that processor */

static uint32_t pets_seen;

static void tick_again(void)
{
	apic_timer_start(VECTOR_WATCH, apic_timer_clocks(WATCHDOG_TICK_US));
}

static void on_timer(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
	if (is_wanted && pets == pets_seen) {
		sent++;
		smp_send(0, APIC_DELIVERY_NMI, 0);
	}
	pets_seen = pets;
	tick_again();
}

static void arm(uintptr_t unused)
{
	(void)unused;
	interrupt_set_handler(VECTOR_WATCH, on_timer);
	pets_seen = pets;
	tick_again();
}

static void disarm(uintptr_t unused)
{
	(void)unused;
	apic_timer_stop();
}

/* ------------------------------------------------------------------ on the boot processor */

static bool is_of_another_core(unsigned cpu)
{
	const struct topology *own = &smp_get(0)->topology, *other = &smp_get(cpu)->topology;

	return smp_get(cpu)->is_running
	       && (own->package != other->package || own->core != other->core);
}

void watch_choose(void)
{
	if (!tsc_khz())
		return;
	for (unsigned cpu = smp_count() - 1; cpu && !watcher; cpu--)
		if (is_of_another_core(cpu))
			watcher = cpu;
}

const char *watch_describe(void)
{
	if (watcher)
		return "the APIC's timer of a processor of another core, by an NMI: a hang in a "
		       "test that uses that processor is not caught";
	return "none: neither the 8254 nor the HPET interrupts this machine, and there is no "
	       "other core: a hang is not caught";
}

static void have_done(void (*work)(uintptr_t argument))
{
	struct clock_limit limit = clock_limit_ms(ANSWER_MS);

	smp_start(watcher, work, 0);
	while (!smp_is_done(watcher) && !clock_is_over(&limit))
		cpu_pause();
	if (smp_is_done(watcher))
		smp_finish(watcher);
	else
		watcher = 0;
}

void watch_begin(void)
{
	if (!watcher || smp_self())
		return;
	if (!smp_get(watcher)->is_running) {
		watcher = 0;
		return;
	}
	watch_pet();
	taken = sent;
	if (!is_armed)
		have_done(arm);
	is_armed = true;
	is_wanted = true;
}

void watch_pet(void)
{
	if (!smp_self())
		pets++;
}

void watch_end(void)
{
	if (!smp_self())
		is_wanted = false;
}

bool watch_has_ticked(void)
{
	if (taken == sent)
		return false;
	taken = sent;
	return true;
}

void watch_leave(unsigned cpu)
{
	if (!is_armed || cpu != watcher)
		return;
	is_armed = false;
	have_done(disarm);
}
