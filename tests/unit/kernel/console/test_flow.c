/* SPDX-License-Identifier: MIT */
/* LINK: kernel/console/flow.c */
#include <kernel/console/flow.h>

#include <stdio.h>

#include <tests/unit/unit.h>

static char shown[512];
static unsigned length, asked, granted;

static void put(void *ctx, char c)
{
	(void)ctx;
	shown[length++] = c;
	shown[length] = '\0';
}

static unsigned hold(struct flow *f)
{
	(void)f;
	asked++;
	put(NULL, '|');
	return granted;
}

static void check(unsigned columns, unsigned rows, const char *text, const char *want)
{
	struct flow f = { .put = put, .columns = columns, .rows = rows,
	                  .hold = rows ? hold : NULL };

	length = asked = 0;
	shown[0] = '\0';
	flow_begin(&f);
	while (*text)
		flow_put(&f, *text++);
	flow_end(&f);
	check_str(want, shown, want);
}

UNIT_TEST(lines_break_at_blanks)
{
	check(10, 0, "one two three\n", "one two\nthree\n");
	check(10, 0, "1234567890\nx\n", "1234567890\nx\n");
	check(10, 0, "12345 7890 x\n", "12345 7890\nx\n");
	check(10, 0, "a  b   c\n", "a  b   c\n");
	check(10, 0, "  indented far\n", "  indented\nfar\n");
	check(10, 0, "12345678    9\n", "12345678\n9\n");
	check(0, 0, "one two three\n", "one two three\n");
}

UNIT_TEST(only_a_word_longer_than_a_row_is_cut)
{
	check(5, 0, "123456789012\nx", "12345\n67890\n12\nx");
	check(5, 0, "a 1234567\n", "a\n12345\n67\n");
}

UNIT_TEST(text_waits_after_a_page)
{
	granted = 2;
	check(10, 2, "1\n2\n3\n4\n5\n", "1\n2\n|3\n4\n|5\n");
	check(10, 2, "1\n2\n", "1\n2\n");
	check(5, 2, "one two three\n", "one\ntwo\n|three\n");
	check(5, 2, "\n\n\n", "\n\n|\n");
	granted = 1;
	check(10, 3, "1\n2\n3\n4\n5", "1\n2\n3\n|4\n|5");
}

UNIT_TEST(unwanted_text_is_dropped)
{
	granted = 0;
	check(10, 2, "1\n2\n3\n4\n5\n", "1\n2\n|");
	check_eq_u64("asked once", asked, 1);
}

UNIT_MAIN()
