/* SPDX-License-Identifier: MIT */
/*
 * PerfMonV2's registers of all counters. Reserved bits of the status belong to functions of the
 * processor's own and are masked (Linux 599522d9d2e1): they are shown.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define SOURCE AMD_APM ", Performance Monitoring Version 2"

static uint64_t counters(void)  { return UINT64_MAX >> (64 - amd_counters()); }
static uint64_t status(void)    { return amd_read(PerfCntrGlobalStatus) & counters(); }

TEST(ctl, .id = "amd.global.ctl", .is_static = true,
     .needs = need_amd_v2, .source = SOURCE ", PerfCntrGlobalCtl",
     .claim = "PerfCntrGlobalCtl holds a bit for each counter; others never fault")
{
	uint64_t others = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		fault_t fault = msr_try_write(PerfCntrGlobalCtl, BIT(bit));
		uint64_t got = amd_read(PerfCntrGlobalCtl);

		test_sub(t, "bit %u", bit);
		if (bit < amd_counters() || pmu_is_exact())
			expect_no_fault(t, "WRMSR of this bit alone", fault,
			                "it is ignored, or held");
		if (bit < amd_counters())
			expect_exact(t, "read back", got, BIT(bit), "the counter exists");
		else
			others |= got;
	}
	test_sub(t, "%s", "");
	expect_bounds(t, "bits without a counter", others, if_exact(0, "reserved bits read 0"),
	              ELSE_SHOWN);
	msr_write(PerfCntrGlobalCtl, counters());
	expect_exact(t, "all counters", amd_read(PerfCntrGlobalCtl), counters(), "all are held");
	msr_write(PerfCntrGlobalCtl, 0);
	expect_exact(t, "after 0", amd_read(PerfCntrGlobalCtl), 0, "no bit stays set");
}

/* ---------------------------------------------------------------------------- both enables */

static uint64_t counted(unsigned i, uint64_t global, uint64_t select)
{
	pmu_reset();
	msr_write(PerfCntrGlobalCtl, global);
	msr_write(PERF_CTL(i), select);
	workload_loop.code(1000, 0);
	msr_write(PERF_CTL(i), 0);
	return amd_read(PERF_CTR(i));
}

TEST(and, .id = "amd.global.and", .needs = need_amd_v2, .source = SOURCE,
     .claim = "a counter counts only with EN = 1 and its bit of PerfCntrGlobalCtl")
{
	const uint64_t on = amd_select(AMD_EVENT_BRANCHES, 0), off = on & ~PERF_CTL_EN;

	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_exact(t, "neither", counted(i, 0, off), 0, "both are needed");
		expect_exact(t, "EN alone", counted(i, counters() & ~BIT(i), on), 0,
		             "its bit of PerfCntrGlobalCtl is 0");
		expect_exact(t, "PerfCntrGlobalCtl alone", counted(i, BIT(i), off), 0, "EN is 0");
		expect_between(t, "both", counted(i, BIT(i), on), 1000, 1010,
		               "low: a branch a round; high: what is around the loop");
	}
}

/* Software for older processors knows nothing of the register, which RESET sets. */
TEST(all_on, .id = "amd.global.as_reset_left_it", .needs = need_amd_v2, .source = SOURCE,
     .claim = "with all bits of PerfCntrGlobalCtl set counters obey EN alone, as before PerfMonV2")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		test_sub(t, "counter %u", i);
		expect_between(t, "branches", counted(i, counters(),
		                                      amd_select(AMD_EVENT_BRANCHES, 0)),
		               1000, 1010, "low: a branch a round; high: what is around the loop");
		expect_exact(t, "without EN", counted(i, counters(), AMD_EVENT_BRANCHES), 0,
		             "EN is 0");
	}
}

/* ---------------------------------------------------------------------------- the status */

/* Overflows the counters of a bitmap, once each, with a flag. */
static void overflow(uint64_t which, unsigned flag)
{
	struct pmu_setup s[PMU_SETUPS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < amd_counters(); i++)
		if (which & BIT(i))
			s[n++] = (struct pmu_setup){ .counter = i, .event = AMD_EVENT_BRANCHES,
			                             .flags = PMU_BOTH | flag,
			                             .start = 0 - UINT64_C(10) };
	pmu_program(s, n);
	pmu_window(workload_loop.code, 100, 0);
}

TEST(set_by_overflow, .id = "amd.global.status_of_each", .needs = need_amd_v2, .source = SOURCE,
     .claim = "an overflow sets its counter's bit of the status and no other, whatever INT is")
{
	for (unsigned i = 0; i < amd_counters(); i++)
		for (unsigned flag = 0; flag <= PMU_INT; flag += PMU_INT) {
			overflow(BIT(i), flag);
			test_sub(t, "counter %u, INT = %u", i, flag != 0);
			expect_exact(t, "PerfCntrGlobalStatus", status(), BIT(i),
			             "it overflowed alone");
		}
}

/* What software does with a counter whose bit is to stay. */
static const struct { const char *what; uint64_t select, value; } acts[] = {
	{ "stopped",                  0, 0 - UINT64_C(1000) },
	{ "written with 0",           AMD_EVENT_CYCLES, 0 },
	{ "written while it runs",    AMD_EVENT_BRANCHES | PERF_CTL_EN | PERF_CTL_OS, 5 },
	{ "made negative while it runs", AMD_EVENT_BRANCHES | PERF_CTL_EN | PERF_CTL_OS,
	  0 - UINT64_C(1000) },
};

TEST(sticky, .id = "amd.global.status_sticky", .needs = need_amd_v2, .source = SOURCE,
     .claim = "a bit of the status stays when its counter is stopped and written again")
{
	for (unsigned i = 0; i < amd_counters(); i++)
		for (unsigned n = 0; n < COUNT_OF(acts); n++) {
			overflow(BIT(i), 0);
			msr_write(PerfCntrGlobalCtl, counters());
			msr_write(PERF_CTL(i), acts[n].select);
			msr_write(PERF_CTR(i), acts[n].value);
			test_sub(t, "counter %u, %s", i, acts[n].what);
			expect_exact(t, "PerfCntrGlobalStatus", status(), BIT(i),
			             "only PerfCntrGlobalStatusClr clears it");
			msr_write(PERF_CTL(i), 0);
		}
}

TEST(read_only, .id = "amd.global.status_read_only", .needs = need_amd_v2, .source = SOURCE,
     .claim = "a write of PerfCntrGlobalStatus changes nothing; whether it faults is reported")
{
	overflow(BIT(0) | BIT(2), 0);
	for (unsigned i = 0; i < 2; i++) {
		fault_t fault = msr_try_write(PerfCntrGlobalStatus, i ? counters() : 0);

		test_sub(t, "written with %s", i ? "ones" : "0");
		test_report(t, "WRMSR", "%s", is_fault(fault) ? "a fault" : "ignored");
		expect_exact(t, "PerfCntrGlobalStatus", status(), 5, "it is read-only");
	}
}

TEST(clear_one, .id = "amd.global.clear_one", .needs = need_amd_v2,
     .source = SOURCE ", PerfCntrGlobalStatusClr",
     .claim = "a 1 in PerfCntrGlobalStatusClr clears that bit of the status and no other")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		overflow(counters(), 0);
		test_sub(t, "counter %u", i);
		expect_exact(t, "PerfCntrGlobalStatus", status(), counters(), "all overflowed");
		msr_write(PerfCntrGlobalStatusClr, BIT(i));
		expect_exact(t, "after its bit was cleared", status(), counters() & ~BIT(i),
		             "the others were written with 0");
	}
}

TEST(clear_zero, .id = "amd.global.clear_zero", .is_static = true, .needs = need_amd_v2,
     .source = SOURCE ", PerfCntrGlobalStatusClr",
     .claim = "a 0 written to PerfCntrGlobalStatusClr or PerfCntrGlobalStatusSet changes nothing")
{
	overflow(BIT(0) | BIT(3), 0);
	msr_write(PerfCntrGlobalStatusClr, 0);
	expect_exact(t, "PerfCntrGlobalStatus", status(), 9, "nothing was cleared");
	msr_write(PerfCntrGlobalStatusSet, 0);
	expect_exact(t, "PerfCntrGlobalStatus", status(), 9, "nothing was set");
}

/* ---------------------------------------------------------------------------- set by software */

TEST(set, .id = "amd.global.set", .needs = need_amd_v2,
     .source = SOURCE ", PerfCntrGlobalStatusSet",
     .claim = "a 1 in PerfCntrGlobalStatusSet sets that bit, and touches no counter")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		pmu_reset();
		msr_write(PERF_CTR(i), 0x123456);
		test_sub(t, "counter %u", i);
		expect_no_fault(t, "WRMSR", msr_try_write(PerfCntrGlobalStatusSet, BIT(i)),
		                "the register exists");
		expect_exact(t, "PerfCntrGlobalStatus", status(), BIT(i), "software set it");
		expect_exact(t, "the counter", amd_read(PERF_CTR(i)), 0x123456,
		             "it did not overflow");
		expect_between(t, "branches with the bit set",
		               counted(i, BIT(i), amd_select(AMD_EVENT_BRANCHES, 0)), 1000, 1010,
		               "low: a branch a round; high: what is around the loop");
	}
}

static void set_in_window(uint32_t counter, uint32_t argument)
{
	(void)argument;
	msr_write(PerfCntrGlobalStatusSet, BIT(counter));
	workload_loop.code(1000, 0);
}

TEST(set_is_silent, .id = "amd.global.set_raises_nothing", .needs = need_amd_v2_pmi,
     .source = SOURCE ", PerfCntrGlobalStatusSet",
     .claim = "a bit that software sets raises no PMI, even with INT = 1")
{
	for (unsigned i = 0; i < amd_counters(); i++) {
		struct pmu_setup s = pmi_instructions(i, PMU_BOTH | PMU_INT, UINT64_C(1) << 30);

		test_sub(t, "counter %u", i);
		expect_exact(t, "PMIs", pmi_run_one(&s, set_in_window, i)->count, 0,
		             "no counter overflowed");
		expect_exact(t, "PerfCntrGlobalStatus", status(), BIT(i), "software set it");
	}
}

TEST(set_all, .id = "amd.global.set_all", .is_static = true, .needs = need_amd_v2,
     .source = SOURCE ", PerfCntrGlobalStatusSet",
     .claim = "all counters' bits and both freezes can be set and cleared at once, on family 1AH "
              "bits 7:6, too, and no others (on silicon these are reported)")
{
	fault_t fault = msr_try_write(PerfCntrGlobalStatusSet, UINT64_MAX);

	test_report(t, "WRMSR of all ones", "%s", is_fault(fault) ? "a fault" : "no fault");
	if (is_fault(fault))
		msr_write(PerfCntrGlobalStatusSet, counters());
	expect_bounds(t, "PerfCntrGlobalStatus", amd_read(PerfCntrGlobalStatus),
	              if_exact(counters() | PerfCntrGlobalStatus_LBRSF | PerfCntrGlobalStatus_PMCF
	                       | (amd_family() >= 0x1a ? FIELD(7, 6) : 0), "the counters, both "
	                       "freezes, and on family 1AH bits 7:6, as Turin has them"),
	              ELSE_SHOWN);
	expect_exact(t, "the counters' bits", status(), counters(), "all were set");
	if (is_fault(msr_try_write(PerfCntrGlobalStatusClr, UINT64_MAX)))
		msr_write(PerfCntrGlobalStatusClr, counters());
	expect_exact(t, "after clearing them", status(), 0, "all were cleared");
}

TEST(write_only, .id = "amd.global.write_only", .is_static = true,
     .needs = need_amd_v2, .source = SOURCE,
     .claim = "what a read of the write-only registers gives is reported")
{
	for (uint32_t msr = PerfCntrGlobalStatusClr; msr <= PerfCntrGlobalStatusSet; msr++) {
		uint64_t value = 0;
		fault_t fault = msr_try_read(msr, &value);

		test_sub(t, "MSR %" PRIX32 "H", msr);
		test_report(t, "RDMSR", is_fault(fault) ? "a fault" : "%" PRIX64 "H", value);
	}
}

TEST(noise, .id = "amd.global.noise", .needs = need_amd_v2, .source = "Linux 599522d9d2e1",
     .claim = "no counter's bit appears in the status while none counts; others are reported")
{
	uint64_t seen = 0;

	for (unsigned i = 0; i < 10000; i++)
		seen |= amd_read(PerfCntrGlobalStatus);
	expect_exact(t, "the counters' bits", seen & counters(), 0, "nothing overflowed");
	test_report(t, "other bits in 10,000 reads", "%" PRIX64 "H", seen & ~counters());
}

TEST(two, .id = "amd.global.two_overflows", .needs = need_amd_v2_pmi, .source = SOURCE,
     .claim = "when one instruction overflows two counters, the status has both bits")
{
	const struct pmu_setup both[] = { user_instructions(0, 100), user_instructions(1, 100) };
	const struct pmi_log *log = pmi_run(&(const struct pmi_window){
		.setups = both, .count = 2, .code = user_nops, .rounds = 1000 });

	expect_between(t, "PMIs", log->count, 1, 2,
	               "low: one handler finds both bits; high: one for each");
	expect_bounds(t, "the status in the first handler", log->status[0] & 3,
	              if_exact(3, "both wrapped before the PMI was taken"), else_in(1, 3, "low: "
	              "one of them; high: both"));
	expect_exact(t, "the status after the handlers", status(), 0, "they cleared it");
}
