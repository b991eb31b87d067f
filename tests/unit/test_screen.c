/* SPDX-License-Identifier: MIT */
/* The text grid: what a device that is told only of changes shows in the end. */
/* LINK: kernel/screen.c */
#include <kernel/screen.h>

#include "unit.h"

enum { COLUMNS = 10, ROWS = 4 };

static uint8_t cells[COLUMNS * ROWS];
static char shown[ROWS][COLUMNS];
static unsigned draws, lies;
static struct screen screen;

/* Also checks the promise that framebuffer_draw relies on: `was` is what the device shows. */
static void draw(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is)
{
	draws++;
	if (ctx != shown || column >= COLUMNS || row >= ROWS) {
		lies++;
		return;
	}
	lies += (uint8_t)shown[row][column] != was || was == is;
	shown[row][column] = (char)is;
}

static void start(unsigned scroll_rows)
{
	memset(shown, ' ', sizeof(shown));
	memset(cells, 'x', sizeof(cells));
	draws = lies = 0;
	screen = (struct screen){ .draw = draw, .ctx = shown, .cells = cells, .columns = COLUMNS,
	                          .rows = ROWS, .scroll_rows = scroll_rows };
	screen_init(&screen);
}

static void put(const char *text)
{
	while (*text)
		screen_put(&screen, *text++);
}

/* The rows as one text: without blanks at their ends, joined by '|'. */
static const char *picture(void)
{
	static char text[ROWS * (COLUMNS + 1) + 1];
	size_t length = 0;

	for (unsigned row = 0; row < ROWS; row++) {
		unsigned used = COLUMNS;

		while (used && shown[row][used - 1] == ' ')
			used--;
		memcpy(text + length, shown[row], used);
		length += used;
		text[length++] = '|';
	}
	text[length - 1] = '\0';
	return text;
}

static void check_picture(const char *text, const char *want)
{
	put(text);
	check_str(text, picture(), want);
	check_eq_u64("draws outside of the grid, of nothing new or with a wrong `was`", lies, 0);
}

UNIT_TEST(starts_blank_without_drawing)
{
	start(1);
	check_picture("", "|||");
	check_eq_u64("draws", draws, 0);
}

UNIT_TEST(text_starts_top_left)
{
	start(1);
	check_picture("ab\ncd", "ab|cd||");
	check_eq_u64("draws", draws, 4);
}

UNIT_TEST(long_lines_wrap)
{
	start(1);
	check_picture("0123456789abc", "0123456789|abc||");
}

UNIT_TEST(a_full_line_and_a_newline_are_one_line)
{
	start(1);
	check_picture("0123456789\nabc", "0123456789|abc||");
}

UNIT_TEST(carriage_return_overwrites)
{
	start(1);
	check_picture("abcd\rxy", "xycd|||");
	start(1);
	check_picture("ab\r\ncd", "ab|cd||");
	start(1);
	check_picture("0123456789\rab", "ab23456789|||");
}

UNIT_TEST(tabs_go_to_columns_of_eight)
{
	start(1);
	check_picture("a\tb", "a       b|||");
	start(1);
	check_picture("1234567\tb", "1234567 b|||");
	start(1);
	check_picture("12345678\tb", "12345678|b||");
}

UNIT_TEST(other_bytes_are_replaced)
{
	start(1);
	check_picture("\x01~\x7f\x80\xff!", "\x7f~\x7f\x7f\x7f!|||");
}

UNIT_TEST(the_last_row_is_used_before_it_scrolls)
{
	start(1);
	check_picture("1\n2\n3\n4", "1|2|3|4");
	check_picture("\n", "1|2|3|4");
	check_picture("5", "2|3|4|5");
	check_picture("\n\n6", "4|5||6");
}

UNIT_TEST(scrolls_by_several_rows)
{
	start(2);
	check_picture("1\n2\n3\n4\n5", "3|4|5|");
	check_picture("\n6\n7", "5|6|7|");
	start(ROWS);
	check_picture("1\n2\n3\n4\n5", "5|||");
	start(3);
	check_picture("1\n2\n3\n4\n\n5", "4||5|");
}

UNIT_TEST(a_line_that_wraps_at_the_bottom_scrolls)
{
	start(1);
	check_picture("1\n2\n3\n0123456789ab", "2|3|0123456789|ab");
}

UNIT_TEST(scrolling_draws_only_what_changes)
{
	start(1);
	put("same\nsame\nsame\nsame\n");
	draws = 0;
	check_picture("s", "same|same|same|s");
	check_eq_u64("draws: 4 cells erased, 1 written", draws, 5);
}

UNIT_MAIN()
