/* SPDX-License-Identifier: MIT */
/* What the suites of branch trace store share. */
#ifndef TESTS_SUITES_LBR_BTS_SUITE_H
#define TESTS_SUITES_LBR_BTS_SUITE_H

#include <kernel/run/test.h>
#include <pmu/sampling/ds.h>
#include <tests/suites/lbr/branches.h>

/* The bits of IA32_DEBUGCTL, of NetBurst's MSR_DEBUGCTLA. */
struct bts_bits { uint64_t tr, bts, btint, off_os, off_usr; };
const struct bts_bits *bts_bits(void);

/* Needs: the mode services, too; and CPUID.1:ECX[4] (DS-CPL); and a PMI. */
const char *need_bts_modes(struct test_ctx *t);
const char *need_bts_cpl(struct test_ctx *t);
const char *need_bts_pmi(struct test_ctx *t);

/* A DS area with a BTS buffer alone: room for so many records, PMI after `threshold` of them. */
void bts_set_up(unsigned records, unsigned threshold, unsigned extra);

/* The recorder: TR, BTS and these bits more. */
struct branch_recorder bts_recorder(uint64_t more);

/* Record i against what must stand in it. */
bool bts_expect_record(struct test_ctx *t, unsigned i, const struct branch_want *want,
                       const char *why);

/* So many bytes of records, and nothing written elsewhere. */
void bts_expect_index(struct test_ctx *t, unsigned records, const char *why);
void bts_expect_no_damage(struct test_ctx *t);

#endif
