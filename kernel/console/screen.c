/* SPDX-License-Identifier: MIT */
#include <kernel/console/screen.h>

#define TAB_COLUMNS  8U

void screen_init(struct screen *s)
{
	for (unsigned i = 0; i < s->columns * s->rows; i++)
		s->cells[i] = SCREEN_BLANK;
	s->column = s->row = s->seen = 0;
	s->is_dropping = s->has_cursor = false;
}

void screen_set(struct screen *s, unsigned column, unsigned row, uint16_t is)
{
	uint16_t *cell = &s->cells[row * s->columns + column];

	if (*cell != is)
		s->draw(s->ctx, column, row, *cell, is);
	*cell = is;
}

/* Copies cells without drawing them. */
static void copy_cells(struct screen *s, unsigned to_row, unsigned from_row)
{
	for (unsigned column = 0; column < s->columns; column++)
		s->cells[to_row * s->columns + column] = s->cells[from_row * s->columns + column];
}

/* Skips cells that stay the same, which are most cells of most lines. */
static void copy_row(struct screen *s, unsigned to_row, unsigned from_row)
{
	const uint16_t *to = &s->cells[to_row * s->columns];
	const uint16_t *from = &s->cells[from_row * s->columns];

	for (unsigned column = 0; column < s->columns; column++)
		if (to[column] != from[column])
			screen_set(s, column, to_row, from[column]);
}

static void blank_row(struct screen *s, unsigned row)
{
	for (unsigned column = 0; column < s->columns; column++)
		screen_set(s, column, row, SCREEN_BLANK);
}

/*
 * Lets at most the seen rows scroll, and asks the user if there are none. Returns false if the user
 * does not want the rest.
 */
static bool may_scroll(struct screen *s, unsigned *by)
{
	if (!s->hold)
		return true;
	if (s->seen == 0 && !s->hold(s)) {
		s->is_dropping = true;
		return false;
	}
	if (*by > s->seen)
		*by = s->seen;
	s->seen -= *by;
	return true;
}

static bool scroll(struct screen *s)
{
	unsigned by = s->scroll_rows;

	if (!may_scroll(s, &by))
		return false;
	for (unsigned row = by; row < s->rows; row++)
		copy_row(s, row - by, row);
	s->row -= by;
	for (unsigned row = s->row; row < s->rows; row++)
		blank_row(s, row);
	return true;
}

/* Delays scrolling until there is text to show below, so that a final '\n' costs no line. */
static void next_line(struct screen *s)
{
	if (s->row == s->rows && !scroll(s))
		return;
	s->column = 0;
	s->row++;
}

static void place(struct screen *s, uint8_t is)
{
	if (s->column == s->columns)
		next_line(s);
	if (s->row == s->rows && !s->is_dropping)
		scroll(s);
	if (s->is_dropping)
		return;
	screen_set(s, s->column, s->row, is);
	s->column++;
}

static void tab(struct screen *s)
{
	do
		place(s, SCREEN_BLANK);
	while (s->column % TAB_COLUMNS && s->column < s->columns && !s->is_dropping);
}

void screen_put(struct screen *s, char c)
{
	if (s->is_dropping)
		return;
	screen_show_cursor(s, false);
	if (c == '\n')
		next_line(s);
	else if (c == '\r')
		s->column = 0;
	else if (c == '\b')
		s->column -= s->column > 0;
	else if (c == '\t')
		tab(s);
	else
		place(s, c >= ' ' && c <= '~' ? (uint8_t)c : SCREEN_REPLACEMENT);
}

void screen_mark_seen(struct screen *s)
{
	s->seen = s->row;
}

void screen_go_on(struct screen *s)
{
	if (s->is_dropping)
		screen_mark_seen(s);
	s->is_dropping = false;
}

/* ---------------------------------------------------------------------------- cursor, cover */

static void draw_cursor(struct screen *s, bool is_on)
{
	uint16_t is = s->cells[s->cursor_row * s->columns + s->cursor_column];

	s->has_cursor = is_on;
	if (s->draw_cursor)
		s->draw_cursor(s->ctx, s->cursor_column, s->cursor_row, is, is_on);
}

/* There is no cell for the cursor beyond the last column or row. */
void screen_show_cursor(struct screen *s, bool is_on)
{
	if (s->has_cursor == is_on)
		return;
	if (is_on) {
		s->cursor_column = s->column < s->columns ? s->column : s->columns - 1;
		s->cursor_row = s->row < s->rows ? s->row : s->rows - 1;
	}
	draw_cursor(s, is_on);
}

void screen_cover(struct screen *s, const char *text)
{
	const unsigned row = s->rows - 1;
	unsigned column = 0;

	screen_show_cursor(s, false);
	copy_cells(s, s->rows, row);
	for (; column < s->columns && *text; column++)
		screen_set(s, column, row, (uint8_t)*text++);
	s->cursor_column = column < s->columns ? column : column - 1;
	s->cursor_row = row;
	for (; column < s->columns; column++)
		screen_set(s, column, row, SCREEN_BLANK);
	draw_cursor(s, true);
}

void screen_uncover(struct screen *s)
{
	screen_show_cursor(s, false);
	copy_row(s, s->rows - 1, s->rows);
}

void screen_blank(struct screen *s)
{
	screen_show_cursor(s, false);
	for (unsigned row = 0; row < s->rows; row++)
		for (unsigned column = 0; column < s->columns; column++)
			screen_set(s, column, row, SCREEN_BLANK);
}
