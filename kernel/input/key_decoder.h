/* SPDX-License-Identifier: MIT */
/*
 * Combines the bytes that a terminal sends for keys other than characters into a KEY_: ESC and a
 * sequence, as in ECMA-48 and DEC's VT100 and VT220.
 */
#ifndef KERNEL_INPUT_KEY_DECODER_H
#define KERNEL_INPUT_KEY_DECODER_H

#include <stdbool.h>
#include <stdint.h>

/* Holds the state of one line; all 0 at the start. */
struct key_decoder {
	uint8_t state;
	uint8_t length;                /* of the sequence so far */
	unsigned number;               /* its first parameter */
	bool has_number;               /* the parameter is complete */
	bool is_after_return;
	uint32_t idle;                 /* polls since the last byte */
};

/*
 * Returns the key that this byte completes, or KEY_NONE. byte is KEY_NONE if none has come: after
 * KEY_DECODER_IDLE_POLLS of those, a lone ESC becomes a key of its own, and an incomplete sequence
 * is forgotten. Bytes outside a sequence are keys as they are, also directly after ESC.
 *
 * The bytes of a sequence follow each other without a gap; at 300 bit/s each takes 33 ms. A poll
 * takes 1 us on ISA and LPC, and 0.2 us in QEMU, where a busy host may need some milliseconds
 * between two bytes. So that many polls take 300 ms and 60 ms.
 */
#define KEY_DECODER_IDLE_POLLS  300000u
int key_decode(struct key_decoder *d, int byte);

#endif
