/* SPDX-License-Identifier: MIT */
/* Detects CR4 and enables the x87 FPU. */
#ifndef ARCH_CPU_CONTROL_H
#define ARCH_CPU_CONTROL_H

#include <stdbool.h>

/*
 * Returns true if the processor has CR4, which came with the Pentium. The first call needs a
 * working #UD handler.
 */
bool has_cr4(void);

/* Enables the x87 FPU, if the processor has one, with its exceptions reported as #MF. */
void fpu_enable(void);

#endif
