/* SPDX-License-Identifier: MIT */
/*
 * Last branch records: the newest taken branches, exceptions and interrupts are there with their
 * exact addresses, as many as the stack is deep; nothing is recorded while recording is off.
 */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <tests/suites/common/exactness.h>

#define STACK "SDM 3B, Last Branch, Interrupt, and Exception Recording, LBR Stack"

/* ------------------------------------------------------------------------ records */

static void judge_in_mode(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode)
{
	lbr_judge_row(t, row, mode, 0, NULL, 0);
}

static void judge_subject(struct test_ctx *t, enum branch_subject subject)
{
	branches_each(t, subject, judge_in_mode);
}

BRANCH_SUBJECT_TESTS("lbr", need_lbr_modes, MONITORING, "leave", "leaves", judge_subject);

/* ------------------------------------------------------------------------ the stack */

static const char *need_stack(struct test_ctx *t)
{
	return need_lbr_depth(t, 2);
}

TEST(depth, .id = "lbr.stack.depth", .needs = need_stack, .source = STACK,
     .claim = "the newest branches, as many as the stack is deep, are recorded in their order; the "
              "oldest are lost first")
{
	unsigned entries = lbr_kind(NULL)->depth;

	for (unsigned jumps = 1; jumps <= entries + 3; jumps++) {
		lbr_judge_row(t, branches_chain(jumps), MODE_CPL0, 0, NULL, 0);
		lbr_judge_row(t, branches_chain(jumps), MODE_CPL3, 0, NULL, 0);
	}
}

static const char *need_tos(struct test_ctx *t)
{
	const char *reason = need_stack(t);

	if (!reason && !lbr_kind(NULL)->tos_msr)
		return test_reason(t, "records of %s have no TOS: entry 0 is the newest",
		                   lbr_kind(NULL)->name);
	return reason;
}

TEST(tos, .id = "lbr.stack.tos", .needs = need_tos, .source = STACK,
     .claim = "TOS names the newest entry, increases by one with each record, and wraps to 0 after "
              "the last entry")
{
	struct branch_recorder by = lbr_recorder(0);
	unsigned entries = lbr_kind(NULL)->depth, top = lbr_tos();
	struct branch_trace trace;

	for (unsigned i = 0; i < entries + 1; i++) {
		branches_run(branches_chain(2), MODE_CPL0, &by, &trace);
		top = (top + trace.count) % entries;
		test_sub(t, "after %u records", (i + 1) * trace.count);
		expect_exact(t, "TOS", lbr_tos(), top,
		             "TOS increases before an entry is written, modulo the depth");
		expect_bounds(t, "MSR_LASTBRANCH_TOS, all bits",
		              msr_read(lbr_kind(NULL)->tos_msr),
		              if_exact(top, "it is an index of the stack, without other bits"),
		              ELSE_NOTHING);
		lbr_expect_newest(t, branches_address(2), branches_address(4),
		                  "TOS names the newest entry");
	}
}

/* ------------------------------------------------------------------------ off */

TEST(off, .id = "lbr.records.off", .needs = need_lbr_modes, .source = MONITORING,
     .claim = "while the enable bit is 0 nothing is recorded, whatever the filter says")
{
	struct branch_recorder by = lbr_recorder(0);
	unsigned top = lbr_tos();
	struct lbr_record first;
	struct branch_trace trace;

	branches_run(branches_chain(1), MODE_CPL0, &by, &trace);
	top = (top + trace.count) % lbr_kind(NULL)->depth;
	first = lbr_get(0);
	by.on &= ~UINT64_C(1);                  /* LBR, LBREN */
	branches_run(&branch_mix, MODE_CPL0, &by, &trace);
	branches_run(&branch_mix, MODE_CPL3, &by, &trace);
	if (lbr_kind(NULL)->tos_msr)
		expect_exact(t, "TOS", lbr_tos(), top, "no entry was written");
	lbr_expect_newest(t, first.from, first.to, "no entry was written");
	expect_exact(t, "FROM of the newest", first.from, branches_address(0),
	             "it is the jump that was recorded before");
}
