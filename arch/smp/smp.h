/* SPDX-License-Identifier: MIT */
/*
 * The other processors: started, given work, waited for.
 *
 * Every variable of the kernel is private to the processor that runs: where paging is on, each
 * has a copy of the kernel's data, bss and stack at the same linear addresses, made when it was
 * started. So whatever was written for one processor runs on all of them at once. What they share
 * says so: SHARED (self.h), zero at the start, the same bytes for everyone. Pointers to
 * anything else mean nothing to another processor, but for memory outside of the kernel's image.
 */
#ifndef ARCH_SMP_SMP_H
#define ARCH_SMP_SMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/cpu/self.h>
#include <arch/smp/topology.h>

/* One that was to run, by its number: 0 is the boot processor. */
struct smp_cpu {
	uint32_t apic_id;
	bool is_running;
	const char *problem;            /* NULL, or why it does not run: a sentence */
	struct topology topology;       /* of one that runs */
};

/* How many there are, running or not, 1 to CPUS_MAX; and one of them. */
unsigned smp_count(void);
const struct smp_cpu *smp_get(unsigned cpu);

/*
 * Whom to start and how: the processors with these APIC IDs, one after the other, but for the one
 * that executes this, which is number 0; at most `limit` with that one. Each gets memory from
 * take_memory (bytes; 0: none is left; on a page of its own) and calls init before it waits for
 * work. is_low_free: LOW_AP_BASE (low_memory.h) is RAM and nobody's.
 */
struct smp_plan {
	const uint32_t *apic_ids;
	unsigned count, limit;
	bool is_low_free;
	void (*init)(void);
	uintptr_t (*take_memory)(uint32_t size);
};

/* Once. Where it cannot be done nobody is started, and smp_problem() says why. */
void smp_init(const struct smp_plan *plan);
const char *smp_problem(void);

/*
 * Gives a running processor that has none some work, and returns; it is woken from HLT by an
 * interrupt. argument points to SHARED or constant data, or is a number.
 */
void smp_start(unsigned cpu, void (*work)(uintptr_t argument), uintptr_t argument);

/* Has it done its work? Whoever has wakes processor 0 from smp_sleep_unless(). */
bool smp_is_done(unsigned cpu);

/* Halts, interrupts on, until the next interrupt or NMI, unless is_awaited(cpu) is true already. */
void smp_sleep_unless(bool (*is_awaited)(unsigned cpu), unsigned cpu);

/* After smp_is_done(): waits until no interrupt of it is under way any more. Interrupts: off. */
void smp_finish(unsigned cpu);

/* Sets the handler of the interrupt that wakes; for whoever resets all handlers. */
void smp_install(void);

/* Sends an NMI to one whose work takes too long; smp_is_to_end() is true there, once. */
void smp_ask_to_end(unsigned cpu);
bool smp_is_to_end(void);

/* It does not even answer that: no work for it any more. why: a constant. */
void smp_give_up(unsigned cpu, const char *why);

/* Stops whatever an idle processor or one with work does, by INIT, and starts it again, its private
 * data as they were. False: it did not come back. */
bool smp_reset(unsigned cpu);

/* The address at which this processor reaches another one's copy of a private variable. */
void *smp_private_of(unsigned cpu, const void *variable);

/* Sends an interrupt; delivery is an APIC_DELIVERY_... */
void smp_send(unsigned cpu, unsigned delivery, unsigned vector);

/* Everybody waits, pausing, until `count` processors are here. One SHARED barrier for each use. */
struct smp_barrier { volatile uint32_t arrived, round; };
void smp_barrier_wait(struct smp_barrier *barrier, unsigned count);

#endif
