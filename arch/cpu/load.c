/* SPDX-License-Identifier: MIT */
#include <arch/cpu/load.h>

enum { MOV_REGISTER_MEMORY = 0x8b, REX = 0x40, REX_MASK = 0xf0, REX_B = 1, REX_X = 2 };
enum { MOD_MEMORY = 0, MOD_DISP8 = 1, MOD_DISP32 = 2, MOD_REGISTER = 3 };
enum { RM_SIB = 4, RM_NO_BASE = 5, SIB_NO_INDEX = 4 };

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

bool load_decode(const uint8_t *code, bool is_64bit, struct load *load)
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
		if ((*code >> 3 & 7) != SIB_NO_INDEX || (rex & REX_X))
			return false;
		rm = *code++ & 7;
	}
	if (mod == MOD_MEMORY && rm == RM_NO_BASE)
		return false;
	load->base = rm | (rex & REX_B ? 8u : 0);
	load->displacement = displacement(code, mod);
	return true;
}
