/* SPDX-License-Identifier: MIT */
/* Declares SYSENTER and SYSCALL, and the instructions that return from them, as rows of
 * branches.h. */
#ifndef TESTS_SUITES_LBR_BRANCHES_FAST_H
#define TESTS_SUITES_LBR_BRANCHES_FAST_H

#include <tests/suites/common/fast_calls.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/lbr/branches.h>

extern const struct branch_row branch_sysenter, branch_syscall;

/* Makes judge(t, &branch_NAME) the test family.records.NAME, of sysenter or syscall. leave is the
 * beginning of its claim. */
#define BRANCHES_FAST_TEST(name, family, needs_, source_, leave, judge) \
	static NEED_BOTH(need_##name, needs_, need_cpu_##name) \
	static void name(struct test_ctx *t) { judge(t, &branch_##name); } \
	TEST_OF(name, .id = family ".records." #name, .needs = need_##name, .source = source_, \
	     .claim = leave " a record each")

/* Set the MSRs that lead to the handlers, and restore them; must be called around a row. */
void branches_fast_begin(void);
void branches_fast_end(void);

#endif
