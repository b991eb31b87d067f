/* SPDX-License-Identifier: MIT */
/* BRS of Zen 3: the sixteen branches that follow an overflow. */
#include <tests/suites/lbr/lbr_amd.h>

#include <pmu/core/pmi.h>

#define FROM(i)  LastBranchStackFromIp(i)
#define TO(i)    LastBranchStackToIp(i)

static NEED_BOTH(need_brs_pmi, need_amd_brs, need_amd_pmi)

static uint64_t control_then;           /* DbgExtnCfg when the PMI came */

static void on_pmi(struct frame *f)
{
	(void)f;
	control_then = msr_read(DbgExtnCfg);
	msr_write(amd_ctl(0), 0);
}

static void clear_entries(void)
{
	for (unsigned i = 0; i < 2 * AMD_BRANCHES; i++)
		msr_write(FROM(0) + i, 0);
}

/* Overflows counter 0, which counts taken branches, in a loop of so many rounds. */
static void run(uint64_t control, uint32_t rounds)
{
	pmu_reset();
	clear_entries();
	control_then = 0;
	pmi_listen(PMI_NMI, on_pmi);
	msr_write(DbgExtnCfg, control);
	msr_write(amd_ctr(0), (0 - UINT64_C(100)) & AMD_COUNTER_MASK);
	msr_write(amd_ctl(0), amd_select(AMD_EVENT_TAKEN, 0) | PERF_CTL_INT);
	workload_loop.code(rounds, 0);
	msr_write(amd_ctl(0), 0);
	msr_write(DbgExtnCfg, 0);
	pmi_settle();
	pmi_stop();
}

#define BRS_ON  (BRS_CFG_EN | BRS_CFG_ONES)

static bool is_in_loop(uint64_t ip)
{
	return ip >= (uintptr_t)workload_loop.code && ip < (uintptr_t)workload_loop.end;
}

TEST(fills, .id = "lbr.amd.brs.fills", .needs = need_brs_pmi, .source = AMD_BRS,
     .claim = "after the overflow sixteen branches are recorded, and no other one replaces them")
{
	run(BRS_ON, 1000);
	for (unsigned i = 0; i < AMD_BRANCHES; i++) {
		test_sub(t, "entry %u", i);
		expect_exact(t, "FROM is in the loop", is_in_loop(amd_address(FROM(i))), 1,
		             "the loop goes on for longer than sixteen branches");
		expect_exact(t, "TO is in the loop", is_in_loop(amd_address(TO(i))), 1,
		             "the loop's branch leads to the loop");
	}
}

TEST(held, .id = "lbr.amd.brs.interrupt", .needs = need_brs_pmi, .source = AMD_BRS,
     .claim = "the overflow's interrupt waits until the buffer is full")
{
	run(BRS_ON, 1000);
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "one overflow");
	expect_bits(t, "DbgExtnCfg at the PMI", control_then, BRS_CFG_VALID | BRS_CFG_NEXT,
	            BRS_CFG_VALID, "the buffer is full: the next entry is 0 again");
	run(BRS_ON, 110);
	test_sub(t, "a loop that ends before the buffer is full");
	test_report(t, "PMIs", "%u", pmi_get_log()->count);
}

TEST(off, .id = "lbr.amd.brs.off", .needs = need_brs_pmi, .source = AMD_BRS,
     .claim = "without its enable nothing is recorded, and the interrupt does not wait")
{
	run(BRS_CFG_ONES, 1000);
	expect_exact(t, "PMIs", pmi_get_log()->count, 1, "one overflow");
	for (unsigned i = 0; i < AMD_BRANCHES; i++) {
		test_sub(t, "entry %u", i);
		expect_exact(t, "TO", amd_address(TO(i)), 0, "it was cleared");
	}
}

TEST(counter, .id = "lbr.amd.brs.counter", .needs = need_brs_pmi, .source = AMD_BRS,
     .claim = "the overflow of a counter that was not chosen starts nothing")
{
	run(BRS_ON | FIELD_PUT(BRS_CFG_PMC, 1), 1000);
	for (unsigned i = 0; i < AMD_BRANCHES; i++) {
		test_sub(t, "entry %u", i);
		expect_exact(t, "TO", amd_address(TO(i)), 0, "counter 1 did not overflow");
	}
}
