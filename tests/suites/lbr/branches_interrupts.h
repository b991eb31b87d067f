/* SPDX-License-Identifier: MIT */
/* Interrupts in the middle of recorded code; each ends the recording: branches.h, AT_STOP. */
#ifndef TESTS_SUITES_LBR_BRANCHES_INTERRUPTS_H
#define TESTS_SUITES_LBR_BRANCHES_INTERRUPTS_H

#include <tests/suites/lbr/branches.h>

const char *need_branch_pmi(struct test_ctx *t);

/* A PMI, as an NMI, in a LOOP at CPL 3; branches_stopped_at() is where in it, 0: none came. The
 * LOOP's one branch is *loop. */
void branches_run_pmi(const struct branch_recorder *by, struct branch_want *loop);

/* An interrupt of the APIC that waits for STI at CPL 0. It returns to *want's from. */
void branches_run_sti(const struct branch_recorder *by, struct branch_want *want);

#endif
