/* SPDX-License-Identifier: MIT */
/* Summarises a run in few characters, for a QR code. Links without the kernel. */
#ifndef KERNEL_LOG_SUMMARY_H
#define KERNEL_LOG_SUMMARY_H

#include <stdbool.h>

#include <kernel/log/warm_log.h>

enum { SUMMARY_SIZE = 560 };

/*
 * Writes `head`, the verdict or the reason why the run ended, the totals that are not 0, and as
 * many ids of failed tests as fit, each in a line: at most `most` characters and a terminator.
 * Returns false and writes nothing if the log has no verdict.
 */
bool summary_write(char text[SUMMARY_SIZE], unsigned most, const char *head,
                   const struct warm_log_text *log);

#endif
