/* SPDX-License-Identifier: MIT */
/* Declares the registers of the local APIC that Bochs does not have: AMD's extended LVT. */
#ifndef MODEL_BOCHS_EXTENDED_LVT_H
#define MODEL_BOCHS_EXTENDED_LVT_H

#include "glue.h"

/* Returns an entry of the extended LVT. */
Bit32u extended_lvt(unsigned cpu, unsigned entry);
/* Masks all entries, as RESET does. */
void reset_extended_lvt(unsigned cpu);

#endif
