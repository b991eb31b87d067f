/* SPDX-License-Identifier: MIT */
/*
 * A text as rows of a screen: long lines go on in the next row. A row is known by where in the text
 * it begins; the end of the text is the row behind the last. Links without the kernel.
 */
#ifndef KERNEL_CONSOLE_TEXT_ROWS_H
#define KERNEL_CONSOLE_TEXT_ROWS_H

#include <stdint.h>

struct text_rows {
	const char *text;               /* without a terminator */
	uint32_t length;                /* bytes */
	unsigned columns;               /* 1 or more */
};

/* The row count rows behind this one, or the end. */
uint32_t text_rows_after(const struct text_rows *rows, uint32_t row, unsigned count);

/* The row count rows before this one, or the first. */
uint32_t text_rows_before(const struct text_rows *rows, uint32_t row, unsigned count);

/* How many of the columns this row fills. */
unsigned text_rows_length(const struct text_rows *rows, uint32_t row);

#endif
