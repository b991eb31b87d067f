/* SPDX-License-Identifier: MIT */
/* Drives the local APIC in xAPIC and x2APIC mode. */
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
	bool has_lvtpc;
	uint32_t found_lvtpc;        /* as RESET, INIT or firmware left it; read before any write */
	const char *reason;          /* why it counts as present or absent, with the bit */
};

/*
 * Finds and enables the local APIC and masks every LVT entry except LINT0 and LINT1. Keeps the mode
 * that firmware left, unless want_x2apic is set and CPUID has x2APIC mode: then it switches to
 * that.
 */
void apic_init(bool want_x2apic);

const struct apic_state *apic_get_state(void);

/* Reads one register by its offset in the xAPIC's page. The APIC must be present. */
uint32_t apic_read(uint32_t offset);
void apic_write(uint32_t offset, uint32_t value);

/* Returns this processor's APIC ID: 8 bits in xAPIC mode, 32 bits in x2APIC mode. */
uint32_t apic_get_id(void);

void apic_end_of_interrupt(void);

/* Masks LVTPC, so that no PMI comes any more. Without LVTPC it does nothing. */
void apic_mask_lvtpc(void);

/* Return whether an interrupt of this vector is in service, or requested and not yet delivered. */
bool apic_is_in_service(unsigned vector);
bool apic_is_requested(unsigned vector);

/*
 * Sends an interrupt to the processor with this ID and waits until the interrupt has left, for a
 * bounded time.
 */
void apic_send(uint32_t id, unsigned delivery, unsigned vector);
void apic_send_self(unsigned delivery, unsigned vector);

/* Ends the INIT that apic_send(id, APIC_DELIVERY_INIT, 0) began; only the first APICs need it. */
void apic_send_init_deassert(uint32_t id);

/*
 * Starts the one-shot timer: it raises a fixed interrupt with this vector after count bus clocks.
 */
void apic_timer_start(unsigned vector, uint32_t count);
void apic_timer_stop(void);

/* Measures the timer's rate, in 1 ms. The timer must not be in use. */
void apic_timer_measure(void);

/*
 * Return the rate in kHz, and the clocks of so many us: 19 to 25 MHz on clients since Skylake, the
 * bus's 66 to 200 MHz on older processors. Without a clock to measure it by, 100 MHz are assumed.
 */
uint32_t apic_timer_khz(void);
uint32_t apic_timer_clocks(uint32_t us);

#endif
