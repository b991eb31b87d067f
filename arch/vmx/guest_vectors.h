/* SPDX-License-Identifier: MIT */
#ifndef ARCH_VMX_GUEST_VECTORS_H
#define ARCH_VMX_GUEST_VECTORS_H

#include <stdint.h>

/* The guest's IDT has no gate above VECTOR_WAKE's; another interrupt is #GP there. */
enum { GUEST_VECTORS = 0x44, GUEST_VECTOR_SIZE = 16 };

extern const uint8_t guest_vectors[];

#endif
