/* SPDX-License-Identifier: MIT */
/* Says what of instruction-based sampling this processor has, to the suites that use it. */
#ifndef TESTS_SUITES_COMMON_AMD_IBS_NEEDS_H
#define TESTS_SUITES_COMMON_AMD_IBS_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>

#define IBS_OP     "APM 2, \"IBS Execution Sampling\""

/* Need IBS, and a capability of it. */
const char *need_ibs(struct test_ctx *t);
const char *need_ibs_cap(struct test_ctx *t, uint32_t cap, const char *name);

/* Need IBS of this kind, and code that samples may be taken of; with them an interrupt; and with
 * that a capability that CPUID reports. */
const char *need_ibs_op(struct test_ctx *t);
const char *need_ibs_fetch(struct test_ctx *t);
const char *need_ibs_interrupt(struct test_ctx *t);
const char *need_ibs_op_sampling(struct test_ctx *t);
const char *need_ibs_fetch_sampling(struct test_ctx *t);
const char *need_ibs_count_ops(struct test_ctx *t);    /* CntCtl */
const char *need_ibs_current(struct test_ctx *t);      /* CurCnt can be written */
const char *need_ibs_target(struct test_ctx *t);       /* IbsBrTarget */

/* CntCtl where the processor has it: periods are then of ops, which are the same each time. */
uint64_t ibs_by_ops(void);

/* Says which of the samples' RIPs can be wrong: the first steppings of 10H, erratum 337. */
bool ibs_rip_is_exact(void);

#endif
