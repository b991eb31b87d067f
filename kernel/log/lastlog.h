/* SPDX-License-Identifier: MIT */
/*
 * Everything that is printed also goes to memory that firmware, boot loaders and this kernel leave
 * alone, so that a machine without a serial line can be read after a reset, by the next run.
 */
#ifndef KERNEL_LOG_LASTLOG_H
#define KERNEL_LOG_LASTLOG_H

#include <stdbool.h>

#include <kernel/log/kept.h>

/*
 * Finds the log of the run before and begins this run's, before anything is printed. is_recorded:
 * false leaves the log of the run before to the next one. Without enough memory nothing is kept.
 */
void lastlog_init(bool is_recorded);

/* Prints a line of the head, if there was a run before. */
void lastlog_describe(void);

/* The log of the run before, and of this one; text NULL: there is none. */
const struct kept_text *lastlog_previous(void);
struct kept_text lastlog_own(void);

/* Why there is no log of a run before, a sentence without its full stop. */
const char *lastlog_missing(void);

/* In place of the tests: prints that log, each line behind "# | ". */
void lastlog_print(void);

#endif
