/* SPDX-License-Identifier: MIT */
/*
 * PMIs that follow each other closely: a handler of eleven instructions, to which the IDT leads
 * directly, unmasks LVTPC and returns before the next overflow.
 */
#include <stddef.h>

#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_snippets.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* NOPs from one overflow to the next; with the handler, 14 instructions. */
#define STEP  3u

/* With skid an overflow may find LVTPC still masked by the one before. */
static const char *need_soon(struct test_ctx *t)
{
	const char *reason = need_pmi_gp2(t);

	if (!reason)
		reason = need_exact(t, "PMIs may come late");
	if (!reason && apic_get_state()->is_x2apic)
		return test_reason(t, "IA32_APIC_BASE[10] (EXTD) = 1: the handler writes memory");
	return reason;
}

/* Runs a window while the NMI's gate points at this handler, then restores the kernel's gate. */
static void run_with_gate(const struct pmu_setup *setups, unsigned count)
{
	pmi_soon_count = 0;
	pmi_soon_left = 2 * count;
	pmi_soon_storm = idt_own_handler(X86_NMI);
	pmi_soon_lvtpc = (uint32_t)apic_get_state()->base + APIC_LVTPC;
	pmi_soon_value = (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI);
	pmu_program(setups, count);
	idt_set_gate(X86_NMI, (uintptr_t)pmi_soon_gate, 0);
	apic_write(APIC_LVTPC, pmi_soon_value);
	pmu_window(user_nops, USER_NOPS_MAX, 0);
	pmi_settle();
	apic_write(APIC_LVTPC, APIC_LVT_MASK);
	idt_reset();
}

TEST(soon, .id = "arch.pmi.soon", .needs = need_soon,
     .source = "SDM 3B, \"Generating an Interrupt on Overflow\"; SDM 3A, \"Local Vector Table\"",
     .claim = "overflows a few instructions apart raise a PMI each if the handler is short enough")
{
	struct pmu_setup all[PMU_SETUPS_MAX];
	unsigned count = 0;

	for (unsigned i = 0; i <= PMU_FIXED_CTR(0) && count < PMU_SETUPS_MAX; i++) {
		if (!pmu_has_counter(i))
			continue;
		all[count] = user_instructions(i, 100 + STEP * count);
		count++;
	}
	run_with_gate(all, count);
	expect_exact(t, "PMIs", pmi_soon_count, count,
	             "every counter overflows once, and LVTPC is unmasked each time");
}
