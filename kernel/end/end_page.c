/* SPDX-License-Identifier: MIT */
#include <kernel/end/end_page.h>

#include <stddef.h>

#include <kernel/lib/string.h>

enum { NAME_COLUMNS = 13, ROW_SIZE = 241 };

/* A row of the test's result. The first one is about the PMU itself. */
static const char start[] = "    - what: \"", first[] = "    - what: \"PMU: ";

/* Returns the place after the line that begins here. */
static uint32_t after(const struct warm_log_text *log, uint32_t from)
{
	while (from < log->length && log->text[from] != '\n')
		from++;
	return from + 1;
}

static bool begins(const struct warm_log_text *log, uint32_t from, const char *text)
{
	const size_t length = strlen(text);

	return from + length <= log->length && memcmp(log->text + from, text, length) == 0;
}

/* Returns the first line from here on that begins so, or the log's length. */
static uint32_t find(const struct warm_log_text *log, uint32_t from, const char *text)
{
	while (from < log->length && !begins(log, from, text))
		from = after(log, from);
	return from < log->length ? from : log->length;
}

bool end_page_is_there(const struct warm_log_text *log)
{
	return log->text && find(log, 0, first) < log->length;
}

/* Draws "NAME: TEXT" as two columns; a quotation mark ends the text. */
static void draw_row(struct pen *pen, const char *text, uint32_t length)
{
	char row[ROW_SIZE];
	uint32_t column = 0, at = 0;

	while (at < length && text[at] != ':' && column < NAME_COLUMNS)
		row[column++] = text[at++];
	while (column < NAME_COLUMNS)
		row[column++] = ' ';
	for (at += 2; at < length && text[at] != '"' && column + 1 < sizeof(row); at++)
		row[column++] = text[at];
	row[column] = '\0';
	pen_wrap(pen, SCREEN_GREY, row);
}

void end_page_draw(struct pen *pen, const struct warm_log_text *log)
{
	uint32_t from = find(log, 0, first), end = find(log, from, "  ...");

	for (; from < end; from = find(log, after(log, from), start))
		draw_row(pen, log->text + from + sizeof(start) - 1,
		         after(log, from) - from - (uint32_t)sizeof(start));
	pen_clear(pen);
}
