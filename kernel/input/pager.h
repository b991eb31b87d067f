/* SPDX-License-Identifier: MIT */
/*
 * Stops the screen before unread text scrolls off it, and waits for a key. This happens only if the
 * screen is the only output; with a serial line, all text can be read there.
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

/* Ends paging, because no user is there or because the following text must appear in any case. */
void pager_end(void);

/* Returns true while the screen waits for a key, which may take any time. */
bool pager_is_waiting(void);

#endif
