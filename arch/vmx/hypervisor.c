/* SPDX-License-Identifier: MIT */
/* Source: SDM 3C, "Introduction to Virtual Machine Extensions", "Software Use of Virtual-Machine
 * Control Structures". */
#include <arch/vmx/hypervisor.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/modes/paging.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/vmx.h>
#include <arch/vmx/vmcs.h>

/* The processor alone writes into these, but for the revision. */
static struct { uint32_t revision; uint8_t rest[PAGE_SIZE - 4]; }
	vmxon_region __attribute__((aligned(4096))), vmcs __attribute__((aligned(4096)));

static bool is_on, is_launched;
static uintptr_t old_cr0, old_cr4;
static struct vmx_failure failure;

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

struct vmx_failure vmx_get_failure(void)
{
	return failure;
}

void vmx_forget_failure(void)
{
	failure = (struct vmx_failure){ .what = NULL };
}

/* Keeps the first failure. */
static enum vmx_status note(const char *what, uint32_t field, enum vmx_status status)
{
	uintptr_t error = 0;

	if (status == VMX_SUCCEEDED || failure.what)
		return status;
	if (status == VMX_FAILED_VALID)
		insn_vmread(VMCS_INSTRUCTION_ERROR, &error);
	failure = (struct vmx_failure){ what, field, (uint32_t)error };
	return status;
}

uint64_t vmx_physical(const void *linear)
{
	return paging_physical(linear);
}

/* In the 32-bit kernel a field of 64 bits takes two accesses. */
static bool has_high_half(uint32_t field)
{
	return sizeof(uintptr_t) == 4 && FIELD_GET(VMCS_WIDTH, field) == VMCS_WIDTH_64;
}

void vmcs_write(uint32_t field, uint64_t value)
{
	uintptr_t part = (uintptr_t)value;

	note("VMWRITE", field, insn_vmwrite(field, &part));
	if (!has_high_half(field))
		return;
	part = (uintptr_t)(value >> 32);
	note("VMWRITE", field, insn_vmwrite(field + 1, &part));
}

uint64_t vmcs_read(uint32_t field)
{
	uintptr_t low = 0, high = 0;

	note("VMREAD", field, insn_vmread(field, &low));
	if (has_high_half(field))
		note("VMREAD", field, insn_vmread(field + 1, &high));
	return (uint64_t)high << 32 | low;
}

/* ---------------------------------------------------------------------------- controls */

static uint32_t field_of(enum vmx_controls of)
{
	static const uint16_t fields[] = {
		VMCS_PIN_CONTROLS, VMCS_PROC_CONTROLS, VMCS_EXIT_CONTROLS, VMCS_ENTRY_CONTROLS,
	};

	return fields[of];
}

uint64_t vmx_allowed(enum vmx_controls of)
{
	bool is_true = (msr_read(IA32_VMX_BASIC) & IA32_VMX_BASIC_TRUE) != 0;

	return msr_read((is_true ? IA32_VMX_TRUE_PINBASED_CTLS : IA32_VMX_PINBASED_CTLS) + of);
}

bool vmx_may_set(enum vmx_controls of, uint32_t bits)
{
	return (bits & ~(uint32_t)(vmx_allowed(of) >> 32)) == 0;
}

bool vmx_may_clear(enum vmx_controls of, uint32_t bits)
{
	return (bits & (uint32_t)vmx_allowed(of)) == 0;
}

void vmx_change(enum vmx_controls of, uint32_t set, uint32_t clear)
{
	const uint64_t allowed = vmx_allowed(of);
	uint32_t value = (uint32_t)vmcs_read(field_of(of));

	value = ((value & ~clear) | set | (uint32_t)allowed) & (uint32_t)(allowed >> 32);
	vmcs_write(field_of(of), value);
}

/* ---------------------------------------------------------------------------- on and off */

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
	is_on = note("VMXON", 0, insn_vmxon(&on_at)) == VMX_SUCCEEDED;
	if (!is_on)
		return VMX_FAILED_INVALID;
	is_launched = false;
	note("VMCLEAR", 0, insn_vmclear(&vmcs_at));
	note("VMPTRLD", 0, insn_vmptrld(&vmcs_at));
	vmcs_fill();
	return failure.what ? VMX_FAILED_VALID : VMX_SUCCEEDED;
}

enum vmx_status vmx_enter(struct vmx_regs *regs)
{
	enum vmx_status status = insn_vmenter(regs, is_launched);

	note(is_launched ? "VMRESUME" : "VMLAUNCH", 0, status);
	/* An entry that fails on the guest's state launches nothing. */
	if (status == VMX_SUCCEEDED
	    && !(vmcs_read(VMCS_EXIT_REASON) & VMCS_EXIT_REASON_ENTRY_FAILED))
		is_launched = true;
	return status;
}

/* Source: SDM 3C, "VM Instruction Error Numbers". */
const char *vmx_error_name(uint32_t error)
{
	static const char *const names[] = {
		[1] = "VMCALL executed in VMX root operation",
		[2] = "VMCLEAR with invalid physical address",
		[3] = "VMCLEAR with VMXON pointer",
		[4] = "VMLAUNCH with non-clear VMCS",
		[5] = "VMRESUME with non-launched VMCS",
		[6] = "VMRESUME after VMXOFF",
		[7] = "VM entry with invalid control field(s)",
		[8] = "VM entry with invalid host-state field(s)",
		[9] = "VMPTRLD with invalid physical address",
		[10] = "VMPTRLD with VMXON pointer",
		[11] = "VMPTRLD with incorrect VMCS revision identifier",
		[12] = "VMREAD/VMWRITE from/to unsupported VMCS component",
		[13] = "VMWRITE to read-only VMCS component",
		[15] = "VMXON executed in VMX root operation",
		[26] = "VM entry with events blocked by MOV SS",
	};

	if (error < sizeof(names) / sizeof(names[0]) && names[error])
		return names[error];
	return "another error";
}
