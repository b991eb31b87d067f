/* SPDX-License-Identifier: MIT */
/* Reads the keys that a person types, on serial lines and on a keyboard. */
#ifndef KERNEL_INPUT_KEYS_H
#define KERNEL_INPUT_KEYS_H

#include <stdbool.h>

/* Lists the keys: 1 to 7EH are ASCII ('\r' is Enter, CTRL('C') is 3); the other keys follow. */
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
 * Also reads a PC's keyboard from now on, if there is an 8042. The 8042's ports are not touched
 * before that, because a run without a user needs no keys.
 */
void keys_use_keyboard(void);

/* Returns the next key of the console's lines or the keyboard, or KEY_NONE. */
int keys_get(void);

/* Gives a key back: the next keys_get() returns it. */
void keys_give_back(int key);

/*
 * Stores the waiting keys for later, because keyboards and UARTs hold only 16 bytes. Should be
 * called during long output, while the user may type ahead.
 */
void keys_collect(void);

/*
 * Returns true if CTRL-C was typed. Forgets the CTRL-C and all keys before it; the other keys stay
 * for keys_get().
 */
bool keys_has_interrupt(void);

/* Waits for the next key and returns it; a screen shows its cursor meanwhile. */
int keys_wait(void);

#endif
