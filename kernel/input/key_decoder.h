/* SPDX-License-Identifier: MIT */
/*
 * What a terminal sends for keys that are not characters: ESC and what follows, as ECMA-48 and
 * DEC's VT100 and VT220 have it, put together to a KEY_.
 */
#ifndef KERNEL_INPUT_KEY_DECODER_H
#define KERNEL_INPUT_KEY_DECODER_H

#include <stdbool.h>
#include <stdint.h>

/* One for each line; all 0 at the start. */
struct key_decoder {
	uint8_t state;
	uint8_t length;                /* of the sequence so far */
	unsigned number;               /* its first parameter */
	bool has_number;               /* which is over */
	bool is_after_return;
	uint32_t idle;                 /* polls since the last byte */
};

/*
 * The key that this byte completes, or KEY_NONE. byte: KEY_NONE where none has come: after so many
 * of those ESC was a key of its own, and a sequence that was cut off is forgotten. What is in no
 * sequence is taken as it is, also right behind ESC.
 *
 * The bytes of a sequence follow each other without a gap; at 300 bit/s one takes 33 ms. A poll
 * takes 1 us on ISA and LPC, 0.2 us in QEMU, where a busy host may need some milliseconds between
 * two bytes: so many take 300 ms and 60 ms.
 */
#define KEY_DECODER_IDLE_POLLS  300000u
int key_decode(struct key_decoder *d, int byte);

#endif
