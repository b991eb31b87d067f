/* SPDX-License-Identifier: MIT */
/* Which physical memory is free, by the boot loader's memory map. */
#ifndef KERNEL_MACHINE_MEMORY_H
#define KERNEL_MACHINE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/loader/bootinfo.h>

/*
 * Keeps boot: its map answers all questions here. memory_take() gives memory at or above `from`,
 * below 4 GB.
 */
void memory_init(const struct bootinfo *boot, uintptr_t from);

/* Returns how much RAM the firmware does not use, in bytes; without a map, what is known to be. */
uint64_t memory_usable(void);

/* Returns NULL, or a sentence on why the memory that the loader told is not enough. */
const char *memory_problem(void);

/* Is this memory RAM that the firmware does not use? Without a map it is below 640 KB. */
bool memory_is_free(uint64_t base, uint64_t length);

/* Has memory_take() give none of these bytes. One such place can be reserved. */
void memory_reserve(uint32_t base, uint32_t size);

/*
 * Takes so many bytes of RAM that nobody uses, aligned to 4 KB, for good. Returns their address, or
 * 0 if there are none. Equal machines give equal addresses.
 */
uintptr_t memory_take(uint32_t size);

#endif
