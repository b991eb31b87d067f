/* SPDX-License-Identifier: MIT */
/*
 * Summarises a run in few characters, for a QR code; tests/decode reads them. Only characters of
 * QR's alphanumeric mode are used. Links without the kernel.
 */
#ifndef KERNEL_LOG_SUMMARY_H
#define KERNEL_LOG_SUMMARY_H

#include <kernel/log/id_set.h>

enum { SUMMARY_SIZE = 760 };

/*
 * Writes the head in capitals, then as many ids of failed tests as fit, the number of the others,
 * and the CRC-32 of all that, separated by blanks: at most `most` characters and a terminator.
 */
void summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct id_set *failed);

#endif
