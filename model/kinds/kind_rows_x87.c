/* SPDX-License-Identifier: MIT */
/*
 * Kinds of x87 instructions. Instructions that the manual's events name compute, including the
 * transcendental ones. FABS, FCHS and FXAM, which the manual does not name, do not. Source: SDM 2,
 * "Escape Opcode Instructions"; SDM 3B, events FLOPS and FP_COMP_OPS_EXE.
 */
#include <model/kinds/kind_rows.h>

#define T(name) REFPMU_TRAIT_##name
#define COMPUTES (T(FP) | T(UOP_X87))
#define X87(opcode, form, regs, traits) \
	{ ONE_BYTE, ANY_PREFIX, opcode, opcode, form, regs, ALL, 0, 0, traits }
#define X87_RM(opcode, reg, rms, traits) \
	{ ONE_BYTE, ANY_PREFIX, opcode, opcode, IN_REGISTER, OF(reg), rms, 0, 0, traits }

/* FADD, FMUL, FCOM, FCOMP, FSUB, FSUBR, FDIV, FDIVR in this order. */
#define ARITHMETIC(opcode, form, regs) \
	X87(opcode, form, regs, COMPUTES), \
	X87(opcode, form, OF(1), T(FP_MUL)), \
	X87(opcode, form, OF(6) | OF(7), T(FP_DIV))

const struct kind_row kind_rows_x87[] = {
	{ ONE_BYTE, ANY_PREFIX, 0xd8, 0xdf, EITHER, ALL, ALL, 0, 0, T(X87) },
	{ ONE_BYTE, ANY_PREFIX, 0x9b, 0x9b, EITHER, ALL, ALL, 0, 0, T(X87) },   /* FWAIT */
	ARITHMETIC(0xd8, EITHER, ALL),
	ARITHMETIC(0xda, IN_MEMORY, ALL),
	ARITHMETIC(0xdc, EITHER, ALL),
	ARITHMETIC(0xde, EITHER, ALL),
	X87_RM(0xd9, 4, OF(4), COMPUTES),                       /* FTST */
	X87_RM(0xd9, 6, ALL & ~(OF(6) | OF(7)), COMPUTES),      /* F2XM1 to FPREM1 */
	X87_RM(0xd9, 6, OF(5), T(FP_DIV)),                      /* FPREM1 */
	X87_RM(0xd9, 7, ALL, COMPUTES),                         /* FPREM to FCOS */
	X87_RM(0xd9, 7, OF(0) | OF(2), T(FP_DIV)),              /* FPREM, FSQRT */
	X87_RM(0xd9, 4, OF(0) | OF(1) | OF(5), T(UOP_X87)),     /* FCHS, FABS, FXAM */
	X87_RM(0xda, 5, OF(1), COMPUTES),                       /* FUCOMPP */
	X87(0xdb, IN_REGISTER, OF(5) | OF(6), COMPUTES),        /* FUCOMI, FCOMI */
	X87(0xdd, IN_REGISTER, OF(4) | OF(5), COMPUTES),        /* FUCOM, FUCOMP */
	X87(0xdf, IN_REGISTER, OF(5) | OF(6), COMPUTES),        /* FUCOMIP, FCOMIP */
	X87(0xdb, IN_MEMORY, OF(5) | OF(7), T(FP_80BIT)),       /* FLD, FSTP */
	X87(0xdf, IN_MEMORY, OF(4) | OF(6), T(FP_80BIT)),       /* FBLD, FBSTP */

	/* Loads, moves and stores of NetBurst's micro-operations. */
	X87(0xd9, IN_MEMORY, OF(0), T(UOP_LOAD)),               /* FLD */
	X87(0xdd, IN_MEMORY, OF(0), T(UOP_LOAD)),
	X87(0xdb, IN_MEMORY, OF(0) | OF(5), T(UOP_LOAD)),       /* FILD, FLD */
	X87(0xdf, IN_MEMORY, OF(0) | OF(5), T(UOP_LOAD)),       /* FILD */
	X87(0xd9, IN_REGISTER, OF(0) | OF(1), T(UOP_MOVE)),     /* FLD, FXCH */
	X87(0xda, IN_REGISTER, 0xf, T(UOP_MOVE)),               /* FCMOVcc */
	X87(0xdb, IN_REGISTER, 0xf, T(UOP_MOVE)),
	X87(0xd9, IN_MEMORY, OF(2) | OF(3), T(UOP_MOVE)),       /* FST, FSTP */
	X87(0xdd, IN_MEMORY, OF(2) | OF(3), T(UOP_MOVE)),
	X87(0xdb, IN_MEMORY, OF(2) | OF(3) | OF(7), T(UOP_MOVE)),       /* FIST, FISTP, FSTP */
	X87(0xdf, IN_MEMORY, OF(2) | OF(3) | OF(7), T(UOP_MOVE)),
	X87(0xdd, IN_REGISTER, OF(2) | OF(3), T(UOP_MOVE)),
	{ 0 }
};
