/* SPDX-License-Identifier: MIT */
#include <kernel/end/end_page.h>

#include <stddef.h>

#include <kernel/lib/string.h>

enum { NAME_COLUMNS = 13, ROW_SIZE = 241 };

/* A row of the test's result. The first one is about the PMU itself. */
static const char start[] = "    - what: \"", first[] = "    - what: \"PMU: ";

/* Returns the next line after this place that begins so, or the log's length. The first line is
 * none of the test's. */
static uint32_t find(const struct warm_log_text *log, uint32_t from, const char *text)
{
	return warm_log_find_next(log, from, text, true);
}

bool end_page_is_there(const struct warm_log_text *log)
{
	return log->text && find(log, 0, first) < log->length;
}

/* Draws "NAME: TEXT" as two columns; a quotation mark, or the end of the log, ends the text. */
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

unsigned end_page_count(const struct warm_log_text *log)
{
	unsigned count = 0;

	for (uint32_t page = find(log, 0, first); page < log->length; page = find(log, page, first))
		count++;
	return count;
}

void end_page_draw(struct pen *pen, const struct warm_log_text *log, unsigned number)
{
	uint32_t from = find(log, 0, first), end;

	while (number--)
		from = find(log, from, first);
	end = find(log, from, "  ...");
	for (; from < end; from = find(log, from, start))
		draw_row(pen, log->text + from + sizeof(start) - 1,
		         end - from - (uint32_t)sizeof(start) + 1);
	pen_clear(pen);
}
