/* SPDX-License-Identifier: MIT */
/*
 * Divides a text into rows of a screen: long lines continue in the next row. A row is identified by
 * the offset of its first character; the length of the text stands for the end, after the last row.
 * Links without the kernel.
 */
#ifndef KERNEL_CONSOLE_TEXT_ROWS_H
#define KERNEL_CONSOLE_TEXT_ROWS_H

#include <stdint.h>

struct text_rows {
	const char *text;               /* without a terminator */
	uint32_t length;                /* in bytes */
	unsigned columns;               /* 1 or more */
};

/* Returns the row that is count rows after this one, or the end. */
uint32_t text_rows_after(const struct text_rows *rows, uint32_t row, unsigned count);

/* Returns the row that is count rows before this one, or the first row. */
uint32_t text_rows_before(const struct text_rows *rows, uint32_t row, unsigned count);

/* Returns how many columns this row fills. */
unsigned text_rows_length(const struct text_rows *rows, uint32_t row);

#endif
