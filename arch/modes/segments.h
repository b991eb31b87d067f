/* SPDX-License-Identifier: MIT */
/* Defines the segments of the GDT and the kernel's own vectors. */
#ifndef ARCH_MODES_SEGMENTS_H
#define ARCH_MODES_SEGMENTS_H

#include <stdint.h>

/*
 * Numbers the entries of the GDT. A selector also carries the privilege level in its low two bits.
 */
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
	GDT_TSS_HIGH,                   /* the second half of the TSS descriptor */
#else
	GDT_DOUBLE_FAULT_TSS,
#endif
	GDT_NOT_PRESENT,                /* a data segment with P = 0 */
	/* These follow the order that SYSENTER, SYSEXIT, SYSCALL and SYSRET require. */
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

#define VECTOR_IRQ_BASE        0x20    /* the sixteen of the two 8259s */
#define VECTOR_IRQ_TIMER       0x20
#define VECTOR_IRQ_SPURIOUS1   0x27
#define VECTOR_IRQ_SPURIOUS2   0x2f
#define VECTOR_APIC_TIMER      0x40
#define VECTOR_PMI             0x41
#define VECTOR_TEST            0x42    /* IPIs that tests send */
#define VECTOR_WAKE            0x43    /* ends the HLT of a processor that has received work */
#define VECTOR_WATCH           0x44    /* the timer of a processor that watches another one */
#define VECTOR_IBS             0x45    /* AMD's instruction-based sampling */
#define VECTOR_MODE_END        0x81    /* INT 81H ends code run by mode_run(), from every CPL */
#define VECTOR_APIC_SPURIOUS   0xff    /* low four bits set: P6 and Pentium hard-wire them to 1 */

/* Builds and loads the GDT, the task register and the IDT. */
void segments_init(void);

/* Describes a pseudo-descriptor, as SGDT and SIDT store it. */
struct table_descriptor { uint16_t limit; uintptr_t base; } __attribute__((packed));

/* Return the tables as this kernel built them, for tests that compare them with what is loaded. */
struct table_descriptor segments_gdt(void);
struct table_descriptor segments_idt(void);

/* Loads a GDT, and every segment register from it. */
void gdt_load(const struct table_descriptor *d);

/*
 * Sets the CR3 that a task switch loads. Must be called whenever paging is set up. In the 64-bit
 * kernel it does nothing.
 */
void segments_set_page_directory(uintptr_t cr3);

/*
 * Sets the task to which IRET returns if EFLAGS.NT is set, in the 32-bit kernel. Only tests set
 * another selector than 0, the null selector.
 */
void segments_set_task_link(uint16_t selector);

/* Point every entry of the IDT, or one, back to the kernel's own handling. */
void idt_reset(void);
void idt_reset_gate(unsigned vector);

/* Returns the address to which this vector's gate leads after idt_reset(). */
uintptr_t idt_own_handler(unsigned vector);

/* Makes an IDT entry present or not present, for tests. vector is 0 to 255. */
void idt_set_present(unsigned vector, int present);

/*
 * Points the gate of a vector to handler. dpl is the least privileged level that may execute INT n
 * with it.
 */
void idt_set_gate(unsigned vector, uintptr_t handler, unsigned dpl);

#endif
