/* SPDX-License-Identifier: MIT */
/*
 * Reads a PC's keyboard, connected to an 8042, by polling. Every wait is bounded, whatever the
 * device does.
 */
#ifndef KERNEL_INPUT_KEYBOARD_H
#define KERNEL_INPUT_KEYBOARD_H

#include <stdbool.h>

#include <kernel/console/serial.h>
#include <kernel/input/scancodes.h>

struct keyboard {
	const struct uart_bus *bus;    /* byte-wide registers, as a UART has */
	struct scancodes codes;
	bool is_dead;                  /* it stopped answering */
	bool has_leds;
};

/*
 * Makes the controller translate to scan code set 1, with its interrupts and its mouse off. Returns
 * false if there is no 8042 or if it does not answer. Does not check whether a keyboard is
 * connected.
 */
bool keyboard_init(struct keyboard *k, const struct uart_bus *bus);

/* Returns the next key (keys.h), or KEY_NONE. */
int keyboard_get(struct keyboard *k);

#endif
