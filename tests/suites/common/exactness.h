/* SPDX-License-Identifier: MIT */
/*
 * One expectation for two kinds of machine. A machine is exact if the command line has the word
 * `exact`: it counts the same each time, without skid, without prefetches and other speculation, as
 * the model does. On another machine the same count has wider bounds, or cannot be judged.
 *
 *	expect_bounds(t, "PMIs", count, if_exact(9, "one for each of nine overflows"),
 *	              else_in(1, 9, "low: one may report all; high: one for each"));
 */
#ifndef TESTS_SUITES_COMMON_EXACTNESS_H
#define TESTS_SUITES_COMMON_EXACTNESS_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>

/* From low to high; why justifies both. Elsewhere the count may be shown or left out instead; why
 * is then the reason, or NULL. */
enum bounds_kind { BOUNDS_LEFT_OUT, BOUNDS_SHOWN, BOUNDS_JUDGED };
struct bounds {
	enum bounds_kind kind;
	uint64_t low, high;
	const char *why;
};

static inline struct bounds bounds_of(enum bounds_kind kind, uint64_t low, uint64_t high,
                                      const char *why)
{
	return (struct bounds){ .kind = kind, .low = low, .high = high, .why = why };
}

/* The bounds on an exact machine. */
#define if_exact(want, why)          else_exact(want, why)
#define if_exact_in(low, high, why)  else_in(low, high, why)

/* The bounds on any other machine. */
static inline struct bounds else_exact(uint64_t want, const char *why)
{
	return bounds_of(BOUNDS_JUDGED, want, want, why);
}
#define else_in(low, high, why)  bounds_of(BOUNDS_JUDGED, low, high, why)
#define else_shown(because)      bounds_of(BOUNDS_SHOWN, 0, 0, because)
#define ELSE_SHOWN               else_shown(NULL)
#define ELSE_NOTHING             bounds_of(BOUNDS_LEFT_OUT, 0, 0, NULL)

/* Expects got to lie in the bounds of this kind of machine. Returns true if it does, and where it
 * is not judged. */
#define expect_bounds(t, what, got, exact, otherwise) \
	expect_bounds_at(t, TEST_PLACE, what, got, exact, otherwise)
bool expect_bounds_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                      struct bounds exact, struct bounds otherwise);

/*
 * Returns whether such a count should be taken again, after so many runs. On a machine that is not
 * exact, other code and what caches, TLBs and predictors hold move a count in one run or another; a
 * defect moves it in each of them.
 */
bool should_run_again(unsigned runs, uint64_t got, struct bounds otherwise);

/* Returns how far a value may be off, or which bits may differ: 0 on an exact machine. */
uint64_t unless_exact(uint64_t slack);

/* Returns whether counts of several windows of the same code can be compared, as those of one
 * window always can. */
bool is_comparable(bool is_one_window);

/* Returns whether a register that no manual lists cannot be there: on an exact machine, and in a
 * hypervisor's guest. Sound chips have registers that nobody documented. */
bool has_only_listed_msrs(void);

/* Needs an exact machine; the reason to skip names the word that is missing, and then says why it
 * is needed. */
const char *need_exact(struct test_ctx *t, const char *why);

#endif
