/* SPDX-License-Identifier: MIT */
/* Looks for registers of other generations. */
#ifndef TESTS_SUITES_COMMON_ABSENT_MSRS_H
#define TESTS_SUITES_COMMON_ABSENT_MSRS_H

#include <stdint.h>

#include <kernel/run/test.h>

/* A row of registers at consecutive addresses; count 0 ends a table. */
struct absent_msrs { uint32_t first, count; };

/*
 * Reads each register. Where silicon cannot have registers that nobody documented, each read must
 * raise #GP(0), because of `why`; elsewhere the number of those that can be read is reported, and
 * the first one.
 */
void judge_absent(struct test_ctx *t, const struct absent_msrs *rows, const char *why);

#endif
