/* SPDX-License-Identifier: MIT */
/*
 * How LVTPC delivers a PMI: as an NMI or a fixed interrupt, with IF = 0 and 1, out of HLT, and what
 * happens to LVTPC's mask bit. The handlers here touch neither LVTPC nor the status register.
 */
#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/microarchitecture.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define AS_NMI    ((uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI))
#define AS_FIXED  ((uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_FIXED))

/* This vector is neither the kernel's nor an exception's; it is odd, and of another class. */
#define ODD_VECTOR    0x9du
#define OTHER_VECTOR  0x93u            /* the same priority class as ODD_VECTOR, below it */

/* The number of PMIs that end a storm. */
#define STORM  50u

/* Holds what the handlers saw: the number of entries, and the state at the last entry. */
static struct {
	volatile unsigned count;
	unsigned vector, cpl;
	uintptr_t ip;
	uint32_t lvtpc;
	bool is_in_service, is_requested;
	bool is_eoi_withheld;
} seen;

static bool is_set(uint32_t offset, unsigned vector)
{
	return (apic_read(offset) & BIT32(vector % 32)) != 0;
}

static void see(struct frame *f)
{
	seen.count++;
	seen.vector = f->vector;
	seen.cpl = f->cs & 3;
	seen.ip = f->ip;
	seen.lvtpc = apic_read(APIC_LVTPC);
	seen.is_in_service = is_set(APIC_ISR(f->vector), f->vector);
	seen.is_requested = is_set(APIC_IRR(f->vector), f->vector);
	if (seen.count > STORM)
		apic_write(APIC_LVTPC, APIC_LVT_MASK);
}

static void on_nmi(struct frame *f, bool is_sure)
{
	if (is_sure)                   /* else it may be the watchdog's tick */
		see(f);
}

static void on_fixed(struct frame *f)
{
	see(f);
	if (!seen.is_eoi_withheld)
		apic_end_of_interrupt();
}

/* Starts recording both kinds of PMIs, with this LVTPC. */
static void listen(uint32_t lvtpc)
{
	seen.count = 0;
	seen.is_eoi_withheld = false;
	nmi_set_handler(on_nmi);
	interrupt_set_handler(ODD_VECTOR, on_fixed);
	interrupt_set_handler(OTHER_VECTOR, on_fixed);
	apic_write(APIC_LVTPC, lvtpc);
}

/* Ends a vector that is still requested or in service, so that a failure does not
 * reach the next test. */
static void drain(unsigned vector)
{
	if (is_set(APIC_ISR(vector), vector))
		apic_end_of_interrupt();
	if (!is_set(APIC_IRR(vector), vector))
		return;
	interrupts_enable();
	pmi_settle();
	interrupts_disable();
}

/* Call it with interrupts off. */
static void stop_listening(void)
{
	apic_write(APIC_LVTPC, APIC_LVT_MASK);
	seen.is_eoi_withheld = false;
	drain(ODD_VECTOR);
	drain(OTHER_VECTOR);
	nmi_set_handler(NULL);
	interrupt_set_handler(ODD_VECTOR, NULL);
	interrupt_set_handler(OTHER_VECTOR, NULL);
}

bool pmi_masks_itself(void)
{
	if (counting_is_amd())
		return false;
	return !pmu_has(PMU_HAS_ONE_ENABLE) || pmu_microarchitecture() == PMU_MODEL_PM;
}

/* Checks the bits of LVTPC in a handler that are judged. */
static void expect_lvtpc(struct test_ctx *t, const char *what, uint32_t got, uint32_t written)
{
	uint32_t judged = UINT32_MAX & ~APIC_LVT_STATUS, mask = 0;

	if (pmi_masks_itself())
		mask = APIC_LVT_MASK;
	else if (!counting_is_amd()) {
		test_report(t, what, "%08" PRIX32 "H", got);
		judged &= ~APIC_LVT_MASK;
	}
	expect_bits(t, what, got, judged, (written | mask) & judged,
	            counting_is_amd() ? "AMD's APIC changes nothing when it handles a PMI"
	            : "the APIC sets the mask bit when it handles a PMI, and changes nothing else");
}

/* Overflows counter 0 once at CPL 3, from an idle PMU without status bits. */
static void overflow_with(unsigned flags)
{
	struct pmu_setup s = pmi_instructions(pmi_counter(0), flags, 10);

	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	pmu_window(user_nops, 20, 0);
	pmi_settle();
}

static void overflow(void)
{
	overflow_with(PMU_USR | PMU_INT);
}

static void expect_status(struct test_ctx *t)
{
	char name[PMU_NAME_SIZE];

	if (has_status())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS", pmu_status(), counter_bit(0),
		            counter_bit(0), "the counter overflowed, whatever happened to its PMI");
	expect_between(t, pmu_counter_name(pmi_counter(0), name), pmu_read(pmi_counter(0)), 10, 100,
	               "low: 20 NOPs from 10 below the overflow; high: also INT "
	               "and IRET, with room");
}

static void expect_seen(struct test_ctx *t, unsigned count, const char *why)
{
	expect_exact(t, "interrupts", seen.count, count, why);
}

/* Restores IF as the engine had it: if the watchdog has no NMI, IF is set. */
static void with_flags_kept(struct test_ctx *t, void (*body)(struct test_ctx *t))
{
	uintptr_t flags = flags_read();

	interrupts_disable();
	body(t);
	flags_write(flags);
}

/* --------------------------------------------------------------------------------- none at all */

static void judge_without_int(struct test_ctx *t)
{
	listen(AS_NMI);
	overflow_with(PMU_USR);
	expect_seen(t, 0, "the counter's control has INT = 0");
	expect_bits(t, "LVTPC", apic_read(APIC_LVTPC), UINT32_MAX, AS_NMI,
	            "no PMI was delivered, so the mask bit stays 0");
	expect_status(t);
	stop_listening();
}

void pmi_claim_without_int(struct test_ctx *t)
{
	with_flags_kept(t, judge_without_int);
}

static void judge_masked_as(struct test_ctx *t, const char *how, uint32_t lvtpc)
{
	listen(lvtpc | APIC_LVT_MASK);
	interrupts_enable();
	overflow();
	test_sub(t, "LVTPC masked, %s", how);
	expect_seen(t, 0, "the mask inhibits the interrupt");
	expect_status(t);
	apic_write(APIC_LVTPC, lvtpc);
	pmi_settle();
	interrupts_disable();
	test_sub(t, "LVTPC unmasked after the overflow, %s", how);
	if (!silicon_leaves_out(t, SILICON_PMI_REPEATS, "interrupts")) {
		expect_seen(t, 0, "LVTPC does not remember a PMI");
		expect_bits(t, "LVTPC", apic_read(APIC_LVTPC), UINT32_MAX, lvtpc,
		            "no PMI was delivered, so the mask bit stays 0");
	}
	stop_listening();
}

static void judge_masked(struct test_ctx *t)
{
	judge_masked_as(t, "NMI", AS_NMI);
	judge_masked_as(t, "fixed", AS_FIXED | ODD_VECTOR);
}

void pmi_claim_masked(struct test_ctx *t)
{
	with_flags_kept(t, judge_masked);
}

/* -------------------------------------------------------------------------------- the mask bit */

static void judge_mask(struct test_ctx *t, const char *what, uint32_t lvtpc)
{
	test_sub(t, "%s", what);
	listen(lvtpc);
	interrupts_enable();
	overflow();
	interrupts_disable();
	expect_seen(t, 1, "one counter overflowed once");
	expect_lvtpc(t, "LVTPC in the handler", seen.lvtpc, lvtpc);
	if (!pmi_masks_itself()) {
		stop_listening();
		return;
	}
	expect_bits(t, "LVTPC after the handler", apic_read(APIC_LVTPC), UINT32_MAX,
	            lvtpc | APIC_LVT_MASK, "only software clears the mask bit");
	overflow();
	expect_seen(t, 1, "LVTPC has been masked since the first overflow");
	pmu_clear_status(pmu_status());
	apic_write(APIC_LVTPC, lvtpc);
	pmi_settle();
	expect_seen(t, 1, "the overflow under the mask is lost");
	interrupts_enable();
	overflow();
	interrupts_disable();
	expect_seen(t, 2, "software has unmasked LVTPC: the next overflow interrupts again");
	stop_listening();
}

static void judge_masks(struct test_ctx *t)
{
	judge_mask(t, "NMI", AS_NMI);
	judge_mask(t, "fixed, vector 9DH", AS_FIXED | ODD_VECTOR);
	judge_mask(t, "fixed, vector 93H", AS_FIXED | OTHER_VECTOR);
}

void pmi_claim_mask(struct test_ctx *t)
{
	with_flags_kept(t, judge_masks);
}

/* ------------------------------------------------------------------------------ as an NMI */

static void judge_nmi(struct test_ctx *t)
{
	listen(AS_NMI | ODD_VECTOR);
	overflow();
	expect_seen(t, 1, "IF = 0 does not mask an NMI");
	expect_exact(t, "vector", seen.vector, X86_NMI,
	             "the vector field is ignored with delivery mode NMI");
	expect_exact(t, "in service in the APIC", seen.is_in_service, 0,
	             "an NMI does not pass through IRR and ISR");
	expect_lvtpc(t, "LVTPC in the handler", seen.lvtpc, AS_NMI | ODD_VECTOR);
	expect_bounds(t, "CPL of the interrupted code", seen.cpl,
	              if_exact(3, "the overflow is in the middle of the code at CPL 3"),
	              ELSE_SHOWN);
	stop_listening();
}

void pmi_claim_as_nmi(struct test_ctx *t)
{
	with_flags_kept(t, judge_nmi);
}

/* ---------------------------------------------------------------------- as a fixed interrupt */

static void judge_pending(struct test_ctx *t)
{
	listen(AS_FIXED | ODD_VECTOR);
	overflow();
	expect_seen(t, 0, "IF = 0 masks a fixed interrupt");
	expect_exact(t, "the vector's bit in the IRR", is_set(APIC_IRR(ODD_VECTOR), ODD_VECTOR), 1,
	             "the APIC has accepted it, but not delivered it");
	test_report(t, "LVTPC while it is pending", "%08" PRIX32 "H", apic_read(APIC_LVTPC));
	interrupts_enable();
	pmi_settle();
	interrupts_disable();
	expect_seen(t, 1, "it was pending, and STI lets it in");
	expect_exact(t, "vector", seen.vector, ODD_VECTOR, "LVTPC's vector");
	expect_exact(t, "in service in the handler", seen.is_in_service, 1, "there was no EOI yet");
	expect_exact(t, "requested in the handler", seen.is_requested, 0,
	             "it has moved to the ISR");
	expect_exact(t, "CPL of the interrupted code", seen.cpl, 0, "STI was executed at CPL 0");
	expect_exact(t, "in service after the EOI", is_set(APIC_ISR(ODD_VECTOR), ODD_VECTOR), 0,
	             "the handler's EOI ended it");
	stop_listening();
}

void pmi_claim_fixed_pending(struct test_ctx *t)
{
	with_flags_kept(t, judge_pending);
}

/* Overflows in the middle of a sled at CPL 0 with interrupts on. */
static void judge_fixed(struct test_ctx *t)
{
	enum { NOPS = 2000 };
	struct pmu_setup s = pmi_instructions(pmi_counter(0), PMU_OS | PMU_INT, 1000);

	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	listen(AS_FIXED | OTHER_VECTOR);
	interrupts_enable();
	pmu_window(workload_nops.code, NOPS, 0);
	pmi_settle();
	interrupts_disable();
	expect_seen(t, 1, "one counter overflowed once");
	expect_exact(t, "vector", seen.vector, OTHER_VECTOR, "LVTPC's vector");
	expect_lvtpc(t, "LVTPC in the handler", seen.lvtpc, AS_FIXED | OTHER_VECTOR);
	expect_exact(t, "in service in the handler", seen.is_in_service, 1, "there was no EOI yet");
	expect_bounds(t, "interrupted address", seen.ip,
	              if_exact_in((uintptr_t)workload_nops_sled + 4096 - NOPS,
	                          (uintptr_t)workload_nops_sled + 4096 - NOPS + 1000,
	                          "low: the window has fewer than 1000 instructions of its own; "
	                          "high: it has some"), ELSE_SHOWN);
	stop_listening();
}

void pmi_claim_fixed(struct test_ctx *t)
{
	with_flags_kept(t, judge_fixed);
}

/* LVTPC is unmasked in the handler's place, so that it accepts the second PMI. */
static void judge_eoi(struct test_ctx *t)
{
	listen(AS_FIXED | ODD_VECTOR);
	seen.is_eoi_withheld = true;
	interrupts_enable();
	overflow();
	expect_seen(t, 1, "one counter overflowed once");
	pmu_clear_status(pmu_status());
	apic_write(APIC_LVTPC, AS_FIXED | ODD_VECTOR);
	overflow();
	expect_seen(t, 1, "the second PMI has the priority of the first, which has had no EOI");
	expect_exact(t, "the vector's bit in the IRR", is_set(APIC_IRR(ODD_VECTOR), ODD_VECTOR), 1,
	             "the APIC has accepted it, but not delivered it");
	apic_end_of_interrupt();
	pmi_settle();
	expect_seen(t, 2, "the EOI lets the second PMI in");
	apic_end_of_interrupt();
	interrupts_disable();
	stop_listening();
}

void pmi_claim_fixed_eoi(struct test_ctx *t)
{
	with_flags_kept(t, judge_eoi);
}
