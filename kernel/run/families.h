/* SPDX-License-Identifier: MIT */
/*
 * Skips a whole family of tests in one result: the tests whose ids begin with the family's, on a
 * machine that has none of what they test.
 */
#ifndef KERNEL_RUN_FAMILIES_H
#define KERNEL_RUN_FAMILIES_H

#include <kernel/log/id_set.h>
#include <kernel/run/test.h>

/* A row of the table that a layer above the kernel hands in (engine_hooks.h), outer ones first. */
#define FAMILY(id_, needs_)  { .id = (id_), .needs = (needs_), .run = family_is_there }
void family_is_there(struct test_ctx *t);

/*
 * Asks each family that has tests among these, on each processor. Where no processor has what a
 * family needs, the family takes the place of those of its tests that would be skipped, if there
 * are two or more. Returns how many are left.
 */
unsigned families_fold(const struct test **tests, unsigned count);

/* Returns the tests that this one stands for, or NULL if it is not a family. */
const struct id_set *family_tests(const struct test *test);

#endif
