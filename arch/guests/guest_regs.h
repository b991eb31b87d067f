/* SPDX-License-Identifier: MIT */
#ifndef ARCH_GUESTS_GUEST_REGS_H
#define ARCH_GUESTS_GUEST_REGS_H

#include <stdint.h>

/* Holds the guest's registers that neither a VMCS has nor, but for ax, a VMCB. */
struct guest_regs { uintptr_t ax, bx, cx, dx, si, di, bp; };

#endif
