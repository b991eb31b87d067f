/* SPDX-License-Identifier: MIT */
/* LINK: kernel/lib/format.c */
#include <kernel/lib/format.h>

#include <limits.h>

#include <arch/regs/table.h>
#include <tests/unit/unit.h>

/* Checks the text of a format whose arguments the compiler checks. */
#define check_format(want, ...) \
	do { \
		char text[256]; \
		int length = format_buf(text, sizeof(text), __VA_ARGS__); \
		check_str(#__VA_ARGS__, text, want); \
		check_eq_u64("length of " #__VA_ARGS__, length, strlen(want)); \
	} while (0)

/* For formats that the compiler must not check, since it would refuse them. */
static int (*const volatile format_unchecked)(char *buf, size_t size, const char *fmt, ...) =
	format_buf;

UNIT_TEST(text_without_conversions_is_copied)
{
	const char *empty = "";

	check_format("", "%s", empty);
	check_format("1..212\n", "1..212\n");
	check_format("100%", "100%%");
}

UNIT_TEST(characters_and_strings)
{
	check_format("a", "%c", 'a');
	check_format("  a|a  |", "%3c|%-3c|", 'a', 'a');
	check_format("gp.overflow", "%s", "gp.overflow");
	check_format("   ab|ab   |", "%5s|%-5s|", "ab", "ab");
	check_format("abc", "%.3s", "abcdef");
	check_format("  abc|", "%*.*s|", 5, 3, "abcdef");
}

UNIT_TEST(null_is_a_string)
{
	char text[16];

	format_unchecked(text, sizeof(text), "%s", (const char *)NULL);
	check_str("%s of NULL", text, "(null)");
}

UNIT_TEST(a_precision_bounds_what_is_read)
{
	const char unterminated[3] = { 'a', 'b', 'c' };

	check_format("abc", "%.3s", unterminated);
}

UNIT_TEST(signed_numbers)
{
	check_format("0 -1 42", "%d %d %i", 0, -1, 42);
	check_format("-2147483648 2147483647", "%d %d", INT_MIN, INT_MAX);
	check_format("-9223372036854775808", "%lld", LLONG_MIN);
	check_format("   -7|-7   |-0007", "%5d|%-5d|%05d", -7, -7, -7);
}

UNIT_TEST(unsigned_numbers)
{
	check_format("0 4294967295", "%u %u", 0U, UINT_MAX);
	check_format("18446744073709551615", "%llu", ULLONG_MAX);
	check_format("ff FF 0", "%x %X %x", 255U, 255U, 0U);
	check_format("ffffffffffffffff", "%llx", ULLONG_MAX);
	check_format("0000002a", "%08x", 42U);
}

UNIT_TEST(every_digit_of_a_long_division_is_carried)
{
	check_format("10000000000000000000", "%llu", 10000000000000000000ULL);
	check_format("4294967296", "%llu", 1ULL << 32);
	check_format("281474976710656", "%llu", 1ULL << 48);
	check_format("12345678901234567890", "%llu", 12345678901234567890ULL);
}

UNIT_TEST(length_modifiers_cut_and_extend)
{
	check_format("-1 255", "%hhd %hhu", (signed char)-1, (unsigned char)255);
	check_format("-32768 65535", "%hd %hu", (short)-32768, (unsigned short)65535);
	check_format("-5 5", "%ld %lu", -5L, 5UL);
	check_format("12", "%zu", sizeof("hello world"));
	check_format("2BADB002H", "%" PRIX64 "H", UINT64_C(0x2BADB002));
	check_format("deadbeef00000001", "%" PRIx64, UINT64_C(0xDEADBEEF00000001));
}

UNIT_TEST(pointers)
{
	check_format("0xb8000", "%p", (void *)(uintptr_t)0xb8000);
	check_format("0x0", "%p", (void *)NULL);
}

UNIT_TEST(a_negative_star_width_is_left)
{
	check_format("7   |", "%*d|", -4, 7);
	check_format("abcdef", "%.*s", -1, "abcdef");
}

UNIT_TEST(a_zero_with_precision_zero_has_no_digit)
{
	check_format("[]", "[%.0d]", 0);
	check_format("[  ]", "[%2.0x]", 0U);
}

UNIT_TEST(an_unknown_conversion_is_printed_as_it_stands)
{
	char text[32];

	format_unchecked(text, sizeof(text), "%q %-5y|%");
	check_str("%q %-5y|%", text, "%q %-5y|%");
}

UNIT_TEST(a_width_beyond_all_bounds_is_bounded)
{
	char text[8];

	check_eq_u64("%*d of INT_MAX", format_unchecked(text, sizeof(text), "%*d", INT_MAX, 1),
	             FORMAT_WIDTH_MAX);
	check_eq_u64("%*d of INT_MIN", format_unchecked(text, sizeof(text), "%*d", INT_MIN, 1),
	             FORMAT_WIDTH_MAX);
	check_eq_u64("%99999999999d", format_unchecked(text, sizeof(text), "%99999999999d", 1),
	             FORMAT_WIDTH_MAX);
}

UNIT_TEST(every_size_of_buffer_is_kept)
{
	const char want[] = "test 17: got 12H";

	for (size_t size = 0; size <= sizeof(want) + 1; size++) {
		char *text = malloc(size ? size : 1);   /* ASan sees a byte too many */
		size_t shown = size > sizeof(want) ? sizeof(want) - 1 : size - 1;
		int length = format_buf(text, size, "test %d: got %XH", 17, 0x12U);

		check_eq_u64("full length", length, strlen(want));
		if (size) {
			check_eq_u64("length in the buffer", strlen(text), shown);
			check_true("beginning of the text", strncmp(text, want, shown) == 0);
		}
		free(text);
	}
}

UNIT_TEST(a_buffer_of_size_0_is_not_touched)
{
	char text[1] = { 'x' };

	check_eq_u64("full length", format_buf(text, 0, "abc"), 3);
	check_eq_u64("the byte", text[0], 'x');
}

static const long long numbers[] = {
	0, 1, -1, 9, 10, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 99999, INT_MAX, INT_MIN,
	UINT_MAX, 1LL << 32, 1LL << 47, -(1LL << 48), LLONG_MAX, LLONG_MIN,
};

static void compare_with_libc(const char *fmt)
{
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		char got[128], want[128];
		int got_length = format_unchecked(got, sizeof(got), fmt, numbers[i]);
		int want_length = snprintf(want, sizeof(want), fmt, numbers[i]);

		if (check_str(fmt, got, want))
			check_eq_u64(fmt, got_length, want_length);
	}
}

/* The host passes every number in 64 bits, so each length takes its part of the same number. */
UNIT_TEST(every_combination_prints_what_libc_prints)
{
	static const char *const flags[] = { "", "-", "0", "-0", "0-" };
	static const char *const widths[] = { "", "1", "7", "25" };
	static const char *const precisions[] = { "", ".", ".0", ".1", ".5", ".30" };
	static const char *const lengths[] = { "hh", "h", "", "l", "ll", "z" };
	static const char letters[] = "diuxX";
	unsigned i = 0;

	for (; i < 5 * 4 * 6 * 6 * 5; i++) {
		char fmt[32];

		snprintf(fmt, sizeof(fmt), "%%%s%s%s%s%c", flags[i % 5], widths[i / 5 % 4],
		         precisions[i / 20 % 6], lengths[i / 120 % 6], letters[i / 720 % 5]);
		compare_with_libc(fmt);
	}
	check_eq_u64("formats compared", i, 3600);
}

UNIT_MAIN()
