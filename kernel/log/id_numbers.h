/* SPDX-License-Identifier: MIT */
/* Numbers the tests as tests/ids.csv does. */
#ifndef KERNEL_LOG_ID_NUMBERS_H
#define KERNEL_LOG_ID_NUMBERS_H

#include <stdint.h>

/* tests/generate/ids-table makes them: the CRC-32 of the id with the number i + 1 is id_sums[i]. */
extern const uint32_t id_sums[];
extern const unsigned id_count;

/* Returns the number of the test with this id, or 0. */
unsigned id_number(const char *id);

#endif
