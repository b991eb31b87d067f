/* SPDX-License-Identifier: MIT */
/*
 * The Pentium's pairs, coarsely. Ignored: the registers that an instruction needs, prefixes but for
 * LOCK, displacements with immediates, FXCH, and that both pipes share one shifter and one
 * multiplier. Source: Intel Architecture Optimization Manual (1997), "Integer Pairing Rules", "MMX
 * Technology Pairing Guidelines".
 */
#include <model/kinds/kind_rows.h>

#define U REFPMU_TRAIT_PAIRABLE_U
#define V REFPMU_TRAIT_PAIRABLE_V
#define PAIR(first, last, pipes) \
	{ ONE_BYTE, ANY_PREFIX, first, last, EITHER, ALL, ALL, 0, 0, pipes }
#define GROUP(opcode_1, opcode_2, form, regs, pipes) \
	{ ONE_BYTE, ANY_PREFIX, opcode_1, opcode_2, form, regs, ALL, 0, 0, pipes }
#define MMX(first, last, form, pipes) { MAP_0F, NP, first, last, form, ALL, ALL, 0, 0, pipes }
/* With an operand in memory only in U. */
#define MMX_PAIR(first, last) \
	MMX(first, last, IN_REGISTER, U | V), MMX(first, last, IN_MEMORY, U)

const struct kind_row kind_rows_pairs[] = {
	PAIR(0x00, 0x05, U | V),                                /* ADD, OR, AND, SUB, XOR, CMP */
	PAIR(0x08, 0x0d, U | V),
	PAIR(0x20, 0x25, U | V),
	PAIR(0x28, 0x2d, U | V),
	PAIR(0x30, 0x35, U | V),
	PAIR(0x38, 0x3d, U | V),
	GROUP(0x80, 0x83, EITHER, ALL & ~(OF(2) | OF(3)), U | V),
	PAIR(0x40, 0x4f, U | V),                                /* INC, DEC */
	GROUP(0xfe, 0xff, EITHER, OF(0) | OF(1), U | V),
	PAIR(0x8d, 0x8d, U | V),                                /* LEA */
	{ ONE_BYTE, NP | P66, 0x90, 0x90, EITHER, ALL, ALL, 0, 0, U | V },     /* NOP, not PAUSE */
	PAIR(0x88, 0x8b, U | V),                                /* MOV */
	PAIR(0xa0, 0xa3, U | V),
	PAIR(0xb0, 0xbf, U | V),
	GROUP(0xc6, 0xc7, EITHER, OF(0), U | V),
	PAIR(0x84, 0x85, U | V),                                /* TEST */
	PAIR(0xa8, 0xa9, U | V),
	PAIR(0x50, 0x5f, U | V),                                /* PUSH, POP */
	PAIR(0x68, 0x68, U | V),
	PAIR(0x6a, 0x6a, U | V),
	GROUP(0xff, 0xff, IN_REGISTER, OF(6), U | V),
	GROUP(0x8f, 0x8f, IN_REGISTER, OF(0), U | V),

	PAIR(0x10, 0x15, U),                                    /* ADC, SBB */
	PAIR(0x18, 0x1d, U),
	GROUP(0x80, 0x83, EITHER, OF(2) | OF(3), U),
	GROUP(0xc0, 0xc1, EITHER, OF(4) | OF(5) | OF(6) | OF(7), U),    /* SHL, SHR, SAR by n */
	GROUP(0xd0, 0xd1, EITHER, ALL, U),                      /* ... and rotations, by 1 */

	PAIR(0x70, 0x7f, V),                                    /* Jcc, JMP, CALL */
	{ MAP_0F, ANY_PREFIX, 0x80, 0x8f, EITHER, ALL, ALL, 0, 0, V },
	PAIR(0xe8, 0xe9, V),
	PAIR(0xeb, 0xeb, V),

	MMX_PAIR(0x60, 0x6b),
	MMX_PAIR(0x6f, 0x6f),                                   /* MOVQ */
	MMX_PAIR(0x7f, 0x7f),
	MMX(0x71, 0x73, IN_REGISTER, U | V),                    /* shifts by n */
	MMX_PAIR(0x74, 0x76),
	MMX_PAIR(0xd1, 0xd5),
	MMX_PAIR(0xd8, 0xe5),
	MMX_PAIR(0xe8, 0xef),
	MMX_PAIR(0xf1, 0xf6),
	MMX_PAIR(0xf8, 0xfe),
	MMX(0x6e, 0x6e, EITHER, U),                             /* MOVD */
	MMX(0x7e, 0x7e, EITHER, U),
	{ 0 }
};
