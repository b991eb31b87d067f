/* SPDX-License-Identifier: MIT */
/* The text grid: a device that only gets changes shows the right picture in the end. */
/* LINK: kernel/console/screen.c */
#include <kernel/console/screen.h>

#include <tests/unit/unit.h>

enum { COLUMNS = 10, ROWS = 4 };

static uint16_t cells[COLUMNS * (ROWS + 1)];
static char shown[ROWS][COLUMNS];
static unsigned draws, lies;
static struct screen screen;
static int cursor = -1;                 /* the cell's number; -1: none */

/* Also checks the promise that framebuffer_draw relies on: `was` is what the device shows. */
static void draw(void *ctx, unsigned column, unsigned row, uint16_t was, uint16_t is)
{
	draws++;
	if (ctx != shown || column >= COLUMNS || row >= ROWS) {
		lies++;
		return;
	}
	lies += (uint8_t)shown[row][column] != was || was == is;
	shown[row][column] = (char)is;
}

static void draw_cursor(void *ctx, unsigned column, unsigned row, uint16_t is, bool is_on)
{
	const int cell = (int)(row * COLUMNS + column);

	lies += ctx != shown || column >= COLUMNS || row >= ROWS;
	lies += lies == 0 && (uint8_t)shown[row][column] != is;
	lies += cursor != (is_on ? -1 : cell);
	cursor = is_on ? cell : -1;
}

static void start(unsigned scroll_rows)
{
	cursor = -1;
	memset(shown, ' ', sizeof(shown));
	memset(cells, 'x', sizeof(cells));
	draws = lies = 0;
	screen = (struct screen){ .draw = draw, .draw_cursor = draw_cursor, .ctx = shown,
	                          .cells = cells, .columns = COLUMNS, .rows = ROWS,
	                          .scroll_rows = scroll_rows };
	screen_init(&screen);
}

static void put(const char *text)
{
	while (*text)
		screen_put(&screen, *text++);
}

/* Returns the rows as one text, without blanks at their ends, joined by ' '. */
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

UNIT_TEST(backspace_goes_to_the_left)
{
	start(1);
	check_picture("abc\b\bx", "axc|||");
	check_picture("\b\b\b\bz", "zxc|||");
	check_picture("\n0123456789\bx", "zxc|012345678x||");
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

/* ---------------------------------------------------------------------------- cursor */

static void check_cursor(const char *what, int want)
{
	check_eq_u64(what, (uint64_t)cursor, (uint64_t)want);
	check_eq_u64("lies", lies, 0);
}

UNIT_TEST(the_cursor_is_where_the_next_character_goes)
{
	start(1);
	put("ab");
	draws = 0;
	screen_show_cursor(&screen, true);
	check_cursor("after the text", 2);
	screen_show_cursor(&screen, true);
	screen_show_cursor(&screen, false);
	check_cursor("away", -1);
	check_eq_u64("draws", draws, 0);
	put("\b");
	screen_show_cursor(&screen, true);
	check_cursor("over a character", 1);
	put("x");
	check_cursor("away, as something is written", -1);
	put("cdefghij");
	screen_show_cursor(&screen, true);
	check_cursor("beyond the edge", COLUMNS - 1);
	put("\n\n\n\n");
	screen_show_cursor(&screen, true);
	check_cursor("below the last row", (ROWS - 1) * COLUMNS);
	check_picture("5", "|||5");
}

/* ---------------------------------------------------------------------------- the pager's part */

static unsigned holds, seen_next;
static char held[ROWS * (COLUMNS + 1) + 1];
static bool is_wanted;

/* Keeps what was on the screen, and what covers it. */
static bool hold(struct screen *s)
{
	holds++;
	strcpy(held, picture());
	screen_cover(s, "more");
	check_cursor("after the cover", (ROWS - 1) * COLUMNS + 4);
	check_str("covered", strrchr(picture(), '|'), "|more");
	screen_uncover(s);
	s->seen = seen_next;
	return is_wanted;
}

static void start_paged(unsigned scroll_rows, unsigned seen)
{
	start(scroll_rows);
	screen.hold = hold;
	holds = 0;
	seen_next = seen;
	is_wanted = true;
	held[0] = '\0';
}

UNIT_TEST(nothing_unseen_scrolls_away)
{
	start_paged(2, ROWS - 1);
	check_picture("1\n2\n3\n4\n", "1|2|3|4");
	check_eq_u64("holds, while all is there", holds, 0);
	check_picture("5", "3|4|5|");
	check_eq_u64("holds", holds, 1);
	check_str("held", held, "1|2|3|4");
	check_picture("\n6\n7", "4|5|6|7");
	check_eq_u64("holds: 4, which was covered, is still there", holds, 1);
	check_picture("\n8", "6|7|8|");
	check_eq_u64("holds", holds, 2);
	check_str("held", held, "4|5|6|7");
}

UNIT_TEST(one_row_at_a_time)
{
	start_paged(3, 1);
	check_picture("1\n2\n3\n4\n5", "2|3|4|5");
	check_picture("\n6", "3|4|5|6");
	check_eq_u64("holds", holds, 2);
}

UNIT_TEST(wrapped_rows_count)
{
	start_paged(1, 1);
	check_picture("012345678901234567890123456789x\nab", "0123456789|0123456789|x|ab");
	check_eq_u64("holds", holds, 1);
	check_str("held", held, "0123456789|0123456789|0123456789|x");
}

UNIT_TEST(what_was_seen_scrolls)
{
	start_paged(1, 1);
	put("1\n2\n3\n> cmd");
	screen_mark_seen(&screen);
	check_picture("\n4\n5\n6", "> cmd|4|5|6");
	check_eq_u64("holds", holds, 0);
	check_picture("\n7", "4|5|6|7");
	check_str("held, with the line of the key", held, "> cmd|4|5|6");
}

UNIT_TEST(what_is_not_wanted_is_dropped)
{
	start_paged(1, 1);
	is_wanted = false;
	check_picture("1\n2\n3\n4\n5\n6\t\b7\n", "1|2|3|4");
	check_eq_u64("holds", holds, 1);
	screen_go_on(&screen);
	check_picture("> ab", "2|3|4|> ab");
	check_eq_u64("holds: all that is there was seen", holds, 1);
}

UNIT_MAIN()
