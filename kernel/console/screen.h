/* SPDX-License-Identifier: MIT */
/*
 * Writes text into a grid of characters: lines wrap at the right edge, and the grid scrolls at the
 * bottom. The grid remembers what every cell shows, so the device is only written, never read, and
 * only where a cell changes.
 */
#ifndef KERNEL_CONSOLE_SCREEN_H
#define KERNEL_CONSOLE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#define SCREEN_BLANK        ' '
#define SCREEN_REPLACEMENT  0x7FU       /* in a cell: an unprintable or non-ASCII character */

/* Only screen_set() can show these cells: a light upper half, a light lower half, both. */
enum { SCREEN_UPPER = 0x80, SCREEN_LOWER, SCREEN_FULL };

/*
 * Colours that every kind of colour-blindness tells apart; text is grey. A cell is a character plus
 * one of these.
 */
enum {
	SCREEN_GREY = 0x000, SCREEN_WHITE = 0x100, SCREEN_BLUE = 0x200, SCREEN_ORANGE = 0x300,
	SCREEN_COLOURS = 4,
};
#define SCREEN_CHARACTER(cell)  ((uint8_t)(cell))
#define SCREEN_COLOUR(cell)     ((cell) >> 8)

struct screen {
	/* Draws a cell that changes from `was` to `is`. The owner sets it before screen_init(). */
	void (*draw)(void *ctx, unsigned column, unsigned row, uint16_t was, uint16_t is);
	/* Shows or removes the cursor in a cell that shows the character `is`. */
	void (*draw_cursor)(void *ctx, unsigned column, unsigned row, uint16_t is, bool is_on);
	void *ctx;
	uint16_t *cells;                /* columns * (rows + 1): the last row is the covered one */
	unsigned columns, rows;         /* 1 or more each */
	unsigned scroll_rows;           /* rows to scroll by at the bottom, 1 to rows */

	/*
	 * The next character goes here; one of the two is beyond the edge until that character
	 * comes.
	 */
	unsigned column, row;

	/*
	 * Called before an unseen row scrolls off the screen; sets seen to 1 or more. Returns false
	 * if the user does not want the rest. NULL if no user watches, or if the text is available
	 * elsewhere.
	 */
	bool (*hold)(struct screen *s);
	unsigned seen;                  /* number of rows, from the top, that may scroll away */
	bool is_dropping;               /* unwanted text is being dropped */

	bool has_cursor;
	unsigned cursor_column, cursor_row;
};

/* Starts at the top left corner. The device must show blank cells everywhere; nothing is drawn. */
void screen_init(struct screen *s);

/*
 * Writes one character, '\n' (next line, first column), '\r' (first column), '\b' (one column to
 * the left, if there is one) or '\t' (to the next multiple of 8 columns). Other bytes that are not
 * printable ASCII become SCREEN_REPLACEMENT. Removes the cursor.
 */
void screen_put(struct screen *s, char c);

/* Changes one cell of the grid; the position of the next character stays. */
void screen_set(struct screen *s, unsigned column, unsigned row, uint16_t is);

/* Marks all rows above the cursor as seen, because a key was typed. */
void screen_mark_seen(struct screen *s);

/* Stops dropping text: the following text is wanted again. */
void screen_go_on(struct screen *s);

/* Shows or removes the cursor at the position of the next character. */
void screen_show_cursor(struct screen *s, bool is_on);

/* Hides the cursor and blanks every cell. */
void screen_blank(struct screen *s);

/*
 * Shows a text and the cursor in place of the last row, until screen_uncover() shows the row again.
 */
void screen_cover(struct screen *s, const char *text);
void screen_uncover(struct screen *s);

#endif
