/* SPDX-License-Identifier: MIT */
/* LINK: monitor/tools/tally.c kernel/lib/check.c */
#include <monitor/tools/tally.h>

#include <tests/unit/unit.h>

static struct tally t;

static void run(const char *text)
{
	while (*text)
		tally_put(&t, *text++);
	tally_end_run(&t);
}

UNIT_TEST(equal_texts_are_one)
{
	tally_begin(&t);
	for (int i = 0; i < 20; i++)
		run("2000\n");
	check_eq_u64("runs", t.runs, 20);
	check_eq_u64("texts", t.count, 1);
	check_eq_u64("times", t.kept[0].times, 20);
	check_str("text", t.kept[0].text, "2000\n");
	check_eq_u64("others", t.others, 0);
}

UNIT_TEST(different_ones_are_kept_in_their_order)
{
	tally_begin(&t);
	run("b"), run("a"), run("b"), run(""), run("b");
	check_eq_u64("texts", t.count, 3);
	check_str("first", t.kept[0].text, "b");
	check_eq_u64("its times", t.kept[0].times, 3);
	check_str("second", t.kept[1].text, "a");
	check_eq_u64("its times", t.kept[1].times, 1);
	check_str("third", t.kept[2].text, "");
	check_eq_u64("its times", t.kept[2].times, 1);
}

UNIT_TEST(more_than_fit_are_counted)
{
	char text[2] = "a";

	tally_begin(&t);
	for (unsigned i = 0; i < TALLY_TEXTS + 3; i++, text[0]++)
		run(text);
	run("a");
	check_eq_u64("texts", t.count, TALLY_TEXTS);
	check_eq_u64("others", t.others, 3);
	check_eq_u64("the first one's times", t.kept[0].times, 2);
	check_eq_u64("runs", t.runs, TALLY_TEXTS + 4);
}

static void run_long(size_t length, char last)
{
	for (size_t i = 0; i + 1 < length; i++)
		tally_put(&t, 'x');
	tally_put(&t, last);
	tally_end_run(&t);
}

UNIT_TEST(long_texts_differ_behind_what_is_kept)
{
	tally_begin(&t);
	run_long(3 * TALLY_SIZE, 'a');
	run_long(3 * TALLY_SIZE, 'b');
	run_long(3 * TALLY_SIZE, 'a');
	run_long(3 * TALLY_SIZE + 1, 'a');
	check_eq_u64("texts", t.count, 3);
	check_eq_u64("times", t.kept[0].times, 2);
	check_eq_u64("length", t.kept[0].length, 3 * TALLY_SIZE);
	check_eq_u64("kept", strlen(t.kept[0].text), TALLY_SIZE - 1);
}

UNIT_TEST(what_fits_exactly_is_kept_whole)
{
	tally_begin(&t);
	run_long(TALLY_SIZE - 1, 'z');
	check_eq_u64("kept", strlen(t.kept[0].text), TALLY_SIZE - 1);
	check_true("its end", t.kept[0].text[TALLY_SIZE - 2] == 'z');
}

UNIT_MAIN()
