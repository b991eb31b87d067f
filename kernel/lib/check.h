/* SPDX-License-Identifier: MIT */
/*
 * Computes the log's check sum, by which a reader can tell that a log is complete and of one run.
 * It is the CRC-32 of IEEE 802.3, "Frame Check Sequence (FCS) field", over all characters from `TAP
 * version 13` on. Lines end with \n alone, whatever the consoles send.
 */
#ifndef KERNEL_LIB_CHECK_H
#define KERNEL_LIB_CHECK_H

#include <stdint.h>

struct check {
	uint32_t crc, lines;            /* of the characters so far; zero before the first */
};

void check_add(struct check *check, char c);

#endif
