/* SPDX-License-Identifier: MIT */
/* The local APIC: its identity, its LVT, interrupts that it sends to itself, its timer. */
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/interrupts/pending.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>
#include <arch/regs/table.h>
#include <arch/smp/smp.h>
#include <kernel/run/test.h>
#include <tests/suites/common/bounded_wait.h>
#include <tests/suites/common/needs.h>

#define APIC_SOURCE(title) \
	"SDM 3A, \"Advanced Programmable Interrupt Controller (APIC)\", \"" title "\"; " \
	"APM 2, the chapter of the same name"

/* ------------------------------------------------------------------------------------- identity */

TEST(version, .id = "platform.apic.version", .needs = need_local_apic,
     .claim = "the version register shows an integrated APIC with a known number of LVT entries",
     .source = APIC_SOURCE("Local APIC Version Register"))
{
	uint32_t got = apic_read(APIC_VERSION);

	expect_between(t, "version", FIELD_GET(APIC_VERSION_VERSION, got), 0x10, 0x1f,
	               "1XH is an integrated APIC, 0XH the external 82489DX; other "
	               "values are reserved");
	expect_between(t, "Max LVT Entry", FIELD_GET(APIC_VERSION_MAX_LVT, got), 3, 6,
	               "low: the Pentium has 4 entries; high: Nehalem has 7; the "
	               "field holds one less");
}

/* Before SSE2's first processor, the Pentium 4, EBX[31:24] is reserved. */
static const char *needs_initial_id(struct test_ctx *t)
{
	const char *reason = need_local_apic(t);

	if (!reason && !apic_get_state()->is_x2apic && !cpuid_get(CPUID_SSE2))
		return test_reason(t, "CPUID.1:EDX[26] (SSE2) = 0: CPUID does not report the "
		                      "initial APIC ID");
	return reason;
}

TEST(id, .id = "platform.apic.id", .needs = needs_initial_id,
     .claim = "the APIC's ID is the one that CPUID gives", .source = APIC_SOURCE("Local APIC ID"))
{
	if (apic_get_state()->is_x2apic)
		expect_exact(t, "x2APIC ID", apic_get_id(), cpuid_get(CPUID_X2APIC_ID),
		             "CPUID.0BH:EDX holds the same ID");
	else
		expect_exact(t, "APIC ID", apic_get_id(), cpuid_get(CPUID_INITIAL_APIC_ID),
		             "CPUID.1:EBX[31:24] holds the same ID");
}

TEST(enabled, .id = "platform.apic.enabled", .needs = need_local_apic,
     .claim = "the APIC is software-enabled and its spurious vector is the kernel's",
     .source = APIC_SOURCE("Local APIC State"))
{
	expect_bits(t, "SVR", apic_read(APIC_SVR), APIC_SVR_ENABLE | APIC_SVR_VECTOR,
	            APIC_SVR_ENABLE | VECTOR_APIC_SPURIOUS, "the kernel wrote it so");
}

static const char *needs_apic_base(struct test_ctx *t)
{
	const char *reason = need_local_apic(t);

	if (!reason && cpuid_get(CPUID_BASE_FAMILY) < 6)
		return test_reason(t, "CPUID.1:EAX[11:8] (family) = %u: IA32_APIC_BASE exists "
		                      "from family 6 on",
		                   cpuid_get(CPUID_BASE_FAMILY));
	return reason;
}

TEST(base, .id = "platform.apic.base", .needs = needs_apic_base,
     .claim = "IA32_APIC_BASE shows that the APIC is on, its mode, and whether this is the "
              "bootstrap processor",
     .source = APIC_SOURCE("Local APIC Status and Location"))
{
	uint64_t value;

	if (!expect_no_fault(t, "RDMSR", msr_try_read(IA32_APIC_BASE, &value),
	                     "processors of family 6 and later have this MSR"))
		return;
	expect_bits(t, "EN", value, IA32_APIC_BASE_EN, IA32_APIC_BASE_EN, "the APIC answers");
	expect_bits(t, "EXTD", value, IA32_APIC_BASE_EXTD,
	            apic_get_state()->is_x2apic ? IA32_APIC_BASE_EXTD : 0,
	            "the kernel found this mode");
	expect_bits(t, "BSP", value, IA32_APIC_BASE_BSP, smp_self() ? 0 : IA32_APIC_BASE_BSP,
	            "boot code runs only on the bootstrap processor");
}

/* ---------------------------------------------------------------------------------------- LVTPC */

#define DELIVERY(mode)  (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_##mode)

static const struct { const char *what; uint32_t value; } lvtpc_values[] = {
	{ "masked, vector 0",        APIC_LVT_MASK },
	{ "fixed, vector 41H",       DELIVERY(FIXED) | VECTOR_PMI },
	{ "fixed, masked",           DELIVERY(FIXED) | VECTOR_PMI | APIC_LVT_MASK },
	{ "NMI",                     DELIVERY(NMI) },
	{ "NMI, masked",             DELIVERY(NMI) | APIC_LVT_MASK },
	{ "SMI, masked",             DELIVERY(SMI) | APIC_LVT_MASK },
	{ "masked, vector 55H",      APIC_LVT_MASK | 0x55 },
	{ "masked, vector AAH",      APIC_LVT_MASK | 0xaa },
};

TEST(lvtpc, .id = "platform.apic.lvtpc", .needs = need_lvtpc,
     .claim = "LVTPC keeps vector, delivery mode and mask as written; all other bits read 0",
     .source = APIC_SOURCE("Local Vector Table"))
{
	uint32_t before = apic_read(APIC_LVTPC);

	for (size_t i = 0; i < COUNT_OF(lvtpc_values); i++) {
		apic_write(APIC_LVTPC, lvtpc_values[i].value);
		test_sub(t, "%s", lvtpc_values[i].what);
		expect_bits(t, "LVTPC", apic_read(APIC_LVTPC), UINT32_MAX, lvtpc_values[i].value,
		            "the fields are as written, reserved bits are 0, and the delivery "
		            "status is idle");
	}
	apic_write(APIC_LVTPC, before);
}

static const char *needs_xapic_lvtpc(struct test_ctx *t)
{
	const char *reason = need_lvtpc(t);

	if (!reason && apic_get_state()->is_x2apic)
		return test_reason(t, "IA32_APIC_BASE[10] (EXTD) = 1: such a write may fault");
	return reason;
}

TEST(lvtpc_status, .id = "platform.apic.lvtpc.status", .needs = needs_xapic_lvtpc,
     .claim = "LVTPC's delivery status is read-only", .source = APIC_SOURCE("Local Vector Table"))
{
	uint32_t before = apic_read(APIC_LVTPC);

	apic_write(APIC_LVTPC, APIC_LVT_MASK | APIC_LVT_STATUS);
	expect_bits(t, "LVTPC", apic_read(APIC_LVTPC), APIC_LVT_MASK | APIC_LVT_STATUS,
	            APIC_LVT_MASK,
	            "nothing is being delivered, whatever is written");
	apic_write(APIC_LVTPC, before);
}

/* ---------------------------------------------------------------------------- fixed interrupts */

static volatile unsigned arrived, arrived_vector;
static bool is_eoi_withheld;

static void on_interrupt(struct frame *f)
{
	arrived++;
	arrived_vector = f->vector;
	if (!is_eoi_withheld)
		apic_end_of_interrupt();
}

/* Counts a vector's interrupts from now on; the engine removes the handler after the test. */
static void expect_interrupts(unsigned vector, bool without_eoi)
{
	arrived = arrived_vector = 0;
	is_eoi_withheld = without_eoi;
	interrupt_set_handler(vector, on_interrupt);
}

static bool is_set(uint32_t offset, unsigned vector)
{
	return (apic_read(offset) & BIT32(vector % 32)) != 0;
}

/* Sends VECTOR_TEST and waits until it is in the IRR or has been delivered. */
static void send_test_vector(void)
{
	unsigned before = arrived;

	apic_send_self(APIC_DELIVERY_FIXED, VECTOR_TEST);
	for (unsigned i = 0; i < ARRIVAL_SLICES; i++) {
		if (arrived != before || is_set(APIC_IRR(VECTOR_TEST), VECTOR_TEST))
			return;
		wait_slice();
	}
}

TEST(ipi, .id = "platform.apic.ipi.once", .needs = need_local_apic,
     .claim = "a fixed interrupt that the processor sends to itself arrives once, at its vector",
     .source = APIC_SOURCE("Issuing Interprocessor Interrupts"))
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_TEST, false);
	interrupts_enable();
	send_test_vector();
	wait_for_count(&arrived, 1);
	flags_write(before);
	expect_exact(t, "interrupts that arrived", arrived, 1, "one was sent");
	expect_exact(t, "vector", arrived_vector, VECTOR_TEST, "the ICR held this vector");
}

TEST(ipi_if, .id = "platform.apic.ipi.interrupt_flag", .needs = need_local_apic,
     .claim = "with EFLAGS.IF = 0 a fixed interrupt waits in the IRR; STI lets it in",
     .source = "SDM 3A, \"Masking Maskable Hardware Interrupts\"; "
               "APM 2, \"Masking External Interrupts\"")
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_TEST, false);
	interrupts_disable();
	send_test_vector();
	wait_silence();
	expect_exact(t, "interrupts with IF = 0", arrived, 0, "IF = 0 masks it");
	expect_exact(t, "the vector's bit in the IRR", is_set(APIC_IRR(VECTOR_TEST), VECTOR_TEST),
	             1,
	             "the APIC has accepted it, but not delivered it");
	interrupts_enable();
	wait_for_count(&arrived, 1);
	flags_write(before);
	expect_exact(t, "interrupts after STI", arrived, 1, "it was pending");
}

TEST(ipi_eoi, .id = "platform.apic.ipi.eoi", .needs = need_local_apic,
     .claim = "an interrupt blocks the next one of its priority class until its EOI",
     .source = APIC_SOURCE("Signaling Interrupt Servicing Completion"))
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_TEST, true);
	interrupts_enable();
	send_test_vector();
	wait_for_count(&arrived, 1);
	expect_exact(t, "the vector's bit in the ISR", is_set(APIC_ISR(VECTOR_TEST), VECTOR_TEST),
	             1, "there was no EOI yet");
	send_test_vector();
	wait_silence();
	expect_exact(t, "interrupts before the EOI", arrived, 1,
	             "the second has the priority of the first");
	apic_end_of_interrupt();
	wait_for_count(&arrived, 2);
	expect_exact(t, "interrupts after the EOI", arrived, 2, "the second was held in the IRR");
	apic_end_of_interrupt();
	flags_write(before);
	expect_exact(t, "the vector's bit in the ISR at the end", is_set(APIC_ISR(VECTOR_TEST),
	                                                                 VECTOR_TEST), 0,
	             "each interrupt had its EOI");
}

TEST(ipi_left, .id = "platform.apic.ipi.left", .needs = need_local_apic,
     .claim = "interrupts in service and requested, as an operating system leaves them, are gone "
              "after the kernel has taken the machine over",
     .source = APIC_SOURCE("Interrupt Acceptance for Fixed Interrupts"))
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_TEST, true);
	interrupts_enable();
	send_test_vector();
	wait_for_count(&arrived, 1);
	interrupts_disable();
	send_test_vector();
	expect_exact(t, "the vector's bit in the IRR before", apic_is_requested(VECTOR_TEST), 1,
	             "the second interrupt waits for the EOI of the first");
	apic_drain();
	expect_exact(t, "the vector's bit in the IRR", apic_is_requested(VECTOR_TEST), 0,
	             "apic_drain() has taken the interrupt");
	expect_exact(t, "the vector's bit in the ISR", apic_is_in_service(VECTOR_TEST), 0,
	             "apic_drain() has ended the interrupt");
	flags_write(before);
}

TEST(ipi_tpr, .id = "platform.apic.ipi.task_priority", .needs = need_local_apic,
     .claim = "a fixed interrupt waits while its priority class is not above the TPR's",
     .source = APIC_SOURCE("Task and Processor Priorities"))
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_TEST, false);
	apic_write(APIC_TPR, VECTOR_TEST & 0xf0);
	interrupts_enable();
	send_test_vector();
	wait_silence();
	expect_exact(t, "interrupts with TPR = 40H", arrived, 0, "vector 42H has class 4, too");
	apic_write(APIC_TPR, 0);
	wait_for_count(&arrived, 1);
	flags_write(before);
	expect_exact(t, "interrupts with TPR = 0", arrived, 1, "it was pending");
}

/* --------------------------------------------------------------------------------------- timers */

/* In bus clocks: 1 ms at 1 MHz, which is slower than any bus; emulators count at 50 MHz to
 * 1 GHz. */
#define TIMER_CLOCKS  1000u

TEST(timer, .id = "platform.apic.timer.one_shot", .needs = need_local_apic,
     .claim = "the timer in one-shot mode interrupts once and stays at 0",
     .source = APIC_SOURCE("APIC Timer"))
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_APIC_TIMER, false);
	interrupts_enable();
	apic_timer_start(VECTOR_APIC_TIMER, TIMER_CLOCKS);
	wait_for_count(&arrived, 1);
	flags_write(before);
	expect_exact(t, "interrupts", arrived, 1, "one-shot mode interrupts once");
	expect_exact(t, "vector", arrived_vector, VECTOR_APIC_TIMER,
	             "it is the vector in the timer's LVT entry");
	expect_exact(t, "current count", apic_read(APIC_TIMER_CURRENT), 0,
	             "it does not restart by itself");
	apic_timer_stop();
}

TEST(timer_masked, .id = "platform.apic.timer.masked", .needs = need_local_apic,
     .claim = "a masked timer counts to 0 and does not interrupt",
     .source = APIC_SOURCE("APIC Timer"))
{
	uintptr_t before = flags_read();

	expect_interrupts(VECTOR_APIC_TIMER, false);
	interrupts_enable();
	apic_timer_start(VECTOR_APIC_TIMER | APIC_LVT_MASK, TIMER_CLOCKS);
	for (unsigned i = 0; i < ARRIVAL_SLICES && apic_read(APIC_TIMER_CURRENT) != 0; i++)
		wait_slice();
	wait_silence();
	flags_write(before);
	expect_exact(t, "current count", apic_read(APIC_TIMER_CURRENT), 0,
	             "the mask stops the interrupt, not the count");
	expect_exact(t, "interrupts", arrived, 0, "the LVT entry is masked");
	apic_timer_stop();
}

TEST(timer_counts, .id = "platform.apic.timer.counts_down", .needs = need_local_apic,
     .claim = "the timer's current count goes down from the initial count",
     .source = APIC_SOURCE("APIC Timer"))
{
	uint32_t first, second;

	apic_timer_start(APIC_LVT_MASK, UINT32_MAX);
	first = apic_read(APIC_TIMER_CURRENT);
	wait_slice();
	second = apic_read(APIC_TIMER_CURRENT);
	apic_timer_stop();
	expect_between(t, "clocks in 0.1 ms", first - second, 100, UINT32_MAX / 2,
	               "low: 1 MHz, slower than any bus; high: it went down, not up");
	expect_exact(t, "current count after writing 0", apic_read(APIC_TIMER_CURRENT), 0,
	             "an initial count of 0 stops the timer");
}
