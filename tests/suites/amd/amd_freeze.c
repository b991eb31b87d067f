/* SPDX-License-Identifier: MIT */
/*
 * Freeze: with FPMCI in DebugCtl an overflow whose counter has INT stops all core counters, until
 * software clears bit 59 of the status. CPUID.80000022H:EAX[2] says whether there is one.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/cpu/cpuid.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define SOURCE AMD_APM ", PMC freeze"

static bool has_freeze(void)
{
	return (cpuid_read(CPUID_AMD_PERFMON, 0).eax & CPUID_AMD_PERFMON_EAX_FREEZE) != 0;
}

static const char *need_freeze(struct test_ctx *t)
{
	const char *reason = need_amd_v2_pmi(t);

	return reason || has_freeze() ? reason
	       : test_reason(t, "CPUID.80000022H:EAX[2] (freeze) = 0");
}

/*
 * Counter 0 overflows by 10 branches, counter 1 counts beside it: 1000 rounds, then `then`, then
 * 1000 more. Returns what both counted. The PMI's handler leaves all as it is. What a freeze does
 * if LVTPC is masked no source says.
 */
struct pair { uint64_t first, second, status; unsigned pmis; };

static void leave(struct frame *f) { (void)f; }

static struct pair count_pair(uint64_t debugctl, uint64_t interrupt, void (*then)(void))
{
	const uint64_t on = amd_select(AMD_EVENT_BRANCHES, 0);
	struct pair p = { .pmis = 0 };

	pmu_reset();
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | 3);
	msr_write(DebugCtl, debugctl);
	msr_write(PERF_CTR(0), (0 - UINT64_C(10)) & AMD_COUNTER_MASK);
	msr_write(PERF_CTR(1), 0);
	msr_write(PERF_CTL(0), on | interrupt);
	msr_write(PERF_CTL(1), on);
	msr_write(PerfCntrGlobalCtl, 3);
	workload_loop.code(1000, 0);
	if (then) {
		then();
		workload_loop.code(1000, 0);
	}
	p.status = amd_read(PerfCntrGlobalStatus) & (PerfCntrGlobalStatus_PMCF | 3);
	msr_write(PerfCntrGlobalCtl, 0);
	msr_write(DebugCtl, 0);
	p.first = amd_read(PERF_CTR(0));
	p.second = amd_read(PERF_CTR(1));
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | 3);
	return p;
}

static struct pair run(uint64_t debugctl, uint64_t interrupt, void (*then)(void))
{
	struct pair p;

	pmi_listen(PMI_NMI, leave);
	p = count_pair(debugctl, interrupt, then);
	pmi_settle();
	pmi_stop();
	p.pmis = pmi_get_log()->count;
	return p;
}

/* What may still count after the overflow that freezes: nothing on the model, else a pipeline's. */
static void expect_frozen(struct test_ctx *t, const struct pair *p, uint64_t others)
{
	expect_bits(t, "PMC frozen in the status", p->status, PerfCntrGlobalStatus_PMCF,
	            PerfCntrGlobalStatus_PMCF, "FPMCI = 1 and the overflow had INT = 1");
	expect_bounds(t, "the counter that overflowed", p->first,
	              if_exact(0, "it stood still at once"), else_in(0, 500, "low: at once; high: "
	              "before half of the loop was over"));
	expect_bounds(t, "the counter beside it", p->second,
	              if_exact_in(10, 12, "low: the preset's ten branches; high: those around"),
	              else_in(10, others, "low: the preset's; high: before half of the loop"));
}

TEST(pmc, .id = "amd.freeze.overflow", .needs = need_freeze, .source = SOURCE,
     .claim = "with FPMCI an overflow with INT stops all counters and sets bit 59 of the status")
{
	struct pair p = run(DebugCtl_FPMCI, PERF_CTL_INT, NULL);

	expect_frozen(t, &p, 510);
	expect_bits(t, "the overflow's bit", p.status, 1, 1, "it overflowed");
	expect_exact(t, "PMIs", p.pmis, 1, "the overflow's");
}

TEST(masked, .id = "amd.freeze.masked", .needs = need_freeze, .source = SOURCE,
     .claim = "an overflow sets its bit with LVTPC masked, too; whether it freezes is reported")
{
	struct pair p = count_pair(DebugCtl_FPMCI, PERF_CTL_INT, NULL);

	expect_bits(t, "the overflow's bit", p.status, 1, 1, "it overflowed");
	test_report(t, "the status", "%" PRIX64 "H", p.status);
}

TEST(int0, .id = "amd.freeze.not_without_int", .needs = need_freeze, .source = SOURCE,
     .claim = "an overflow with INT = 0 freezes nothing")
{
	struct pair p = run(DebugCtl_FPMCI, 0, NULL);

	expect_exact(t, "the status", p.status, 1, "an overflow, and no freeze");
	expect_between(t, "the counter", p.first, 990, 1000,
	               "low: the loop less the preset; high: the branches around it");
}

TEST(off, .id = "amd.freeze.not_without_fpmci", .needs = need_amd_v2_pmi, .source = SOURCE,
     .claim = "without FPMCI an overflow with INT freezes nothing")
{
	struct pair p = run(0, PERF_CTL_INT, NULL);

	expect_exact(t, "the status", p.status, 1, "an overflow, and no freeze");
	expect_between(t, "the counter", p.first, 990, 1990,
	               "low: the loop less the preset; high: also the PMI's handler, which is "
	               "shorter than the loop");
}

static void clear_freeze(void)     { msr_write(PerfCntrGlobalStatusClr,
                                               PerfCntrGlobalStatus_PMCF); }
static void clear_overflow(void)   { msr_write(PerfCntrGlobalStatusClr, 1); }
static void set_freeze(void)       { msr_write(PerfCntrGlobalStatusSet,
                                               PerfCntrGlobalStatus_PMCF); }

TEST(resume, .id = "amd.freeze.resume", .needs = need_freeze, .source = SOURCE,
     .claim = "clearing bit 59 lets the counters go on; clearing the overflow's bit does not")
{
	struct pair p = run(DebugCtl_FPMCI, PERF_CTL_INT, clear_freeze);

	test_sub(t, "bit 59 cleared");
	expect_bits(t, "PMC frozen in the status", p.status, PerfCntrGlobalStatus_PMCF, 0,
	            "software cleared it");
	expect_between(t, "the counter", p.first, 1000, 1510,
	               "low: the second loop; high: also half of the first, before the freeze");
	p = run(DebugCtl_FPMCI, PERF_CTL_INT, clear_overflow);
	test_sub(t, "the overflow's bit cleared");
	expect_frozen(t, &p, 510);
	expect_bits(t, "the overflow's bit", p.status, 1, 0, "software cleared it");
}

/* Counter 0 has INT = 0: only software freezes. */
TEST(set, .id = "amd.freeze.by_software", .needs = need_freeze, .source = SOURCE,
     .claim = "setting bit 59 by PerfCntrGlobalStatusSet freezes the counters")
{
	struct pair p = run(0, 0, set_freeze);

	expect_bits(t, "PMC frozen in the status", p.status, PerfCntrGlobalStatus_PMCF,
	            PerfCntrGlobalStatus_PMCF, "software set it");
	expect_between(t, "the counter", p.second, 1000, 1510,
	               "low: the first loop; high: half of the second");
}

TEST(absent, .id = "amd.freeze.absent", .needs = need_amd_v2, .source = SOURCE,
     .claim = "FPMCI is held in DebugCtl where there is a freeze; else what it does is reported")
{
	fault_t fault = msr_try_write(DebugCtl, DebugCtl_FPMCI);
	uint64_t got = amd_read(DebugCtl);

	msr_try_write(DebugCtl, 0);
	if (has_freeze()) {
		expect_no_fault(t, "WRMSR", fault, "CPUID.80000022H:EAX[2] = 1");
		expect_exact(t, "DebugCtl", got, DebugCtl_FPMCI, "it was written there");
	} else {
		test_report(t, "DebugCtl", is_fault(fault) ? "a fault" : "%" PRIX64 "H", got);
	}
}
