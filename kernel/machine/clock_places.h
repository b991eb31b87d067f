/* SPDX-License-Identifier: MIT */
/* Finds the clocks that ACPI's tables name. */
#ifndef KERNEL_MACHINE_CLOCK_PLACES_H
#define KERNEL_MACHINE_CLOCK_PLACES_H

#include <arch/clock/clocks.h>
#include <kernel/loader/bootinfo.h>

/* Must be called before paging_init(), as processors_find(). A table that is wrong has no clock. */
struct clock_places clock_places_find(const struct bootinfo *boot,
                                      const struct physical_memory *mem);

#endif
