/* SPDX-License-Identifier: MIT */
/* LINK: kernel/lib/glob.c */
#include <kernel/lib/glob.h>

#include <tests/unit/unit.h>

UNIT_TEST(without_wildcards_only_the_same_text_matches)
{
	check_true("same", glob_is_match("gp.overflow", "gp.overflow"));
	check_true("text is longer", !glob_is_match("gp.overflow", "gp.overflow2"));
	check_true("text is shorter", !glob_is_match("gp.overflow", "gp.overflo"));
	check_true("other case", !glob_is_match("gp", "GP"));
	check_true("a dot is a dot", !glob_is_match("gp.x", "gpax"));
}

UNIT_TEST(empty_pattern_and_text)
{
	check_true("both empty", glob_is_match("", ""));
	check_true("pattern empty", !glob_is_match("", "a"));
	check_true("text empty", !glob_is_match("a", ""));
	check_true("star, text empty", glob_is_match("*", ""));
	check_true("stars, text empty", glob_is_match("***", ""));
	check_true("?, text empty", !glob_is_match("?", ""));
}

UNIT_TEST(a_question_mark_is_one_character)
{
	check_true("one", glob_is_match("ctr?", "ctr3"));
	check_true("two", !glob_is_match("ctr?", "ctr31"));
	check_true("none", !glob_is_match("ctr?", "ctr"));
	check_true("in the middle", glob_is_match("c?r", "ctr"));
}

UNIT_TEST(a_star_is_any_number_of_characters)
{
	check_true("at the end", glob_is_match("gp.*", "gp.overflow.sets_global_status"));
	check_true("at the end, none", glob_is_match("gp.*", "gp."));
	check_true("at the beginning", glob_is_match("*.nops", "fixed.inst_retired.nops"));
	check_true("beginning differs", !glob_is_match("gp.*", "fixed.gp.x"));
	check_true("end differs", !glob_is_match("*.nops", "fixed.nops.x"));
	check_true("two", glob_is_match("*.inst_retired.*", "fixed.inst_retired.nops"));
	check_true("star and ?", glob_is_match("*?", "a"));
	check_true("star and ?, text empty", !glob_is_match("*?", ""));
}

UNIT_TEST(a_star_gives_back_what_it_took_too_early)
{
	check_true("aab", glob_is_match("*ab", "aab"));
	check_true("second of two places", glob_is_match("a*bc*d", "abbcxbcyd"));
	check_true("end of the last place", glob_is_match("*.x", "a.x.x"));
	check_true("mississippi", glob_is_match("m*iss*ip*", "mississippi"));
	check_true("mississippi with too many", !glob_is_match("m*iss*iss*iss*", "mississippi"));
}

UNIT_TEST(the_text_has_no_wildcards)
{
	check_true("star in the text", !glob_is_match("abc", "*"));
	check_true("star for a star", glob_is_match("*", "*"));
}

/* A recursive matcher would need about 10^20 steps here, and the test would not end. */
UNIT_TEST(many_stars_end_soon)
{
	char pattern[201], text[201];

	for (int i = 0; i < 200; i++) {
		pattern[i] = i % 2 ? 'a' : '*';
		text[i] = 'a';
	}
	pattern[199] = 'b';
	pattern[200] = text[200] = '\0';
	check_true("*a*a*...*b", !glob_is_match(pattern, text));
}

UNIT_MAIN()
