/* SPDX-License-Identifier: MIT */
/* Connects qr.c, which places modules, with qr_code.c, which makes the codewords. */
#ifndef KERNEL_CONSOLE_QR_CODE_H
#define KERNEL_CONSOLE_QR_CODE_H

#include <kernel/console/qr.h>

enum { QR_CODEWORDS_MAX = 655 };        /* data and error correction of QR_VERSION_MAX */

/*
 * Returns the number of bits that the symbol has for codewords; the last 0 to 7 of them stay
 * unused.
 */
unsigned qr_code_bits(unsigned version);

/* Returns true if the data has only digits, capitals, blanks and $%*+-./: which take less room. */
bool qr_code_is_capitals(const uint8_t *data, unsigned length);

/* Writes the symbol's codewords in their order and returns their number. The data must fit. */
unsigned qr_code_make(uint8_t codewords[QR_CODEWORDS_MAX], unsigned version, enum qr_level level,
                      const uint8_t *data, unsigned length);

#endif
