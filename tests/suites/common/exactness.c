/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/exactness.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>

/* Shows a count that is not judged, with the reason or with what an exact machine counts. */
static void show(struct test_ctx *t, const char *what, uint64_t got, const struct bounds *exact,
                 const char *because)
{
	char text[NUMBER_TEXT_SIZE];

	number_text(got, text);
	if (because)
		test_report(t, what, "%s; not judged: %s", text, because);
	else if (exact->low == exact->high)
		test_report(t, what, "%s; an exact machine has %" PRIu64, text, exact->low);
	else
		test_report(t, what, "%s; an exact machine has %" PRIu64 " to %" PRIu64, text,
		            exact->low, exact->high);
}

bool expect_bounds_at(struct test_ctx *t, struct test_place at, const char *what, uint64_t got,
                      struct bounds exact, struct bounds otherwise)
{
	const struct bounds *b = pmu_is_exact() ? &exact : &otherwise;

	if (b->kind == BOUNDS_SHOWN)
		show(t, what, got, &exact, b->why);
	if (b->kind != BOUNDS_JUDGED)
		return true;
	if (b->low == b->high)
		return expect_exact_at(t, at, what, got, b->low, b->why);
	return expect_between_at(t, at, what, got, b->low, b->high, b->why);
}

bool should_run_again(unsigned runs, uint64_t got, struct bounds otherwise)
{
	enum { MOST_RUNS = 8 };
	const bool is_signed = (int64_t)otherwise.low < 0;
	const bool is_below = is_signed ? (int64_t)got < (int64_t)otherwise.low
	                                : (int64_t)got < 0 || got < otherwise.low;
	const bool is_above = is_signed ? (int64_t)got > (int64_t)otherwise.high
	                                : got > otherwise.high;

	return !pmu_is_exact() && otherwise.kind == BOUNDS_JUDGED && runs < MOST_RUNS
	       && (is_below || is_above);
}

uint64_t unless_exact(uint64_t slack)
{
	return pmu_is_exact() ? 0 : slack;
}

bool is_comparable(bool is_one_window)
{
	return is_one_window || pmu_is_exact();
}

bool has_only_listed_msrs(void)
{
	return pmu_is_exact() || cpuid_get(CPUID_HYPERVISOR);
}

const char *need_exact(struct test_ctx *t, const char *why)
{
	return pmu_is_exact() ? NULL
	       : test_reason(t, "the command line has no word `exact`: %s", why);
}
