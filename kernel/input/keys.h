/* SPDX-License-Identifier: MIT */
/* What a person types, whatever it comes from: serial lines, a keyboard. */
#ifndef KERNEL_INPUT_KEYS_H
#define KERNEL_INPUT_KEYS_H

#include <stdbool.h>

/* A key: 1 to 7EH are ASCII ('\r' is Enter, CTRL('C') is 3), the others follow. */
enum {
	KEY_NONE = -1,
	KEY_UP = 0x100, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_DELETE,
	KEY_PAGE_UP, KEY_PAGE_DOWN
};
#define KEY_CTRL(letter)  ((letter) & 0x1f)
#define KEY_BACKSPACE     0x08
#define KEY_TAB           0x09
#define KEY_ENTER         0x0d
#define KEY_ESCAPE        0x1b

/*
 * From now on those of a PC's keyboard, too, if there is an 8042. Before that its ports are not
 * touched: what runs without a user has no keys.
 */
void keys_use_keyboard(void);

/* Returns the next key of the console's lines or the keyboard, or KEY_NONE. */
int keys_get(void);

/*
 * Keeps the keys that wait for later, as keyboards and UARTs keep 16 bytes: to be called while much
 * is drawn that others type ahead of.
 */
void keys_collect(void);

/* Was CTRL-C typed? It and what came before it are forgotten; other keys stay for keys_get(). */
bool keys_has_interrupt(void);

/* Waits for it; a screen shows its cursor meanwhile. */
int keys_wait(void);

#endif
