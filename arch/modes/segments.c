/* SPDX-License-Identifier: MIT */
/* Builds the parts of GDT and IDT that both widths share. */
#include <arch/modes/segments.h>

#include <arch/cpu/insn.h>
#include <arch/modes/segments_parts.h>
#include <arch/regs/cpu.h>

#define VECTOR_STUB_SIZE  16

extern const uint8_t vector_stubs[];    /* from <width>/vectors.asm */

/* INT n may raise INT3, INTO and the end of mode_run() from every level. */
static unsigned gate_dpl(unsigned vector)
{
	return vector == X86_BP || vector == X86_OF || vector == VECTOR_MODE_END ? 3 : 0;
}

uintptr_t idt_own_handler(unsigned vector)
{
	return (uintptr_t)vector_stubs + VECTOR_STUB_SIZE * vector;
}

void idt_reset_gate(unsigned vector)
{
	idt_set_gate(vector, idt_own_handler(vector), gate_dpl(vector));
}

void idt_reset(void)
{
	for (unsigned vector = 0; vector < 256; vector++)
		idt_reset_gate(vector);
	segments_set_double_fault_gate();
}

void segments_init(void)
{
	struct table_descriptor table;

	segments_init_tss();
	idt_reset();
	table = segments_gdt();
	gdt_load(&table);
	ldt_load(0);                             /* after reset there is an LDT at address 0 */
	table = segments_idt();
	idt_load(&table);
	task_register_load(SELECTOR_TSS);
}
