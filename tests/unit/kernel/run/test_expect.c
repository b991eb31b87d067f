/* SPDX-License-Identifier: MIT */
/* How expectations judge and print numbers: differences have their sign. */
/* LINK: kernel/run/expect.c kernel/lib/format.c kernel/lib/string.c */
#include <kernel/run/result.h>

#include <tests/unit/unit.h>

static struct test_ctx t;

static const char *number(uint64_t value)
{
	static char text[NUMBER_TEXT_SIZE];

	return number_text(value, text);
}

UNIT_TEST(a_number_below_zero_has_its_sign)
{
	check_str("0", number(0), "0");
	check_str("9", number(9), "9");
	check_str("16", number(16), "16 (10H)");
	check_str("2 less than 0", number(0 - UINT64_C(2)), "-2 (FFFFFFFFFFFFFFFEH)");
	check_str("2^40 less than 0", number(0 - (UINT64_C(1) << 40)),
	          "-1099511627776 (FFFFFF0000000000H)");
}

/* Makes a run of the test whose checks have these names, of which some fail. */
static const struct test_ctx *run(const char *failing, const char *also)
{
	result_init(&t, NULL);
	expect_exact(&t, failing, 1, 0, "why");
	expect_exact(&t, "sound", 0, 0, "why");
	if (also)
		expect_exact(&t, also, 2, 0, "why");
	return &t;
}

UNIT_TEST(a_check_that_fails_in_each_run_is_no_doubt)
{
	static struct doubt d;

	doubt_begin(&d, run("a", "b"));
	check_true("b is left", doubt_keep(&d, run("b", "c")));
	check_true("b again", doubt_keep(&d, run("b", NULL)));
	check_eq_u64("runs", d.runs, 3);
	check_eq_u64("checks", d.checks, 1);
	check_str("which", d.what[0], "b");
	check_str("the first one", d.first.what, "a");
}

UNIT_TEST(checks_that_fail_in_turns_are_in_doubt)
{
	static struct doubt d;

	doubt_begin(&d, run("a", "b"));
	check_true("b is left", doubt_keep(&d, run("b", "c")));
	check_true("none is left", !doubt_keep(&d, run("a", "c")));
	check_true("none comes back", !doubt_keep(&d, run("b", NULL)));
}

UNIT_TEST(findings_that_were_not_kept_drop_no_check)
{
	static struct doubt d;

	doubt_begin(&d, run("a", NULL));
	run("b", NULL);
	for (unsigned i = 0; i < RESULT_MAX_FINDINGS; i++)
		expect_exact(&t, "c", 1, 0, "why");
	check_true("a may be among them", doubt_keep(&d, &t));
}

UNIT_TEST(a_register_with_upper_bits_is_not_below_zero)
{
	check_str("bit 63", number(UINT64_C(1) << 63), "9223372036854775808 (8000000000000000H)");
	check_str("an upper address", number(UINT64_C(0xffff800000001000)),
	          "18446603336221200384 (FFFF800000001000H)");
}

UNIT_TEST(a_finding_shows_a_difference_with_its_sign)
{
	const uint64_t few = 5, many = 3;

	result_init(&t, NULL);
	check_true("it fails", !expect_exact(&t, "more", many - few, 1000, "why"));
	check_str("got", t.finding[0].got, "-2 (FFFFFFFFFFFFFFFEH)");
	check_str("want", t.finding[0].want, "1000 (3E8H)");
	check_true("status", t.status == TEST_FAIL);
}

/* 2^64 - 2 lies between any low and UINT64_MAX if it is not seen to be below zero. */
UNIT_TEST(a_difference_below_zero_is_below_every_low)
{
	result_init(&t, NULL);
	check_true("no high", !expect_between(&t, "more", 0 - UINT64_C(2), 0, UINT64_MAX, "why"));
	check_str("got", t.finding[0].got, "-2 (FFFFFFFFFFFFFFFEH)");
	check_str("want", t.finding[0].want, "0 or more");
	check_true("a low below zero", expect_between(&t, "more", 0 - UINT64_C(2),
	                                              0 - UINT64_C(3), UINT64_MAX, "why"));
	check_true("a register", expect_between(&t, "value", UINT64_C(1) << 63, 1, UINT64_MAX,
	                                        "why"));
	check_true("too low", !expect_between(&t, "more", 0 - UINT64_C(2), 10, 20, "why"));
	check_str("want", t.finding[1].want, "10 to 20");
	check_eq_u64("findings", t.findings, 2);
}

UNIT_TEST(bounds_may_lie_on_both_sides_of_zero)
{
	const uint64_t low = 0 - UINT64_C(3);

	result_init(&t, NULL);
	check_true("-1", expect_between(&t, "more", 0 - UINT64_C(1), low, 1, "why"));
	check_true("1", expect_between(&t, "more", 1, low, 1, "why"));
	check_true("2", !expect_between(&t, "more", 2, low, 1, "why"));
	check_true("-4", !expect_between(&t, "more", 0 - UINT64_C(4), low, 1, "why"));
	check_true("nothing lies between 1 and 0", !expect_between(&t, "more", 0, 1, 0, "why"));
}

UNIT_MAIN()
