/* SPDX-License-Identifier: MIT */
/* Kinds of MMX instructions, and of integer SSE. Instructions saturate if their name says so;
 * packing always does. Source: SDM 2, appendix "Opcode Map". */
#include <model/kinds/kind_rows.h>

#define T(name) REFPMU_TRAIT_##name
/* With registers of 64 bits, without a prefix. */
#define MMX(first, last, traits) { MAP_0F, NP, first, last, EITHER, ALL, ALL, 0, 0, traits }
/* With registers of 128 bits, with 66H. */
#define WIDE(map, first, last) \
	{ map, P66, first, last, EITHER, ALL, ALL, 0, 0, T(SSE) | T(UOP_MMX_128) }
/* The opcodes of both, without a prefix or with 66H. */
#define BOTH(first, last) \
	MMX(first, last, T(MMX) | T(UOP_MMX_64)), WIDE(MAP_0F, first, last)

const struct kind_row kind_rows_mmx[] = {
	BOTH(0x60, 0x6b),
	WIDE(MAP_0F, 0x6c, 0x6d),
	BOTH(0x70, 0x76),
	{ MAP_0F, PF3 | PF2, 0x70, 0x70, EITHER, ALL, ALL, 0, 0, T(SSE) | T(UOP_MMX_128) },
	BOTH(0xc4, 0xc5),
	BOTH(0xd1, 0xd5),
	BOTH(0xd7, 0xe5),
	BOTH(0xe8, 0xef),
	BOTH(0xf1, 0xf6),
	BOTH(0xf8, 0xfe),
	MMX(0x6e, 0x6f, T(MMX)),                                /* MOVD, MOVQ */
	MMX(0x77, 0x77, T(MMX) | T(EMMS)),
	MMX(0x7e, 0x7f, T(MMX)),
	MMX(0xe7, 0xe7, T(MMX)),                                /* MOVNTQ */
	MMX(0xf7, 0xf7, T(MMX)),                                /* MASKMOVQ */
	{ MAP_0F, PF3 | PF2, 0xd6, 0xd6, IN_REGISTER, ALL, ALL, 0, 0, T(MMX) | T(UOP_MOVE) },

	MMX(0xd5, 0xd5, T(MMX_MUL)),                            /* PMULLW */
	MMX(0xe4, 0xe5, T(MMX_MUL)),                            /* PMULHUW, PMULHW */
	MMX(0xf4, 0xf5, T(MMX_MUL)),                            /* PMULUDQ, PMADDWD */
	MMX(0x71, 0x73, T(MMX_SHIFT)),
	MMX(0xd1, 0xd3, T(MMX_SHIFT)),
	MMX(0xe1, 0xe2, T(MMX_SHIFT)),
	MMX(0xf1, 0xf3, T(MMX_SHIFT)),
	MMX(0x63, 0x63, T(MMX_PACK) | T(MMX_SATURATING)),
	MMX(0x67, 0x67, T(MMX_PACK) | T(MMX_SATURATING)),
	MMX(0x6b, 0x6b, T(MMX_PACK) | T(MMX_SATURATING)),
	MMX(0x60, 0x62, T(MMX_UNPACK)),
	MMX(0x68, 0x6a, T(MMX_UNPACK)),
	MMX(0xdb, 0xdb, T(MMX_LOGICAL)),
	MMX(0xdf, 0xdf, T(MMX_LOGICAL)),
	MMX(0xeb, 0xeb, T(MMX_LOGICAL)),
	MMX(0xef, 0xef, T(MMX_LOGICAL)),
	MMX(0x64, 0x66, T(MMX_ARITH)),                          /* PCMPGT */
	MMX(0x74, 0x76, T(MMX_ARITH)),                          /* PCMPEQ */
	MMX(0xd4, 0xd4, T(MMX_ARITH)),                          /* PADDQ */
	MMX(0xd8, 0xda, T(MMX_ARITH)),                          /* PSUBUS, PMINUB */
	MMX(0xdc, 0xde, T(MMX_ARITH)),                          /* PADDUS, PMAXUB */
	MMX(0xe0, 0xe0, T(MMX_ARITH)),                          /* PAVG */
	MMX(0xe3, 0xe3, T(MMX_ARITH)),
	MMX(0xe8, 0xea, T(MMX_ARITH)),                          /* PSUBS, PMINSW */
	MMX(0xec, 0xee, T(MMX_ARITH)),                          /* PADDS, PMAXSW */
	MMX(0xf6, 0xf6, T(MMX_ARITH)),                          /* PSADBW */
	MMX(0xf8, 0xfe, T(MMX_ARITH)),
	MMX(0xd8, 0xd9, T(MMX_SATURATING)),
	MMX(0xdc, 0xdd, T(MMX_SATURATING)),
	MMX(0xe8, 0xe9, T(MMX_SATURATING)),
	MMX(0xec, 0xed, T(MMX_SATURATING)),
	{ MAP_0F, NP, 0x7e, 0x7f, IN_MEMORY, ALL, ALL, 0, 0, T(MMX_STORE) },
	{ MAP_0F, NP, 0x6e, 0x6f, IN_MEMORY, ALL, ALL, 0, 0, T(UOP_LOAD) },
	{ MAP_0F, NP, 0x6e, 0x6f, IN_REGISTER, ALL, ALL, 0, 0, T(UOP_MOVE) },
	MMX(0x7e, 0x7f, T(UOP_MOVE)),
	MMX(0xe7, 0xe7, T(UOP_MOVE)),

	{ MAP_0F38, NP, 0x00, 0x0b, EITHER, ALL, ALL, 0, 0, T(MMX) | T(UOP_MMX_64) },
	{ MAP_0F38, NP, 0x1c, 0x1e, EITHER, ALL, ALL, 0, 0, T(MMX) | T(UOP_MMX_64) },
	WIDE(MAP_0F38, 0x00, 0x0b),
	WIDE(MAP_0F38, 0x10, 0x10),                             /* PBLENDVB */
	WIDE(MAP_0F38, 0x17, 0x17),                             /* PTEST */
	WIDE(MAP_0F38, 0x1c, 0x1e),
	WIDE(MAP_0F38, 0x28, 0x29),                             /* PMULDQ, PCMPEQQ */
	WIDE(MAP_0F38, 0x2b, 0x2b),                             /* PACKUSDW */
	WIDE(MAP_0F38, 0x37, 0x41),                             /* PCMPGTQ to PHMINPOSUW */
	WIDE(MAP_0F3A, 0x0e, 0x0f),                             /* PBLENDW, PALIGNR */
	WIDE(MAP_0F3A, 0x44, 0x44),                             /* PCLMULQDQ */
	WIDE(MAP_0F3A, 0x60, 0x63),                             /* PCMPESTRM to PCMPISTRI */
	{ MAP_0F3A, NP, 0x0f, 0x0f, EITHER, ALL, ALL, 0, 0, T(MMX) | T(UOP_MMX_64) },
	{ 0 }
};
