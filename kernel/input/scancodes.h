/* SPDX-License-Identifier: MIT */
/* Translates scan codes (set 1) of a keyboard with US layout into keys (keys.h). */
#ifndef KERNEL_INPUT_SCANCODES_H
#define KERNEL_INPUT_SCANCODES_H

#include <stdbool.h>
#include <stdint.h>

/* Holds the state of a keyboard; all 0 at the start. */
struct scancodes {
	bool left_shift, right_shift, left_ctrl, right_ctrl;
	bool has_caps_lock, has_num_lock;
	bool is_lock_held;             /* a key that is held down repeats */
	bool is_extended;              /* E0H came before */
	uint8_t skipped;               /* number of bytes to skip after E1H */
};

/*
 * Returns the key that this byte completes, or KEY_NONE if it completes none or one without a KEY_.
 */
int scancode_decode(struct scancodes *s, uint8_t code);

#endif
