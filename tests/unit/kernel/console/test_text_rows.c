/* SPDX-License-Identifier: MIT */
/* Rows of a text on a screen: forwards, backwards, with every length of line. */
/* LINK: kernel/console/text_rows.c */
#include <kernel/console/text_rows.h>

#include <arch/regs/table.h>
#include <tests/unit/unit.h>

enum { ROWS_MAX = 64 };

static struct text_rows rows_of(const char *text, unsigned columns)
{
	return (struct text_rows){ text, (uint32_t)strlen(text), columns };
}

/* Returns all rows as one text, joined by ' '. */
static const char *shown(const struct text_rows *rows)
{
	static char out[256];
	size_t length = 0;

	for (uint32_t row = 0; row < rows->length; row = text_rows_after(rows, row, 1)) {
		memcpy(out + length, rows->text + row, text_rows_length(rows, row));
		length += text_rows_length(rows, row);
		out[length++] = '|';
	}
	out[length] = '\0';
	return out;
}

UNIT_TEST(lines_are_cut_into_rows)
{
	static const struct { const char *text, *rows; } cases[] = {
		{ "", "" }, { "a\n", "a|" }, { "a", "a|" }, { "\n", "|" }, { "\n\n", "||" },
		{ "abc\n", "abc|" }, { "abcd\n", "abc|d|" }, { "abcdef\n", "abc|def|" },
		{ "abcdef\ng\n", "abc|def|g|" }, { "abc\n\ndefg", "abc||def|g|" },
	};

	for (unsigned i = 0; i < COUNT_OF(cases); i++) {
		const struct text_rows rows = rows_of(cases[i].text, 3);

		check_str(cases[i].text, shown(&rows), cases[i].rows);
	}
}

/* Tries all texts of three lines of 0 to 7 characters, with and without a newline at the end. */
UNIT_TEST(backwards_are_the_same_rows)
{
	for (unsigned n = 0; n < 8 * 8 * 8 * 2; n++) {
		const unsigned lengths[] = { n % 8, n / 8 % 8, n / 64 % 8 };
		uint32_t starts[ROWS_MAX], row = 0;
		unsigned count = 0;
		char text[32] = "";
		struct text_rows rows;

		for (unsigned line = 0; line < 3; line++)
			sprintf(text + strlen(text), "%.*s\n", (int)lengths[line], "abcdefg");
		if (n >= 512)
			text[strlen(text) - 1] = '\0';
		rows = rows_of(text, 3);
		for (; row < rows.length; row = text_rows_after(&rows, row, 1))
			starts[count++] = row;
		for (unsigned back = 1; back <= count; back++)
			check_eq_u64(text, text_rows_before(&rows, row, back),
			             starts[count - back]);
		check_eq_u64("before the first", text_rows_before(&rows, row, count + 1), 0);
		check_eq_u64("the last", text_rows_after(&rows, 0, count + 1), rows.length);
	}
}

UNIT_MAIN()
