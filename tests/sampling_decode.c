/* SPDX-License-Identifier: MIT */
/*
 * Which register a load addresses with: its bytes, at the IP of the record, say so. Source: SDM 2A,
 * "Addressing-Mode Encoding of ModR/M and SIB Bytes" and "REX Prefixes".
 */
#include <tests/sampling.h>

enum { MOV_REGISTER_MEMORY = 0x8b, REX = 0x40, REX_MASK = 0xf0, REX_B = 1 };
enum { MOD_MEMORY = 0, MOD_DISP8 = 1, MOD_DISP32 = 2, MOD_REGISTER = 3 };
enum { RM_SIB = 4, RM_DISP32 = 5, SIB_NO_INDEX = 4 };

static int32_t displacement(const uint8_t *code, unsigned mod)
{
	uint32_t value = 0;

	if (mod == MOD_MEMORY)
		return 0;
	if (mod == MOD_DISP8)
		return (int8_t)code[0];
	for (unsigned i = 0; i < 4; i++)
		value |= (uint32_t)code[i] << 8 * i;
	return (int32_t)value;
}

bool sampling_decode(const uint8_t *code, bool is_64bit, struct sampling_load *load)
{
	uint8_t rex = 0;
	unsigned mod, rm;

	if (is_64bit && (*code & REX_MASK) == REX)
		rex = *code++;
	if (*code++ != MOV_REGISTER_MEMORY)
		return false;
	mod = *code >> 6;
	rm = *code++ & 7;
	if (mod == MOD_REGISTER)
		return false;
	if (rm == RM_SIB) {
		if ((*code >> 3 & 7) != SIB_NO_INDEX || (rex & 2))
			return false;
		rm = *code++ & 7;
	}
	if (mod == MOD_MEMORY && rm == RM_DISP32)
		return false;
	load->base = rm | (rex & REX_B ? 8u : 0);
	load->displacement = displacement(code, mod);
	return true;
}
