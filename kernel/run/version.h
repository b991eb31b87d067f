/* SPDX-License-Identifier: MIT */
/* Which Barecount this is: both stand in the head of each log; `make dist` reads the version. */
#ifndef KERNEL_RUN_VERSION_H
#define KERNEL_RUN_VERSION_H

#define BARECOUNT_VERSION "0.9.0"

/*
 * Of the log's form: one more whenever a line that a program reads (head, result, key of a YAML
 * block, end) changes its form or its meaning.
 */
#define BARECOUNT_SCHEMA 1

#endif
