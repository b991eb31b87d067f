/* SPDX-License-Identifier: MIT */
/*
 * Last branch records of code whose segment does not begin at 0: some formats hold linear
 * addresses, others offsets in the code segment. In virtual-8086 mode a far JMP is enough.
 */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/modes/low_memory.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>

#define CPUID_LBR_LIP  CPUID_FIELD(0x1c, 0, EAX, 31, 31)

enum { RECORDS = 4, BASE = LOW_CODE_BASE, PARAGRAPH = BASE >> 4 };

static const char *need_base(struct test_ctx *t)
{
	const char *reason = need_lbr_depth(t, RECORDS);

	if (!reason && !cpuid_get(CPUID_PDCM))
		return test_reason(t, "CPUID.1:ECX[15] (PDCM) = 0: IA32_PERF_CAPABILITIES does "
		                   "not exist");
	return reason;
}

/* From the second byte on, as INT n, which begins the recording, has two. */
static const struct branch_row based = {
	"JMP in a segment at 9000H", IN(MODE_VM86),
	BRANCH_CODE(0xea, 7, 0, PARAGRAPH & 0xff, PARAGRAPH >> 8,       /*  0 JMP 0900:0007 */
	            0xeb, 0x01, 0x90,                                   /*  5 JMP 8 */
	            0xea, (BASE + 15) & 0xff, (BASE + 15) >> 8, 0, 0),  /*  8 JMP 0000:900F */
	BRANCHES({ 0, 5, BRANCH_FAR }, { 5, 8, BRANCH_REL_JMP }, { 8, 13, BRANCH_FAR })
};

/* Returns whether records are linear: format 1, and CPUID.1CH:EAX[31] of architectural ones. */
static bool is_linear(void)
{
	if (lbr_kind(NULL)->is_architectural)
		return cpuid_get(CPUID_LBR_LIP);
	return lbr_kind(NULL)->format == LBR_FORMAT_LIP;
}

static void judge(struct test_ctx *t, const char *what, uint64_t got, uint64_t linear, bool is_base)
{
	expect_bounds(t, what, got,
	              is_linear() ? if_exact(linear, "the format has linear addresses")
	                          : if_exact(linear - (is_base ? BASE : 0),
	                                     "the format has offsets in the code segment"),
	              ELSE_SHOWN);
}

/* Shown on silicon, where nobody has published what a record of such code holds. */
TEST(base, .id = "lbr.format.base", .needs = need_base,
     .source = "SDM 3B, LBR Stack and Intel 64 Processors: LIP, EIP; SDM 2A, CPUID, leaf "
               "1CH:EAX[31]",
     .claim = "records of format 1 and architectural records with CPUID.1CH:EAX[31] = 1 hold "
              "linear addresses, all others offsets in the code segment")
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_trace trace;
	struct mode_result r = branches_run(&based, MODE_VM86, &by, &trace);

	lbr_disable();
	if (!expect_no_fault(t, "outcome", r.fault, "the code runs to its end"))
		return;
	test_sub(t, "%s", "far JMP to the segment");
	judge(t, "FROM", lbr_get(3).from, branches_address(0), false);
	judge(t, "TO", lbr_get(3).to, branches_address(5), true);
	test_sub(t, "%s", "JMP in the segment");
	judge(t, "FROM", lbr_get(2).from, branches_address(5), true);
	judge(t, "TO", lbr_get(2).to, branches_address(8), true);
	test_sub(t, "%s", "far JMP back");
	judge(t, "FROM", lbr_get(1).from, branches_address(8), true);
	judge(t, "TO", lbr_get(1).to, branches_address(13), false);
}
