/* SPDX-License-Identifier: MIT */
/* Source: Intel 8259A Programmable Interrupt Controller, "Initialization Command Words". */
#include <arch/interrupts/pic.h>

#include <arch/cpu/insn.h>
#include <arch/modes/segments.h>
#include <arch/regs/apic.h>

void pic_init(void)
{
	port_out8(PIC1_COMMAND, PIC_ICW1_INIT);
	port_out8(PIC2_COMMAND, PIC_ICW1_INIT);
	port_out8(PIC1_DATA, VECTOR_IRQ_BASE);
	port_out8(PIC2_DATA, VECTOR_IRQ_BASE + 8);
	port_out8(PIC1_DATA, 1 << 2);          /* the second 8259 is connected to IRQ 2 */
	port_out8(PIC2_DATA, 2);               /* the second one's cascade identity */
	port_out8(PIC1_DATA, PIC_ICW4_8086);
	port_out8(PIC2_DATA, PIC_ICW4_8086);
	pic_mask_all();
}

void pic_mask_all(void)
{
	port_out8(PIC1_DATA, 0xff);
	port_out8(PIC2_DATA, 0xff);
}

void pic_unmask_timer(void)
{
	port_out8(PIC1_DATA, 0xff & ~1);
}

void pic_end_of_interrupt(void)
{
	port_out8(PIC1_COMMAND, PIC_EOI);
}
