/* SPDX-License-Identifier: MIT */
/* SYSENTER and SYSCALL, and the instructions that return from them, as rows of branches.h. */
#ifndef TESTS_SUITES_LBR_BRANCHES_FAST_H
#define TESTS_SUITES_LBR_BRANCHES_FAST_H

#include <tests/suites/lbr/branches.h>

extern const struct branch_row branch_sysenter, branch_syscall;

/* Need CPUID.1:EDX[11]; the 64-bit kernel and CPUID.80000001H:EDX[11]. */
const char *need_branch_sysenter(struct test_ctx *t);
const char *need_branch_syscall(struct test_ctx *t);

/* Call these around a row: they set the MSRs that lead to the handlers, and restore them. */
void branches_fast_begin(void);
void branches_fast_end(void);

#endif
