/* SPDX-License-Identifier: MIT */
/* The segments of the GDT, and the vectors that are the kernel's own. */
#ifndef ARCH_MODES_SEGMENTS_H
#define ARCH_MODES_SEGMENTS_H

#include <stdint.h>

/* Index in the GDT; the selector carries the privilege level in its low two bits. */
enum gdt_index {
	GDT_NULL,
	GDT_KERNEL_CODE, GDT_KERNEL_DATA,
	GDT_CPL1_CODE, GDT_CPL1_DATA,
	GDT_CPL2_CODE, GDT_CPL2_DATA,
	GDT_CPL3_CODE, GDT_CPL3_DATA,
#ifdef __x86_64__
	GDT_CPL3_CODE32,                /* compatibility mode; the code segments above are 64-bit */
#endif
	GDT_CODE16, GDT_DATA16,
	GDT_CPL3_CODE16, GDT_CPL3_DATA16,
	GDT_TSS,
#ifdef __x86_64__
	GDT_TSS_HIGH,                   /* its second half */
#else
	GDT_DOUBLE_FAULT_TSS,
#endif
	GDT_NOT_PRESENT,                /* a data segment with P = 0 */
	/* In the order that SYSENTER, SYSEXIT, SYSCALL and SYSRET find them in. */
	GDT_SYS_CODE, GDT_SYS_DATA, GDT_SYS_CPL3_CODE32, GDT_SYS_CPL3_DATA,
#ifdef __x86_64__
	GDT_SYS_CPL3_CODE64, GDT_SYS_CPL3_DATA64,
#endif
	GDT_SIZE
};

#define SELECTOR(index, rpl)   ((index) << 3 | (rpl))

#define SELECTOR_KERNEL_CODE   SELECTOR(GDT_KERNEL_CODE, 0)
#define SELECTOR_KERNEL_DATA   SELECTOR(GDT_KERNEL_DATA, 0)
#define SELECTOR_CODE16        SELECTOR(GDT_CODE16, 0)
#define SELECTOR_DATA16        SELECTOR(GDT_DATA16, 0)
#define SELECTOR_TSS           SELECTOR(GDT_TSS, 0)
#define SELECTOR_NOT_PRESENT   SELECTOR(GDT_NOT_PRESENT, 0)

#define VECTOR_IRQ_BASE        0x20    /* the 8259s' sixteen */
#define VECTOR_IRQ_TIMER       0x20
#define VECTOR_IRQ_SPURIOUS1   0x27
#define VECTOR_IRQ_SPURIOUS2   0x2f
#define VECTOR_APIC_TIMER      0x40
#define VECTOR_PMI             0x41
#define VECTOR_TEST            0x42    /* IPIs that tests send */
#define VECTOR_WAKE            0x43    /* ends the HLT of a processor that has got work */
#define VECTOR_MODE_END        0x81    /* INT 81H ends code run by mode_run(), from every CPL */
#define VECTOR_APIC_SPURIOUS   0xff    /* low four bits set: P6 and Pentium hard-wire them */

/* Builds and loads GDT, task register and IDT. */
void segments_init(void);

/* A pseudo-descriptor, as SGDT and SIDT store it. */
struct table_descriptor { uint16_t limit; uintptr_t base; } __attribute__((packed));

/* The tables as this kernel built them, for tests that compare them with what is loaded. */
struct table_descriptor segments_gdt(void);
struct table_descriptor segments_idt(void);

/* Loads a GDT and every segment register from it. */
void gdt_load(const struct table_descriptor *d);

/* What a task switch loads into CR3: to be told whenever paging is set up. 64 bits have none. */
void segments_set_page_directory(uintptr_t cr3);

/* In 32 bits the task that IRET with EFLAGS.NT set goes back to; 0, a null one, but in tests. */
void segments_set_task_link(uint16_t selector);

/* Points every entry of the IDT, or one, to the kernel's own handling (again). */
void idt_reset(void);
void idt_reset_gate(unsigned vector);

/* Makes an IDT entry present or not, for tests; vector 0 to 255. */
void idt_set_present(unsigned vector, int present);

/* Gate of vector to handler; dpl is the least privileged level that may INT n to it. */
void idt_set_gate(unsigned vector, uintptr_t handler, unsigned dpl);

#endif
