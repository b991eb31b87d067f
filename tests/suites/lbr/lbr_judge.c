/* SPDX-License-Identifier: MIT */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/regs/lbr.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>

enum { NAME_SIZE = 48 };

NEED_BOTH(need_lbr_modes, need_lbr, need_modes)

const char *need_lbr_depth(struct test_ctx *t, unsigned depth)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && lbr_kind(NULL)->depth < depth)
		return test_reason(t, "%u record of %s, the test needs %u",
		                   lbr_kind(NULL)->depth, lbr_kind(NULL)->name, depth);
	return reason;
}

const char *need_lbr_filter(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && !lbr_kind(NULL)->select_msr && !lbr_kind(NULL)->is_architectural)
		return test_reason(t, "%s has no MSR_LBR_SELECT", lbr_kind(NULL)->name);
	return reason;
}

const char *need_lbr_arch(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && !lbr_kind(NULL)->is_architectural)
		return test_reason(t, "CPUID.7.0:EDX[19] = 0: last branch records are those of %s",
		                   lbr_kind(NULL)->name);
	return reason;
}

const char *need_lbr_legacy(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && lbr_kind(NULL)->is_architectural)
		return test_reason(t, "CPUID.7.0:EDX[19] = 1: records are architectural, none is "
		                   "model specific");
	return reason;
}

/* MSR_LBR_SELECT, or the depth, is written here; the code itself starts recording. */
struct branch_recorder lbr_recorder(uint64_t select)
{
	lbr_enable(select);
	lbr_disable();
	lbr_clear();
	return (struct branch_recorder){ lbr_control_msr(), lbr_control_on(select) };
}

/*
 * On P6, by its manual, LastBranchFromIP of an exception or interrupt is one instruction off in
 * some cases.
 */
static bool is_sure(const struct branch_want *want)
{
	return !lbr_kind(NULL)->has_offsets || want->kind != BRANCH_FAR || pmu_is_exact();
}

static bool expect_record(struct test_ctx *t, unsigned age, uint64_t from, uint64_t to,
                          const char *why)
{
	struct lbr_record got = lbr_get(age);
	char what[NAME_SIZE];
	bool is_right;

	format_buf(what, sizeof(what), "FROM, %u before the newest", age);
	is_right = expect_exact(t, what, got.from, from, why);
	format_buf(what, sizeof(what), "TO, %u before the newest", age);
	return expect_exact(t, what, got.to, to, why) && is_right;
}

void lbr_expect_newest(struct test_ctx *t, uint64_t from, uint64_t to, const char *why)
{
	expect_record(t, 0, from, to, why);
}

static bool is_there(unsigned age, const struct branch_want *want)
{
	struct lbr_record got = lbr_get(age);

	return got.from == want->from && got.to == want->to;
}

/* Judges records from the newest to the oldest. Returns their number, or depth
 * + 1 if one was wrong. */
static unsigned judge_records(struct test_ctx *t, const struct branch_trace *trace,
                              lbr_chooses chooses, uint64_t argument)
{
	unsigned depth = lbr_kind(NULL)->depth, age = 0;

	for (unsigned i = trace->count; i-- > 0 && age < depth;) {
		const struct branch_want *want = &trace->want[i];
		enum lbr_choice choice = chooses ? chooses(want, argument) : LBR_RECORDED;

		if (choice == LBR_LEFT_OUT
		    || ((choice == LBR_MAY_BE || !is_sure(want)) && !is_there(age, want)))
			continue;
		if (!expect_record(t, age, want->from, want->to,
		                   "each taken branch is recorded, from its own address to its "
		                   "target; nothing else is recorded"))
			return depth + 1;
		age++;
	}
	return age;
}

static unsigned count_all(const struct branch_trace *trace, lbr_chooses chooses,
                          uint64_t argument, unsigned found)
{
	unsigned count = 0;

	if (!chooses)
		return trace->count;
	for (unsigned i = 0; i < trace->count; i++)
		count += chooses(&trace->want[i], argument) == LBR_RECORDED;
	return count > found ? count : found;
}

void lbr_judge_row(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode,
                   uint64_t select, lbr_chooses chooses, uint64_t argument)
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	struct branch_recorder by = lbr_recorder(select);
	bool is_clear = lbr_clear();
	unsigned first = lbr_tos(), found, count;
	struct branch_trace trace;
	struct mode_result r = branches_run(row, mode, &by, &trace);

	lbr_disable();
	test_sub(t, "%s, %s", row->what, mode_name(mode));
	if (!expect_no_fault(t, "outcome", r.fault, "the code runs to its end"))
		return;
	found = judge_records(t, &trace, chooses, argument);
	if (found > kind->depth)
		return;
	count = count_all(&trace, chooses, argument, found);
	if (kind->tos_msr)
		expect_exact(t, "TOS", lbr_tos(), (first + count) % kind->depth,
		             "the top of the stack moves by one with each record");
	if (is_clear && found < kind->depth)
		expect_record(t, found, 0, 0,
		              "no other branch was recorded since all records were 0");
}
