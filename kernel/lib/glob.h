/* SPDX-License-Identifier: MIT */
/* Matches test ids with patterns such as gp.overflow.* */
#ifndef KERNEL_LIB_GLOB_H
#define KERNEL_LIB_GLOB_H

#include <stdbool.h>

/*
 * Returns true if the pattern matches the whole text. `*` stands for any characters, also none, and
 * `?` for exactly one; every other character stands for itself. Takes at most strlen(pattern) *
 * strlen(text) steps.
 */
bool glob_is_match(const char *pattern, const char *text);

#endif
