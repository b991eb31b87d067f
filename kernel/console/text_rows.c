/* SPDX-License-Identifier: MIT */
#include <kernel/console/text_rows.h>

unsigned text_rows_length(const struct text_rows *rows, uint32_t row)
{
	unsigned length = 0;

	while (length < rows->columns && row + length < rows->length &&
	       rows->text[row + length] != '\n')
		length++;
	return length;
}

/*
 * A row that the end of a line fills completely includes the newline, so that no empty row follows.
 */
static uint32_t next_row(const struct text_rows *rows, uint32_t row)
{
	const uint32_t end = row + text_rows_length(rows, row);

	return end < rows->length && rows->text[end] == '\n' ? end + 1 : end;
}

static uint32_t line_start(const struct text_rows *rows, uint32_t at)
{
	while (at > 0 && rows->text[at - 1] != '\n')
		at--;
	return at;
}

/* Rows of one line are rows->columns apart. */
static uint32_t previous_row(const struct text_rows *rows, uint32_t row)
{
	uint32_t start, last;

	if (row == 0)
		return 0;
	last = row - 1;                 /* the character before this row belongs to it */
	start = line_start(rows, last);
	if (rows->text[last] == '\n' && last > start)
		last--;
	return start + (last - start) / rows->columns * rows->columns;
}

uint32_t text_rows_after(const struct text_rows *rows, uint32_t row, unsigned count)
{
	while (count-- && row < rows->length)
		row = next_row(rows, row);
	return row;
}

uint32_t text_rows_before(const struct text_rows *rows, uint32_t row, unsigned count)
{
	while (count-- && row > 0)
		row = previous_row(rows, row);
	return row;
}
