/* SPDX-License-Identifier: MIT */
/* Which control registers there are. */
#ifndef ARCH_CPU_CONTROL_H
#define ARCH_CPU_CONTROL_H

#include <stdbool.h>

/* CR4 came with the Pentium. Needs a working #UD handler at the first call. */
bool has_cr4(void);

/* Switches the x87 on with its exceptions as #MF, where there is one. */
void fpu_enable(void);

#endif
