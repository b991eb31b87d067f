/* SPDX-License-Identifier: MIT */
/* Builds GDT, TSS and IDT for 32 bits. Source: SDM 3A, "Segment Descriptors", "IDT Descriptors". */
#include <arch/modes/segments.h>

#include <arch/cpu/insn.h>
#include <arch/modes/descriptors.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments_parts.h>
#include <arch/modes/x86_32/tss.h>
#include <arch/regs/cpu.h>

extern void double_fault_task(void);


struct tss kernel_tss;
static struct tss double_fault_tss;
static uint8_t double_fault_stack[4096] __attribute__((aligned(16)));

static uint64_t idt[256] __attribute__((aligned(8)));
static uint64_t gdt[GDT_SIZE] __attribute__((aligned(8))) = {
	[GDT_KERNEL_CODE] = FLAT(TYPE_CODE, 0),
	[GDT_KERNEL_DATA] = FLAT(TYPE_DATA, 0),
	[GDT_CPL1_CODE]   = FLAT(TYPE_CODE, 1),
	[GDT_CPL1_DATA]   = FLAT(TYPE_DATA, 1),
	[GDT_CPL2_CODE]   = FLAT(TYPE_CODE, 2),
	[GDT_CPL2_DATA]   = FLAT(TYPE_DATA, 2),
	[GDT_CPL3_CODE]   = FLAT(TYPE_CODE, 3),
	[GDT_CPL3_DATA]   = FLAT(TYPE_DATA, 3),
	[GDT_CODE16]      = FLAT16(TYPE_CODE, 0),
	[GDT_DATA16]      = FLAT16(TYPE_DATA, 0),
	[GDT_CPL3_CODE16] = FLAT16(TYPE_CODE, 3),
	[GDT_CPL3_DATA16] = FLAT16(TYPE_DATA, 3),
	[GDT_NOT_PRESENT] = FLAT(TYPE_DATA, 0) & ~DESCRIPTOR_P,
	[GDT_SYS_CODE]        = FLAT(TYPE_CODE, 0),
	[GDT_SYS_DATA]        = FLAT(TYPE_DATA, 0),
	[GDT_SYS_CPL3_CODE32] = FLAT(TYPE_CODE, 3),
	[GDT_SYS_CPL3_DATA]   = FLAT(TYPE_DATA, 3),
};

void segments_init_tss(void)
{
	kernel_tss.ss0 = SELECTOR_KERNEL_DATA;
	kernel_tss.io_map_base = sizeof(kernel_tss);     /* beyond the limit: no port is allowed */
	double_fault_tss = (struct tss){
		.eip = (uint32_t)(uintptr_t)double_fault_task,
		.esp = (uint32_t)(uintptr_t)(double_fault_stack + sizeof(double_fault_stack)),
		.eflags = 2,
		.cs = SELECTOR_KERNEL_CODE, .ss = SELECTOR_KERNEL_DATA, .ds = SELECTOR_KERNEL_DATA,
		.es = SELECTOR_KERNEL_DATA, .io_map_base = sizeof(double_fault_tss),
	};
	gdt[GDT_TSS] = TSS_DESCRIPTOR((uintptr_t)&kernel_tss, sizeof(kernel_tss));
	gdt[GDT_DOUBLE_FAULT_TSS] = TSS_DESCRIPTOR((uintptr_t)&double_fault_tss,
	                                           sizeof(double_fault_tss));
}

void segments_set_page_directory(uintptr_t cr3)
{
	kernel_tss.cr3 = cr3;                           /* loaded by task switches, never saved */
	double_fault_tss.cr3 = cr3;
}

void segments_set_task_link(uint16_t selector)
{
	kernel_tss.link = selector;
}

void idt_set_gate(unsigned vector, uintptr_t handler, unsigned dpl)
{
	idt[vector] = GATE_DESCRIPTOR(handler, SELECTOR_KERNEL_CODE, dpl);
}

void idt_set_present(unsigned vector, int present)
{
	idt[vector] = present ? idt[vector] | DESCRIPTOR_P : idt[vector] & ~DESCRIPTOR_P;
}

/* Uses a task gate, so that #DF is reported even when the kernel's stack is broken. */
void segments_set_double_fault_gate(void)
{
	idt[X86_DF] = FIELD_PUT(GATE_SELECTOR, SELECTOR(GDT_DOUBLE_FAULT_TSS, 0))
	              | FIELD_PUT(DESCRIPTOR_TYPE, TYPE_TASK_GATE) | DESCRIPTOR_P;
}

struct table_descriptor segments_gdt(void)
{
	return (struct table_descriptor){ sizeof(gdt) - 1, (uintptr_t)gdt };
}

struct table_descriptor segments_idt(void)
{
	return (struct table_descriptor){ sizeof(idt) - 1, (uintptr_t)idt };
}
