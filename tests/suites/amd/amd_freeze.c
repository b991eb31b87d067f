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
 * One counter overflows by 10 branches, all others count beside it: 1000 rounds, then `then`, then
 * 1000 more. Returns what all counted. The PMI's handler leaves all as it is. What a freeze does if
 * LVTPC is masked no source says.
 */
enum { COUNTERS_MAX = 16 };
struct counted { unsigned over, pmis; uint64_t value[COUNTERS_MAX], status; };

static uint64_t counters(void)  { return UINT64_MAX >> (64 - amd_counters()); }
static void leave(struct frame *f) { (void)f; }

static void program(unsigned over, uint64_t interrupt)
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		msr_write(PERF_CTR(i), i == over ? (0 - UINT64_C(10)) & AMD_COUNTER_MASK : 0);
		msr_write(PERF_CTL(i), amd_select(AMD_EVENT_BRANCHES, 0)
		                       | (i == over ? interrupt : 0));
	}
}

static struct counted count(unsigned over, uint64_t debugctl, uint64_t interrupt,
                            void (*then)(void))
{
	struct counted c = { .over = over };

	pmu_reset();
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | counters());
	msr_write(DebugCtl, debugctl);
	program(over, interrupt);
	msr_write(PerfCntrGlobalCtl, counters());
	workload_loop.code(1000, 0);
	if (then) {
		then();
		workload_loop.code(1000, 0);
	}
	c.status = amd_read(PerfCntrGlobalStatus) & (PerfCntrGlobalStatus_PMCF | counters());
	msr_write(PerfCntrGlobalCtl, 0);
	msr_write(DebugCtl, 0);
	for (unsigned i = 0; i < amd_counters(); i++)
		c.value[i] = amd_read(PERF_CTR(i));
	msr_write(PerfCntrGlobalStatusClr, PerfCntrGlobalStatus_PMCF | counters());
	return c;
}

static struct counted run(unsigned over, uint64_t debugctl, uint64_t interrupt, void (*then)(void))
{
	struct counted c;

	pmi_listen(PMI_NMI, leave);
	c = count(over, debugctl, interrupt, then);
	pmi_settle();
	pmi_stop();
	c.pmis = pmi_get_log()->count;
	return c;
}

/* What may still count after the overflow that freezes: nothing on the model, else a pipeline's. */
static void expect_frozen(struct test_ctx *t, const struct counted *c)
{
	test_sub(t, "counter %u overflows", c->over);
	expect_bits(t, "PMC frozen in the status", c->status, PerfCntrGlobalStatus_PMCF,
	            PerfCntrGlobalStatus_PMCF, "FPMCI = 1 and the overflow had INT = 1");
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u overflows, counter %u", c->over, i);
		if (i == c->over)
			expect_bounds(t, "its value", c->value[i],
			              if_exact(0, "it stood still at once"),
			              else_in(0, 500, "low: at once; high: before half of the loop "
			                      "was over"));
		else
			expect_bounds(t, "its value", c->value[i],
			              if_exact_in(10, 12, "low: the preset's ten branches; high: "
			                          "those around"),
			              else_in(10, 510, "low: the preset's; high: before half of "
			                      "the loop"));
	}
	test_sub(t, "counter %u overflows", c->over);
}

TEST(pmc, .id = "amd.freeze.overflow", .needs = need_freeze, .source = SOURCE,
     .claim = "with FPMCI an overflow with INT stops all counters and sets bit 59 of the status")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		struct counted c = run(i, DebugCtl_FPMCI, PERF_CTL_INT, NULL);

		expect_frozen(t, &c);
		expect_bits(t, "the counters' bits of the status", c.status, counters(), BIT(i),
		            "it overflowed, and no other one");
		expect_exact(t, "PMIs", c.pmis, 1, "the overflow's");
	}
}

TEST(masked, .id = "amd.freeze.masked", .needs = need_freeze, .source = SOURCE,
     .claim = "an overflow sets its bit with LVTPC masked, too; whether it freezes is reported")
{
	struct counted c = count(0, DebugCtl_FPMCI, PERF_CTL_INT, NULL);

	expect_bits(t, "the overflow's bit", c.status, 1, 1, "it overflowed");
	test_report(t, "the status", "%" PRIX64 "H", c.status);
}

TEST(int0, .id = "amd.freeze.not_without_int", .needs = need_freeze, .source = SOURCE,
     .claim = "an overflow with INT = 0 freezes nothing")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		struct counted c = run(i, DebugCtl_FPMCI, 0, NULL);

		test_sub(t, "counter %u overflows", i);
		expect_exact(t, "the status", c.status, BIT(i), "an overflow, and no freeze");
		expect_between(t, "the counter", c.value[i], 990, 1010,
		               "low: the loop less the preset; high: the branches around it");
	}
}

TEST(off, .id = "amd.freeze.not_without_fpmci", .needs = need_amd_v2_pmi, .source = SOURCE,
     .claim = "without FPMCI an overflow with INT freezes nothing")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		struct counted c = run(i, 0, PERF_CTL_INT, NULL);

		test_sub(t, "counter %u overflows", i);
		expect_exact(t, "the status", c.status, BIT(i), "an overflow, and no freeze");
		expect_between(t, "the counter", c.value[i], 990, 1990,
		               "low: the loop less the preset; high: also the PMI's handler, which "
		               "is shorter than the loop");
	}
}

static void clear_freeze(void)     { msr_write(PerfCntrGlobalStatusClr,
                                               PerfCntrGlobalStatus_PMCF); }
static void clear_overflow(void)   { msr_write(PerfCntrGlobalStatusClr, counters()); }
static void set_freeze(void)       { msr_write(PerfCntrGlobalStatusSet,
                                               PerfCntrGlobalStatus_PMCF); }

TEST(resume, .id = "amd.freeze.resume", .needs = need_freeze, .source = SOURCE,
     .claim = "clearing bit 59 lets the counters go on; clearing the overflow's bit does not")
{
	struct counted c = run(0, DebugCtl_FPMCI, PERF_CTL_INT, clear_freeze);

	expect_bits(t, "PMC frozen in the status", c.status, PerfCntrGlobalStatus_PMCF, 0,
	            "software cleared it");
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "bit 59 cleared, counter %u", i);
		expect_between(t, "its value", c.value[i], 1000, 1510,
		               "low: the second loop; high: also half of the first, before the "
		               "freeze");
	}
	c = run(0, DebugCtl_FPMCI, PERF_CTL_INT, clear_overflow);
	expect_frozen(t, &c);
	expect_bits(t, "the overflow's bit", c.status, 1, 0, "software cleared it");
}

/* No counter has INT: only software freezes. */
TEST(set, .id = "amd.freeze.by_software", .needs = need_freeze, .source = SOURCE,
     .claim = "setting bit 59 by PerfCntrGlobalStatusSet freezes the counters")
{
	struct counted c = run(0, 0, 0, set_freeze);

	expect_bits(t, "PMC frozen in the status", c.status, PerfCntrGlobalStatus_PMCF,
	            PerfCntrGlobalStatus_PMCF, "software set it");
	for (unsigned i = 1; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_between(t, "its value", c.value[i], 1000, 1510,
		               "low: the first loop; high: half of the second");
	}
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
