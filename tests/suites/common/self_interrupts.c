/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/self_interrupts.h>

#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <kernel/run/watchdog.h>

extern uint32_t arch_interrupts_taken;
extern uintptr_t arch_interrupts_eoi, arch_interrupts_icr;
extern const uint32_t arch_interrupts_nmi_insns, arch_interrupts_xapic_insns,
                      arch_interrupts_x2apic_insns;
extern const uint32_t arch_interrupts_send_xapic_insns, arch_interrupts_send_xapic_branches,
                      arch_interrupts_send_x2apic_insns, arch_interrupts_send_x2apic_branches;
extern void arch_interrupts_nmi(void), arch_interrupts_xapic(void), arch_interrupts_x2apic(void);
extern void arch_interrupts_send_xapic(uint32_t rounds, uint32_t command);
extern void arch_interrupts_send_x2apic(uint32_t rounds, uint32_t command);

/* Stores the addresses of the APIC's registers and its own ID: an IPI goes to this processor's ID,
 * since the self shorthand takes no NMI (SDM 3A, "Interrupt Command Register (ICR)"). */
static void set_addresses(void)
{
	const struct apic_state *a = apic_get_state();

	arch_interrupts_eoi = a->base + APIC_EOI;
	if (a->is_x2apic) {
		arch_interrupts_icr = apic_read(APIC_ID);
		return;
	}
	arch_interrupts_icr = a->base + APIC_ICR_LOW;
	apic_write(APIC_ICR_HIGH, apic_read(APIC_ID) & 0xff000000u);
}

struct arch_interrupt_counts arch_interrupts_prepare(enum arch_interrupt kind)
{
	bool is_x2apic = apic_get_state()->is_x2apic;
	struct arch_interrupt_counts counts = {
		.insns_each = is_x2apic ? arch_interrupts_send_x2apic_insns
		                        : arch_interrupts_send_xapic_insns,
		.branches_each = is_x2apic ? arch_interrupts_send_x2apic_branches
		                           : arch_interrupts_send_xapic_branches,
		.handler_insns = arch_interrupts_nmi_insns,
		.handler_branches = 1,          /* its IRET */
	};

	set_addresses();
	arch_interrupts_taken = 0;
	if (kind == ARCH_INTERRUPT_NMI) {
		watchdog_pet();                 /* its tick would look like a sent interrupt */
		idt_set_gate(X86_NMI, (uintptr_t)arch_interrupts_nmi, 0);
		return counts;
	}
	counts.handler_insns = is_x2apic ? arch_interrupts_x2apic_insns
	                                 : arch_interrupts_xapic_insns;
	idt_set_gate(VECTOR_TEST, is_x2apic ? (uintptr_t)arch_interrupts_x2apic
	                                    : (uintptr_t)arch_interrupts_xapic, 0);
	return counts;
}

void arch_interrupts_send(uint32_t rounds, uint32_t argument)
{
	uint32_t command = APIC_ICR_ASSERT
	                   | (argument == ARCH_INTERRUPT_NMI
	                      ? (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI)
	                      : VECTOR_TEST);

	if (apic_get_state()->is_x2apic)
		arch_interrupts_send_x2apic(rounds, command);
	else
		arch_interrupts_send_xapic(rounds, command);
}

uint32_t arch_interrupts_take_count(void)
{
	uint32_t taken = arch_interrupts_taken;

	arch_interrupts_taken = 0;
	return taken;
}
