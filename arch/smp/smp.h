/* SPDX-License-Identifier: MIT */
/*
 * Starts the other processors, gives them work and waits until the work is done.
 *
 * Every variable of the kernel is private to the processor that runs. If paging is on, each
 * processor has its own copy of the kernel's data, bss and stack at the same linear addresses, made
 * when the processor was started; so code written for one processor runs on all of them at once.
 * Variables marked SHARED (self.h) are the same for all processors and zero at the start. A pointer
 * to any other variable means nothing to another processor; only memory outside the kernel's image
 * is common.
 */
#ifndef ARCH_SMP_SMP_H
#define ARCH_SMP_SMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <arch/cpu/self.h>
#include <arch/smp/topology.h>

/* Describes a processor that was to be started. Number 0 is the boot processor. */
struct smp_cpu {
	uint32_t apic_id;
	bool is_running;
	const char *problem;            /* NULL, or a sentence that says why it does not run */
	struct topology topology;       /* valid if it runs */
	uint32_t core;                  /* cpuid_core(), valid if it runs */
};

/* Return the number of processors, running or not, from 1 to CPUS_MAX, and one of them. */
unsigned smp_count(void);
const struct smp_cpu *smp_get(unsigned cpu);

/*
 * Selects the processors to start: those with these APIC IDs, in this order, at most `limit`
 * including the boot processor, which runs already and is number 0. Each processor gets memory from
 * take_memory (size in bytes; returns a page-aligned address, or 0 if none is left) and calls init
 * before it waits for work. is_low_free says that LOW_AP_BASE (low_memory.h) is RAM and unused.
 * tell is called before each processor, with the number of those that were tried so far.
 */
struct smp_plan {
	const uint32_t *apic_ids;
	unsigned count, limit;
	bool is_low_free;
	void (*init)(void);
	uintptr_t (*take_memory)(uint32_t size);
	void (*tell)(unsigned tried);
};

/*
 * Starts the processors of the plan; may be called once. Starts none if that is impossible;
 * smp_problem() then says why.
 */
void smp_init(const struct smp_plan *plan);
const char *smp_problem(void);

/*
 * Gives work to a running processor that has none, and returns; an interrupt wakes that processor
 * from HLT. argument points to SHARED or constant data, or is a number.
 */
void smp_start(unsigned cpu, void (*work)(uintptr_t argument), uintptr_t argument);

/*
 * Returns true if the processor has done its work. A processor that finishes wakes processor 0 from
 * smp_sleep_unless().
 */
bool smp_is_done(unsigned cpu);

/*
 * Halts, with interrupts on, until the next interrupt or NMI, unless is_awaited(cpu) already
 * returns true.
 */
void smp_sleep_unless(bool (*is_awaited)(unsigned cpu), unsigned cpu);

/*
 * Waits until the wake-up that the processor sent has been taken. Must be called after
 * smp_is_done(), with interrupts off.
 */
void smp_finish(unsigned cpu);

/* Sets the handler of the wake-up interrupt. Callers that reset all handlers must call it. */
void smp_install(void);

/*
 * Sends an NMI to a processor whose work takes too long; smp_is_to_end() then returns true there,
 * once.
 */
void smp_ask_to_end(unsigned cpu);
bool smp_is_to_end(void);

/*
 * Gives no more work to a processor that did not even answer smp_ask_to_end(). why is a constant
 * string.
 */
void smp_give_up(unsigned cpu, const char *why);

/*
 * Stops a processor by INIT, whatever it is doing, and starts it again with its private data
 * unchanged. Returns false if the processor did not start again.
 */
bool smp_reset(unsigned cpu);

/* Returns the address at which this processor reaches another one's copy of a private variable. */
void *smp_private_of(unsigned cpu, const void *variable);

/* Sends an interrupt. delivery is an APIC_DELIVERY_... constant. */
void smp_send(unsigned cpu, unsigned delivery, unsigned vector);

/*
 * Waits, with PAUSE, until `count` processors have arrived. Each use needs a SHARED barrier of its
 * own.
 */
struct smp_barrier { volatile uint32_t arrived, round; };
void smp_barrier_wait(struct smp_barrier *barrier, unsigned count);

#endif
