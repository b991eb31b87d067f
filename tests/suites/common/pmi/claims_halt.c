/* SPDX-License-Identifier: MIT */
/*
 * A PMI ends HLT. As nothing counts in HLT, that PMI was pending when HLT began, or HLT itself
 * overflowed the counter. The APIC's timer limits each halt.
 */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_snippets.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* The limit is longer than all code before the HLT takes; in an emulator this code takes a
 * thousandth of the limit. */
#define BOUND_MS  5u

/* The number of PMIs that end a storm. */
#define STORM  50u

static volatile unsigned fixed_pmis;
static uintptr_t fixed_ip;

static void on_fixed(struct frame *f)
{
	fixed_pmis++;
	fixed_ip = f->ip;
	if (fixed_pmis > STORM)
		apic_write(APIC_LVTPC, APIC_LVT_MASK);
	apic_end_of_interrupt();
}

/* The PMI is pending before STI; STI's shadow lets the HLT begin. */
static void halt_with_pending(struct test_ctx *t)
{
	struct pmu_setup s = user_instructions(pmi_counter(0), 10);

	fixed_pmis = 0;
	interrupt_set_handler(VECTOR_TEST, on_fixed);
	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	apic_write(APIC_LVTPC, VECTOR_TEST);
	pmu_window(user_nops, 20, 0);
	pmi_settle();
	expect_exact(t, "PMIs with IF = 0", fixed_pmis, 0, "IF = 0 masks a fixed interrupt");
	wake_after(BOUND_MS);
	interrupts_enable_and_halt();
	interrupts_disable();
	expect_exact(t, "PMIs after STI, HLT", fixed_pmis, 1, "the PMI was pending");
	expect_exact(t, "timer interrupts", wake_count(), 0,
	             "the PMI ends the HLT at once, not the timer 5 ms later");
	wake_stop();
	apic_write(APIC_LVTPC, APIC_LVT_MASK);
	interrupt_set_handler(VECTOR_TEST, NULL);
}

void pmi_claim_halt_fixed(struct test_ctx *t)
{
	uintptr_t flags = flags_read();

	interrupts_disable();
	halt_with_pending(t);
	flags_write(flags);
}

/* ------------------------------------------------------------------------------------- as NMI */

static struct pmu_setup kernel_overflow(uint64_t missing)
{
	return pmi_instructions(pmi_counter(0), PMU_OS | PMU_INT, missing);
}

/* Returns what a window around pmi_no_hlt() counts. */
static uint32_t count_without_hlt(void)
{
	struct pmu_setup s = pmi_instructions(pmi_counter(0), PMU_OS, 0);

	return (uint32_t)pmu_measure_code(&s, 1, pmi_no_hlt, 0, 0).count[0];
}

/* Returns the number of the instruction in place of the HLT, found by its PMI, or 0. */
static uint32_t number_of_hlt(uint32_t total)
{
	for (uint32_t n = total; n > pmi_lag(); n--) {
		struct pmu_setup s = kernel_overflow(n);

		if (pmi_run_one(&s, pmi_no_hlt, 0)->ip[0] == (uintptr_t)pmi_no_hlt_next)
			return n;
	}
	return 0;
}

/* Halts with a PMI after n instructions; returns the log of PMIs. */
static const struct pmi_log *halt(uint32_t n)
{
	struct pmu_setup s = kernel_overflow(n);
	const struct pmi_log *log;
	uintptr_t flags = flags_read();

	wake_after(BOUND_MS);
	interrupts_enable();
	log = pmi_run_one(&s, pmi_hlt, 0);
	flags_write(flags);
	wake_stop();
	return log;
}

static void judge_hlt_itself(struct test_ctx *t, uint32_t n)
{
	const struct pmi_log *log = halt(n);

	test_sub(t, "HLT is instruction %u, preset -%u", n, n);
	expect_exact(t, "PMIs", log->count, 1, "HLT retires and is counted");
	expect_exact(t, "interrupted address", log->ip[0], (uintptr_t)pmi_hlt_next,
	             "the return address is that of the instruction after the HLT");
	expect_exact(t, "timer interrupts", wake_count(), 0, "the PMI ends the HLT");
}

static void judge_before_hlt(struct test_ctx *t, uint32_t n)
{
	const struct pmi_log *log = halt(n - 1);

	test_sub(t, "HLT is instruction %u, preset -%u", n, n - 1);
	expect_exact(t, "PMIs", log->count, 1, "the NOP before the HLT overflows the counter");
	expect_exact(t, "interrupted address", log->ip[0], (uintptr_t)pmi_hlt_insn,
	             "the PMI is taken before the HLT");
	expect_exact(t, "timer interrupts", wake_count(), 1,
	             "the PMI is over when the HLT begins, so the timer ends the HLT");
}

void pmi_claim_halt_nmi(struct test_ctx *t)
{
	uint32_t total = count_without_hlt(), n = number_of_hlt(total);

	if (!pmu_is_exact()) {
		for (n = total; n + 8 > total && n > pmi_lag(); n--) {
			const struct pmi_log *log = halt(n);

			test_report(t, "PMIs, timer interrupts", "%u, %u with preset -%u",
			            log->count, wake_count(), n);
		}
		return;
	}
	if (!expect_between(t, "number of the instruction in place of the HLT", n, 9, total,
	                    "low: eight NOPs come before it; high: it is in the window"))
		return;
	judge_hlt_itself(t, n);
	judge_before_hlt(t, n);
}
