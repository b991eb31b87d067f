/* SPDX-License-Identifier: MIT */
/*
 * Counters 0 to 3 have two addresses where there are six counters: C001_0000H and C001_0200H are
 * one register. Source: APM 2; VirtualBox's table of the FX-8150.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/run/watchdog.h>
#include <pmu/workload/workload.h>

#define SOURCE AMD_MSRS ", note on aliases"

static const uint64_t patterns[] = { 0, UINT64_C(0xfedcba987654), 0x80000000, 0x1200ff };

static void check_pair(struct test_ctx *t, const char *what, unsigned i, uint32_t written,
                       uint32_t read)
{
	for (unsigned n = 0; n < COUNT_OF(patterns); n++) {
		uint64_t value = patterns[n] & ~PERF_CTL_EN;

		test_sub(t, "%s %u, %" PRIX32 "H written with %" PRIX64 "H", what, i, written,
		         value);
		expect_no_fault(t, "WRMSR", msr_try_write(written, value),
		                "both addresses exist");
		expect_exact(t, "read at the other address", amd_read(read), amd_read(written),
		             "both are one register");
	}
	expect_exact(t, "the last value", amd_read(read), patterns[COUNT_OF(patterns) - 1],
	             "a plain value is held as it was written");
	msr_try_write(written, 0);
}

TEST(counter, .id = "amd.alias.counter", .is_static = true,
     .needs = need_amd_core, .source = SOURCE,
     .claim = "PerfCtr0 to 3 and PERF_CTR0 to 3 are the same registers")
{
	for (unsigned i = 0; i < PERF_LEGACY_COUNTERS; i++) {
		check_pair(t, "counter", i, PERF_LEGACY_CTR(i), PERF_CTR(i));
		check_pair(t, "counter", i, PERF_CTR(i), PERF_LEGACY_CTR(i));
	}
}

TEST(control, .id = "amd.alias.control", .is_static = true,
     .needs = need_amd_core, .source = SOURCE,
     .claim = "PerfEvtSel0 to 3 and PERF_CTL0 to 3 are the same registers")
{
	for (unsigned i = 0; i < PERF_LEGACY_COUNTERS; i++) {
		check_pair(t, "control", i, PERF_LEGACY_CTL(i), PERF_CTL(i));
		check_pair(t, "control", i, PERF_CTL(i), PERF_LEGACY_CTL(i));
	}
}

/* Starts by one address, writes the counter and stops by the other. */
static uint64_t run(uint32_t start, uint32_t write, uint32_t stop, uint32_t rounds)
{
	watchdog_pet();                 /* no tick of the watchdog falls between the writes */
	msr_write(start, amd_select(AMD_EVENT_BRANCHES, 0));
	workload_loop.code(500, 0);
	msr_write(write, 0);
	workload_loop.code(rounds, 0);
	msr_write(stop, 0);
	return amd_read(write);
}

TEST(running, .id = "amd.alias.running", .needs = need_amd_core, .source = SOURCE,
     .claim = "a counter that runs is written and stopped by either of its addresses")
{
	for (unsigned i = 0; i < PERF_LEGACY_COUNTERS; i++) {
		if (amd_has_v2())
			msr_write(PerfCntrGlobalCtl, PerfCntrGlobalCtl_EN(i));
		for (unsigned is_legacy = 0; is_legacy < 2; is_legacy++) {
			uint32_t start = is_legacy ? PERF_LEGACY_CTL(i) : PERF_CTL(i);
			uint32_t write = is_legacy ? PERF_CTR(i) : PERF_LEGACY_CTR(i);
			uint32_t stop = is_legacy ? PERF_CTL(i) : PERF_LEGACY_CTL(i);
			uint64_t few = run(start, write, stop, 100);

			test_sub(t, "started by %" PRIX32 "H", start);
			expect_exact(t, "branches of 1000 more rounds",
			             run(start, write, stop, 1100) - few, 1000,
			             "one branch a round, from the write of the counter on");
			workload_loop.code(100, 0);
			expect_exact(t, "after a loop", amd_read(PERF_CTR(i)), amd_read(write),
			             "it was stopped by its other address");
		}
	}
}

TEST(upper, .id = "amd.alias.none_of_4_and_5", .is_static = true,
     .needs = need_amd_core, .source = SOURCE,
     .claim = "counters 4 and 5 have no other address: nothing else changes when they do")
{
	for (unsigned i = PERF_LEGACY_COUNTERS; i < amd_counters(); i++) {
		msr_write(PERF_CTL(i), PERF_CTL_INV);
		msr_write(PERF_CTR(i), 0x1234567);
	}
	for (uint32_t msr = PERF_LEGACY_CTL(0); msr < PERF_LEGACY_CTL(0) + 8; msr++) {
		test_sub(t, "MSR %" PRIX32 "H", msr);
		expect_exact(t, "its value", amd_read(msr), 0,
		             "it is a register of counters 0 to 3");
	}
}

TEST(wrapped, .id = "amd.alias.wrapped", .needs = need_amd_core, .source = SOURCE,
     .claim = "an overflow that one address shows is the one that the other shows")
{
	for (unsigned i = 0; i < PERF_LEGACY_COUNTERS; i++) {
		struct pmu_setup s = { .counter = i, .event = AMD_EVENT_BRANCHES, .flags = PMU_BOTH,
		                       .start = 0 - UINT64_C(100) };

		pmu_program(&s, 1);
		pmu_window(workload_loop.code, 1000, 0);
		test_sub(t, "counter %u", i);
		expect_between(t, "its legacy address", amd_read(PERF_LEGACY_CTR(i)), 900, 910,
		               "low: 1000 branches less the preset; high: those of the window, "
		               "too");
		msr_write(PERF_LEGACY_CTR(i), 0 - UINT64_C(50));
		expect_exact(t, "its other one", amd_read(PERF_CTR(i)),
		             (0 - UINT64_C(50)) & AMD_COUNTER_MASK, "both are one register");
	}
}
