/* SPDX-License-Identifier: MIT */
/* Plays a terminal that knows printable characters, '\r', '\n' and '\b', to show a line. */
#ifndef TESTS_UNIT_MONITOR_LINE_TERMINAL_H
#define TESTS_UNIT_MONITOR_LINE_TERMINAL_H

#include <stdlib.h>
#include <string.h>

enum { TERMINAL_COLUMNS_MAX = 256, TERMINAL_ROWS = 64 };

struct terminal {
	char rows[TERMINAL_ROWS][TERMINAL_COLUMNS_MAX + 1];
	unsigned columns, column;
	unsigned row;                  /* the last one; it scrolls before the array is full */
	unsigned written;              /* characters, of any kind */
	unsigned problems;             /* what this terminal cannot do, or others do differently */
};

static void terminal_clear(struct terminal *t, unsigned columns)
{
	memset(t, 0, sizeof(*t));
	memset(t->rows, ' ', sizeof(t->rows));
	t->columns = columns;
}

static void terminal_line_feed(struct terminal *t)
{
	t->column = 0;
	if (t->row < TERMINAL_ROWS - 1) {
		t->row++;
		return;
	}
	memmove(t->rows[0], t->rows[1], sizeof(t->rows) - sizeof(t->rows[0]));
	memset(t->rows[t->row], ' ', sizeof(t->rows[0]));
}

/* Prints a character. One in the last column counts as a problem, because terminals differ in what
 * they do next. */
static void terminal_print(struct terminal *t, char c)
{
	if (c < ' ' || c > '~' || t->column >= t->columns) {
		t->problems++;
		return;
	}
	t->rows[t->row][t->column++] = c;
	if (t->column == t->columns)
		t->problems++;
}

static void terminal_put(struct terminal *t, char c)
{
	t->written++;
	if (c == '\n')
		terminal_line_feed(t);
	else if (c == '\r')
		t->column = 0;
	else if (c == '\b' && t->column > 0)
		t->column--;
	else
		terminal_print(t, c);
}

/* Writes a text, for struct line; ctx is a struct terminal. */
static void terminal_write(void *ctx, const char *text)
{
	while (*text)
		terminal_put(ctx, *text++);
}

/* Returns the row without blanks at its end. The text is valid until the next call. */
static const char *terminal_row(const struct terminal *t, unsigned row)
{
	static char text[TERMINAL_COLUMNS_MAX + 1];
	unsigned used = t->columns;

	while (used && t->rows[row][used - 1] == ' ')
		used--;
	memcpy(text, t->rows[row], used);
	text[used] = '\0';
	return text;
}

#endif
