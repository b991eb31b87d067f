/* SPDX-License-Identifier: MIT */
/* Patterns for test ids: gp.overflow.* */
#ifndef KERNEL_LIB_GLOB_H
#define KERNEL_LIB_GLOB_H

#include <stdbool.h>

/*
 * Does the pattern match the whole text? `*` stands for any characters, also none, `?` for exactly
 * one; every other character stands for itself. Takes at most strlen(pattern) * strlen(text) steps.
 */
bool glob_is_match(const char *pattern, const char *text);

#endif
