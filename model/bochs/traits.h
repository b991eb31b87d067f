/* SPDX-License-Identifier: MIT */
/* Translates Bochs' opcodes to the model's kinds of instructions. */
#ifndef MODEL_BOCHS_TRAITS_H
#define MODEL_BOCHS_TRAITS_H

#include "glue.h"

/* Marks, privately, a non-branch that the next instruction in memory may not follow. */
static const Bit64u TRAIT_GOES_ELSEWHERE = REFPMU_TRAIT(63);

struct Opcode {
	Bit64u traits;                  /* REFPMU_TRAIT_* */
	Bit8u segments;                 /* always loaded, as in struct refpmu_insn */
	bool loads_operand;             /* its destination is a segment register */
	bool may_assist;                /* x87: for a denormal number, or by its stack */
	bool may_assist_sse;            /* for a denormal number */
	bool is_vector;                 /* AVX: its operands may have 256 bits */
	bool has_details;               /* for NetBurst, too: an assist, or it may be repeated */
};

/* Is indexed by Bochs' opcode and by its operand: [0] in memory, [1] in a register, or none. */
extern struct Opcode opcodes[BX_IA_LAST][2];

static inline const struct Opcode *opcode_of(const bxInstruction_c *i)
{
	return &opcodes[i->getIaOpcode()][i->modC0() != 0];
}

/* Fills the table; called before the first instruction, once Bochs knows its opcodes. */
void take_traits(void);

#endif
