/* SPDX-License-Identifier: MIT */
/* Finds free physical memory in the boot loader's memory map. */
#ifndef KERNEL_MACHINE_MEMORY_H
#define KERNEL_MACHINE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>

/*
 * Keeps a pointer to boot, whose map answers all questions here. memory_take() will give memory
 * from `from` to 4 GB.
 */
void memory_init(const struct bootinfo *boot, uintptr_t from);

/*
 * Returns the size in bytes of the RAM that the firmware does not use or, without a map, of the RAM
 * that is known to exist.
 */
uint64_t memory_usable(void);

/* Returns NULL, or a sentence that says why the memory that the loader reported is not enough. */
const char *memory_problem(void);

/*
 * Returns true if this memory is RAM that the firmware does not use. Without a map, only memory
 * below 640 KB counts as such.
 */
bool memory_is_free(uint64_t base, uint64_t length);

/* Excludes these bytes from memory_take(). Only one such area can be reserved. */
void memory_reserve(uint32_t base, uint32_t size);

/*
 * Takes size bytes of unused RAM, aligned to 4 KB; they are never released. Returns their address,
 * or 0 if there are none. Equal machines give equal addresses.
 */
uintptr_t memory_take(uint32_t size);

#endif
