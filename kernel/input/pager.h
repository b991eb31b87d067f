/* SPDX-License-Identifier: MIT */
/*
 * Who has a screen and nothing else reads what is there before it scrolls away: the screen then
 * stops, and asks for a key. Where there is a serial line, all text is to be had at its other end.
 */
#ifndef KERNEL_INPUT_PAGER_H
#define KERNEL_INPUT_PAGER_H

#include <stdbool.h>

/*
 * A user sits there, and a command is over: from now on the screen waits, for a blank (the next
 * page), Enter (the next line) or q (what follows up to the next call is not wanted). While it
 * waits it calls while_waiting() again and again; NULL: nothing is called.
 */
void pager_begin(void (*while_waiting)(void));

/* Nobody sits there any more, or what comes now must be seen in any case. */
void pager_end(void);

/* Does somebody read the screen just now? That takes as long as it takes. */
bool pager_is_waiting(void);

#endif
