/* SPDX-License-Identifier: MIT */
/* Converts the digits of numbers that people type. */
#ifndef KERNEL_LIB_DIGIT_H
#define KERNEL_LIB_DIGIT_H

/* Returns the value of a digit, or 16 for any other character. */
static inline unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

#endif
