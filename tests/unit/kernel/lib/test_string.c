/* SPDX-License-Identifier: MIT */
/* LINK: */
#include <tests/unit/unit.h>

/* Gives the kernel's functions other names, so that the host's, which ASan watches, stay. */
#define memcpy  kernel_memcpy
#define memmove kernel_memmove
#define memset  kernel_memset
#define memcmp  kernel_memcmp
#define strlen  kernel_strlen
#define strcmp  kernel_strcmp
#define strncmp kernel_strncmp
#define strchr  kernel_strchr
#include <arch/regs/table.h>
#include <kernel/lib/string.c>
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strcmp
#undef strncmp
#undef strchr

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

UNIT_TEST(copies_go_where_they_should_and_no_further)
{
	char to[] = "0123456789";

	check_true("memcpy returns the target", kernel_memcpy(to + 2, "abc", 3) == to + 2);
	check_str("memcpy", to, "01abc56789");
	kernel_memcpy(to, "x", 0);
	check_str("memcpy of nothing", to, "01abc56789");
	check_true("memset returns the target", kernel_memset(to + 8, 0x100 + 'z', 2) == to + 8);
	check_str("memset", to, "01abc567zz");
}

/* Filling writes whole words in the middle. */
UNIT_TEST(fills_go_no_further_from_any_address)
{
	for (unsigned from = 0; from < 16; from++)
		for (unsigned size = 0; size < 40; size++) {
			unsigned char to[64] = { 0 }, want[64] = { 0 };

			for (unsigned i = 0; i < size; i++)
				want[from + i] = 0xa5;
			kernel_memset(to + from, 0xa5, size);
			check_true("all bytes and no other", memcmp(to, want, sizeof(to)) == 0);
		}
}

UNIT_TEST(moves_may_overlap)
{
	for (int from = 0; from < 8; from++) {
		for (int to = 0; to < 8; to++) {
			char got[] = "0123456789abcdef", want[] = "0123456789abcdef";

			kernel_memmove(got + to, got + from, 8);
			memmove(want + to, want + from, 8);
			check_str("memmove", got, want);
		}
	}
}

UNIT_TEST(bytes_compare_unsigned)
{
	check_eq_u64("same", kernel_memcmp("abc", "abd", 2), 0);
	check_eq_u64("less", sign(kernel_memcmp("abc", "abd", 3)), -1);
	check_eq_u64("80H is more than 7FH", sign(kernel_memcmp("\x80", "\x7f", 1)), 1);
	check_eq_u64("a zero does not end it", sign(kernel_memcmp("a\0b", "a\0c", 3)), -1);
}

UNIT_TEST(strings_compare_as_libc_says)
{
	static const char *const texts[] = { "", "a", "ab", "abc", "b", "\x80", "ab\xff", "abd" };
	const unsigned count = COUNT_OF(texts);

	for (unsigned i = 0; i < count * count; i++) {
		const char *a = texts[i / count], *b = texts[i % count];

		check_eq_u64("strcmp", sign(kernel_strcmp(a, b)), sign(strcmp(a, b)));
		check_eq_u64("strncmp 2", sign(kernel_strncmp(a, b, 2)), sign(strncmp(a, b, 2)));
		check_eq_u64("strncmp 0", kernel_strncmp(a, b, 0), 0);
	}
}

UNIT_TEST(strings_are_searched_to_their_end)
{
	const char *text = "only=gp";

	check_eq_u64("strlen", kernel_strlen(text), 7);
	check_eq_u64("strlen of nothing", kernel_strlen(""), 0);
	check_true("strchr", kernel_strchr(text, '=') == text + 4);
	check_true("strchr of a character that does not occur", kernel_strchr(text, 'x') == NULL);
	check_true("strchr of the terminator", kernel_strchr(text, '\0') == text + 7);
}

UNIT_MAIN()
