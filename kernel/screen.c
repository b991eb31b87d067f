/* SPDX-License-Identifier: MIT */
#include <kernel/screen.h>

#define TAB_COLUMNS  8U

void screen_init(struct screen *s)
{
	for (unsigned i = 0; i < s->columns * s->rows; i++)
		s->cells[i] = SCREEN_BLANK;
	s->column = 0;
	s->row = 0;
}

static void set_cell(struct screen *s, unsigned column, unsigned row, uint8_t is)
{
	uint8_t *cell = &s->cells[row * s->columns + column];

	if (*cell != is)
		s->draw(s->ctx, column, row, *cell, is);
	*cell = is;
}

/* Most cells of most lines stay as they are: going past those is what this is about. */
static void copy_row(struct screen *s, unsigned to_row, unsigned from_row)
{
	const uint8_t *to = &s->cells[to_row * s->columns];
	const uint8_t *from = &s->cells[from_row * s->columns];

	for (unsigned column = 0; column < s->columns; column++)
		if (to[column] != from[column])
			set_cell(s, column, to_row, from[column]);
}

static void blank_row(struct screen *s, unsigned row)
{
	for (unsigned column = 0; column < s->columns; column++)
		set_cell(s, column, row, SCREEN_BLANK);
}

static void scroll(struct screen *s)
{
	for (unsigned row = s->scroll_rows; row < s->rows; row++)
		copy_row(s, row - s->scroll_rows, row);
	s->row -= s->scroll_rows;
	for (unsigned row = s->row; row < s->rows; row++)
		blank_row(s, row);
}

/* The grid scrolls only when there is something to show below it: no line is lost to a '\n'. */
static void next_line(struct screen *s)
{
	if (s->row == s->rows)
		scroll(s);
	s->column = 0;
	s->row++;
}

static void place(struct screen *s, uint8_t is)
{
	if (s->column == s->columns)
		next_line(s);
	if (s->row == s->rows)
		scroll(s);
	set_cell(s, s->column, s->row, is);
	s->column++;
}

static void tab(struct screen *s)
{
	do
		place(s, SCREEN_BLANK);
	while (s->column % TAB_COLUMNS && s->column < s->columns);
}

void screen_put(struct screen *s, char c)
{
	if (c == '\n')
		next_line(s);
	else if (c == '\r')
		s->column = 0;
	else if (c == '\t')
		tab(s);
	else
		place(s, c >= ' ' && c <= '~' ? (uint8_t)c : SCREEN_REPLACEMENT);
}
