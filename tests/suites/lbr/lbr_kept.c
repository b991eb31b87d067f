/* SPDX-License-Identifier: MIT */
/* What does not change last branch records: switching recording on, and LBR_FRZ set by software. */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

/* ------------------------------------------------------------------------ on and off */

enum { DEPTH_MAX = 64 };

/* Returns the number of the register of the newest entry. */
static unsigned newest(void)
{
	return lbr_kind(NULL)->tos_msr ? lbr_tos() : 0;
}

/* Switches recording on and off again, with a filter that lets no branch pass. */
static void switch_on_and_off(void)
{
	const uint64_t was = lbr_kind(NULL)->is_architectural ? 0 : msr_read(IA32_DEBUGCTL);

	if (!lbr_kind(NULL)->is_architectural)
		msr_write(MSR_LBR_SELECT, MSR_LBR_SELECT_CPL_EQ_0 | MSR_LBR_SELECT_CPL_NEQ_0);
	msr_write(lbr_control_msr(), was | IA32_DEBUGCTL_LBR);
	msr_write(lbr_control_msr(), was);
}

TEST(kept, .id = "lbr.stack.kept", .needs = need_lbr_filter,
     .source = "SDM 3B, LBR Stack; Linux restores records before it switches recording on",
     .claim = "switching recording on and off, with a filter that lets nothing pass, keeps all "
              "records and TOS")
{
	struct branch_recorder by = lbr_recorder(0);
	const unsigned depth = lbr_kind(NULL)->depth;
	struct lbr_record before[DEPTH_MAX];
	struct branch_trace trace;
	unsigned tos;

	branches_run(branches_chain(depth < BRANCH_ROW_MAX ? depth : BRANCH_ROW_MAX), MODE_CPL0,
	             &by, &trace);
	tos = newest();
	for (unsigned i = 0; i < depth; i++)
		before[i] = lbr_get(i);
	switch_on_and_off();
	expect_exact(t, "TOS", newest(), tos, "nothing was recorded");
	for (unsigned i = 0; i < depth; i++) {
		test_sub(t, "%u before the newest", i);
		expect_exact(t, "FROM", lbr_get(i).from, before[i].from, "nothing was recorded");
		expect_exact(t, "TO", lbr_get(i).to, before[i].to, "nothing was recorded");
	}
}

/* ------------------------------------------------------------------------ LBR_FRZ */

static const char *need_frz(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	reason = reason ? reason : need_arch_v4(t);
	return reason ? reason : need_known_lbr_freeze(t);
}

/* Records some jumps; the newest must be the last of `jumps`. */
static void judge_chain(struct test_ctx *t, unsigned run, unsigned jumps, const char *why)
{
	const struct branch_recorder by = { lbr_control_msr(), lbr_control_on(0) };
	struct branch_trace trace;

	branches_run(branches_chain(run), MODE_CPL0, &by, &trace);
	lbr_disable();
	lbr_expect_newest(t, branches_address(2 * jumps - 2), branches_address(2 * jumps), why);
}

TEST(by_software, .id = "lbr.freeze.by_software", .needs = need_frz,
     .source = "SDM 3B, Architectural Performance Monitoring Version 4: LBRs record while "
               "LBR_FRZ = 0; IA32_PERF_GLOBAL_STATUS_SET",
     .claim = "LBR_FRZ that software sets stops recording, and recording goes on when software "
              "clears it")
{
	const uint64_t frz = IA32_PERF_GLOBAL_STATUS_LBR_FRZ;

	lbr_recorder(0);
	judge_chain(t, 3, 3, "nothing is frozen");
	test_sub(t, "%s", "LBR_FRZ = 1, enable bit = 1");
	if (!expect_no_fault(t, "WRMSR of bit 58 to IA32_PERF_GLOBAL_STATUS_SET",
	                     msr_try_write(IA32_PERF_GLOBAL_STATUS_SET, frz),
	                     "the bit exists in version 4"))
		return;
	judge_chain(t, 5, 3, "LBR_FRZ stops recording, whoever set it");
	pmu_clear_status(frz);
	test_sub(t, "%s", "LBR_FRZ cleared");
	judge_chain(t, 7, 7, "nothing is frozen any more");
}
