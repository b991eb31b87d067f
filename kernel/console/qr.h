/* SPDX-License-Identifier: MIT */
/*
 * QR codes: bytes as a square of dark and light modules. Source: ISO/IEC 18004, model 2, byte mode,
 * versions 1 to 15, error correction levels L and M. Links without the kernel.
 */
#ifndef KERNEL_CONSOLE_QR_H
#define KERNEL_CONSOLE_QR_H

#include <stdbool.h>
#include <stdint.h>

enum {
	QR_VERSION_MAX = 15,
	QR_SIZE_MAX = 17 + 4 * QR_VERSION_MAX,
	QR_QUIET = 4,                   /* light modules that have to be around it */
};

enum qr_level { QR_L, QR_M };

struct qr {
	unsigned version, size, mask;   /* size: modules a side */
	enum qr_level level;
	uint8_t module[QR_SIZE_MAX][QR_SIZE_MAX];       /* private: see qr_is_dark() */
};

/* So many bytes fit in. */
unsigned qr_capacity(unsigned version, enum qr_level level);

/*
 * At level M if the data fits in version_max then, else at L; in the smallest version that holds
 * it; with the mask of least penalty. False: it does not fit.
 */
bool qr_encode(struct qr *qr, const void *data, unsigned length, unsigned version_max);

/* Beyond its edges all is light. */
bool qr_is_dark(const struct qr *qr, int column, int row);

#endif
