/* SPDX-License-Identifier: MIT */
/*
 * What a PMI does on AMD and not on Intel: LVTPC stays as it is. A PMI may come late there, also
 * after its counter was stopped (Linux 914123fa3904): at most one for an overflow.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/interrupts/local_apic.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_claims.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define SOURCE "Linux, arch/x86/events/amd/core.c; KVM 49ff3b4aec51"

static unsigned entries;

/* Reloads the counter and touches LVTPC as little as possible: not at all. */
static void reload(struct frame *f)
{
	(void)f;
	entries++;
	pmu_clear_status(pmu_status());
	if (entries < 5)
		pmu_write(0, (0 - UINT64_C(100)) & AMD_COUNTER_MASK);
}

static void forget(void) { entries = 0; }

TEST(stays, .id = "amd.lvtpc.stays", .needs = need_amd_pmi, .source = SOURCE,
     .claim = "a PMI leaves LVTPC's mask clear: further overflows interrupt, though nothing wrote "
     "it")
{
	struct pmu_setup s = user_instructions(0, 100);
	const struct pmi_log *log = pmi_run(&(const struct pmi_window){
		.setups = &s, .count = 1, .code = user_loop, .rounds = 5000,
		.on_pmi = reload, .before = forget });

	expect_exact(t, "PMIs", log->count, 5, "a hundred instructions each, until it was not "
	             "reloaded");
	for (unsigned i = 0; i < log->count && i < PMI_LOG_SIZE; i++) {
		test_sub(t, "PMI %u", i + 1);
		expect_bits(t, "LVTPC in the handler", log->lvtpc[i], APIC_LVT_MASK, 0,
		            "AMD's APIC does not set the mask");
	}
}

static void clear_en(unsigned counter)
{
	msr_write(amd_ctl(counter), amd_read(amd_ctl(counter)) & ~PERF_CTL_EN);
}

PMI_CLAIM_WRITTEN("amd", need_amd_pmi, AMD_APM, clear_en)

TEST(minus_one, .id = "amd.pmi.minus_one", .needs = need_amd_pmi, .source = "Xen 825c466dc8",
     .claim = "a counter that starts at -1 raises one PMI")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		struct pmu_setup s = user_instructions(i, 1);

		test_sub(t, "counter %u", i);
		expect_exact(t, "PMIs", pmi_run_one(&s, user_nops, 100)->count, 1,
		             "the first instruction overflows it");
	}
}

/* The overflow is the last count before the window stops the counter. */
TEST(late, .id = "amd.pmi.late", .needs = need_amd_pmi, .source = "Linux 914123fa3904",
     .claim = "an overflow just before its counter is stopped raises at most one PMI")
{
	struct pmu_setup s = pmi_instructions(0, PMU_OS, 0);
	uint64_t total = pmu_measure(&s, 1, &workload_loop, 100, 0).count[0];

	s = pmi_instructions(0, PMU_OS | PMU_INT, total);
	expect_bounds(t, "PMIs", pmi_run_one(&s, workload_loop.code, 100)->count,
	              if_exact_in(0, 1, "low: the last count is the write that stops; high: one "
	                          "for an overflow"),
	              else_in(0, 1, "low: it may be lost; high: one for an overflow"));
}
