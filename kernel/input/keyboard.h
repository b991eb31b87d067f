/* SPDX-License-Identifier: MIT */
/* A PC's keyboard behind an 8042, polled. No call here waits for ever, whatever the device does. */
#ifndef KERNEL_INPUT_KEYBOARD_H
#define KERNEL_INPUT_KEYBOARD_H

#include <stdbool.h>

#include <kernel/console/serial.h>
#include <kernel/input/scancodes.h>

struct keyboard {
	const struct uart_bus *bus;    /* its registers are byte-wide, as a UART's are */
	struct scancodes codes;
	bool is_dead;                  /* it stopped answering */
	bool has_leds;
};

/*
 * Has the controller translate to scan code set 1, without interrupts and without its mouse. False:
 * there is no 8042, or one that does not answer. Whether there is a keyboard is not asked.
 */
bool keyboard_init(struct keyboard *k, const struct uart_bus *bus);

/* The next key (keys.h), or KEY_NONE. */
int keyboard_get(struct keyboard *k);

#endif
