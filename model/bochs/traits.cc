/* SPDX-License-Identifier: MIT */
#include "traits.h"
#include "cpu/decoder/fetchdecode.h"

extern struct bxIAOpcodeTable BxOpcodesTable[];

struct Opcode opcodes[BX_IA_LAST][2];

/* What the prefixes of one instruction say, and not its opcode: details_after() adds it. REP is in
 * the opcode of all string instructions. */
static const Bit64u OF_PREFIXES = REFPMU_TRAIT_LOCKED | REFPMU_TRAIT_VECTOR_256;

static bool goes_elsewhere(unsigned opcode, const struct refpmu_kind *kind)
{
	return kind->is_repeated || opcode == BX_IA_VMLAUNCH || opcode == BX_IA_VMRESUME;
}

/* Its segment is in ModRM or in the opcode, of which Bochs makes an operand. */
static bool loads_operand(unsigned opcode)
{
	return opcode == BX_IA_MOV_SwEw || opcode == BX_IA_POP_Op16_Sw ||
	       opcode == BX_IA_POP_Op32_Sw || opcode == BX_IA_POP_Op64_Sw;
}

static void add_kind(struct Opcode *o, unsigned opcode, const struct refpmu_kind *kind, bool lock)
{
	o->traits |= lock ? kind->traits & ~OF_PREFIXES : kind->traits & ~REFPMU_TRAIT_VECTOR_256;
	if (goes_elsewhere(opcode, kind))
		o->traits |= TRAIT_GOES_ELSEWHERE;
	o->loads_operand = loads_operand(opcode);
	if (!o->loads_operand)
		o->segments |= kind->segments;
	o->may_assist_x87 |= kind->may_assist_x87;
	o->may_assist_sse |= kind->may_assist_sse;
	o->is_vector = BxOpcodesTable[opcode].opflags & BX_PREPARE_AVX;
	o->has_details = o->may_assist_x87 || o->may_assist_sse ||
	                 (o->traits & REFPMU_TRAIT_REP_MOVS);
}

void take_kind(const bxInstruction_c *i, const Bit8u *bytes, unsigned bits)
{
	unsigned opcode = i->getIaOpcode();
	struct Opcode *o = &opcodes[opcode][i->modC0() != 0];
	Bit8u prefix = (Bit8u)(1 << i->lockRepUsedValue());

	if (o->known_prefixes & prefix)
		return;
	struct refpmu_kind kind = refpmu_kind_of(bytes, i->ilen(), bits);
	add_kind(o, opcode, &kind, i->getLock());
	o->known_prefixes |= prefix;
}
