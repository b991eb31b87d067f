/* SPDX-License-Identifier: MIT */
/* Parses by recursive descent: sum, product, power, atom; a power binds tighter than a sign. */
#include <monitor/tools/expression.h>

#include <stddef.h>

#include <kernel/lib/digit.h>

static const char not_a_number[] = "is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1";
static const char too_large[] = "needs more than 64 bits";
static const char too_deep[] = "nests too deep";
static const char no_operand[] = "lacks a number after + - * ^ or (";
static const char not_closed[] = "lacks a )";
static const char not_opened[] = "has a ) too many";
static const char negative_power[] = "has a negative power";

struct parser {
	const char *at;
	unsigned depth;
	const char *problem;           /* the first one; all that follows it is meaningless */
};

static struct expression sum(struct parser *p);

static struct expression fail(struct parser *p, const char *problem)
{
	if (!p->problem)
		p->problem = problem;
	return (struct expression){ 0 };
}

/* ---------------------------------------------------------------------------- computing */

static struct expression add(struct parser *p, struct expression a, struct expression b)
{
	struct expression r = { a.magnitude + b.magnitude, a.is_negative };

	if (a.is_negative == b.is_negative)
		return r.magnitude < a.magnitude ? fail(p, too_large) : r;
	if (a.magnitude < b.magnitude)
		return add(p, b, a);
	r.magnitude = a.magnitude - b.magnitude;
	r.is_negative &= r.magnitude != 0;
	return r;
}

static struct expression negative(struct expression e)
{
	e.is_negative = !e.is_negative && e.magnitude;
	return e;
}

static struct expression multiply(struct parser *p, struct expression a, struct expression b)
{
	struct expression r = { a.magnitude * b.magnitude, a.is_negative != b.is_negative };

	if (a.magnitude && b.magnitude > UINT64_MAX / a.magnitude)
		return fail(p, too_large);
	r.is_negative &= r.magnitude != 0;
	return r;
}

/* The magnitude doubles with each turn, or is 0 or 1, where turns beyond two change nothing. */
static struct expression power(struct parser *p, struct expression base, struct expression n)
{
	struct expression r = { 1, false };

	if (n.is_negative)
		return fail(p, negative_power);
	if (base.magnitude < 2 && n.magnitude > 2)
		n.magnitude = 2 + n.magnitude % 2;
	for (uint64_t i = 0; i < n.magnitude && !p->problem; i++)
		r = multiply(p, r, base);
	return r;
}

/* ---------------------------------------------------------------------------- parsing */

static bool is_word(char c)
{
	return digit(c) < 16 || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_';
}

static struct expression digits(struct parser *p, const char *text, const char *end, unsigned base)
{
	struct expression e = { 0 };

	if (text == end)
		return fail(p, not_a_number);
	for (; text < end; text++) {
		if (digit(*text) >= base)
			return fail(p, not_a_number);
		e = multiply(p, e, (struct expression){ base, false });
		e = add(p, e, (struct expression){ digit(*text), false });
	}
	return e;
}

/* A number as the SDM writes it: decimal, 0x1F, 1FH or 1Fh. */
static struct expression number(struct parser *p)
{
	const char *const text = p->at;

	while (is_word(*p->at))
		p->at++;
	if (p->at == text)
		return fail(p, *text == '\0' || *text == ')' ? no_operand : not_a_number);
	if (text[0] == '0' && (text[1] | 32) == 'x')
		return digits(p, text + 2, p->at, 16);
	if ((p->at[-1] | 32) == 'h')
		return digits(p, text, p->at - 1, 16);
	return digits(p, text, p->at, 10);
}

static struct expression atom(struct parser *p)
{
	struct expression e;

	if (*p->at != '(')
		return number(p);
	p->at++;
	e = sum(p);
	if (*p->at != ')')
		return fail(p, not_closed);
	p->at++;
	return e;
}

/* 2^3^2 is 2^(3^2), and -2^2 is -(2^2). */
static struct expression powers(struct parser *p)
{
	struct expression e;

	if (++p->depth > EXPRESSION_DEPTH_MAX)
		return fail(p, too_deep);
	if (*p->at == '-') {
		p->at++;
		e = negative(powers(p));
	} else {
		e = atom(p);
	}
	if (*p->at == '^' && !p->problem) {
		p->at++;
		e = power(p, e, powers(p));
	}
	p->depth--;
	return e;
}

static struct expression product(struct parser *p)
{
	struct expression e = powers(p);

	while (*p->at == '*' && !p->problem) {
		p->at++;
		e = multiply(p, e, powers(p));
	}
	return e;
}

static struct expression sum(struct parser *p)
{
	struct expression e = product(p);

	while ((*p->at == '+' || *p->at == '-') && !p->problem) {
		const bool is_minus = *p->at++ == '-';
		const struct expression b = product(p);

		e = add(p, e, is_minus ? negative(b) : b);
	}
	return e;
}

const char *expression_parse(const char *text, struct expression *e)
{
	struct parser p = { .at = text };

	if (*text == '\0')
		return not_a_number;
	*e = sum(&p);
	if (!p.problem && *p.at)
		fail(&p, *p.at == ')' ? not_opened : not_a_number);
	return p.problem;
}
