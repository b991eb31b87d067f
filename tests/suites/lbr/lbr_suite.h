/* SPDX-License-Identifier: MIT */
/* Declares what the suites of last branch records share. */
#ifndef TESTS_SUITES_LBR_LBR_SUITE_H
#define TESTS_SUITES_LBR_LBR_SUITE_H

#include <kernel/run/test.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/lbr/branches.h>

#define MONITORING "SDM 3B, Monitoring Branches, Exceptions, and Interrupts"

/* Need LBR and the mode services; so many entries; MSR_LBR_SELECT or architectural filters. */
const char *need_lbr_modes(struct test_ctx *t);
const char *need_lbr_depth(struct test_ctx *t, unsigned depth);
const char *need_lbr_filter(struct test_ctx *t);
const char *need_lbr_legacy(struct test_ctx *t);
const char *need_lbr_arch(struct test_ctx *t);

/* Returns the recorder with this filter (lbr_control_on()). Empties the stack if it can be
 * written. */
struct branch_recorder lbr_recorder(uint64_t select);

/* Says whether a branch must be in the stack; with LBR_MAY_BE both are right. */
enum lbr_choice { LBR_LEFT_OUT, LBR_RECORDED, LBR_MAY_BE };
typedef enum lbr_choice (*lbr_chooses)(const struct branch_want *want, uint64_t argument);

/* Records the row in this mode with this filter; the stack must hold the branches that `chooses`
 * selects, and TOS must agree. NULL selects all. */
void lbr_judge_row(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode,
                   uint64_t select, lbr_chooses chooses, uint64_t argument);

/* Checks that the newest record has these addresses. */
void lbr_expect_newest(struct test_ctx *t, uint64_t from, uint64_t to, const char *why);

#endif
