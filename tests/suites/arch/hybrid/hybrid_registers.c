/* SPDX-License-Identifier: MIT */
/* Registers that one kind of processors has and another one lacks; and that kinds share none. */
#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/arch/hybrid/hybrid_suite.h>

#define PER_CORE "SDM 3B, Architectural Performance Monitoring; " LINUX_CORE "intel_pmu_init(): " \
                 "each type of core has its own numbers of counters"

/* Expects a register to exist, or to fault. A kind that may hide it is only shown. */
static void expect_presence(struct test_ctx *t, const char *name, uint32_t msr, bool is_there,
                            bool may_hide, const char *why)
{
	uint64_t value = 0;
	const fault_t fault = msr_try_read(msr, &value);

	if (may_hide)
		test_report(t, name, "%s, although it is not enumerated",
		            is_fault(fault) ? "faults" : "is there");
	else if (is_there)
		expect_no_fault(t, name, fault, why);
	else
		expect_fault(t, name, fault, X86_GP, 0, why);
}

static void fixed3_here(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu *p = pmu_get();

	(void)unused;
	expect_presence(t, "RDMSR of IA32_FIXED_CTR3", IA32_FIXED_CTR(3), p->fixed_map >> 3 & 1,
	                pmu_may_hide_fixed(p, 3), "the bitmap of this processor's fixed counters");
}

HYBRID_TEST(fixed3, "registers.fixed_3", .needs = need_kinds_fixed3, .source = PER_CORE,
            .claim = "IA32_FIXED_CTR3 exists on those kinds of processors alone that enumerate it")
{
	hybrid_on_all(t, fixed3_here, 0);
}

/* The counters that another kind has, and this one lacks. */
static void beyond_here(struct test_ctx *t, uintptr_t most)
{
	const struct pmu *p = pmu_get();

	expect_exact(t, "general counters", p->gp_count, pmu_of(smp_self())->gp_count,
	             "they were counted when the processor started");
	for (unsigned i = p->gp_count; i < most; i++) {
		test_sub(t, "counter %u", i);
		expect_presence(t, "RDMSR of its event select", IA32_PERFEVTSEL(i), false,
		                pmu_may_hide_gp(p, i) || !pmu_is_exact(),
		                "this kind has fewer counters than another one");
	}
}

static unsigned most_counters(void)
{
	unsigned most = 0;

	for (unsigned i = 0; i < kinds_count(); i++)
		if (pmu_of(kind_at(i)->first)->gp_count > most)
			most = pmu_of(kind_at(i)->first)->gp_count;
	return most;
}

HYBRID_TEST(beyond, "registers.gp_beyond", .needs = need_kinds, .source = PER_CORE,
            .claim = "a general counter that only another kind of processors has faults (judged on "
                     "an exact machine)")
{
	hybrid_on_all(t, beyond_here, most_counters());
}

/* Returns the bits of IA32_PERF_GLOBAL_CTRL that a kind enumerates. */
static uint64_t global_bits(const struct pmu *p)
{
	return (uint64_t)p->fixed_map << 32 | (BIT(p->gp_count) - 1)
	       | (p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS
	          ? IA32_PERF_GLOBAL_CTRL_EN_METRICS : 0);
}

/* Tries the bits of IA32_PERF_GLOBAL_CTRL that only others have. */
static void masks_here(struct test_ctx *t, uintptr_t any)
{
	const struct pmu *p = pmu_get();
	const uint64_t own = global_bits(p), others = *(const uint64_t *)any;

	expect_no_fault(t, "WRMSR of all this processor's bits",
	                msr_try_write(IA32_PERF_GLOBAL_CTRL, own), "its counters exist");
	for (unsigned bit = 0; bit < 49; bit++) {
		const bool may_hide = bit < 32 ? pmu_may_hide_gp(p, bit) : bit < 48
		                      ? pmu_may_hide_fixed(p, bit - 32) : pmu_may_hide_metrics(p);

		if (!(others >> bit & 1) || (own >> bit & 1) || may_hide)
			continue;
		test_sub(t, "bit %u", bit);
		expect_fault(t, "WRMSR of IA32_PERF_GLOBAL_CTRL",
		             msr_try_write(IA32_PERF_GLOBAL_CTRL, BIT(bit)), X86_GP, 0,
		             "another kind of processors has this counter, and this one does not");
	}
	test_sub(t, "%s", "");
	pmu_reset();
}

HYBRID_TEST(masks, "registers.global_ctrl", .needs = need_kinds, .source = PER_CORE,
            .claim = "IA32_PERF_GLOBAL_CTRL takes a processor's own bits and refuses those that "
                     "only another kind has")
{
	static SHARED uint64_t any;

	any = 0;
	for (unsigned i = 0; i < kinds_count(); i++)
		any |= global_bits(pmu_of(kind_at(i)->first));
	hybrid_on_all(t, masks_here, (uintptr_t)&any);
}

static void nibble_here(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu *p = pmu_get();
	const uint64_t bit = IA32_FIXED_CTR_CTRL_EN_OS(3);
	const fault_t fault = msr_try_write(IA32_FIXED_CTR_CTRL, bit);

	(void)unused;
	if (pmu_may_hide_fixed(p, 3))
		test_report(t, "WRMSR of bit 12", is_fault(fault) ? "faults" : "is taken");
	else if (p->fixed_map >> 3 & 1)
		expect_no_fault(t, "WRMSR of bit 12", fault, "this processor has the counter");
	else
		expect_fault(t, "WRMSR of bit 12", fault, X86_GP, 0,
		             "this processor lacks the counter");
	pmu_reset();
}

HYBRID_TEST(nibble, "registers.fixed_ctr_ctrl", .needs = need_kinds_fixed3, .source = PER_CORE,
            .claim = "IA32_FIXED_CTR_CTRL has bits for fixed counter 3 where it exists, and "
                     "elsewhere reserves them")
{
	hybrid_on_all(t, nibble_here, 0);
}

static void metrics_here(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu *p = pmu_get();

	(void)unused;
	expect_presence(t, "RDMSR of IA32_PERF_METRICS", IA32_PERF_METRICS,
	                p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS,
	                pmu_may_hide_metrics(p), "IA32_PERF_CAPABILITIES[15] of this processor");
}

HYBRID_TEST(metrics, "registers.perf_metrics", .needs = need_kinds,
            .source = "SDM 3B, \"Performance Metrics\"",
            .claim = "IA32_PERF_METRICS exists on those processors alone that announce it")
{
	hybrid_on_all(t, metrics_here, 0);
}

static void frontend_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_presence(t, "RDMSR of MSR_PEBS_FRONTEND", MSR_PEBS_FRONTEND, !hybrid_is_atom(),
	                !pmu_is_exact(), "cores of type Core alone have the front-end filter");
}

HYBRID_TEST(frontend, "registers.pebs_frontend", .needs = need_kinds_pebs,
            .source = LINUX_CORE "intel_glc_extra_regs, intel_grt_extra_regs",
            .claim = "MSR_PEBS_FRONTEND exists on cores of type Core, and on no Atom (judged on an "
                     "exact machine)")
{
	hybrid_on_all(t, frontend_here, 0);
}

/* ------------------------------------------------------------------------ RDPMC */

static void expect_index(struct test_ctx *t, uint32_t ecx, bool is_there, const char *why)
{
	uint64_t value;
	const fault_t fault = pmc_try_read(ecx, &value);

	test_sub(t, "ECX = %08" PRIX32 "H", ecx);
	if (is_there)
		expect_no_fault(t, "RDPMC", fault, why);
	else
		expect_fault(t, "RDPMC", fault, X86_GP, 0, why);
}

static void rdpmc_here(struct test_ctx *t, uintptr_t unused)
{
	const struct pmu *p = pmu_get();

	(void)unused;
	for (unsigned i = 0; i < 8; i++)
		if (!pmu_may_hide_fixed(p, i))
			expect_index(t, RDPMC_FIXED + i, p->fixed_map >> i & 1,
			             "the bitmap of this processor's fixed counters");
	if (!pmu_may_hide_metrics(p))
		expect_index(t, RDPMC_PERF_METRICS,
		             p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS,
		             "IA32_PERF_CAPABILITIES[15] of this processor");
	test_sub(t, "%s", "");
}

HYBRID_TEST(indices, "rdpmc.index", .needs = need_kinds,
            .source = "SDM 2B, \"RDPMC\", by what each processor enumerates",
            .claim = "RDPMC reads the fixed counters and the metrics of its own processor, and "
                     "faults for those that only another kind has")
{
	hybrid_on_all(t, rdpmc_here, 0);
}

/* ------------------------------------------------------------------------ separate */

static uint64_t own_value(unsigned counter)
{
	return 0x20000 * (smp_self() + 1) + 0x200 + counter;
}

static void write_counters(void)
{
	pmu_reset();
	FOR_EACH_COUNTER(c)
		pmu_write(c, own_value(c));
}

static void hold_here(struct test_ctx *t, uintptr_t unused)
{
	char name[PMU_NAME_SIZE];

	(void)unused;
	for (unsigned backwards = 0; backwards < 2; backwards++) {
		hybrid_write_in_turns(write_counters, backwards);
		FOR_EACH_COUNTER(c)
			expect_exact(t, pmu_counter_name(c, name), pmu_read(c), own_value(c),
			             "it was written here; processors of another kind have "
			             "written theirs since");
		hybrid_barrier_wait();  /* all have read */
	}
	pmu_reset();
}

HYBRID_TEST(separate, "registers.separate", .needs = need_kinds, .source = PER_CORE,
            .claim = "processors of each kind write all their counters, one kind after the other, "
                     "and each keeps its own values")
{
	hybrid_at_once(t, hold_here, 0);
}

static uint64_t own_select(void)
{
	return EVENT_INSTRUCTIONS_RETIRED | IA32_PERFEVTSEL_USR
	       | FIELD_PUT(IA32_PERFEVTSEL_CMASK, smp_self() + 1);
}

static void write_select(void)
{
	msr_write(IA32_PERFEVTSEL(0), own_select());
}

static void selects_here(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	for (unsigned backwards = 0; backwards < 2; backwards++) {
		hybrid_write_in_turns(write_select, backwards);
		expect_exact(t, "IA32_PERFEVTSEL0", msr_read(IA32_PERFEVTSEL(0)), own_select(),
		             "it was written here; other kinds have written theirs since");
		hybrid_barrier_wait();
	}
	pmu_reset();
}

HYBRID_TEST(selects, "registers.selects_separate", .needs = need_kinds, .source = PER_CORE,
            .claim = "each processor keeps its own event select while all others write theirs")
{
	hybrid_at_once(t, selects_here, 0);
}
