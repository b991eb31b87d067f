/* SPDX-License-Identifier: MIT */
/*
 * Kinds of SSE and AVX instructions with floating-point numbers, and of fences. Moves, conversions,
 * shuffles and logical operations do not compute: the manual does not say. Square roots are with
 * divisions, as the event lists of Linux and LIKWID say. Source: SDM 2, appendix "Opcode Map".
 */
#include <model/kinds/kind_rows.h>

#define T(name) REFPMU_TRAIT_##name
#define SSE(prefixes, first, last, traits) \
	{ MAP_0F, prefixes, first, last, EITHER, ALL, ALL, 0, 0, T(SSE) | (traits) }
#define SSE_IN(form, prefixes, first, last, traits) \
	{ MAP_0F, prefixes, first, last, form, ALL, ALL, 0, 0, T(SSE) | (traits) }
#define VEX(map, prefixes, first, last, traits) \
	{ map, prefixes, first, last, EITHER, ALL, ALL, 0, 0, T(SSE) | (traits) }
#define HINT(opcode, reg, hint) \
	{ MAP_0F, ANY_PREFIX, opcode, opcode, IN_MEMORY, OF(reg), ALL, 0, 0, \
	  T(SSE) | T(SSE_STREAM) | REFPMU_TRAIT_SSE_HINT(hint) }
#define STORES_PAST (T(SSE_STREAM) | REFPMU_TRAIT_SSE_HINT(REFPMU_SSE_STORE))

#define SCALAR  T(SSE_SCALAR)
#define DOUBLE  T(SSE2)
#define COMPUTES T(SSE_COMPUTES)

/* By prefix: packed single and double precision, scalar single and double precision. */
#define COMPUTING(first, last) \
	SSE(NP, first, last, COMPUTES | T(UOP_PACKED_SP)), \
	SSE(P66, first, last, DOUBLE | COMPUTES | T(UOP_PACKED_DP)), \
	SSE(PF3, first, last, SCALAR | COMPUTES | T(UOP_SCALAR_SP)), \
	SSE(PF2, first, last, DOUBLE | SCALAR | COMPUTES | T(UOP_SCALAR_DP))
#define VEX_COMPUTING(first, last, flop) \
	VEX(VEX_0F, NP, first, last, (flop) | T(UOP_PACKED_SP)), \
	VEX(VEX_0F, P66, first, last, (flop) | T(UOP_PACKED_DP)), \
	VEX(VEX_0F, PF3, first, last, (flop) | T(UOP_SCALAR_SP)), \
	VEX(VEX_0F, PF2, first, last, (flop) | T(UOP_SCALAR_DP))

const struct kind_row kind_rows_sse[] = {
	COMPUTING(0x51, 0x51),                                  /* SQRT */
	SSE(NP, 0x52, 0x53, COMPUTES | T(UOP_PACKED_SP)),       /* RSQRT, RCP */
	SSE(PF3, 0x52, 0x53, SCALAR | COMPUTES | T(UOP_SCALAR_SP)),
	COMPUTING(0x58, 0x59),                                  /* ADD, MUL */
	COMPUTING(0x5c, 0x5f),                                  /* SUB, MIN, DIV, MAX */
	COMPUTING(0xc2, 0xc2),                                  /* CMP */
	SSE(NP, 0x2e, 0x2f, COMPUTES | SCALAR | T(UOP_SCALAR_SP)),      /* UCOMIS, COMIS */
	SSE(P66, 0x2e, 0x2f, DOUBLE | COMPUTES | SCALAR | T(UOP_SCALAR_DP)),
	SSE(ANY_PREFIX, 0x58, 0x58, T(FLOP_ADD)),
	SSE(ANY_PREFIX, 0x5c, 0x5c, T(FLOP_ADD)),
	SSE(ANY_PREFIX, 0x59, 0x59, T(FLOP_MUL)),
	SSE(ANY_PREFIX, 0x51, 0x51, T(FLOP_DIV)),
	SSE(ANY_PREFIX, 0x5e, 0x5e, T(FLOP_DIV)),

	/* Logical operations, shuffles, conversions. */
	SSE(NP, 0x54, 0x57, T(UOP_PACKED_SP)),
	SSE(P66, 0x54, 0x57, DOUBLE | T(UOP_PACKED_DP)),
	SSE(NP, 0x14, 0x15, T(UOP_PACKED_SP)),
	SSE(P66, 0x14, 0x15, DOUBLE | T(UOP_PACKED_DP)),
	SSE(NP, 0xc6, 0xc6, T(UOP_PACKED_SP)),
	SSE(P66, 0xc6, 0xc6, DOUBLE | T(UOP_PACKED_DP)),
	SSE(NP, 0x2c, 0x2d, T(UOP_PACKED_SP)),                  /* CVTPS2PI */
	SSE(P66, 0x2c, 0x2d, T(UOP_PACKED_DP)),                 /* CVTPD2PI */
	SSE(PF3, 0x2a, 0x2a, SCALAR | T(UOP_SCALAR_SP)),        /* CVTSI2SS */
	SSE(PF2, 0x2a, 0x2a, DOUBLE | SCALAR | T(UOP_SCALAR_DP)),
	SSE(PF3, 0x2c, 0x2d, SCALAR | T(UOP_SCALAR_SP)),
	SSE(PF2, 0x2c, 0x2d, DOUBLE | SCALAR | T(UOP_SCALAR_DP)),
	SSE(NP | P66, 0x2a, 0x2a, 0),                           /* CVTPI2PS, CVTPI2PD */
	SSE(NP, 0x5a, 0x5a, T(UOP_PACKED_SP)),                  /* CVTPS2PD */
	SSE(P66, 0x5a, 0x5a, T(UOP_PACKED_DP)),
	SSE(PF3, 0x5a, 0x5a, DOUBLE | SCALAR | T(UOP_SCALAR_SP)),
	SSE(PF2, 0x5a, 0x5a, DOUBLE | SCALAR | T(UOP_SCALAR_DP)),
	SSE(P66 | PF3, 0x5b, 0x5b, T(UOP_PACKED_SP)),           /* CVTPS2DQ, CVTTPS2DQ */
	SSE(NP, 0x5b, 0x5b, 0),                                 /* CVTDQ2PS */
	SSE(P66 | PF2, 0xe6, 0xe6, T(UOP_PACKED_DP)),           /* CVTTPD2DQ, CVTPD2DQ */
	SSE(PF3, 0xe6, 0xe6, 0),                                /* CVTDQ2PD */

	/* SSE3, SSE4A, and those with a map of their own, which are integers and floating point. */
	SSE(P66 | PF2, 0x7c, 0x7d, 0),                          /* HADD, HSUB */
	SSE(P66 | PF2, 0xd0, 0xd0, 0),                          /* ADDSUB */
	SSE(P66 | PF2, 0x78, 0x79, 0),                          /* EXTRQ, INSERTQ */
	SSE(PF3 | PF2, 0x2b, 0x2b, 0),                          /* MOVNTSS, MOVNTSD */
	VEX(MAP_0F38, P66, 0x00, 0x41, 0),
	VEX(MAP_0F38, P66, 0xdb, 0xdf, 0),                      /* AES */
	VEX(MAP_0F38, NP, 0xc8, 0xcd, 0),                       /* SHA */
	VEX(MAP_0F3A, P66, 0x08, 0x63, 0),
	VEX(MAP_0F3A, P66, 0xdf, 0xdf, 0),
	VEX(MAP_0F3A, NP, 0xcc, 0xcc, 0),
	{ MAP_0F, NP, 0xae, 0xae, IN_MEMORY, OF(2) | OF(3), ALL, 0, 0, T(SSE) },        /* MXCSR */

	/* Moves. */
	SSE(NP, 0x10, 0x13, 0),
	SSE(NP, 0x16, 0x17, 0),
	SSE(NP, 0x28, 0x29, 0),
	SSE(P66, 0x10, 0x13, DOUBLE),
	SSE(P66, 0x16, 0x17, DOUBLE),
	SSE(P66, 0x28, 0x29, DOUBLE),
	SSE(PF3, 0x10, 0x11, SCALAR),
	SSE(PF2, 0x10, 0x11, DOUBLE | SCALAR),
	SSE(PF3, 0x12, 0x12, 0),
	SSE(PF3, 0x16, 0x16, 0),
	SSE(PF2, 0x12, 0x12, 0),
	SSE(NP | P66, 0x50, 0x50, 0),                           /* MOVMSK */
	SSE(P66, 0x6e, 0x6f, 0),
	SSE(PF3, 0x6f, 0x6f, 0),
	SSE(P66 | PF3, 0x7e, 0x7f, 0),
	SSE(P66, 0xd6, 0xd6, 0),
	SSE(PF2, 0xf0, 0xf0, 0),                                /* LDDQU */
	SSE_IN(IN_MEMORY, ANY_PREFIX, 0x10, 0x10, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, NP | P66, 0x12, 0x12, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, NP | P66, 0x16, 0x16, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, NP | P66, 0x28, 0x28, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, P66, 0x6e, 0x6f, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, PF3, 0x6f, 0x6f, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, PF3, 0x7e, 0x7e, T(UOP_LOAD)),
	SSE_IN(IN_MEMORY, PF2, 0xf0, 0xf0, T(UOP_LOAD)),
	SSE_IN(IN_REGISTER, ANY_PREFIX, 0x10, 0x10, T(UOP_MOVE)),
	SSE_IN(IN_REGISTER, NP, 0x12, 0x12, T(UOP_MOVE)),
	SSE_IN(IN_REGISTER, NP, 0x16, 0x16, T(UOP_MOVE)),
	SSE_IN(IN_REGISTER, NP | P66, 0x28, 0x28, T(UOP_MOVE)),
	SSE_IN(IN_REGISTER, P66, 0x6e, 0x6f, T(UOP_MOVE)),
	SSE_IN(IN_REGISTER, PF3, 0x6f, 0x6f, T(UOP_MOVE)),
	SSE_IN(IN_REGISTER, PF3, 0x7e, 0x7e, T(UOP_MOVE)),
	SSE(ANY_PREFIX, 0x11, 0x11, T(UOP_MOVE)),
	SSE(NP | P66, 0x13, 0x13, T(UOP_MOVE)),
	SSE(NP | P66, 0x17, 0x17, T(UOP_MOVE)),
	SSE(NP | P66, 0x29, 0x29, T(UOP_MOVE)),
	SSE(P66, 0x7e, 0x7f, T(UOP_MOVE)),
	SSE(PF3, 0x7f, 0x7f, T(UOP_MOVE)),
	SSE(P66, 0xd6, 0xd6, T(UOP_MOVE)),

	/* Stores that pass the caches, hints, and fences. */
	SSE(NP | P66, 0x2b, 0x2b, STORES_PAST | T(UOP_MOVE)),   /* MOVNTP */
	SSE(P66, 0xe7, 0xe7, STORES_PAST | T(UOP_MOVE)),        /* MOVNTDQ */
	{ MAP_0F, NP, 0xe7, 0xe7, EITHER, ALL, ALL, 0, 0, STORES_PAST },
	{ MAP_0F, NP, 0xf7, 0xf7, EITHER, ALL, ALL, 0, 0, STORES_PAST },
	{ MAP_0F, NP, 0xc3, 0xc3, IN_MEMORY, ALL, ALL, 0, 0, STORES_PAST },     /* MOVNTI */
	SSE(P66, 0xf7, 0xf7, 0),
	HINT(0x18, 0, REFPMU_SSE_NTA),
	HINT(0x18, 1, REFPMU_SSE_T0),
	HINT(0x18, 2, REFPMU_SSE_T0),
	HINT(0x18, 3, REFPMU_SSE_T2),
	{ MAP_0F, NP, 0xae, 0xae, IN_MEMORY, OF(7), ALL, 0, 0, T(CLFLUSH) },
	{ MAP_0F, NP, 0xae, 0xae, IN_REGISTER, OF(5), ALL, 0, 0, T(LFENCE) },
	{ MAP_0F, NP, 0xae, 0xae, IN_REGISTER, OF(6), ALL, 0, 0, T(MFENCE) },
	{ MAP_0F, NP, 0xae, 0xae, IN_REGISTER, OF(7), ALL, 0, 0, T(SFENCE) },

	/* AVX. */
	VEX(VEX_0F, ANY_PREFIX, 0x00, 0x40, 0),
	VEX(VEX_0F, ANY_PREFIX, 0x4c, 0x8f, 0),                 /* before and after: masks, KMOV */
	VEX(VEX_0F, ANY_PREFIX, 0x9a, 0xff, 0),
	VEX(EVEX, ANY_PREFIX, 0x00, 0xff, 0),
	VEX(VEX_0F38, ANY_PREFIX, 0x00, 0xdf, 0),
	VEX(VEX_0F3A, ANY_PREFIX, 0x00, 0x2f, 0),               /* then shifts of masks */
	VEX(VEX_0F3A, ANY_PREFIX, 0x34, 0xef, 0),
	VEX_COMPUTING(0x58, 0x58, T(FLOP_ADD)),
	VEX_COMPUTING(0x5c, 0x5c, T(FLOP_ADD)),
	VEX_COMPUTING(0x59, 0x59, T(FLOP_MUL)),
	VEX_COMPUTING(0x5e, 0x5e, T(FLOP_DIV)),
	VEX_COMPUTING(0x51, 0x51, T(FLOP_DIV)),
	{ 0 }
};
