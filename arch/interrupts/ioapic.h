/* SPDX-License-Identifier: MIT */
/* Programs the IO-APIC at its usual address, as far as needed to turn one pin into an NMI. */
#ifndef ARCH_INTERRUPTS_IOAPIC_H
#define ARCH_INTERRUPTS_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if an IO-APIC answers at FEC00000H. */
bool has_ioapic(void);

/* Routes this pin as an edge-triggered NMI to the processor with this APIC ID. */
void ioapic_route_nmi(unsigned pin, uint8_t apic_id);
void ioapic_mask(unsigned pin);

#endif
