/* SPDX-License-Identifier: MIT */
/* What Bochs' opcodes are to the model. */
#ifndef MODEL_BOCHS_TRAITS_H
#define MODEL_BOCHS_TRAITS_H

#include "glue.h"

/* Private: it may end elsewhere than behind itself, though it is no branch. */
static const Bit64u TRAIT_GOES_ELSEWHERE = REFPMU_TRAIT(63);

struct Opcode {
	Bit64u traits;                  /* REFPMU_TRAIT_* */
	Bit8u segments;                 /* that it always loads, as in struct refpmu_insn */
	bool loads_operand;             /* its destination is a segment register */
	bool may_assist;                /* x87: for a denormal number, or by its stack */
	bool may_assist_sse;            /* a denormal number may */
	bool has_details;               /* for NetBurst, too: an assist, or it may be repeated */
};

/* By Bochs' opcode, and by where its operand is: [0] in memory, [1] in a register, or nowhere. */
extern struct Opcode opcodes[BX_IA_LAST][2];

static inline const struct Opcode *opcode_of(const bxInstruction_c *i)
{
	return &opcodes[i->getIaOpcode()][i->modC0() != 0];
}

/* Fills the table in; before the first instruction, once Bochs knows which opcodes there are. */
void take_traits(void);

#endif
