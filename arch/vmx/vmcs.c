/* SPDX-License-Identifier: MIT */
#include <arch/vmx/vmcs.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/modes/paging.h>
#include <arch/regs/table.h>
#include <arch/regs/vmx.h>

static struct vmx_failure failure;

struct vmx_failure vmx_get_failure(void)
{
	return failure;
}

void vmx_forget_failure(void)
{
	failure = (struct vmx_failure){ .what = NULL };
}

enum vmx_status vmcs_note(const char *what, uint32_t field, enum vmx_status status)
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

	vmcs_note("VMWRITE", field, insn_vmwrite(field, &part));
	if (!has_high_half(field))
		return;
	part = (uintptr_t)(value >> 32);
	vmcs_note("VMWRITE", field, insn_vmwrite(field + 1, &part));
}

uint64_t vmcs_read(uint32_t field)
{
	uintptr_t low = 0, high = 0;

	vmcs_note("VMREAD", field, insn_vmread(field, &low));
	if (has_high_half(field))
		vmcs_note("VMREAD", field, insn_vmread(field + 1, &high));
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

	if (error < COUNT_OF(names) && names[error])
		return names[error];
	return "another error";
}
