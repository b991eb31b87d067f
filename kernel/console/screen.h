/* SPDX-License-Identifier: MIT */
/*
 * A grid of characters that text is written into: lines wrap at the right edge and the grid scrolls
 * at the bottom. It knows what every cell shows, so the device behind it is only ever written,
 * and only where a cell changes.
 */
#ifndef KERNEL_CONSOLE_SCREEN_H
#define KERNEL_CONSOLE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#define SCREEN_BLANK        ' '
#define SCREEN_REPLACEMENT  0x7FU       /* in a cell: a character that is not printable ASCII */

/* What only screen_set() can show: light upper and lower halves of a cell, and both. */
enum { SCREEN_UPPER = 0x80, SCREEN_LOWER, SCREEN_FULL };

struct screen {
	/* Set by the owner before screen_init. */
	void (*draw)(void *ctx, unsigned column, unsigned row, uint8_t was, uint8_t is);
	/* Shows the cursor or takes it away, in a cell that shows the character `is`. */
	void (*draw_cursor)(void *ctx, unsigned column, unsigned row, uint8_t is, bool is_on);
	void *ctx;
	uint8_t *cells;                 /* columns * (rows + 1): the last row is what is covered */
	unsigned columns, rows;         /* 1 or more each */
	unsigned scroll_rows;           /* rows to scroll by at the bottom, 1 to rows */

	/* Where the next character goes; one beyond the edge until there is a next one. */
	unsigned column, row;

	/*
	 * Asked before a row scrolls away that nobody has seen; sets seen to 1 or more. False: what
	 * follows is not wanted. NULL: nobody looks, or the text is to be had elsewhere.
	 */
	bool (*hold)(struct screen *s);
	unsigned seen;                  /* rows, from the top, that may scroll away */
	bool is_dropping;               /* what is not wanted */

	bool has_cursor;
	unsigned cursor_column, cursor_row;
};

/* Start at the top left corner. The device must show blank cells everywhere; nothing is drawn. */
void screen_init(struct screen *s);

/*
 * Write one character, '\n' (next line, first column), '\r' (first column), '\b' (one column to the
 * left, if there is one) or '\t' (to the next multiple of 8 columns). All other bytes that are not
 * printable ASCII become SCREEN_REPLACEMENT. The cursor goes away.
 */
void screen_put(struct screen *s, char c);

/* Changes one cell of the grid, wherever the next character goes. */
void screen_set(struct screen *s, unsigned column, unsigned row, uint8_t is);

/* A key was typed: what is above the cursor has been seen. */
void screen_mark_seen(struct screen *s);

/* What was not wanted is over; what follows is. */
void screen_go_on(struct screen *s);

/* The cursor, where the next character goes. */
void screen_show_cursor(struct screen *s, bool is_on);

/* A text in the place of the last row, the cursor behind it, until it is uncovered. */
void screen_cover(struct screen *s, const char *text);
void screen_uncover(struct screen *s);

#endif
