/* SPDX-License-Identifier: MIT */
/* Source: SDM 3C, "Introduction to Virtual Machine Extensions", "Software Use of Virtual-Machine
 * Control Structures". */
#include <arch/vmx/hypervisor.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/vmx.h>
#include <arch/vmx/vmcs_fill.h>

/* The processor alone writes into these, but for the revision. */
static struct { uint32_t revision; uint8_t rest[PAGE_SIZE - 4]; }
	vmxon_region __attribute__((aligned(4096))), vmcs __attribute__((aligned(4096)));

static bool is_on, is_launched;
static uintptr_t old_cr0, old_cr4;

enum vmx_state vmx_get_state(void)
{
	uint64_t control;

	if (!cpuid_get(CPUID_VMX))
		return VMX_IS_ABSENT;
	control = msr_read(IA32_FEATURE_CONTROL);
	if ((control & IA32_FEATURE_CONTROL_LOCK) && !(control & IA32_FEATURE_CONTROL_VMX))
		return VMX_IS_LOCKED;
	return is_paging_on() ? VMX_IS_READY : VMX_HAS_NO_PAGING;
}

static void enable(void)
{
	uint64_t control = msr_read(IA32_FEATURE_CONTROL);

	if (!(control & IA32_FEATURE_CONTROL_LOCK))
		msr_write(IA32_FEATURE_CONTROL, control | IA32_FEATURE_CONTROL_VMX |
		                                IA32_FEATURE_CONTROL_LOCK);
	old_cr0 = cr0_read();
	old_cr4 = cr4_read();
	cr0_write((old_cr0 | (uintptr_t)msr_read(IA32_VMX_CR0_FIXED0)) &
	          (uintptr_t)msr_read(IA32_VMX_CR0_FIXED1));
	cr4_write((old_cr4 | CR4_VMXE | (uintptr_t)msr_read(IA32_VMX_CR4_FIXED0)) &
	          (uintptr_t)msr_read(IA32_VMX_CR4_FIXED1));
}

void vmx_off(void)
{
	const uint64_t vmcs_at = vmx_physical(&vmcs);
	struct table_descriptor table = segments_gdt();

	if (is_on) {
		is_on = false;
		insn_vmclear(&vmcs_at);
		insn_vmxoff();
		gdt_load(&table);                /* a VM exit has made both limits FFFFH */
		table = segments_idt();
		idt_load(&table);
	}
	if (old_cr4) {
		cr4_write(old_cr4);
		cr0_write(old_cr0);
		old_cr4 = 0;
	}
}

enum vmx_status vmx_on(void)
{
	const uint64_t on_at = vmx_physical(&vmxon_region), vmcs_at = vmx_physical(&vmcs);

	vmx_off();
	vmx_forget_failure();
	vmxon_region.revision = vmcs.revision =
		(uint32_t)FIELD_GET(IA32_VMX_BASIC_REVISION, msr_read(IA32_VMX_BASIC));
	enable();
	is_on = vmcs_note("VMXON", 0, insn_vmxon(&on_at)) == VMX_SUCCEEDED;
	if (!is_on)
		return VMX_FAILED_INVALID;
	is_launched = false;
	vmcs_note("VMCLEAR", 0, insn_vmclear(&vmcs_at));
	vmcs_note("VMPTRLD", 0, insn_vmptrld(&vmcs_at));
	vmcs_fill();
	return vmx_get_failure().what ? VMX_FAILED_VALID : VMX_SUCCEEDED;
}

enum vmx_status vmx_enter(struct guest_regs *regs)
{
	enum vmx_status status = insn_vmenter(regs, is_launched);

	vmcs_note(is_launched ? "VMRESUME" : "VMLAUNCH", 0, status);
	/* An entry that fails on the guest's state launches nothing. */
	if (status == VMX_SUCCEEDED
	    && !(vmcs_read(VMCS_EXIT_REASON) & VMCS_EXIT_REASON_ENTRY_FAILED))
		is_launched = true;
	return status;
}
