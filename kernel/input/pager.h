/* SPDX-License-Identifier: MIT */
/*
 * Stops the screen before unread text scrolls off it, and waits for a key. This happens only if the
 * screen is the only output; with a serial line, all text can be read there. A serial line stops
 * only for a person who said how large the terminal is, because scripts would wait for ever.
 */
#ifndef KERNEL_INPUT_PAGER_H
#define KERNEL_INPUT_PAGER_H

#include <stdbool.h>

/*
 * Starts paging for a user. The screen then waits for a blank (next page), Enter (next line) or q
 * (drop the text until the next pager_begin(), which is called after each command). While it waits
 * it calls while_waiting() repeatedly, unless that is NULL.
 */
void pager_begin(void (*while_waiting)(void));

/*
 * Tells the size of the terminal at a serial line, 2 rows or more; columns 0, as at first: unknown.
 * pager_columns() returns its columns.
 */
void pager_set_page(unsigned columns, unsigned rows);
unsigned pager_columns(void);

/*
 * From here on to pager_end(), or to console_flow_end(), lines are broken at blanks, and a serial
 * line stops after each page. The cursor must be at the left edge.
 */
void pager_flow_begin(void);

/* Ends paging, because no user is there or because the following text must appear in any case. */
void pager_end(void);

/* Returns true while the screen waits for a key, which may take any time. */
bool pager_is_waiting(void);

#endif
