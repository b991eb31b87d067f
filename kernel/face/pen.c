/* SPDX-License-Identifier: MIT */
#include <kernel/face/pen.h>

#include <stdarg.h>

#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

enum { LINE_SIZE = 241 };

void pen_set(struct screen *screen, unsigned column, unsigned row, uint16_t is)
{
	if (column < screen->columns && row < screen->rows)
		screen_set(screen, column, row, is);
}

/* Blanks are grey, so that a cell that stays blank is not drawn again. */
void pen_text(struct pen *pen, uint16_t colour, const char *text, unsigned length)
{
	for (unsigned column = 0; column < pen->columns && pen->row < pen->end; column++) {
		const char c = column < length ? text[column] : ' ';
		const uint8_t is = c >= ' ' && c <= '~' ? (uint8_t)c : SCREEN_REPLACEMENT;

		pen_set(pen->screen, column, pen->row, is == ' ' ? SCREEN_BLANK : is | colour);
	}
	pen->row++;
}

void pen_line(struct pen *pen, uint16_t colour, const char *fmt, ...)
{
	char line[LINE_SIZE];
	va_list args;

	va_start(args, fmt);
	format_vbuf(line, sizeof(line), fmt, args);
	va_end(args);
	pen_text(pen, colour, line, (unsigned)strlen(line));
}

/* Returns how much of the text goes into one line: up to a blank, unless a word is too long. */
static unsigned line_length(const char *text, unsigned columns)
{
	unsigned length = (unsigned)strlen(text), at;

	if (length <= columns)
		return length;
	for (at = columns; at > 0; at--)
		if (text[at] == ' ')
			return at;
	return columns;
}

void pen_wrap(struct pen *pen, uint16_t colour, const char *text)
{
	while (*text && pen->row < pen->end) {
		const unsigned length = line_length(text, pen->columns);

		pen_text(pen, colour, text, length);
		text += length;
		while (*text == ' ')
			text++;
	}
}

void pen_clear(struct pen *pen)
{
	while (pen->row < pen->end)
		pen_text(pen, SCREEN_GREY, "", 0);
}
