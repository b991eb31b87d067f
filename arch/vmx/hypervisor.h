/* SPDX-License-Identifier: MIT */
/*
 * Makes this processor a hypervisor, with one guest that shares the kernel's memory and segments.
 * The guest has a stack and an IDT of its own: whatever interrupts it, VMCALL leaves it.
 */
#ifndef ARCH_VMX_HYPERVISOR_H
#define ARCH_VMX_HYPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

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

/* Access a field of the current VMCS, of whatever width; vmx_get_failure() tells of a failure. */
void vmcs_write(uint32_t field, uint64_t value);
uint64_t vmcs_read(uint32_t field);

/* Describes the first instruction that has failed since vmx_on() began. */
struct vmx_failure {
	const char *what;      /* NULL: none has */
	uint32_t field;        /* of VMREAD, VMWRITE */
	uint32_t error;        /* the VMCS's instruction error, or 0 if there was no VMCS */
};
struct vmx_failure vmx_get_failure(void);
void vmx_forget_failure(void);

/* Returns what an instruction error means, in the manual's words. */
const char *vmx_error_name(uint32_t error);

/* Names the vectors of controls, by their fields in the VMCS. */
enum vmx_controls { VMX_PIN, VMX_PROC, VMX_EXIT, VMX_ENTRY, VMX_CONTROLS };

/*
 * Returns the register that says what the controls may be: the high half has those that may be 1,
 * the low half those that must.
 */
uint64_t vmx_allowed(enum vmx_controls of);
bool vmx_may_set(enum vmx_controls of, uint32_t bits);
bool vmx_may_clear(enum vmx_controls of, uint32_t bits);

/* Sets and clears controls; those that must not be so stay as they must be. */
void vmx_change(enum vmx_controls of, uint32_t set, uint32_t clear);

/* Makes the guest begin at code, with an empty stack of its own, at CPL 0 or 3. */
void vmx_guest_at(const void *code, unsigned cpl);

/*
 * Enters the guest, and returns after its VM exit. Until vmx_off(), the first call is VMLAUNCH, the
 * others are VMRESUME.
 */
enum vmx_status vmx_enter(struct vmx_regs *regs);

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

/* Returns the address for a field of the VMCS that holds a physical one. */
uint64_t vmx_physical(const void *linear);

/*
 * Says whether RDMSR and WRMSR of an MSR leave the guest. The bitmaps have the MSRs from 0 to 1FFFH
 * and from C0000000H to C0001FFFH only.
 */
void vmx_intercept(uint32_t msr, bool reads, bool writes);

#endif
