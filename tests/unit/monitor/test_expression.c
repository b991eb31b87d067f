/* SPDX-License-Identifier: MIT */
/* LINK: monitor/tools/expression.c */
#include <monitor/tools/expression.h>

#include <arch/regs/table.h>
#include <tests/unit/unit.h>

static void check(const char *text, const char *sign, uint64_t magnitude)
{
	struct expression e = { 77, true };

	check_str(text, expression_parse(text, &e), NULL);
	check_eq_u64(text, e.magnitude, magnitude);
	check_str(text, e.is_negative ? "-" : "", sign);
}

UNIT_TEST(operators_bind_as_in_mathematics)
{
	check("1+2*3", "", 7);
	check("(1+2)*3", "", 9);
	check("10-3-4", "", 3);
	check("2^3^2", "", 512);
	check("-2^2", "-", 4);
	check("(-2)^2", "", 4);
	check("2*-3", "-", 6);
	check("3--2", "", 5);
	check("2^3*2", "", 16);
	check("1FH+0x1", "", 0x20);
	check("10h*10H", "", 256);
}

UNIT_TEST(a_value_has_a_sign_and_64_bits)
{
	check("-100", "-", 100);
	check("2^48-1", "", (UINT64_C(1) << 48) - 1);
	check("2^63+(2^63-1)", "", UINT64_MAX);
	check("-18446744073709551615", "-", UINT64_MAX);
	check("FFFFFFFFFFFFFFFFH-FFFFFFFFFFFFFFFFH", "", 0);
	check("3-5", "-", 2);
	check("5-8+3", "", 0);
	check("-0", "", 0);
	check("0*-1", "", 0);
	check("0^0", "", 1);
	check("0^18446744073709551615", "", 0);
	check("(-1)^18446744073709551615", "-", 1);
	check("(-1)^18446744073709551614", "", 1);
	check_eq_u64("bits", expression_bits(&(struct expression){ 1, true }), UINT64_MAX);
}

UNIT_TEST(mistakes_are_sentences)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1" },
		{ "x+1", "is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1" },
		{ "1F", "is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1" },
		{ "1/2", "is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1" },
		{ "1(2)", "is not a number; numbers are 31, 0x1F, 1FH, -100 or 2^48-1" },
		{ "2^", "lacks a number after + - * ^ or (" },
		{ "()", "lacks a number after + - * ^ or (" },
		{ "-", "lacks a number after + - * ^ or (" },
		{ "((1)", "lacks a )" },
		{ "(1))", "has a ) too many" },
		{ "2^-1", "has a negative power" },
		{ "2^64", "needs more than 64 bits" },
		{ "2^63+2^63", "needs more than 64 bits" },
		{ "2^32*2^32", "needs more than 64 bits" },
		{ "-18446744073709551615-1", "needs more than 64 bits" },
		{ "((((((((1))))))))", "nests too deep" },
		{ "1^1^1^1^1^1^1^1^1", "nests too deep" },
	};
	struct expression e;

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_str(rows[i].text, expression_parse(rows[i].text, &e), rows[i].want);
	check("(((((((1)))))))", "", 1);
}

UNIT_MAIN()
