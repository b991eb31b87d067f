/* SPDX-License-Identifier: MIT */
/*
 * Branch trace store: each taken branch, exception and interrupt is a record in memory, in order,
 * with its exact addresses. The buffer ends as a ring, or with an interrupt.
 */
#include <tests/suites/lbr/bts_suite.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>
#include <tests/suites/lbr/branches_fast.h>

#define SDM   "SDM 3B, Branch Trace Store (BTS)"

/* Records that fit, for tests that fill fewer; no threshold within reach. */
enum { ROOM = 80, NEVER = ROOM + 1 };

/* ------------------------------------------------------------------------ records */

/* Returns whether the branch must be in the buffer; NULL stands for all of them. */
typedef bool (*is_wanted)(const struct branch_want *want);

/* Call it between bts_set_up() and bts_expect_no_damage(): both look at all of the memory. */
static void judge_row(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode,
                      uint64_t more, is_wanted wanted)
{
	const struct branch_recorder by = bts_recorder(more);
	struct branch_trace trace;
	struct mode_result r;
	unsigned count = 0;

	ds_set_index(DS_BTS, 0);
	r = branches_run(row, mode, &by, &trace);
	test_sub(t, "%s, %s", row->what, mode_name(mode));
	if (!expect_no_fault(t, "outcome", r.fault, "the code runs to its end"))
		return;
	for (unsigned i = 0; i < trace.count; i++)
		if ((!wanted || wanted(&trace.want[i]))
		    && !bts_expect_record(t, count++, &trace.want[i],
		                          "each taken branch is a record, from its own address to "
		                          "its target, in order"))
			return;
	bts_expect_index(t, count, "the index is at the end of the last record, and "
	                           "there are no others");
}

static void judge_in_mode(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode)
{
	judge_row(t, row, mode, 0, NULL);
}

static void judge_subject(struct test_ctx *t, enum branch_subject subject)
{
	bts_set_up(ROOM, NEVER, 0);
	branches_each(t, subject, judge_in_mode);
	bts_expect_no_damage(t);
}

BRANCH_SUBJECT_TESTS("bts", need_bts_modes, SDM, "write", "writes", judge_subject);

/* The only flag says whether NetBurst predicted the branch. */
TEST(order, .id = "bts.records.order", .needs = need_bts_modes, .source = AREA,
     .claim = "the buffer has as many records as branches, in the order in which they were taken")
{
	bts_set_up(ROOM, NEVER, 0);
	for (unsigned jumps = 0; jumps <= BRANCH_ROW_MAX; jumps += 8) {
		judge_row(t, branches_chain(jumps), MODE_CPL0, 0, NULL);
		judge_row(t, branches_chain(jumps), MODE_CPL3, 0, NULL);
	}
	bts_expect_no_damage(t);
	test_report(t, "flags of the first record", "%" PRIX64 "H", bts_get(0).flags);
	expect_bounds(t, "flags of the first record, except bit 4", bts_get(0).flags & ~BIT(4),
	              if_exact(0, "the only flag says whether the branch was predicted"),
	              ELSE_NOTHING);
}

/* ------------------------------------------------------------------------ off */

static void judge_off(struct test_ctx *t, const char *bits, uint64_t on)
{
	const struct branch_recorder by = { IA32_DEBUGCTL, on };
	struct branch_trace trace;

	bts_set_up(ROOM, NEVER, 0);
	branches_run(&branch_mix, MODE_CPL0, &by, &trace);
	branches_run(&branch_mix, MODE_CPL3, &by, &trace);
	test_sub(t, "%s", bits);
	bts_expect_index(t, 0, "records need both TR and BTS, and a level that is not off");
	expect_exact(t, "first byte of the buffer", *(const uint8_t *)ds_record(DS_BTS, 0),
	             DS_GUARD, "nothing may write a record");
	bts_expect_no_damage(t);
}

TEST(off, .id = "bts.off", .needs = need_bts_modes, .source = SDM,
     .claim = "TR without BTS, and BTS without TR, write nothing to memory")
{
	judge_off(t, "TR = 0, BTS = 0", 0);
	judge_off(t, "TR = 1, BTS = 0", bts_bits()->tr);
	judge_off(t, "TR = 0, BTS = 1", bts_bits()->bts);
}

/* ------------------------------------------------------------------------ levels */

static bool is_from_user(const struct branch_want *want) { return want->from_cpl > 0; }
static bool is_from_os(const struct branch_want *want)   { return want->from_cpl == 0; }

/* Where a branch changes the level, on silicon the level before it or the one after it may
 * decide. */
static void judge_level(struct test_ctx *t, enum cpu_mode mode, uint64_t bit, is_wanted wanted)
{
	const struct branch_recorder by = bts_recorder(bit);
	struct branch_trace trace;
	unsigned at = 0;

	if (pmu_is_exact()) {
		judge_row(t, &branch_mix, mode, bit, wanted);
		return;
	}
	ds_set_index(DS_BTS, 0);
	branches_run(&branch_mix, mode, &by, &trace);
	test_sub(t, "%s", mode_name(mode));
	if (silicon_leaves_out(t, SILICON_BTS_FROM_AT_LEVELS, "records"))
		return;
	for (unsigned i = 0; i < trace.count; i++) {
		const struct branch_want *want = &trace.want[i];
		bool crosses = (want->from_cpl == 0) != (want->to_cpl == 0);

		if (crosses && bts_get(at).from == want->from)
			at++;
		else if (!crosses && wanted(want))
			bts_expect_record(t, at++, want, "a branch at a level that is not off");
	}
	bts_expect_index(t, at, "no branch at a level that is off");
}

static void judge_levels(struct test_ctx *t, uint64_t bit, is_wanted wanted)
{
	bts_set_up(ROOM, NEVER, 0);
	FOR_EACH_BRANCH_MODE(&branch_mix, mode)
		judge_level(t, mode, bit, wanted);
	bts_expect_no_damage(t);
}

TEST(off_os, .id = "bts.levels.off_os", .needs = need_bts_cpl, .source = SDM ", CPL-qualified",
     .claim = "with BTS_OFF_OS branches at CPL 0 write no record, those at CPL 1 to 3 do")
{
	judge_levels(t, bts_bits()->off_os, is_from_user);
}

TEST(off_usr, .id = "bts.levels.off_usr", .needs = need_bts_cpl, .source = SDM ", CPL-qualified",
     .claim = "with BTS_OFF_USR branches at CPL 1 to 3 write no record, those at CPL 0 do")
{
	judge_levels(t, bts_bits()->off_usr, is_from_os);
}

TEST(off_both, .id = "bts.levels.off_both", .needs = need_bts_cpl,
     .source = SDM ", CPL-Qualified Branch Trace Store Encodings",
     .claim = "with BTS_OFF_OS and BTS_OFF_USR together no branch writes a record, at any level")
{
	judge_off(t, "TR = 1, BTS = 1, BTS_OFF_OS = 1, BTS_OFF_USR = 1",
	          bts_bits()->tr | bts_bits()->bts | bts_bits()->off_os | bts_bits()->off_usr);
}

/* ------------------------------------------------------------------------ LBR beside it */

static const char *need_both(struct test_ctx *t)
{
	const char *reason = need_bts_modes(t);

	reason = reason ? reason : need_lbr(t);
	if (!reason && lbr_kind(NULL)->is_architectural)
		return test_reason(t, "CPUID.7.0:EDX[19] = 1: IA32_DEBUGCTL does not "
		                   "switch LBR on here");
	return reason;
}

TEST(with_lbr, .id = "bts.with_lbr", .needs = need_both, .source = SDM,
     .claim = "BTS and LBR record the same branches at the same time")
{
	lbr_enable(0);
	lbr_disable();
	bts_set_up(ROOM, NEVER, 0);
	judge_row(t, &branch_mix, MODE_CPL0, IA32_DEBUGCTL_LBR, NULL);
	expect_exact(t, "FROM of LBR's newest", lbr_get(0).from, branches_address(23),
	             "it is the last jump of the code");
	expect_exact(t, "TO of LBR's newest", lbr_get(0).to, branches_address(33),
	             "it is the last jump of the code");
}

/* BTS alone: the stack, which one jump marks, must hold that jump as its newest record. */
TEST(without_lbr, .id = "bts.without_lbr", .needs = need_both, .source = SDM,
     .claim = "BTS with IA32_DEBUGCTL.LBR = 0 writes its records and leaves the stack of LBR as "
              "it was")
{
	const struct branch_recorder by = { lbr_control_msr(), lbr_control_on(0) };
	struct branch_trace trace;
	struct lbr_record newest;
	unsigned tos;

	lbr_enable(0);
	lbr_disable();
	branches_run(branches_chain(1), MODE_CPL0, &by, &trace);
	tos = lbr_tos();
	newest = lbr_get(0);
	bts_set_up(ROOM, NEVER, 0);
	judge_row(t, &branch_mix, MODE_CPL0, 0, NULL);
	if (lbr_kind(NULL)->tos_msr)
		expect_exact(t, "TOS", lbr_tos(), tos, "LBR = 0: no record was made");
	expect_exact(t, "FROM of LBR's newest", lbr_get(0).from, newest.from,
	             "LBR = 0: no record was made");
	expect_exact(t, "TO of LBR's newest", lbr_get(0).to, newest.to,
	             "LBR = 0: no record was made");
}

TEST(debug, .id = "bts.with_lbr_debug", .needs = need_both, .source = SDM,
     .claim = "#DB, which switches LBR off, is a record of BTS, and so is the branch after it")
{
	bts_set_up(ROOM, NEVER, 0);
	if (pmu_is_exact()) {
		judge_row(t, &branch_step, MODE_CPL0, IA32_DEBUGCTL_LBR, NULL);
	} else {
		const struct branch_recorder by = bts_recorder(IA32_DEBUGCTL_LBR);
		struct branch_trace trace;

		branches_run(&branch_step, MODE_CPL0, &by, &trace);
		test_report(t, "BTS index after #DB and a jump", "%" PRIX64 "H; the manual says "
		            "what #DB does to LBR, and nothing of BTS", (uint64_t)ds_index(DS_BTS));
	}
	bts_expect_no_damage(t);
}

/* ------------------------------------------------------------------ processors without BTS */

static const char *need_no_ds(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (cpuid_get(CPUID_DS) || (!pmu_has(PMU_HAS_ONE_ENABLE) && p->version < 2))
		return test_reason(t, "CPUID.1:EDX[21] (DS) = %u, the PMU is %s",
		                   cpuid_get(CPUID_DS), p->class->name);
	return need_lbr(t);
}

/* P6's bits 7 and up are reserved; the manual does not say what a write of them does. */
static void judge_absent(struct test_ctx *t, uint64_t value)
{
	fault_t fault = msr_try_write(IA32_DEBUGCTL, value);

	if (pmu_has(PMU_HAS_ONE_ENABLE))
		test_report(t, "WRMSR to DebugCtlMSR", "%s", is_fault(fault) ? "#GP" : "no fault");
	else
		expect_fault(t, "WRMSR to IA32_DEBUGCTL", fault, X86_GP, 0, "the bit is reserved");
	expect_bits(t, "IA32_DEBUGCTL", msr_read(IA32_DEBUGCTL), value & ~IA32_DEBUGCTL_LBR, 0,
	            "a bit that does not exist reads 0");
	msr_write(IA32_DEBUGCTL, 0);
}

TEST(absent, .id = "bts.absent", .needs = need_no_ds,
     .source = "SDM 3B, DebugCtlMSR Register (P6 Family Processors); SDM 2C, WRMSR",
     .claim = "without a debug store, BTS, BTINT and its filters are reserved and raise #GP, also "
              "together with LBR")
{
	for (unsigned bit = 7; bit <= 10; bit++) {
		test_sub(t, "bit %u", bit);
		judge_absent(t, BIT(bit));
		judge_absent(t, BIT(bit) | IA32_DEBUGCTL_LBR);
	}
}

/* ------------------------------------------------------------------------ fast system calls */

static void judge_fast(struct test_ctx *t, const struct branch_row *row)
{
	bts_set_up(ROOM, NEVER, 0);
	branches_fast_begin();
	judge_row(t, row, MODE_CPL3, 0, NULL);
	branches_fast_end();
}

BRANCHES_FAST_TEST(sysenter, "bts", need_bts_modes, SDM, "SYSENTER and SYSEXIT write", judge_fast);
#ifdef __x86_64__
BRANCHES_FAST_TEST(syscall, "bts", need_bts_modes, SDM, "SYSCALL and SYSRET write", judge_fast);
#endif
