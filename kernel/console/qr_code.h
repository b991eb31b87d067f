/* SPDX-License-Identifier: MIT */
/* Between qr.c, which places modules, and qr_code.c, which makes the codewords. */
#ifndef KERNEL_CONSOLE_QR_CODE_H
#define KERNEL_CONSOLE_QR_CODE_H

#include <kernel/console/qr.h>

enum { QR_CODEWORDS_MAX = 655 };        /* of QR_VERSION_MAX, data and error correction */

/* How many bits the symbol has for codewords; the last 0 to 7 of them stay unused. */
unsigned qr_code_bits(unsigned version);

/* The symbol's codewords in their order; returns their number. The data must fit. */
unsigned qr_code_make(uint8_t codewords[QR_CODEWORDS_MAX], unsigned version, enum qr_level level,
                      const uint8_t *data, unsigned length);

#endif
