/* SPDX-License-Identifier: MIT */
#include <arch/interrupts/pending.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>

enum { VECTOR_FIRST = 0x20, VECTOR_LAST = 0xff };

/* The APIC holds two interrupts of a vector at most: one in service and one that is requested. */
enum { ROUNDS_MAX = 2 * (VECTOR_LAST - VECTOR_FIRST + 1) };

static void end_it(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

static void set_handlers(interrupt_handler handler)
{
	for (unsigned vector = VECTOR_FIRST; vector <= VECTOR_LAST; vector++)
		interrupt_set_handler(vector, handler);
}

/* registers: the first of the eight of the ISR or of the IRR. */
static bool has_any(uint32_t registers)
{
	for (unsigned vector = VECTOR_FIRST; vector <= VECTOR_LAST; vector += 32)
		if (apic_read(registers + (APIC_ISR(vector) - APIC_ISR(0))) != 0)
			return true;
	return false;
}

static void take_requested(void)
{
	uintptr_t before = flags_read();

	interrupts_enable();
	cpu_pause();                    /* STI lets interrupts in after the next instruction */
	flags_write(before);
}

void apic_drain(void)
{
	if (!apic_get_state()->is_present)
		return;
	for (unsigned i = 0; i < ROUNDS_MAX && has_any(APIC_ISR(0)); i++)
		apic_end_of_interrupt();
	set_handlers(end_it);
	for (unsigned i = 0; i < ROUNDS_MAX && has_any(APIC_IRR(0)); i++)
		take_requested();
	set_handlers(NULL);
}
