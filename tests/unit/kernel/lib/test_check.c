/* SPDX-License-Identifier: MIT */
/* LINK: kernel/lib/check.c */
#include <kernel/lib/check.h>
#include <tests/unit/unit.h>

static struct check sum_of(const char *text)
{
	struct check check = { 0 };

	for (; *text; text++)
		check_add(&check, *text);
	return check;
}

/* The check value that catalogues of CRCs give for CRC-32 (IEEE 802.3), and those of gzip. */
UNIT_TEST(known_sums)
{
	check_eq_u64("nothing", sum_of("").crc, 0);
	check_eq_u64("123456789", sum_of("123456789").crc, 0xCBF43926);
	check_eq_u64("TAP version 13\n", sum_of("TAP version 13\n").crc, 0x9343833E);
	check_eq_u64("bytes of no text", sum_of("\x80\xff").crc, 0x57586539);
}

/* The definition in its plain form: bit by bit. */
UNIT_TEST(all_characters_as_bit_by_bit)
{
	for (unsigned c = 0; c < 256; c++) {
		struct check check = { .crc = 0x12345678 };
		uint32_t crc = ~UINT32_C(0x12345678) ^ c;

		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xEDB88320) : 0);
		check_add(&check, (char)c);
		check_eq_u64("a character", check.crc, ~crc);
	}
}

UNIT_TEST(lines_are_counted)
{
	check_eq_u64("nothing", sum_of("").lines, 0);
	check_eq_u64("a", sum_of("a").lines, 0);
	check_eq_u64("a\n\nb\n", sum_of("a\n\nb\n").lines, 3);
}

UNIT_MAIN()
