/* SPDX-License-Identifier: MIT */
/*
 * Computes a number as a person types it: 31, 1FH, 0x1F, or an expression of such numbers with
 * + - * ^ and parentheses, such as -100, 2^48-1 or (3+1)*10H. Links without the kernel.
 */
#ifndef MONITOR_TOOLS_EXPRESSION_H
#define MONITOR_TOOLS_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

/* A value and each step on the way to it has a sign and at most 64 bits. */
struct expression { uint64_t magnitude; bool is_negative; };

/* Parentheses and powers of powers nest no deeper, because the stack is small. */
enum { EXPRESSION_DEPTH_MAX = 8 };

/*
 * Computes text. Returns NULL, or what is wrong with text, as a sentence that lacks its subject:
 * "is not a number; ...". *e is then undefined.
 */
const char *expression_parse(const char *text, struct expression *e);

/* Returns the value as 64 bits, two's complement. */
static inline uint64_t expression_bits(const struct expression *e)
{
	return e->is_negative ? -e->magnitude : e->magnitude;
}

#endif
