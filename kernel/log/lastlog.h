/* SPDX-License-Identifier: MIT */
/*
 * Keeps a copy of all output in memory that firmware, boot loaders and this kernel leave alone, so
 * that after a reset the next run can print the log of a machine without a serial line.
 */
#ifndef KERNEL_LOG_LASTLOG_H
#define KERNEL_LOG_LASTLOG_H

#include <stdbool.h>

#include <kernel/log/warm_log.h>

/*
 * Finds the log of the previous run and begins this run's. Must be called before anything is
 * printed. If is_recorded is false, the previous log stays for the next run. Without enough memory
 * nothing is kept.
 */
void lastlog_init(bool is_recorded);

/* Prints a line of the head, if there was a previous run. */
void lastlog_describe(void);

/* Return the log of the previous run, and of this run; text is NULL if there is no log. */
const struct warm_log_text *lastlog_previous(void);
struct warm_log_text lastlog_own(void);

/* Returns why there is no log of a previous run: a sentence without its full stop. */
const char *lastlog_missing(void);

/* Prints the previous log instead of running tests, each line with the prefix "# | ". */
void lastlog_print(void);

#endif
