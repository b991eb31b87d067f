/* SPDX-License-Identifier: MIT */
/* Which processor executes this, and what all of them see; see smp.h. */
#ifndef ARCH_CPU_SELF_H
#define ARCH_CPU_SELF_H

enum { CPUS_MAX = 64 };

/* Marks a variable that is the same one for every processor; zero at the start. */
#define SHARED __attribute__((section(".bss.shared")))

/* The number of the processor that executes this; 0 is the boot processor. */
unsigned smp_self(void);

/* In a processor's own copy of the kernel's data, before it starts. */
extern unsigned smp_own_number;

#endif
