/* SPDX-License-Identifier: MIT */
/*
 * Encodes bytes as a QR code, a square of dark and light modules. Source: ISO/IEC 18004, model 2,
 * byte and alphanumeric mode, versions 1 to 15, error correction levels L and M. Links without the
 * kernel.
 */
#ifndef KERNEL_CONSOLE_QR_H
#define KERNEL_CONSOLE_QR_H

#include <stdbool.h>
#include <stdint.h>

enum {
	QR_VERSION_MAX = 15,
	QR_SIZE_MAX = 17 + 4 * QR_VERSION_MAX,
	QR_QUIET = 4,                   /* width of the light margin that a symbol needs */
};

enum qr_level { QR_L, QR_M };

struct qr {
	unsigned version, size, mask;   /* size: modules per side */
	enum qr_level level;
	uint8_t module[QR_SIZE_MAX][QR_SIZE_MAX];       /* private: see qr_is_dark() */
};

/*
 * Return the number of bytes that fit, and of characters of which each is a digit, a capital, a
 * blank or one of $%*+-./:
 */
unsigned qr_capacity(unsigned version, enum qr_level level);
unsigned qr_capacity_capitals(unsigned version, enum qr_level level);

/*
 * Encodes data at level M if it fits into version_max, else at level L, in the smallest version
 * that holds it and with the mask of least penalty. Returns false if the data does not fit.
 */
bool qr_encode(struct qr *qr, const void *data, unsigned length, unsigned version_max);

/* Returns true if a module is dark; everything outside the symbol is light. */
bool qr_is_dark(const struct qr *qr, int column, int row);

#endif
