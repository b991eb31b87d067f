/* SPDX-License-Identifier: MIT */
/* Shows a line on the terminal, writing only what changes. */
#include <monitor/prompt/line.h>

#include <kernel/lib/string.h>

static void put(const struct line *l, char c)
{
	const char text[] = { c, '\0' };

	l->write(l->ctx, text);
}

/*
 * Returns the number of columns after the prompt that are used for text. The terminal's last one is
 * not, because terminals differ in what follows it, and because "^C" needs room.
 */
static unsigned room(const struct line *l)
{
	unsigned columns = l->columns ? l->columns : LINE_COLUMNS;
	unsigned taken = (unsigned)strlen(l->prompt) + 3;

	if (columns < LINE_COLUMNS_MIN)
		columns = LINE_COLUMNS_MIN;
	if (taken > columns / 2)
		taken = columns / 2;
	return columns - taken < MONITOR_LINE_SIZE ? columns - taken : MONITOR_LINE_SIZE - 1;
}

static bool is_cut(const struct line *l)
{
	return l->length > l->first + room(l);
}

/* Returns true if the cursor is in the window and not on a mark for a cut end. */
static bool is_in_window(const struct line *l)
{
	if (l->first && l->cursor <= l->first)
		return false;
	return l->cursor <= l->first + room(l) - (is_cut(l) ? 2 : 0);
}

/* Moves by half a window, so that moves are rare. */
static void move_window(struct line *l)
{
	if (l->length <= room(l))
		l->first = 0;
	else if (!is_in_window(l))
		l->first = l->cursor > room(l) / 2 ? l->cursor - room(l) / 2 : 0;
}

/* Writes what must be shown and returns its length. */
static unsigned look(const struct line *l, char *view)
{
	unsigned length = is_cut(l) ? room(l) : l->length - l->first;

	memcpy(view, l->text + l->first, length);
	if (l->first)
		view[0] = '<';
	if (is_cut(l))
		view[length - 1] = '>';
	return length;
}

/* Returns the cell at i of a text of this length, which is blank after its end. */
static char cell(const char *text, unsigned length, unsigned i)
{
	return i < length ? text[i] : ' ';
}

/* Moves the cursor to another column; to the right by writing the characters there. */
static void move_to(struct line *l, unsigned column)
{
	for (; l->at > column; l->at--)
		put(l, '\b');
	for (; l->at < column; l->at++)
		put(l, cell(l->shown, l->shown_length, l->at));
}

/* Rewrites from the first cell that differs to the last one. */
static void change_to(struct line *l, const char *view, unsigned length)
{
	unsigned from = 0, to = length > l->shown_length ? length : l->shown_length;

	while (from < to && cell(view, length, from) == cell(l->shown, l->shown_length, from))
		from++;
	while (to > from && cell(view, length, to - 1) == cell(l->shown, l->shown_length, to - 1))
		to--;
	if (from < to) {
		move_to(l, from);
		for (; l->at < to; l->at++)
			put(l, cell(view, length, l->at));
	}
	memcpy(l->shown, view, length);
	l->shown_length = length;
}

void line_show(struct line *l)
{
	char view[MONITOR_LINE_SIZE];
	unsigned length;

	move_window(l);
	length = look(l, view);
	change_to(l, view, length);
	move_to(l, l->cursor - l->first);
}

/* Nothing is shown after the prompt yet. */
void line_show_all(struct line *l)
{
	l->write(l->ctx, l->prompt);
	l->at = l->shown_length = 0;
	line_show(l);
}

/* The content of the terminal is unknown, so all cells count as different. */
void line_show_again(struct line *l)
{
	l->write(l->ctx, "\r");
	l->write(l->ctx, l->prompt);
	l->at = 0;
	memset(l->shown, '\0', sizeof(l->shown));
	l->shown_length = room(l);
	line_show(l);
}
