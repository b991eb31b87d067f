/* SPDX-License-Identifier: MIT */
/* Drives the HPET: its main counter, and timer 0 in the place of the 8254's interrupt. */
#ifndef ARCH_CLOCK_HPET_H
#define ARCH_CLOCK_HPET_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/clock/one_shot.h>

/* Starts the main counter of the HPET at base. Returns its rate in Hz, or 0 if there is none. */
uint32_t hpet_enable(uintptr_t base);

/* Returns the low half of the main counter. */
uint32_t hpet_read(void);

/* Returns true if timer 0 can raise IRQ 0. */
bool hpet_has_irq0(void);

/* Connects timer 0 with IRQ 0, and disconnects the 8254 from IRQ 0; or the reverse. */
void hpet_connect_irq0(bool is_connected);

/* Timer 0. */
extern const struct one_shot hpet_one_shot;

#endif
