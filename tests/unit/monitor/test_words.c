/* SPDX-License-Identifier: MIT */
/* LINK: monitor/tools/words.c monitor/tools/expression.c */
#include <monitor/tools/command.h>

#include <arch/regs/table.h>
#include <tests/unit/monitor/words_monitor.h>
#include <tests/unit/unit.h>

static struct words w;
static char text[MONITOR_LINE_SIZE];

static bool split(const char *line)
{
	snprintf(text, sizeof(text), "%s", line);
	return words_split(&w, text);
}

UNIT_TEST(a_line_is_cut_at_blanks)
{
	check_true("cut", split("  wrmsr\t186H  EN=1 "));
	check_eq_u64("words", w.count, 3);
	check_str("first", w.word[0], "wrmsr");
	check_str("second", w.word[1], "186H");
	check_str("third", w.word[2], "EN=1");
	check_true("no command is looked up", w.command == NULL);
}

UNIT_TEST(a_line_without_words_has_none)
{
	check_true("empty", split("") && w.count == 0);
	check_true("blanks", split(" \t ") && w.count == 0);
}

UNIT_TEST(so_many_words_and_no_more)
{
	char line[2 * MONITOR_WORDS_MAX + 3] = "";

	for (int i = 0; i < MONITOR_WORDS_MAX; i++)
		strcat(line, "a ");
	check_true("all fit, and a blank after them", split(line));
	check_eq_u64("words", w.count, MONITOR_WORDS_MAX);
	strcat(line, "a");
	check_true("one more does not", !split(line));
}

static void check_number(const char *typed, uint64_t want)
{
	uint64_t got = ~want;

	check_true(typed, words_is_number(typed, &got));
	check_eq_u64(typed, got, want);
}

UNIT_TEST(numbers_as_the_manuals_write_them)
{
	check_number("0", 0);
	check_number("0031", 31);
	check_number("0x1f", 0x1f);
	check_number("0X1F", 0x1f);
	check_number("1FH", 0x1f);
	check_number("0ah", 0xa);
	check_number("18446744073709551615", UINT64_MAX);
	check_number("FFFFFFFFFFFFFFFFH", UINT64_MAX);
	check_number("0xffffffffffffffff", UINT64_MAX);
}

UNIT_TEST(what_is_no_number)
{
	static const char *const wrong[] = {
		"", "H", "h", "0x", "x", "1F", "+1", "1 ", "0x1FH", "1.0", "1e3", "0b1", "GH",
		"18446744073709551616", "10000000000000000H", "99999999999999999999999999",
	};
	uint64_t number;

	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		check_true(wrong[i], !words_is_number(wrong[i], &number));
}

UNIT_TEST(a_number_from_first_to_last)
{
	split("peek 31 20H x");
	check_true("in it", SUCCEEDS(words_number(&w, 1, "the place", 31, 32)));
	check_true("its end", SUCCEEDS(words_number(&w, 2, "the place", 31, 32)));
	check_true("below", !SUCCEEDS(words_number(&w, 1, "the place", 32, 40)));
	check_str("the sentence", failure, "the place: 31 is not from 32 to 40");
	check_true("above", !SUCCEEDS(words_number(&w, 2, "the place", 0, 31)));
	check_true("no number", !SUCCEEDS(words_number(&w, 3, "the place", 0, 31)));
	check_str("the sentence", failure,
	          "the place: x is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1");
	check_true("not there", !SUCCEEDS(words_number(&w, 4, "the place", 0, 31)));
	check_str("the sentence", failure, "the place is missing");
}

UNIT_TEST(how_many_words_stand_behind_the_command)
{
	split("peek a b");
	w.command = &only_command;
	check_true("so many", SUCCEEDS(words_expect(&w, 2, 2)));
	check_true("too few", !SUCCEEDS(words_expect(&w, 3, 9)));
	check_str("the sentence", failure, "it is peek WHERE (\"help peek\" has an example)");
	check_true("too many", !SUCCEEDS(words_expect(&w, 0, 1)));
}

UNIT_MAIN()
