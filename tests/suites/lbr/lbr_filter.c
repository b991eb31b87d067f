/* SPDX-License-Identifier: MIT */
/* Filters: MSR_LBR_SELECT leaves out what its bits name, IA32_LBR_CTL lets in what its bits
 * name. */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/regs/lbr.h>
#include <arch/regs/table.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>

#define SDM "SDM 3B, Filtering of Last Branch Records; Architectural Last Branch Records"

/* Kinds of branches in the order of their enum: MSR_LBR_SELECT's bit, IA32_LBR_CTL's bit. */
static const struct { const char *name; uint64_t select, control; } kinds[BRANCH_KINDS] = {
	[BRANCH_JCC]      = { "JCC", MSR_LBR_SELECT_JCC, IA32_LBR_CTL_JCC },
	[BRANCH_REL_CALL] = { "NEAR_REL_CALL", MSR_LBR_SELECT_NEAR_REL_CALL,
	                      IA32_LBR_CTL_NEAR_REL_CALL },
	[BRANCH_IND_CALL] = { "NEAR_IND_CALL", MSR_LBR_SELECT_NEAR_IND_CALL,
	                      IA32_LBR_CTL_NEAR_IND_CALL },
	[BRANCH_RET]      = { "NEAR_RET", MSR_LBR_SELECT_NEAR_RET, IA32_LBR_CTL_NEAR_RET },
	[BRANCH_IND_JMP]  = { "NEAR_IND_JMP", MSR_LBR_SELECT_NEAR_IND_JMP,
	                      IA32_LBR_CTL_NEAR_IND_JMP },
	[BRANCH_REL_JMP]  = { "NEAR_REL_JMP", MSR_LBR_SELECT_NEAR_REL_JMP,
	                      IA32_LBR_CTL_NEAR_REL_JMP },
	[BRANCH_FAR]      = { "FAR_BRANCH", MSR_LBR_SELECT_FAR_BRANCH, IA32_LBR_CTL_OTHER_BRANCH },
};

enum { ALL_KINDS = (1 << BRANCH_KINDS) - 1, OS = 1, USR = 2 };

/* Returns a filter that lets in these kinds (a bit each) at these levels. */
static uint64_t filter(unsigned allowed, unsigned levels)
{
	uint64_t select = (levels & OS ? 0 : MSR_LBR_SELECT_CPL_EQ_0)
	                  | (levels & USR ? 0 : MSR_LBR_SELECT_CPL_NEQ_0);
	uint64_t control = (levels & OS ? IA32_LBR_CTL_OS : 0)
	                   | (levels & USR ? IA32_LBR_CTL_USR : 0);

	for (unsigned i = 0; i < BRANCH_KINDS; i++) {
		select |= allowed >> i & 1 ? 0 : kinds[i].select;
		control |= allowed >> i & 1 ? kinds[i].control : 0;
	}
	return lbr_kind(NULL)->is_architectural ? control : select;
}

/* argument has kinds in its low bits and levels above them. Editions of the manual differ on
 * whether the level before or after a branch that changes the level decides. */
static enum lbr_choice by_filter(const struct branch_want *want, uint64_t argument)
{
	unsigned levels = (unsigned)(argument >> BRANCH_KINDS);
	bool from = levels & (want->from_cpl ? USR : OS), to = levels & (want->to_cpl ? USR : OS);

	if (!(argument >> want->kind & 1) || (!from && !to))
		return LBR_LEFT_OUT;
	return from && to ? LBR_RECORDED : LBR_MAY_BE;
}

static void judge_mode(struct test_ctx *t, enum cpu_mode mode, unsigned allowed, unsigned levels)
{
	lbr_judge_row(t, &branch_mix, mode, filter(allowed, levels), by_filter,
	              allowed | levels << BRANCH_KINDS);
}

static void judge(struct test_ctx *t, unsigned allowed, unsigned levels)
{
	judge_mode(t, MODE_CPL0, allowed, levels);
	judge_mode(t, MODE_CPL3, allowed, levels);
}

/* Nehalem and Westmere have an erratum: they record more or less where calls are filtered. */
static const char *need_kinds(struct test_ctx *t)
{
	const char *reason = need_lbr_filter(t);

	if (!reason && lbr_kind(NULL)->format == LBR_FORMAT_FLAGS && !pmu_is_exact())
		return test_reason(t, "IA32_PERF_CAPABILITIES[5:0] = 3: Nehalem's filters of calls "
		                   "have an erratum");
	return reason;
}

TEST(one, .id = "lbr.filter.one", .needs = need_kinds, .source = SDM,
     .claim = "the filter of one kind of branch leaves out that kind and no other")
{
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		judge(t, ALL_KINDS & ~(1u << i), OS | USR);
}

TEST(only, .id = "lbr.filter.only", .needs = need_kinds, .source = SDM,
     .claim = "with all kinds except one filtered, that one is recorded and no other")
{
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		judge(t, 1u << i, OS | USR);
}

TEST(levels, .id = "lbr.filter.levels", .needs = need_lbr_filter, .source = SDM,
     .claim = "with one level of privilege filtered, only branches of the other level are "
              "recorded: CPL 0 or CPL 1 to 3")
{
	FOR_EACH_BRANCH_MODE(&branch_mix, mode) {
		judge_mode(t, mode, ALL_KINDS, OS);
		judge_mode(t, mode, ALL_KINDS, USR);
	}
}

TEST(all, .id = "lbr.filter.all", .needs = need_lbr_filter, .source = SDM,
     .claim = "with all kinds filtered, or both levels of privilege, nothing is recorded")
{
	judge(t, 0, OS | USR);
	judge(t, ALL_KINDS, 0);
}

/* ------------------------------------------------------------------------ call stack */

static const char *need_call_stack(struct test_ctx *t)
{
	const char *reason = need_lbr_filter(t);

	if (!reason && !lbr_kind(NULL)->has_call_stack)
		return test_reason(t, "%s has no call-stack mode, which came with Haswell",
		                   lbr_kind(NULL)->name);
	return reason;
}

/* Each row ends inside of so many calls, after a RET took one back. branch lists
 * the calls under way. */
static const struct branch_row stacks[] = {
	{ "one CALL", IN_WIDE, BRANCH_CODE(0xe8, 1, 0, 0, 0, 0x90),
	  BRANCHES({ 0, 6, BRANCH_REL_CALL }) },
	{ "two CALLs", IN_WIDE, BRANCH_CODE(0xe8, 1, 0, 0, 0, 0x90, 0xe8, 1, 0, 0, 0, 0x90),
	  BRANCHES({ 0, 6, BRANCH_REL_CALL }, { 6, 12, BRANCH_REL_CALL }) },
	{ "CALL, indirect CALL", IN_WIDE, BRANCH_CODE(0xe8, 1, 0, 0, 0, 0x90, 0xff, 0xd0, 0x90),
	  .target = 9, BRANCHES({ 0, 6, BRANCH_REL_CALL }, { 6, 9, BRANCH_IND_CALL }) },
	{ "two CALLs, one RET", IN_WIDE,
	  BRANCH_CODE(0xe8, 1, 0, 0, 0, 0x90,           /*  0 CALL 6 */
	              0xe8, 2, 0, 0, 0,                 /*  6 CALL 13 */
	              0xeb, 0x01,                       /* 11 JMP 14 */
	              0xc3),                            /* 13 RET */
	  BRANCHES({ 0, 6, BRANCH_REL_CALL }) },
	{ "CALL, RET, CALL", IN_WIDE,
	  BRANCH_CODE(0xe8, 8, 0, 0, 0,                 /*  0 CALL 13 */
	              0xe8, 4, 0, 0, 0,                 /*  5 CALL 14 */
	              0x90, 0x90, 0x90,
	              0xc3),                            /* 13 RET */
	  BRANCHES({ 5, 14, BRANCH_REL_CALL }) },
};

static enum lbr_choice calls_alone(const struct branch_want *want, uint64_t argument)
{
	(void)argument;
	return want->kind == BRANCH_FAR ? LBR_LEFT_OUT : LBR_RECORDED;
}

TEST(call_stack, .id = "lbr.call_stack.depth", .needs = need_call_stack,
     .source = "SDM 3B, LBR Stack, Call Stack Profiling",
     .claim = "in call-stack mode a CALL puts its record on the stack and its RET removes it")
{
	const unsigned calls = 1u << BRANCH_REL_CALL | 1u << BRANCH_IND_CALL | 1u << BRANCH_RET;
	uint64_t select = filter(calls, OS | USR)
	                  | (lbr_kind(NULL)->is_architectural ? IA32_LBR_CTL_CALL_STACK
	                                                      : MSR_LBR_SELECT_EN_CALLSTACK);

	for (unsigned i = 0; i < COUNT_OF(stacks); i++) {
		lbr_judge_row(t, &stacks[i], MODE_CPL0, select, calls_alone, 0);
		lbr_judge_row(t, &stacks[i], MODE_CPL3, select, calls_alone, 0);
	}
}
