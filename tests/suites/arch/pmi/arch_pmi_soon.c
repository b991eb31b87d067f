/* SPDX-License-Identifier: MIT */
/*
 * PMIs that follow each other closely: a handler of eleven instructions, straight in the IDT,
 * unmasks LVTPC and is back before the next overflow.
 */
#include <stddef.h>

#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_snippets.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* NOPs from one overflow to the next: with the handler, 14 instructions. */
#define STEP  3u

/* With skid an overflow may find LVTPC still masked by the one before. */
static const char *need_soon(struct test_ctx *t)
{
	const char *reason = need_pmi_gp2(t);

	if (!reason && !pmu_is_exact())
		return test_reason(t, "the word `exact` is not given: PMIs may come late");
	if (!reason && apic_get_state()->is_x2apic)
		return test_reason(t, "IA32_APIC_BASE[10] (EXTD) = 1: the handler writes memory");
	return reason;
}

/* A window with the NMI's gate pointed at the handler; then it is the kernel's own again. */
static void run_with_gate(const struct pmu_setup *setups, unsigned count)
{
	pmi_soon_count = 0;
	pmi_soon_left = 2 * count;             /* a storm of PMIs shall end */
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
     .claim = "overflows a few instructions apart give a PMI each if the handler is short enough");
static void soon(struct test_ctx *t)
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
	             "every counter overflows once, LVTPC is unmasked each time");
}
