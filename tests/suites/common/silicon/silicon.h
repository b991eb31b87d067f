/* SPDX-License-Identifier: MIT */
/*
 * What sound processors are published to do against the manual's words: errata, and measurements.
 * A test that one of them contradicts accepts it, or does not judge, on these processors; on all
 * others it demands what the manual says. docs/silicon.md lists the rows.
 *
 * An exact machine has none of them, because it is a model of the manual's words.
 */
#ifndef TESTS_SUITES_COMMON_SILICON_SILICON_H
#define TESTS_SUITES_COMMON_SILICON_SILICON_H

#include <stdbool.h>
#include <stdint.h>

#include <tests/suites/common/exactness.h>
#include <tests/suites/common/silicon/silicon_rows.h>

#define SILICON_NAME(name, ...)  SILICON_##name,
enum silicon { SILICON_ROWS(SILICON_NAME) SILICON_COUNT };
#undef SILICON_NAME

/* Returns whether a row is about this processor. */
bool silicon_has(enum silicon row);

/* Returns whether the counter is one of IA32_PMC4 to 7, and the row is about this processor. */
bool silicon_has_upper(enum silicon row, unsigned counter);

/* Returns the row's reason: the names of errata or the measurement, and what the processors do. */
const char *silicon_why(enum silicon row);

/* Returns the exact bounds, or these on the row's processors. */
struct bounds silicon_in(enum silicon row, struct bounds usual, uint64_t low, uint64_t high);

/* Returns the usual bounds, or those that show a value on the row's processors. */
struct bounds silicon_shown(enum silicon row, struct bounds usual);

/* Needs a processor that the row is not about; the reason to skip is the row's. */
const char *silicon_need_not(struct test_ctx *t, enum silicon row);

/* Expects a counter's instructions to be those of another counter in the same window, with so many
 * IRETs and interrupts, which on some processors count twice on general counters. */
void silicon_expect_same(struct test_ctx *t, const char *what, uint64_t got, uint64_t want,
                         unsigned irets, const char *why);

/* Expects want, except on the row's processors, where the value is shown with the reason. */
#define expect_unless(t, row, what, got, want, why) \
	expect_bounds(t, what, got, if_exact(want, why), \
	              silicon_shown(row, else_exact(want, why)))

#define expect_between_unless(t, row, what, got, low, high, why) \
	expect_bounds(t, what, got, if_exact_in(low, high, why), \
	              silicon_shown(row, else_in(low, high, why)))

/* Shows that a part of a test is left out on the row's processors. Returns whether it is. */
bool silicon_leaves_out(struct test_ctx *t, enum silicon row, const char *what);

#endif
