/* SPDX-License-Identifier: MIT */
/* The IO-APIC at its usual address: enough to turn one pin into an NMI. */
#ifndef ARCH_INTERRUPTS_IOAPIC_H
#define ARCH_INTERRUPTS_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>

/* Does an IO-APIC answer at FEC00000H? */
bool has_ioapic(void);

/* Edge-triggered NMI from this pin to the processor with this APIC ID. */
void ioapic_route_nmi(unsigned pin, uint8_t apic_id);
void ioapic_mask(unsigned pin);

#endif
