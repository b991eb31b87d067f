/* SPDX-License-Identifier: MIT */
/* LINK: monitor/tools/expression.c */
/*
 * Bytes are parsed as they are, which must not crash; and they choose an expression that is written
 * with all its parentheses while it is computed in 128 bits, so that both values can be compared.
 */
#include <monitor/tools/expression.h>

#include <stdio.h>
#include <string.h>

#include <tests/unit/fuzz.h>

static char text[4096];
static const uint8_t *next_byte, *end;
static bool is_too_large;

static unsigned choose(unsigned count)
{
	return next_byte < end ? *next_byte++ % count : 0;
}

static void write_text(const char *piece)
{
	strncat(text, piece, sizeof(text) - strlen(text) - 1);
}

static __int128 kept(__int128 value)
{
	if (value > (__int128)UINT64_MAX || value < -(__int128)UINT64_MAX)
		is_too_large = true;
	return is_too_large ? 0 : value;
}

static __int128 number(void)
{
	static const char *const forms[] = { "%llu", "0x%llx", "0%llXH", "%llu" };
	char piece[32];
	uint64_t value = choose(256);

	value = choose(3) ? value : UINT64_MAX - value;
	snprintf(piece, sizeof(piece), forms[choose(4)], (unsigned long long)value);
	write_text(piece);
	return value;
}

/* A product of two values of 64 bits and a sign fits, except for the last bit. */
static __int128 multiplied(__int128 a, __int128 b)
{
	__int128 r;

	if (__builtin_mul_overflow(a, b, &r))
		is_too_large = true;
	return kept(is_too_large ? 0 : r);
}

static __int128 operated(__int128 a, unsigned operator, __int128 b)
{
	__int128 r = 1;

	switch (operator) {
	case 0: return kept(a + b);
	case 1: return kept(a - b);
	case 2: return multiplied(a, b);
	default:
		for (__int128 i = 0; i < b && !is_too_large; i++)
			r = multiplied(r, a);
		return r;
	}
}

static __int128 write_expression(unsigned depth)
{
	static const char *const operators[] = { "+", "-", "*", "^" };
	unsigned operator;
	__int128 a, b;

	if (depth == 0 || choose(3) == 0)
		return number();
	operator = choose(4);
	write_text("(");
	a = write_expression(depth - 1);
	write_text(operators[operator]);
	if (operator == 3) {
		char digit[] = { (char)('0' + choose(10)), '\0' };

		write_text(digit);
		b = digit[0] - '0';
	} else {
		b = write_expression(depth - 1);
	}
	write_text(")");
	return operated(a, operator, b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct expression e;
	const char *problem;
	__int128 want, got;
	size_t length = size < sizeof(text) ? size : sizeof(text) - 1;

	memcpy(text, data, length);
	text[length] = '\0';
	problem = expression_parse(text, &e);
	REQUIRE(problem ? *problem : !e.is_negative || e.magnitude);
	text[0] = '\0';
	next_byte = data;
	end = data + size;
	is_too_large = false;
	want = write_expression(4);
	problem = expression_parse(text, &e);
	REQUIRE(is_too_large == (problem != NULL));
	got = problem ? want : e.is_negative ? -(__int128)e.magnitude : (__int128)e.magnitude;
	REQUIRE(got == want);
	return 0;
}
