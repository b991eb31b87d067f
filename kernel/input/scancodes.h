/* SPDX-License-Identifier: MIT */
/* Scan codes, set 1, of a keyboard with the US layout, as keys (keys.h). */
#ifndef KERNEL_INPUT_SCANCODES_H
#define KERNEL_INPUT_SCANCODES_H

#include <stdbool.h>
#include <stdint.h>

/* A keyboard; all 0 at the start. */
struct scancodes {
	bool left_shift, right_shift, left_ctrl, right_ctrl;
	bool has_caps_lock, has_num_lock;
	bool is_lock_held;             /* a key that is held down comes again and again */
	bool is_extended;              /* behind E0H */
	uint8_t skipped;               /* so many of E1H's bytes are to come */
};

/* The key that this byte completes; KEY_NONE: none, or one that there is no KEY_ for. */
int scancode_decode(struct scancodes *s, uint8_t code);

#endif
