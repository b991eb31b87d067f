/* SPDX-License-Identifier: MIT */
/*
 * Wraps one instruction of VMX per function. Source: SDM 3C, "VMX Instruction Reference",
 * "Conventions".
 */
#ifndef ARCH_VMX_VMX_INSNS_H
#define ARCH_VMX_VMX_INSNS_H

#include <stdint.h>

#include <arch/guests/guest_regs.h>

/* VMsucceed, VMfailInvalid (there is no current VMCS), VMfailValid (it has the error's number). */
enum vmx_status { VMX_SUCCEEDED, VMX_FAILED_INVALID, VMX_FAILED_VALID };

/* Each takes the address of a variable that has the physical address. */
enum vmx_status insn_vmxon(const uint64_t *physical);
enum vmx_status insn_vmclear(const uint64_t *physical);
enum vmx_status insn_vmptrld(const uint64_t *physical);
enum vmx_status insn_vmxoff(void);

enum vmx_status insn_vmread(uint32_t field, uintptr_t *value);
enum vmx_status insn_vmwrite(uint32_t field, const uintptr_t *value);

/*
 * Enters the guest of the current VMCS, by VMRESUME if it was launched before, and returns after
 * its next VM exit.
 */
enum vmx_status insn_vmenter(struct guest_regs *regs, uint32_t is_launched);

#endif
