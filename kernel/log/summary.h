/* SPDX-License-Identifier: MIT */
/* What a run came to, in few characters: for a QR code. Links without the kernel. */
#ifndef KERNEL_LOG_SUMMARY_H
#define KERNEL_LOG_SUMMARY_H

#include <stdbool.h>

#include <kernel/log/kept.h>

enum { SUMMARY_SIZE = 560 };

/*
 * Writes `head`, the verdict or why the run ended, the totals that are not 0, and as many ids of
 * what failed as fit, a line each: at most `most` characters and a terminator. False: the log has
 * no verdict, and nothing is written.
 */
bool summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct kept_text *log);

#endif
