/* SPDX-License-Identifier: MIT */
/* Declares what the suites of branch trace store share. */
#ifndef TESTS_SUITES_LBR_BTS_SUITE_H
#define TESTS_SUITES_LBR_BTS_SUITE_H

#include <kernel/run/test.h>
#include <pmu/sampling/ds.h>
#include <tests/suites/lbr/branches.h>

#define AREA  "SDM 3B, BTS and DS Save Area"

/* Holds the bits of IA32_DEBUGCTL, or of NetBurst's MSR_DEBUGCTLA. */
struct bts_bits { uint64_t tr, bts, btint, off_os, off_usr; };
const struct bts_bits *bts_bits(void);

/* Need BTS and the mode services; also CPUID.1:ECX[4] (DS-CPL); also a PMI. */
const char *need_bts_modes(struct test_ctx *t);
const char *need_bts_cpl(struct test_ctx *t);
const char *need_bts_pmi(struct test_ctx *t);

/* Sets up a DS area with a BTS buffer only: room for so many records, a PMI after
 * `threshold` of them. */
void bts_set_up(unsigned records, unsigned threshold, unsigned extra);

/* Returns the recorder: TR, BTS and these additional bits. */
struct branch_recorder bts_recorder(uint64_t more);

/* Checks that record i holds this branch. */
bool bts_expect_record(struct test_ctx *t, unsigned i, const struct branch_want *want,
                       const char *why);

/* Checks that there are so many bytes of records, and that nothing else was written. */
void bts_expect_index(struct test_ctx *t, unsigned records, const char *why);
void bts_expect_no_damage(struct test_ctx *t);

#endif
