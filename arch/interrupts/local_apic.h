/* SPDX-License-Identifier: MIT */
/* The local APIC, in xAPIC and x2APIC mode. */
#ifndef ARCH_INTERRUPTS_LOCAL_APIC_H
#define ARCH_INTERRUPTS_LOCAL_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/apic.h>

struct apic_state {
	bool is_present, is_x2apic;
	bool was_software_disabled;  /* firmware left APIC_SVR_ENABLE clear */
	bool was_globally_disabled;  /* firmware left IA32_APIC_BASE.EN clear; it could be set */
	uintptr_t base;
	const char *reason;          /* why it is taken as there or not, with the deciding bit */
};

/*
 * Finds the local APIC, enables it, masks every LVT entry but LINT0 and LINT1. It stays in the mode
 * that firmware left it in, or goes to x2APIC mode if that is wanted and CPUID has it.
 */
void apic_init(bool want_x2apic);


const struct apic_state *apic_get_state(void);

/* One register by its offset in the xAPIC's page; only where the APIC is present. */
uint32_t apic_read(uint32_t offset);
void apic_write(uint32_t offset, uint32_t value);

/* This processor's ID, 8 bits in xAPIC mode, 32 in x2APIC mode. */
uint32_t apic_get_id(void);

void apic_end_of_interrupt(void);

/* Sends an interrupt to the processor with this ID; waits until it has left (bounded). */
void apic_send(uint32_t id, unsigned delivery, unsigned vector);
void apic_send_self(unsigned delivery, unsigned vector);

/* Ends what apic_send(id, APIC_DELIVERY_INIT, 0) began; only the first APICs need it. */
void apic_send_init_deassert(uint32_t id);

/* One-shot timer: a fixed interrupt with this vector after count bus clocks. */
void apic_timer_start(unsigned vector, uint32_t count);
void apic_timer_stop(void);

#endif
