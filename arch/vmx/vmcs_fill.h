/* SPDX-License-Identifier: MIT */
/* Prepares the guest: its state in the VMCS, its tables, and what makes it leave. */
#ifndef ARCH_VMX_VMCS_FILL_H
#define ARCH_VMX_VMCS_FILL_H

#include <stdbool.h>
#include <stdint.h>

/* Fills every field of the current VMCS that a VM entry checks, for vmx_on(). */
void vmcs_fill(void);

/* Makes the guest begin at code, with an empty stack of its own, at CPL 0 or 3. */
void vmx_guest_at(const void *code, unsigned cpl);

/*
 * Says whether RDMSR and WRMSR of an MSR leave the guest. The bitmaps have the MSRs from 0 to 1FFFH
 * and from C0000000H to C0001FFFH only.
 */
void vmx_intercept(uint32_t msr, bool reads, bool writes);

#endif
