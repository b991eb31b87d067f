/* SPDX-License-Identifier: MIT */
#ifndef ARCH_GUESTS_GUEST_VECTORS_H
#define ARCH_GUESTS_GUEST_VECTORS_H

#include <stdint.h>

/* The guest's IDT has no gate above VECTOR_WAKE's; another interrupt is #GP there. */
enum { GUEST_VECTORS = 0x44, GUEST_VECTOR_SIZE = 16 };

/* The handlers, which leave the guest by VMCALL, or by VMMCALL. */
extern const uint8_t vmx_guest_vectors[], svm_guest_vectors[];

#endif
