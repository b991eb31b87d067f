/* SPDX-License-Identifier: MIT */
/* Describes this machine in the head of the output. */
#ifndef KERNEL_MACHINE_MACHINE_H
#define KERNEL_MACHINE_MACHINE_H

#include <arch/cpu/cpuid.h>
#include <kernel/loader/bootinfo.h>

/* Reads the processor's identity. Must be called once, after exceptions can be handled. */
void machine_identify(void);

const struct cpu_identity *machine_cpu(void);

/* Prints the head, each line beginning with "# ". watchdog describes how a hang is ended. */
void machine_describe(const struct bootinfo *boot, const char *watchdog);

#endif
