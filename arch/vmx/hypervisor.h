/* SPDX-License-Identifier: MIT */
/*
 * Makes this processor a hypervisor, with one guest that shares the kernel's memory and segments.
 * The guest has a stack and an IDT of its own: whatever interrupts it, VMCALL leaves it.
 */
#ifndef ARCH_VMX_HYPERVISOR_H
#define ARCH_VMX_HYPERVISOR_H

#include <arch/vmx/guest_exits.h>
#include <arch/vmx/vmcs.h>
#include <arch/vmx/vmcs_fill.h>
#include <arch/vmx/vmx_insns.h>

/* Says what keeps this processor from being a hypervisor. */
enum vmx_state {
	VMX_IS_READY,          /* or will be, once vmx_on() has written IA32_FEATURE_CONTROL */
	VMX_IS_ABSENT,         /* CPUID.1:ECX[5] = 0 */
	VMX_IS_LOCKED,         /* firmware has locked it off in IA32_FEATURE_CONTROL */
	VMX_HAS_NO_PAGING      /* a guest must have paging on */
};
enum vmx_state vmx_get_state(void);

/*
 * Enters VMX operation, anew if it was on, and fills the current VMCS: the host is this kernel, the
 * guest is this kernel's code at CPL 0, with interrupts off, until vmcs_write() says otherwise. An
 * IA32_FEATURE_CONTROL that firmware has left unlocked is enabled and locked, as firmware would do;
 * only a reset unlocks it. Fails if an instruction fails; vmx_get_failure() names it.
 */
enum vmx_status vmx_on(void);

/* Leaves VMX operation, if it is on, and restores CR0, CR4, GDTR and IDTR. */
void vmx_off(void);

/*
 * Enters the guest, and returns after its VM exit. Until vmx_off(), the first call is VMLAUNCH, the
 * others are VMRESUME.
 */
enum vmx_status vmx_enter(struct guest_regs *regs);

#endif
