/* SPDX-License-Identifier: MIT */
/* The other processors: they start, are in the place that CPUID reports, receive
 * IPIs, and survive INIT. */
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <arch/regs/msr.h>
#include <kernel/run/watchdog.h>
#include <tests/suites/common/bounded_wait.h>
#include <tests/suites/common/smp_tests.h>

static const char *need_listed(struct test_ctx *t)
{
	return smp_count() > 1 ? NULL : test_reason(t, "1 processor is to run");
}

TEST(started, .id = "platform.smp.started", .runs = TEST_ON_BOOT, .needs = need_listed,
     .claim = "each processor that the firmware lists starts by INIT and STARTUP",
     .source = "SDM 3A, \"MP Initialization Protocol Algorithm for MP Systems\"; "
               "APM 2, \"Multiple Processor Initialization\"")
{
	for (unsigned cpu = 0; cpu < smp_count(); cpu++) {
		const struct smp_cpu *c = smp_get(cpu);

		test_sub(t, "cpu %u, APIC ID %u%s%s", cpu, c->apic_id, c->problem ? ", " : "",
		         c->problem ? c->problem : "");
		expect_exact(t, "runs", c->is_running, 1, "an enabled processor answers a STARTUP");
	}
}

/* ------------------------------------------------------------------------ topology */

static uint32_t id_of(const struct topology *t)
{
	return t->package << (t->core_bits + t->thread_bits) | t->core << t->thread_bits
	       | t->thread;
}

static void check_own_id(struct test_ctx *t, uintptr_t argument)
{
	const struct topology own = topology_of_this();

	(void)argument;
	expect_exact(t, "APIC ID of CPUID", own.apic_id, apic_get_id(),
	             "this processor executed CPUID");
	expect_exact(t, "package, core and thread as one number", id_of(&own), own.apic_id,
	             "they are the fields of the APIC ID");
}

TEST(topology, .id = "platform.smp.topology", .runs = TEST_ON_BOOT, .needs = need_secondaries,
     .claim = "CPUID gives each processor its own APIC ID, and all processors the same "
              "widths of its fields",
     .source = "SDM 3A, \"Hierarchical Mapping of Shared Resources\", "
               "\"Identifying Logical Processors in an MP System\"; APM 3, \"CPUID\"")
{
	const struct topology *own = &smp_get(0)->topology;

	check_own_id(t, 0);
	smp_do_on_all(t, check_own_id, 0);
	FOR_EACH_OTHER(cpu) {
		const struct topology *other = &smp_get(cpu)->topology;

		test_sub(t, "cpu %u", cpu);
		expect_exact(t, "width of the thread's field", other->thread_bits,
		             own->thread_bits, "the processors of one machine are of one kind");
		expect_exact(t, "width of the core's field", other->core_bits, own->core_bits,
		             "the processors of one machine are of one kind");
	}
}

/* ------------------------------------------------------------------------ memory */

static unsigned own_number;
static SHARED uint32_t sum, sum_of_numbers;

static void add_up(struct test_ctx *t, uintptr_t argument)
{
	expect_exact(t, "a variable of its own, before", own_number, 0,
	             "what another processor wrote does not show here");
	own_number = smp_self() + (unsigned)argument;
	__atomic_add_fetch(&sum, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&sum_of_numbers, smp_self(), __ATOMIC_SEQ_CST);
	expect_exact(t, "a variable of its own, after", own_number, smp_self() + argument,
	             "it was written "
	                                                                "on this processor");
	own_number = 0;
}

TEST(memory, .id = "platform.smp.memory", .runs = TEST_ON_BOOT, .needs = need_secondaries,
     .claim = "each processor has its own copy of a variable; all share a SHARED one, and LOCK "
              "counts exactly",
     .source = "SDM 3A, \"Locked Atomic Operations\"; APM 2, \"Access Atomicity\"")
{
	unsigned others = 0, numbers = 0;

	sum = sum_of_numbers = 0;
	FOR_EACH_OTHER(cpu) {
		others++;
		numbers += cpu;
	}
	own_number = 0x1000;
	smp_do_on_all(t, add_up, 1);
	expect_exact(t, "the boot processor's own variable", own_number, 0x1000,
	             "the others have written theirs");
	own_number = 0;
	expect_exact(t, "LOCK XADDs of 1", sum, others, "each processor adds one");
	expect_exact(t, "LOCK XADDs of their numbers", sum_of_numbers, numbers,
	             "each processor adds its number");
}

/* ------------------------------------------------------------------------ IPIs */

static SHARED volatile uint32_t listening, is_over;
static SHARED volatile uint32_t seen_ipis[CPUS_MAX], seen_nmis[CPUS_MAX];

static void on_ipi(struct frame *f)
{
	(void)f;
	seen_ipis[smp_self()]++;
	apic_end_of_interrupt();
}

static void on_nmi(struct frame *f, bool is_sure)
{
	(void)f;
	(void)is_sure;
	seen_nmis[smp_self()]++;
}

static void on_end(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

/* Halts until the test is over, so that emulators with fewer processors of their own go on. */
static void listen(struct test_ctx *t, uintptr_t argument)
{
	(void)argument;
	interrupt_set_handler(VECTOR_TEST, on_ipi);
	interrupt_set_handler(VECTOR_PMI, on_end);
	nmi_set_handler(on_nmi);
	interrupts_disable();
	__atomic_add_fetch(&listening, 1, __ATOMIC_SEQ_CST);
	while (!is_over) {
		interrupts_enable_and_halt();
		interrupts_disable();
	}
	nmi_set_handler(NULL);
	expect_exact(t, "fixed IPIs", seen_ipis[smp_self()], 1, "one was sent to this processor");
	expect_exact(t, "NMI IPIs", seen_nmis[smp_self()], 1, "one was sent to this processor");
}

/* Checks which of the other processors have seen an IPI: only those up to this one may have. */
static void expect_seen(struct test_ctx *t, const char *what, const volatile uint32_t *seen,
                        unsigned last)
{
	for (unsigned i = 0; i < ARRIVAL_SLICES && seen[last] == 0; i++)
		wait_slice();
	wait_silence();
	FOR_EACH_OTHER(cpu) {
		test_sub(t, "%s sent to cpus 1 to %u: cpu %u", what, last, cpu);
		expect_exact(t, "arrived", seen[cpu], cpu <= last,
		             "an IPI goes to the processor with the APIC ID in the ICR");
	}
}

TEST(ipi, .id = "platform.smp.ipi", .runs = TEST_ON_BOOT, .needs = need_secondaries,
     .claim = "fixed and NMI IPIs arrive once, at the processor to which they are sent",
     .source = "SDM 3A, \"Issuing Interprocessor Interrupts\"; "
               "APM 2, \"Interprocessor Interrupts (IPI)\"")
{
	unsigned others = 0;

	listening = is_over = 0;
	FOR_EACH_OTHER(cpu) {
		seen_ipis[cpu] = seen_nmis[cpu] = 0;
		secondaries_begin(t, cpu, listen, 0);
		others++;
	}
	for (unsigned i = 0; i < ARRIVAL_SLICES && listening < others; i++)
		wait_slice();
	FOR_EACH_OTHER(cpu) {
		smp_send(cpu, APIC_DELIVERY_FIXED, VECTOR_TEST);
		expect_seen(t, "a fixed IPI", seen_ipis, cpu);
		smp_send(cpu, APIC_DELIVERY_NMI, 0);
		expect_seen(t, "an NMI", seen_nmis, cpu);
	}
	is_over = 1;
	FOR_EACH_OTHER(cpu) {
		smp_send(cpu, APIC_DELIVERY_FIXED, VECTOR_PMI);
		secondaries_join(t, cpu);
	}
}

/* ------------------------------------------------------------------------ INIT */

static unsigned kept;

static void keep(struct test_ctx *t, uintptr_t argument)
{
	kept = (unsigned)argument;
	expect_exact(t, "IA32_APIC_BASE.BSP",
	             (msr_read(IA32_APIC_BASE) & IA32_APIC_BASE_BSP) != 0, 0,
	             "this processor did not boot the machine");
}

static void check_kept(struct test_ctx *t, uintptr_t argument)
{
	expect_exact(t, "a variable of its own", kept, argument, "INIT does not change memory");
	expect_exact(t, "APIC ID", apic_get_id(), smp_get(smp_self())->apic_id,
	             "INIT does not change the APIC ID");
}

static const char *need_secondaries_of_family_6(struct test_ctx *t)
{
	const char *reason = need_secondaries(t);

	if (!reason && cpuid_get(CPUID_BASE_FAMILY) < 6)
		return test_reason(t, "CPUID.1:EAX[11:8] (family) = %u: IA32_APIC_BASE exists "
		                      "from family 6 on",
		                   cpuid_get(CPUID_BASE_FAMILY));
	return reason;
}

TEST(init, .id = "platform.smp.init", .runs = TEST_ON_BOOT, .needs = need_secondaries_of_family_6,
     .claim = "an INIT IPI stops a running processor, and STARTUP starts it again",
     .source = "SDM 3A, \"INIT Reset\"; \"Local APIC State After It Receives an INIT-Level "
               "Interrupt\"; APM 2, \"Processor Initialization State\"")
{
	unsigned cpu = smp_first_other();

	secondaries_do(t, cpu, keep, 0x12345678);
	if (expect_exact(t, "it comes back", smp_reset(cpu), 1,
	                 "it starts as it did the first time"))
		secondaries_do(t, cpu, check_kept, 0x12345678);
}
