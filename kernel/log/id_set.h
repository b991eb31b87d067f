/* SPDX-License-Identifier: MIT */
/* Holds a set of tests by their numbers in tests/ids.csv. Links without the kernel. */
#ifndef KERNEL_LOG_ID_SET_H
#define KERNEL_LOG_ID_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { ID_SET_SIZE = 2560 };            /* numbers from 1 to ID_SET_SIZE - 1 fit */

/* Number n is bit n % 8 of byte n / 8. */
struct id_set {
	uint8_t bit[ID_SET_SIZE / 8];
	unsigned count;                 /* of all that were added, also those without a bit */
};

static inline void id_set_add(struct id_set *set, unsigned number)
{
	set->count++;
	if (number && number < ID_SET_SIZE)
		set->bit[number / 8] |= (uint8_t)(1 << number % 8);
}

static inline bool id_set_has(const struct id_set *set, unsigned number)
{
	return set->bit[number / 8] >> number % 8 & 1;
}

#endif
