/* SPDX-License-Identifier: MIT */
/* Has the kinds of instructions by Bochs' opcodes: the library tells them by the bytes of the first
 * instruction with an opcode that is decoded. */
#ifndef MODEL_BOCHS_TRAITS_H
#define MODEL_BOCHS_TRAITS_H

#include "glue.h"

/* Marks, privately, a non-branch that the next instruction in memory may not follow. */
static const Bit64u TRAIT_GOES_ELSEWHERE = REFPMU_TRAIT(63);

struct Opcode {
	Bit64u traits;                  /* REFPMU_TRAIT_* */
	Bit8u known_prefixes;           /* bits: none, LOCK, REPNE, REP */
	Bit8u segments;                 /* always loaded, as in struct refpmu_insn */
	bool loads_operand;             /* its destination is a segment register */
	bool may_assist_x87, may_assist_sse;    /* as in struct refpmu_kind */
	bool is_vector;                 /* AVX: its operands may have 256 bits */
	bool has_details;               /* for NetBurst, too: an assist, or it may be repeated */
};

/* Is indexed by Bochs' opcode and by its operand: [0] in memory, [1] in a register, or none. */
extern struct Opcode opcodes[BX_IA_LAST][2];

static inline const struct Opcode *opcode_of(const bxInstruction_c *i)
{
	return &opcodes[i->getIaOpcode()][i->modC0() != 0];
}

/* Takes the kind of an instruction that was decoded; bits is the size of code: 16, 32, or 64. */
void take_kind(const bxInstruction_c *i, const Bit8u *bytes, unsigned bits);

#endif
