/* SPDX-License-Identifier: MIT */
/* Which machine this is: the head of the output. */
#ifndef KERNEL_MACHINE_H
#define KERNEL_MACHINE_H

#include <arch/cpuid.h>
#include <kernel/bootinfo.h>

/* Reads the processor's identity, once, when exceptions can be handled; keeps boot. */
void machine_identify(const struct bootinfo *boot);

const struct cpu_identity *machine_cpu(void);

/* NULL, or a sentence on why the memory that the loader told is not enough. */
const char *machine_memory_problem(const struct bootinfo *boot);

/* Is this physical memory RAM that the firmware does not use? Without a map: yes below 640 KB. */
bool machine_is_memory_free(const struct bootinfo *boot, uint64_t base, uint64_t length);

/*
 * Takes so many bytes of RAM behind the kernel's image that nobody uses, aligned to 4 KB, below 4
 * GB, for good; 0 where there are none. Equal machines give equal addresses.
 */
uintptr_t machine_take_memory(uint32_t size);

/* Prints the head, each line beginning with "# ". */
void machine_describe(const struct bootinfo *boot);

#endif
