/* SPDX-License-Identifier: MIT */
/* Identifies the executing processor and marks variables that all processors share; see smp.h. */
#ifndef ARCH_CPU_SELF_H
#define ARCH_CPU_SELF_H

enum { CPUS_MAX = 64 };

/* Marks a variable that is shared by all processors. It is zero at the start. */
#define SHARED __attribute__((section(".bss.shared")))

/* Returns the number of the processor that executes the call; 0 is the boot processor. */
unsigned smp_self(void);

/*
 * Holds this processor's number. It is set in the processor's own copy of the kernel's data before
 * the processor starts.
 */
extern unsigned smp_own_number;

#endif
