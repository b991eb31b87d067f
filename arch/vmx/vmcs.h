/* SPDX-License-Identifier: MIT */
/* Accesses the current VMCS, and keeps the first failure of an instruction of VMX. */
#ifndef ARCH_VMX_VMCS_H
#define ARCH_VMX_VMCS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/vmx/vmx_insns.h>

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

/* Notes the instruction's failure, unless there is one already; returns its status. */
enum vmx_status vmcs_note(const char *what, uint32_t field, enum vmx_status status);

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

/* Returns the address for a field of the VMCS that holds a physical one. */
uint64_t vmx_physical(const void *linear);

#endif
