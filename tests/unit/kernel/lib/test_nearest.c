/* SPDX-License-Identifier: MIT */
/* LINK: kernel/lib/nearest.c kernel/lib/format.c */
#include <kernel/lib/nearest.h>

#include <string.h>

#include <tests/unit/unit.h>

static const char *meant(const char *typed, const char *const *known)
{
	static char text[NEAREST_TEXT_SIZE];
	struct nearest n;

	nearest_begin(&n, typed);
	for (; *known; known++)
		nearest_try(&n, *known);
	return nearest_text(&n, text);
}

static void check_meant(const char *typed, const char *const *known, const char *wanted)
{
	const char *got = meant(typed, known);

	check_true(typed, strcmp(got, wanted) == 0);
}

static const char *const commands[] = { "loads", "load", "lbr", "lesson", "roads", "pmi", NULL };

UNIT_TEST(the_most_similar_name_comes_first)
{
	check_meant("lods", commands, " (did you mean loads?)");
	check_meant("LOADS", commands, " (did you mean loads, load or roads?)");
	check_meant("pim", commands, "");
	check_meant("xyzzyxyzzy", commands, "");
	check_meant("", commands, "");
}

UNIT_TEST(a_name_is_kept_once)
{
	static const char *const twice[] = { "amd.*", "amd.*", "and.*", NULL };

	check_meant("amd.x", twice, " (did you mean amd.*?)");
	check_meant("amd.+", twice, " (did you mean amd.*?)");
}

UNIT_TEST(three_names_at_most_and_the_first_of_equals)
{
	static const char *const many[] = { "CTR13", "CTR14", "CTR1", "CTR15", "CTR16", NULL };

	check_meant("CTR1", many, " (did you mean CTR1, CTR13 or CTR14?)");
}

UNIT_TEST(names_that_are_too_long_are_left_out)
{
	static char longest[NEAREST_NAME_SIZE], longer[NEAREST_NAME_SIZE + 1];
	static const char *const names[] = { longest, longer, NULL };

	memset(longest, 'a', sizeof(longest) - 1);
	memset(longer, 'a', sizeof(longer) - 1);
	check_true("the longest fits", strlen(meant(longest, names)) == sizeof(longest) - 1 + 17);
	check_meant(longer, names, "");
}

UNIT_MAIN()
