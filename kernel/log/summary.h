/* SPDX-License-Identifier: MIT */
/*
 * Summarises a run in few characters, for a QR code; tests/decode reads them. Only characters of
 * QR's alphanumeric mode are used. Links without the kernel.
 */
#ifndef KERNEL_LOG_SUMMARY_H
#define KERNEL_LOG_SUMMARY_H

#include <stdint.h>

enum { SUMMARY_SIZE = 760, SUMMARY_IDS = 2048 };

/* The failed tests by their numbers; number n is bit n % 8 of byte n / 8. */
struct summary_ids {
	uint8_t bit[SUMMARY_IDS / 8];
	unsigned count;                 /* of all failed tests, those without a bit included */
};

void summary_add_id(struct summary_ids *ids, unsigned number);

/*
 * Writes the head in capitals, then as many ids as fit, the number of the others, and the CRC-32 of
 * all that, separated by blanks: at most `most` characters and a terminator.
 */
void summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct summary_ids *ids);

#endif
