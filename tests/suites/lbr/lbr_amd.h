/* SPDX-License-Identifier: MIT */
/* Declares what the suites of AMD's branch records share. Addresses are bits 56:0 of a register. */
#ifndef TESTS_SUITES_LBR_LBR_AMD_H
#define TESTS_SUITES_LBR_LBR_AMD_H

#include <arch/regs/amd.h>
#include <kernel/run/test.h>
#include <tests/suites/common/amd/amd_suite.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/lbr/branches.h>

#define AMD_RECORDING "APM 2, \"Control-Transfer Recording Using Last Branch Control MSR\""
#define AMD_STACK     "APM 2, \"Last Branch Record Stack\""
#define AMD_BRS       "Linux, arch/x86/events/amd/brs.c"

/* Need the pair, the stack, or BRS, and code in any mode. */
const char *need_amd_pair(struct test_ctx *t);
const char *need_amd_stack(struct test_ctx *t);
const char *need_amd_brs(struct test_ctx *t);

unsigned amd_stack_depth(void);

/* Returns bits 56:0 of a register. */
uint64_t amd_address(uint32_t msr);

/* Expects the registers of a record to hold these addresses. Entry 0 of the stack is the newest. */
bool expect_amd_record(struct test_ctx *t, uint32_t from_msr, const struct branch_want *want,
                       const char *why);

/* Returns the recorder of the pair, or of the stack, which it empties. */
struct branch_recorder amd_pair_recorder(void);
struct branch_recorder amd_stack_recorder(uint64_t select);

#endif
