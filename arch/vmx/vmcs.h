/* SPDX-License-Identifier: MIT */
#ifndef ARCH_VMX_VMCS_H
#define ARCH_VMX_VMCS_H

/* Fills every field of the current VMCS that a VM entry checks, for vmx_on(). */
void vmcs_fill(void);

#endif
