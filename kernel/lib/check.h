/* SPDX-License-Identifier: MIT */
/*
 * The log's check sum: who reads the log can tell that it is whole, and of one run. CRC-32 as in
 * IEEE 802.3, "Frame Check Sequence (FCS) field", of all characters from `TAP version 13` on; lines
 * end with \n alone, whatever the consoles send.
 */
#ifndef KERNEL_LIB_CHECK_H
#define KERNEL_LIB_CHECK_H

#include <stdint.h>

struct check {
	uint32_t crc, lines;            /* of the characters so far; nothing of none */
};

void check_add(struct check *check, char c);

#endif
