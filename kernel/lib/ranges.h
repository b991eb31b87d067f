/* SPDX-License-Identifier: MIT */
/* Writes a set of small numbers, such as processors, as ranges. */
#ifndef KERNEL_LIB_RANGES_H
#define KERNEL_LIB_RANGES_H

#include <stdint.h>

enum { RANGES_SIZE = 64 };

/* Writes the numbers of the bits that are 1 as "0-1,3" and returns the text; what does not fit is
 * cut off. */
const char *ranges_text(uint64_t set, char text[RANGES_SIZE]);

#endif
