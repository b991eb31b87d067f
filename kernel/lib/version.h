/* SPDX-License-Identifier: MIT */
/*
 * Defines the version, and the schema of the log. The head of each log has both; `make dist` reads
 * the version.
 */
#ifndef KERNEL_LIB_VERSION_H
#define KERNEL_LIB_VERSION_H

#define BARECOUNT_VERSION "0.9.0"

/*
 * Numbers the form of the log. This number must rise whenever a line that a program reads (head,
 * result, key of a YAML block, end) changes its form or its meaning.
 */
#define BARECOUNT_SCHEMA 2

#endif
