/* SPDX-License-Identifier: MIT */
/* Takes interrupts in the middle of recorded code. Each ends the recording: see AT_STOP in
 * branches.h. */
#ifndef TESTS_SUITES_LBR_BRANCHES_INTERRUPTS_H
#define TESTS_SUITES_LBR_BRANCHES_INTERRUPTS_H

#include <tests/suites/lbr/branches.h>

const char *need_branch_pmi(struct test_ctx *t);

/* Takes a PMI, as an NMI, in a LOOP at CPL 3; branches_stopped_at() is the PMI's address in the
 * LOOP, or 0 if no PMI came. *loop gets the LOOP's branch. */
void branches_run_pmi(const struct branch_recorder *by, struct branch_want *loop);

/* Takes an interrupt of the APIC that waits for STI at CPL 0. The interrupt returns to *want's
 * from. */
void branches_run_sti(const struct branch_recorder *by, struct branch_want *want);

#endif
