/* SPDX-License-Identifier: MIT */
/* Writes sets of numbers, such as processors and tests, as ranges: "0-1,3". */
#ifndef KERNEL_LIB_RANGES_H
#define KERNEL_LIB_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* A walk through the ranges of a set of numbers below end. Other members are 0 at first. */
struct ranges {
	bool (*has)(const void *set, unsigned number);
	const void *set;
	unsigned end, first, last, next;
};

/* Finds the next range, first to last; returns false if there are no more. */
bool ranges_next(struct ranges *r);

/* Returns whether a bit of the uint64_t at set is 1; for struct ranges. */
bool ranges_has_bit(const void *set, unsigned number);

enum { RANGES_SIZE = 64 };

/* Writes the numbers of the bits that are 1 as ranges and returns the text; what does not fit is
 * cut off. */
const char *ranges_text(uint64_t set, char text[RANGES_SIZE]);

#endif
