/* SPDX-License-Identifier: MIT */
/* GDT, TSS and IDT for 32 bits. Source: SDM 3A, "Segment Descriptors", "IDT Descriptors". */
#include <arch/segments.h>

#include <arch/insn.h>
#include <arch/interrupt.h>
#include <arch/regs/bits.h>
#include <arch/x86_32/tss.h>

#define DESCRIPTOR_LIMIT_LOW   FIELD(15, 0)
#define DESCRIPTOR_BASE_LOW    FIELD(39, 16)
#define DESCRIPTOR_TYPE        FIELD(43, 40)
#define DESCRIPTOR_S           BIT(44)          /* 1: code or data, 0: system */
#define DESCRIPTOR_DPL         FIELD(46, 45)
#define DESCRIPTOR_P           BIT(47)
#define DESCRIPTOR_LIMIT_HIGH  FIELD(51, 48)
#define DESCRIPTOR_D           BIT(54)          /* 32-bit code or stack */
#define DESCRIPTOR_G           BIT(55)          /* the limit counts 4 KB pages */
#define DESCRIPTOR_BASE_HIGH   FIELD(63, 56)

/* Types: the accessed bit is set from the start, so that the GDT never changes by itself. */
#define TYPE_DATA              0x3
#define TYPE_CODE              0xb
#define TYPE_TSS               0x9
#define TYPE_TASK_GATE         0x5
#define TYPE_INTERRUPT_GATE    0xe

#define GATE_OFFSET_LOW        FIELD(15, 0)
#define GATE_SELECTOR          FIELD(31, 16)
#define GATE_OFFSET_HIGH       FIELD(63, 48)

#define SEGMENT(type, dpl, limit, flags) \
	(FIELD_PUT(DESCRIPTOR_TYPE, type) | DESCRIPTOR_S | DESCRIPTOR_P \
	 | FIELD_PUT(DESCRIPTOR_DPL, dpl) | FIELD_PUT(DESCRIPTOR_LIMIT_LOW, limit) \
	 | FIELD_PUT(DESCRIPTOR_LIMIT_HIGH, (limit) >> 16) | (flags))

#define FLAT(type, dpl)        SEGMENT(type, dpl, 0xfffffu, DESCRIPTOR_D | DESCRIPTOR_G)
#define FLAT16(type, dpl)      SEGMENT(type, dpl, 0xffffu, 0)     /* 64 KB from address 0 */

extern const uint8_t vector_stubs[];
extern void double_fault_task(void);

#define VECTOR_STUB_SIZE       16

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
};

static uint64_t tss_descriptor(const struct tss *tss)
{
	uintptr_t base = (uintptr_t)tss;

	return FIELD_PUT(DESCRIPTOR_LIMIT_LOW, sizeof(*tss) - 1) | DESCRIPTOR_P
	       | FIELD_PUT(DESCRIPTOR_TYPE, TYPE_TSS)
	       | FIELD_PUT(DESCRIPTOR_BASE_LOW, base) | FIELD_PUT(DESCRIPTOR_BASE_HIGH, base >> 24);
}

static void tss_init(void)
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
	gdt[GDT_TSS] = tss_descriptor(&kernel_tss);
	gdt[GDT_DOUBLE_FAULT_TSS] = tss_descriptor(&double_fault_tss);
}

void segments_set_page_directory(uintptr_t cr3)
{
	kernel_tss.cr3 = cr3;                           /* a task switch loads it, never saves it */
	double_fault_tss.cr3 = cr3;
}

void segments_set_task_link(uint16_t selector)
{
	kernel_tss.link = selector;
}

void idt_set_gate(unsigned vector, uintptr_t handler, unsigned dpl)
{
	idt[vector] = FIELD_PUT(GATE_OFFSET_LOW, handler)
	              | FIELD_PUT(GATE_OFFSET_HIGH, handler >> 16)
	              | FIELD_PUT(GATE_SELECTOR, SELECTOR_KERNEL_CODE)
	              | FIELD_PUT(DESCRIPTOR_TYPE, TYPE_INTERRUPT_GATE)
	              | FIELD_PUT(DESCRIPTOR_DPL, dpl) | DESCRIPTOR_P;
}

void idt_set_present(unsigned vector, int present)
{
	idt[vector] = present ? idt[vector] | DESCRIPTOR_P : idt[vector] & ~DESCRIPTOR_P;
}

/* INT3, INTO, BOUND's vector and the end of mode_run() may be raised by INT n from every level. */
static unsigned gate_dpl(unsigned vector)
{
	return vector == 3 || vector == 4 || vector == VECTOR_MODE_END ? 3 : 0;
}

void idt_reset(void)
{
	for (unsigned vector = 0; vector < 256; vector++)
		idt_set_gate(vector, (uintptr_t)vector_stubs + VECTOR_STUB_SIZE * vector,
		             gate_dpl(vector));
	/* A task gate, so that #DF still reports when the kernel's stack is what is broken. */
	idt[8] = FIELD_PUT(GATE_SELECTOR, SELECTOR(GDT_DOUBLE_FAULT_TSS, 0))
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

void segments_init(void)
{
	struct table_descriptor table;

	tss_init();
	idt_reset();
	table = segments_gdt();
	gdt_load(&table);
	ldt_load(0);                             /* none: after reset there is one at address 0 */
	table = segments_idt();
	idt_load(&table);
	task_register_load(SELECTOR_TSS);
}

