/* SPDX-License-Identifier: MIT */
#ifndef ARCH_SVM_SVM_INSNS_H
#define ARCH_SVM_SVM_INSNS_H

#include <stdint.h>

#include <arch/guests/guest_regs.h>

/* Clear and set GIF: with GIF = 0 interrupts and NMIs stay pending. */
void insn_clgi(void);
void insn_stgi(void);

/* The physical addresses of the guest's VMCB, and of one for what VMRUN does not save of the
 * host. */
struct svm_pages { uintptr_t guest, host; };

/*
 * Runs the guest of a VMCB until its next #VMEXIT, with GIF = 0 around it: an NMI of the guest that
 * is intercepted is taken by the host at the STGI at the end. regs->ax is not used: RAX is in the
 * VMCB.
 */
void insn_vmrun(struct guest_regs *regs, const struct svm_pages *pages);

#endif
