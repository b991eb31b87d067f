/* SPDX-License-Identifier: MIT */
/*
 * The overflow's PMI on P6: the claims of pmi_claims.h, and P6's own: it has no status register,
 * and for most of its LVTPCs no manual says whether they mask themselves.
 */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <arch/cpu/fault.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/p6/p6_suite.h>

#define OVERFLOW  P6_SDM ", INT (APIC interrupt enable) flag"

static NEED_BOTH(need_exact_pmi, need_p6_pmi, need_no_skid)

PMI_SELECT_CLAIMS("p6", need_p6_pmi, need_exact_pmi, OVERFLOW,
                  P6_SDM ", the saved address may be of a later instruction", INTEL);
PMI_CLAIM_OWN(every_counter, "p6", need_p6_pmi, OVERFLOW, "every_counter",
              "both counters raise a PMI when they overflow");
PMI_CLAIM_OWN(mask, "p6", need_p6_pmi,
              LVT "; no manual says so of the Pentium Pro to III, where it is reported", "mask",
              "a PMI of a Pentium M sets LVTPC's mask bit");

/* EN of PerfEvtSel0 is for both counters. */
static void clear_en(unsigned counter)
{
	(void)counter;
	msr_write(PerfEvtSel(0), msr_read(PerfEvtSel(0)) & ~PerfEvtSel_EN);
}

PMI_CLAIM_WRITTEN("p6", need_p6_pmi, OVERFLOW, clear_en)

/* A write extends bit 31, so 2^31 is the longest period; nevertheless only bit 39 overflows. */
TEST(carry, .id = "p6.pmi.bit_31", .needs = need_p6_pmi, .source = P6_SDM ", 40-bit counters",
     .claim = "a count from 7FFFFFFFH to 80000000H is no overflow")
{
	for (unsigned x = 0; x < P6_COUNTERS; x++) {
		struct pmu_setup s = user_instructions(x, 0);
		uint64_t total = user_base(x) + 1000;

		s.start = 0x7ffffff0;
		test_sub(t, "PerfCtr%u from 7FFFFFF0H", x);
		expect_exact(t, "PMIs", pmi_run_one(&s, user_nops, 1000)->count, 0,
		             "counters wrap at 40 bits");
		expect_exact(t, "the counter", pmu_read(x), s.start + total, "it counts on");
	}
}
