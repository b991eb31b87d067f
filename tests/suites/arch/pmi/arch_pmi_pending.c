/* SPDX-License-Identifier: MIT */
/*
 * A fixed PMI waits in the IRR while IF = 0: what software does to LVTPC meanwhile neither changes
 * that PMI nor raises another one.
 */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* Two vectors of different priority classes; neither is the kernel's or an exception's. */
enum { OLD_VECTOR = 0x93, NEW_VECTOR = 0xa5 };

static volatile unsigned at_old, at_new;

static void on_interrupt(struct frame *f)
{
	if (f->vector == OLD_VECTOR)
		at_old++;
	else
		at_new++;
	apic_end_of_interrupt();
}

static void let_in(void)
{
	interrupts_enable();
	pmi_settle();
	interrupts_disable();
}

/* Overflows a counter with IF = 0 at OLD_VECTOR, writes LVTPC, then executes STI. */
static void judge(struct test_ctx *t, const char *what, uint32_t lvtpc)
{
	struct pmu_setup s = user_instructions(pmi_counter(0), 10);

	test_sub(t, "LVTPC written with %s", what);
	at_old = at_new = 0;
	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	apic_write(APIC_LVTPC, OLD_VECTOR);
	pmu_window(user_nops, 20, 0);
	pmi_settle();
	apic_write(APIC_LVTPC, lvtpc);
	pmi_settle();
	expect_exact(t, "interrupts with IF = 0", at_old + at_new, 0,
	             "IF = 0 masks interrupts at both vectors");
	let_in();
	expect_exact(t, "interrupts at the vector at the time of the overflow", at_old, 1,
	             "the APIC accepted it before LVTPC was written");
	expect_exact(t, "interrupts at the vector that was written later", at_new, 0,
	             "a write of LVTPC requests nothing");
	apic_write(APIC_LVTPC, APIC_LVT_MASK);
}

TEST(pending, .id = "arch.pmi.delivery.rewritten", .needs = need_pmi,
     .source = LVT "; SDM 3A, \"Interrupt Acceptance for Fixed Interrupts\"",
     .claim = "a pending fixed PMI arrives once, at the vector at which it was sent, even if LVTPC "
              "is masked or gets another vector meanwhile")
{
	uintptr_t flags = flags_read();

	interrupts_disable();
	interrupt_set_handler(OLD_VECTOR, on_interrupt);
	interrupt_set_handler(NEW_VECTOR, on_interrupt);
	judge(t, "its mask", APIC_LVT_MASK | OLD_VECTOR);
	judge(t, "another vector", NEW_VECTOR);
	judge(t, "another vector, masked", APIC_LVT_MASK | NEW_VECTOR);
	interrupt_set_handler(OLD_VECTOR, NULL);
	interrupt_set_handler(NEW_VECTOR, NULL);
	flags_write(flags);
}
