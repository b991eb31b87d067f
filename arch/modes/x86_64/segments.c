/* SPDX-License-Identifier: MIT */
/*
 * Builds GDT, TSS and IDT for 64 bits. Source: SDM 3A, "64-Bit Mode IDT", "Interrupt Stack Table".
 */
#include <arch/modes/segments.h>

#include <arch/cpu/insn.h>
#include <arch/modes/descriptors.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments_parts.h>
#include <arch/modes/x86_64/tss.h>
#include <arch/regs/cpu.h>

#define DOUBLE_FAULT_IST       1

struct gate { uint64_t low, high; };   /* high: bits 63 to 32 of the offset */


struct tss kernel_tss;
static uint8_t double_fault_stack[8192] __attribute__((aligned(16)));

static struct gate idt[256] __attribute__((aligned(16)));
static uint64_t gdt[GDT_SIZE] __attribute__((aligned(8))) = {
	[GDT_KERNEL_CODE] = CODE64(0),
	[GDT_KERNEL_DATA] = FLAT(TYPE_DATA, 0),
	[GDT_CPL1_CODE]   = CODE64(1),
	[GDT_CPL1_DATA]   = FLAT(TYPE_DATA, 1),
	[GDT_CPL2_CODE]   = CODE64(2),
	[GDT_CPL2_DATA]   = FLAT(TYPE_DATA, 2),
	[GDT_CPL3_CODE]   = CODE64(3),
	[GDT_CPL3_DATA]   = FLAT(TYPE_DATA, 3),
	[GDT_CPL3_CODE32] = FLAT(TYPE_CODE, 3),
	[GDT_CODE16]      = FLAT16(TYPE_CODE, 0),
	[GDT_DATA16]      = FLAT16(TYPE_DATA, 0),
	[GDT_CPL3_CODE16] = FLAT16(TYPE_CODE, 3),
	[GDT_CPL3_DATA16] = FLAT16(TYPE_DATA, 3),
	[GDT_NOT_PRESENT] = FLAT(TYPE_DATA, 0) & ~DESCRIPTOR_P,
	[GDT_SYS_CODE]        = CODE64(0),
	[GDT_SYS_DATA]        = FLAT(TYPE_DATA, 0),
	[GDT_SYS_CPL3_CODE32] = FLAT(TYPE_CODE, 3),
	[GDT_SYS_CPL3_DATA]   = FLAT(TYPE_DATA, 3),
	[GDT_SYS_CPL3_CODE64] = CODE64(3),
	[GDT_SYS_CPL3_DATA64] = FLAT(TYPE_DATA, 3),
};

void segments_init_tss(void)
{
	uintptr_t base = (uintptr_t)&kernel_tss;

	kernel_tss.io_map_base = sizeof(kernel_tss);     /* beyond the limit: no port is allowed */
	kernel_tss.ist[DOUBLE_FAULT_IST - 1] =
		(uintptr_t)double_fault_stack + sizeof(double_fault_stack);
	gdt[GDT_TSS] = TSS_DESCRIPTOR(base, sizeof(kernel_tss));
	gdt[GDT_TSS_HIGH] = base >> 32;
}

void segments_set_page_directory(uintptr_t cr3)
{
	(void)cr3;
}

void idt_set_gate(unsigned vector, uintptr_t handler, unsigned dpl)
{
	idt[vector].low = GATE_DESCRIPTOR(handler, SELECTOR_KERNEL_CODE, dpl);
	idt[vector].high = handler >> 32;
}

void idt_set_present(unsigned vector, int present)
{
	uint64_t low = idt[vector].low;

	idt[vector].low = present ? low | DESCRIPTOR_P : low & ~DESCRIPTOR_P;
}

/* Uses a stack of its own, so that #DF is reported even when the kernel's stack is broken. */
void segments_set_double_fault_gate(void)
{
	idt[X86_DF].low |= FIELD_PUT(GATE_IST, DOUBLE_FAULT_IST);
}

struct table_descriptor segments_gdt(void)
{
	return (struct table_descriptor){ sizeof(gdt) - 1, (uintptr_t)gdt };
}

struct table_descriptor segments_idt(void)
{
	return (struct table_descriptor){ sizeof(idt) - 1, (uintptr_t)idt };
}
