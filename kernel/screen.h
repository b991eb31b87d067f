/* SPDX-License-Identifier: MIT */
/*
 * A grid of characters that text is written into: lines wrap at the right edge and the grid scrolls
 * at the bottom. It knows what every cell shows, so the device behind it is only ever written,
 * and only where a cell changes.
 */
#ifndef KERNEL_SCREEN_H
#define KERNEL_SCREEN_H

#include <stdint.h>

#define SCREEN_BLANK        ' '
#define SCREEN_REPLACEMENT  0x7FU       /* in a cell: a character that is not printable ASCII */

struct screen {
	/* Set by the owner before screen_init. */
	void (*draw)(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is);
	void *ctx;
	uint8_t *cells;                 /* columns * rows of them */
	unsigned columns, rows;         /* 1 or more each */
	unsigned scroll_rows;           /* rows to scroll by at the bottom, 1 to rows */

	/* Where the next character goes; one beyond the edge until there is a next one. */
	unsigned column, row;
};

/* Start at the top left corner. The device must show blank cells everywhere; nothing is drawn. */
void screen_init(struct screen *s);

/*
 * Write one character, '\n' (next line, first column), '\r' (first column) or '\t' (to the next
 * multiple of 8 columns). All other bytes that are not printable ASCII become SCREEN_REPLACEMENT.
 */
void screen_put(struct screen *s, char c);

#endif
