/* SPDX-License-Identifier: MIT */
/*
 * Makes this processor a hypervisor of SVM, with one guest that shares the kernel's memory and
 * segments. The guest has a stack and an IDT of its own: whatever interrupts it, VMMCALL leaves it.
 */
#ifndef ARCH_SVM_SVM_HYPERVISOR_H
#define ARCH_SVM_SVM_HYPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/guests/guest_regs.h>
#include <arch/regs/svm.h>

/* Says what keeps this processor from being a hypervisor. */
enum svm_state {
	SVM_IS_READY,
	SVM_IS_ABSENT,         /* CPUID.80000001H:ECX[2] = 0 */
	SVM_IS_LOCKED          /* firmware has set VM_CR.SVMDIS */
};
enum svm_state svm_get_state(void);

/* Sets EFER.SVME and fills the VMCB: the guest is this kernel's code at CPL 0 with interrupts off,
 * which NMIs, interrupts, HLT, the permission map (with no bit set) and VMMCALL leave. */
void svm_on(void);

/* Clears EFER.SVME, if svm_on() has set it. */
void svm_off(void);

/* Returns the guest's VMCB, which svm_on() has filled. */
struct vmcb *svm_vmcb(void);

/* Makes the guest begin at code, with an empty stack of its own, at CPL 0 or 3. */
void svm_guest_at(const void *code, unsigned cpl);

/* Runs the guest until its next #VMEXIT; regs are its registers. */
void svm_enter(struct guest_regs *regs);

/* Says whether RDMSR and WRMSR of an MSR leave the guest. The map has the MSRs from 0, from
 * C0000000H and from C0010000H on, 8192 each; returns false if it has none for this one. */
bool svm_intercept(uint32_t msr, bool reads, bool writes);

/*
 * Returns the vector of the gate by which the guest was interrupted, if its #VMEXIT was the VMMCALL
 * there, and -1 otherwise; the error code; the address that was interrupted, or faulted.
 * svm_guest_skip() goes behind an instruction: the next svm_enter() ends the handler by IRET.
 */
int svm_guest_vector(void);
uint32_t svm_guest_error(void);
uintptr_t svm_guest_interrupted(void);
void svm_guest_skip(unsigned bytes);
enum { SVM_VMMCALL_BYTES = 3, SVM_CPUID_BYTES = 2 };

#endif
