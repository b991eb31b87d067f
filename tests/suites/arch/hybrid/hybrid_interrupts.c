/* SPDX-License-Identifier: MIT */
/* Overflows, their status and their interrupts stay on the processor whose counter it was; all
 * kinds count and interrupt at once. */
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <pmu/core/pmi.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/arch/hybrid/hybrid_suite.h>

#define OWN "SDM 3A, \"Local Vector Table\"; SDM 3B, \"Architectural Performance Monitoring " \
            "Version 2\": counters, status and LVTPC belong to the logical processor"

enum { ROUNDS = 1000, EARLY = 500, NONE = 0, ONE = 1 };

static struct pmu_setup overflowing(unsigned counter)
{
	return (struct pmu_setup){ .counter = counter, .event = EVENT_INSTRUCTIONS_RETIRED,
	                           .flags = PMU_BOTH | PMU_INT, .start = pmi_start(EARLY) };
}

static unsigned pmis(void)
{
	return pmi_get_log()->count - pmi_get_log()->unsure;
}

/* ------------------------------------------------------------------------ at once */

static void count_at_once(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu_setup s = { .counter = 0, .event = EVENT_INSTRUCTIONS_RETIRED,
	                             .flags = PMU_BOTH };

	(void)unused;
	hybrid_barrier_wait();
	for (unsigned i = 0; i < 20; i++)
		expect_exact(t, "IA32_PMC0, instructions without the window's",
		             pmu_count_net(&s, &workload_loop, ROUNDS, 0),
		             workload_insns(&workload_loop, ROUNDS) - 1,
		             "the loop's, but for the RET that the empty one has, too");
	hybrid_barrier_wait();
}

HYBRID_TEST(counts, "together.counts", .needs = need_kinds, .source = OWN,
            .claim = "counts of instructions are exact while all processors of all kinds count")
{
	hybrid_at_once(t, count_at_once, 0);
}

static void interrupt_at_once(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu_setup s = overflowing(0);

	(void)unused;
	pmi_listen(PMI_NMI, NULL);
	hybrid_barrier_wait();
	pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
	hybrid_barrier_wait();
	pmi_settle();
	pmi_stop();
	expect_bounds(t, "PMIs", pmis(), if_exact(ONE, "its own overflow, and no other's"),
	              else_in(1, 1 + PMU_TICKS_MAX + PMU_REPEATS_MAX,
	                      "low: its own overflow; high: windows that were repeated"));
	if (pmis())
		expect_bits(t, "IA32_PERF_GLOBAL_STATUS in the handler",
		            pmi_get_log()->status[0], arch_global_bits(),
		            arch_global_bit(0), "IA32_PMC0 has overflowed");
}

HYBRID_TEST(pmis_at_once, "together.pmis", .needs = need_kinds_pmi, .source = OWN,
            .claim = "all processors of all kinds take a PMI of their own at once, each one")
{
	hybrid_at_once(t, interrupt_at_once, 0);
}

/* The last counter that each kind has overflows; the others do not have its number. */
static void last_counter_here(struct test_ctx *t, uintptr_t unused)
{
	const unsigned last = pmu_get()->gp_count - 1;
	const struct pmu_setup s = overflowing(last);
	struct pmu_reading r;

	(void)unused;
	pmi_listen(PMI_NMI, NULL);
	pmi_set_mask(true);             /* the status stays for the end */
	hybrid_barrier_wait();
	r = pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
	hybrid_barrier_wait();
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS", r.status, arch_global_bits(),
	            arch_global_bit(last), "the last general counter of this kind has overflowed");
	pmi_stop();
	pmu_reset();
}

HYBRID_TEST(last, "together.last_counter", .needs = need_kinds_pmi, .source = OWN,
            .claim = "each kind's last general counter sets the bit of its own number")
{
	hybrid_at_once(t, last_counter_here, 0);
}

/* ------------------------------------------------------------------------ whose */

/* Listens, and counts nothing, while another processor overflows. */
static void listen_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	pmu_reset();
	pmi_listen(PMI_NMI, NULL);
	hybrid_barrier_wait();          /* the others overflow */
	hybrid_barrier_wait();
	pmi_settle();
	expect_exact(t, "PMIs of a processor that counts nothing", pmis(), NONE,
	             "a counter interrupts its own processor");
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS of a processor that counts nothing", pmu_status(),
	            arch_global_bits() | IA32_PERF_GLOBAL_STATUS_CTR_FRZ, 0,
	            "another processor's counters overflowed");
	pmi_stop();
}

static void overflow_here(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu_setup s = overflowing(0);

	(void)unused;
	pmi_listen(PMI_NMI, NULL);
	hybrid_barrier_wait();
	pmu_measure(&s, 1, &workload_loop, ROUNDS, 0);
	pmi_settle();
	hybrid_barrier_wait();
	pmi_stop();
	expect_between(t, "PMIs of the processor whose counter overflowed", pmis(), 1,
	               1 + PMU_TICKS_MAX + PMU_REPEATS_MAX,
	               "low: the overflow; high: windows that were repeated");
}

/* Processors of one kind, by number, overflow; all others listen. */
static void whose_here(struct test_ctx *t, uintptr_t kind)
{
	(kind_of_this() == kind ? overflow_here : listen_here)(t, 0);
}

HYBRID_TEST(of_first, "pmi.of_first_kind", .needs = need_kinds_pmi, .source = OWN,
            .claim = "overflows of the boot processor's kind interrupt no processor of another")
{
	hybrid_at_once(t, whose_here, 0);
}

HYBRID_TEST(of_second, "pmi.of_second_kind", .needs = need_kinds_pmi, .source = OWN,
            .claim = "overflows of the second kind interrupt no processor of another")
{
	hybrid_at_once(t, whose_here, 1);
}

/* ------------------------------------------------------------------------ the freeze */

static const char *need_kinds_freeze(struct test_ctx *t)
{
	const char *problem = need_kinds_pmi(t);

	if (problem || pmu_get()->version >= 4)
		return problem;
	return test_reason(t, "CPUID.0AH:EAX[7:0] = %u, the test needs 4 or more",
	                   pmu_get()->version);
}

/* The second kind freezes its own; the others still count afterwards. */
static void freeze_here(struct test_ctx *t, uintptr_t unused)
{
	const bool freezes = kind_of_this() == 1;
	const struct pmu_setup s = overflowing(0);
	uint64_t status;

	(void)unused;
	pmu_reset();
	if (freezes)
		msr_write(IA32_DEBUGCTL, IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	hybrid_barrier_wait();
	if (freezes) {
		pmi_listen(PMI_NMI, NULL);
		pmi_set_mask(true);     /* the freeze comes with the request alone */
		pmu_program(&s, 1);
		pmu_window(workload_loop.code, ROUNDS, 0);
	}
	hybrid_barrier_wait();
	status = pmu_status();
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS", status, IA32_PERF_GLOBAL_STATUS_CTR_FRZ,
	            freezes ? IA32_PERF_GLOBAL_STATUS_CTR_FRZ : 0,
	            freezes ? "IA32_DEBUGCTL[12] is set, and a PMI was requested"
	                    : "no counter of this processor overflowed");
	msr_write(IA32_DEBUGCTL, 0);
	pmu_clear_status(status);
	pmi_stop();
	pmu_reset();
}

HYBRID_TEST(freeze, "pmi.freeze", .needs = need_kinds_freeze,
            .source = "SDM 3B, \"Streamlined Freeze_PerfMon_On_PMI\"",
            .claim = "a PMI of one kind freezes its own processor's counters, and no other's")
{
	hybrid_at_once(t, freeze_here, 0);
}
