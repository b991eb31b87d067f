/* SPDX-License-Identifier: MIT */
/* Tells what interrupted the guest, from its RIP and its stack. */
#ifndef ARCH_VMX_GUEST_EXITS_H
#define ARCH_VMX_GUEST_EXITS_H

#include <stdint.h>

/*
 * Returns the vector of the gate by which the guest was interrupted, if its VM exit was the VMCALL
 * there, and -1 otherwise. VMRESUME after vmx_guest_return() ends the guest's handler by IRET.
 */
int vmx_guest_vector(void);
void vmx_guest_return(void);

/* Returns the error code of that exception; and the address that was interrupted, or faulted. */
uint32_t vmx_guest_error(void);
uintptr_t vmx_guest_interrupted(void);

/* Returns the address of a gate's code: where a branch record of the interruption leads to. */
uintptr_t vmx_guest_gate(unsigned vector);

#endif
