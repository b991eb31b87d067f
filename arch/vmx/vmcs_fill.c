/* SPDX-License-Identifier: MIT */
/*
 * Fills the VMCS. Source: SDM 3C, "Checks on VMX Controls and Host-State Area", "Checks on the
 * Guest State Area".
 */
#include <arch/vmx/vmcs_fill.h>

#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/guests/guest_frame.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>
#include <arch/regs/table.h>
#include <arch/regs/vmx.h>
#include <arch/vmx/vmcs.h>

enum { MSR_BITMAP_HALF = 1024, DR7_RESET = 0x400 };

/* For reads of low MSRs and of those from C0000000H, then for writes of both. */
static uint8_t bitmaps[4][MSR_BITMAP_HALF] __attribute__((aligned(4096)));

/* ---------------------------------------------------------------------------- segments */

static void fill_segment(enum vmcs_segment segment, uint16_t selector)
{
	const struct guest_segment s = guest_segment(selector);

	vmcs_write(VMCS_GUEST_SELECTOR(segment), selector);
	vmcs_write(VMCS_GUEST_BASE(segment), s.base);
	vmcs_write(VMCS_GUEST_LIMIT(segment), s.limit);
	vmcs_write(VMCS_GUEST_RIGHTS(segment), s.rights & VMCS_RIGHTS_OF_DESCRIPTOR);
}

void vmx_guest_at(const void *code, unsigned cpl)
{
	const uint16_t data = cpl ? SELECTOR(GDT_CPL3_DATA, 3) : SELECTOR_KERNEL_DATA;

	for (enum vmcs_segment s = VMCS_ES; s <= VMCS_GS; s++)
		fill_segment(s, data);
	fill_segment(VMCS_CS, cpl ? SELECTOR(GDT_CPL3_CODE, 3) : SELECTOR_KERNEL_CODE);
	vmcs_write(VMCS_GUEST_RIP, (uintptr_t)code);
	vmcs_write(VMCS_GUEST_RSP, guest_stack_top(cpl));
	vmcs_write(VMCS_GUEST_RFLAGS, EFLAGS_FIXED);
	vmcs_write(VMCS_GUEST_INTERRUPTIBILITY, 0);
	vmcs_write(VMCS_GUEST_ACTIVITY, 0);
	vmcs_write(VMCS_GUEST_PENDING_DEBUG, 0);
}

/* ---------------------------------------------------------------------------- tables */

static void fill_idt(void)
{
	const struct table_descriptor idt = guest_idt(vmx_guest_vectors);

	vmcs_write(VMCS_GUEST_IDTR_BASE, idt.base);
	vmcs_write(VMCS_GUEST_IDTR_LIMIT, idt.limit);
	vmcs_write(VMCS_GUEST_GDTR_BASE, segments_gdt().base);
	vmcs_write(VMCS_GUEST_GDTR_LIMIT, segments_gdt().limit);
}

static void fill_tss(void)
{
	fill_segment(VMCS_TR, SELECTOR_TSS);
	vmcs_write(VMCS_GUEST_BASE(VMCS_TR), guest_tss().base);
	vmcs_write(VMCS_GUEST_SELECTOR(VMCS_LDTR), 0);
	vmcs_write(VMCS_GUEST_BASE(VMCS_LDTR), 0);
	vmcs_write(VMCS_GUEST_LIMIT(VMCS_LDTR), 0);
	vmcs_write(VMCS_GUEST_RIGHTS(VMCS_LDTR), VMCS_RIGHTS_UNUSABLE);
}

void vmx_intercept(uint32_t msr, bool reads, bool writes)
{
	const unsigned high = msr >> 31;
	const uint8_t bit = (uint8_t)(1u << (msr & 7));
	uint8_t *of_reads = &bitmaps[high][(msr & 0x1fff) >> 3];
	uint8_t *of_writes = &bitmaps[2 + high][(msr & 0x1fff) >> 3];

	*of_reads = (uint8_t)((*of_reads & ~bit) | (reads ? bit : 0));
	*of_writes = (uint8_t)((*of_writes & ~bit) | (writes ? bit : 0));
}

/* ---------------------------------------------------------------------------- the rest */

/* Host and guest have the same control registers, and the same MSRs of SYSENTER. */
static void fill_registers(void)
{
	const uintptr_t esp = (uintptr_t)msr_read(IA32_SYSENTER_ESP);
	const uintptr_t eip = (uintptr_t)msr_read(IA32_SYSENTER_EIP);
	const struct { uint16_t guest, host; uintptr_t value; } rows[] = {
		{ VMCS_GUEST_CR0, VMCS_HOST_CR0, cr0_read() },
		{ VMCS_GUEST_CR3, VMCS_HOST_CR3, cr3_read() },
		{ VMCS_GUEST_CR4, VMCS_HOST_CR4, cr4_read() },
		{ VMCS_GUEST_SYSENTER_CS, VMCS_HOST_SYSENTER_CS,
		  (uintptr_t)msr_read(IA32_SYSENTER_CS) },
		{ VMCS_GUEST_SYSENTER_ESP, VMCS_HOST_SYSENTER_ESP, esp },
		{ VMCS_GUEST_SYSENTER_EIP, VMCS_HOST_SYSENTER_EIP, eip },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		vmcs_write(rows[i].guest, rows[i].value);
		vmcs_write(rows[i].host, rows[i].value);
	}
	vmcs_write(VMCS_GUEST_DR7, DR7_RESET);
	vmcs_write(VMCS_GUEST_DEBUGCTL, 0);
	vmcs_write(VMCS_LINK_POINTER, UINT64_MAX);
}

static void fill_host(void)
{
	for (enum vmcs_segment s = VMCS_ES; s <= VMCS_GS; s++)
		vmcs_write(VMCS_HOST_SELECTOR(s), SELECTOR_KERNEL_DATA);
	vmcs_write(VMCS_HOST_SELECTOR(VMCS_CS), SELECTOR_KERNEL_CODE);
	vmcs_write(VMCS_HOST_SELECTOR(VMCS_HOST_TR), SELECTOR_TSS);
	vmcs_write(VMCS_HOST_FS_BASE, 0);
	vmcs_write(VMCS_HOST_GS_BASE, 0);
	vmcs_write(VMCS_HOST_TR_BASE, guest_segment(SELECTOR_TSS).base);
	vmcs_write(VMCS_HOST_GDTR_BASE, segments_gdt().base);
	vmcs_write(VMCS_HOST_IDTR_BASE, segments_idt().base);
}

/* A guest that hangs with NMIs blocked is left after so many clocks of the TSC. */
#define HANG_CLOCKS BIT32(28)

static void fill_controls(void)
{
	const bool is_64 = sizeof(uintptr_t) == 8;

	vmx_change(VMX_PIN, VMX_PIN_NMI | VMX_PIN_EXTERNAL_INTERRUPT | VMX_PIN_PREEMPTION_TIMER,
	           ~0u);
	vmx_change(VMX_PROC, VMX_PROC_HLT | VMX_PROC_MSR_BITMAPS, ~0u);
	vmx_change(VMX_EXIT, VMX_EXIT_SAVE_DEBUG | (is_64 ? VMX_EXIT_HOST_64 : 0), ~0u);
	vmx_change(VMX_ENTRY, VMX_ENTRY_LOAD_DEBUG | (is_64 ? VMX_ENTRY_GUEST_64 : 0), ~0u);
	if (vmx_may_set(VMX_PIN, VMX_PIN_PREEMPTION_TIMER))
		vmcs_write(VMCS_PREEMPTION_TIMER,
		           HANG_CLOCKS >> FIELD_GET(IA32_VMX_MISC_TIMER_RATE,
		                                    msr_read(IA32_VMX_MISC)));
}

void vmcs_fill(void)
{
	static const uint16_t zeros[] = {
		VMCS_EXCEPTION_BITMAP, VMCS_CR3_TARGETS, VMCS_EXIT_STORE_COUNT,
		VMCS_EXIT_LOAD_COUNT, VMCS_ENTRY_LOAD_COUNT, VMCS_ENTRY_INFO,
	};

	fill_controls();
	for (unsigned i = 0; i < COUNT_OF(zeros); i++)
		vmcs_write(zeros[i], 0);
	__builtin_memset(bitmaps, 0, sizeof(bitmaps));
	vmcs_write(VMCS_MSR_BITMAPS, vmx_physical(bitmaps));
	fill_registers();
	fill_host();
	fill_idt();
	fill_tss();
	vmx_guest_at(vmx_guest_vectors, 0);
}
