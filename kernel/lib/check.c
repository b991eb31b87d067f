/* SPDX-License-Identifier: MIT */
#include <kernel/lib/check.h>

/*
 * Has the remainders of four bits after division by the polynomial, its term of lowest degree in
 * bit 31.
 */
static const uint32_t remainders[16] = {
	0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
	0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
	0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
	0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

/* The sum starts with all ones and is inverted at the end, so that no characters give zero. */
void check_add(struct check *check, char c)
{
	uint32_t crc = ~check->crc ^ (uint8_t)c;

	crc = crc >> 4 ^ remainders[crc & 15];
	crc = crc >> 4 ^ remainders[crc & 15];
	check->crc = ~crc;
	check->lines += c == '\n';
}
