/* SPDX-License-Identifier: MIT */
/* The kind of an instruction by its bytes. Source: SDM 2, "Instruction Format", appendix "Opcode
 * Map". */
#include <model/kinds/kind_rows.h>

/* An instruction taken apart. */
struct parts {
	uint8_t map, prefix, opcode, modrm;
	bool has_lock, has_rep, is_vex, is_256, is_wide;
};

struct cursor {
	const uint8_t *at, *end;
};

static uint8_t next(struct cursor *c)
{
	return c->at < c->end ? *c->at++ : 0;
}

static uint8_t peek(const struct cursor *c)
{
	return c->at < c->end ? *c->at : 0;
}

/* Takes one prefix; returns false if this byte is none. The last one of F2H and F3H holds. */
static bool take_prefix(struct parts *p, uint8_t byte, bool is_64)
{
	switch (byte) {
	case 0xf0: p->has_lock = true; return true;
	case 0xf2: p->prefix = (uint8_t)((p->prefix & P66) | PF2); p->has_rep = true; return true;
	case 0xf3: p->prefix = (uint8_t)((p->prefix & P66) | PF3); p->has_rep = true; return true;
	case 0x66: p->prefix |= P66; return true;
	case 0x67: case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: return true;
	default: return is_64 && (byte & 0xf0) == 0x40;
	}
}

/* After C4H or C5H: in 64-bit code always a VEX prefix, elsewhere LES or LDS with memory. */
static void take_vex(struct parts *p, struct cursor *c, uint8_t byte)
{
	static const uint8_t prefixes[] = { NP, P66, PF3, PF2 };
	uint8_t bits = next(c);
	unsigned map = 1;

	if (byte == 0xc4) {
		map = bits & 0x1f;
		bits = next(c);
		p->is_wide = bits >> 7;
	}
	p->map = (uint8_t)(VEX_0F + (map - 1) % 3);
	p->prefix = prefixes[bits & 3];
	p->is_256 = bits >> 2 & 1;
	p->is_vex = true;
	p->opcode = next(c);
}

static void take_opcode(struct parts *p, struct cursor *c, uint8_t byte, bool is_64)
{
	if ((byte == 0xc4 || byte == 0xc5) && (is_64 || peek(c) >= 0xc0))
		return take_vex(p, c, byte);
	p->map = byte == 0x62 && (is_64 || peek(c) >= 0xc0) ? EVEX : ONE_BYTE;
	if (byte == 0x0f) {
		byte = next(c);
		p->map = byte == 0x38 ? MAP_0F38 : byte == 0x3a ? MAP_0F3A : MAP_0F;
		if (p->map != MAP_0F)
			byte = next(c);
	}
	p->opcode = byte;
	/* F2H and F3H go before 66H. */
	if (p->prefix & (PF2 | PF3))
		p->prefix &= (uint8_t)~P66;
	if (!p->prefix)
		p->prefix = NP;
}

static struct parts take_apart(struct cursor *c, bool is_64)
{
	struct parts p = { 0 };
	uint8_t byte = next(c);

	while (take_prefix(&p, byte, is_64) && c->at < c->end)
		byte = next(c);
	take_opcode(&p, c, byte, is_64);
	p.modrm = peek(c);
	return p;
}

static bool matches(const struct kind_row *row, const struct parts *p)
{
	bool is_register = p->modrm >= 0xc0;

	return row->map == p->map && (row->prefixes & p->prefix) && p->opcode >= row->first
	       && p->opcode <= row->last && (row->form & (is_register ? IN_REGISTER : IN_MEMORY))
	       && (row->regs >> (p->modrm >> 3 & 7) & 1)
	       && (!is_register || (row->rms >> (p->modrm & 7) & 1));
}

static void add_rows(struct refpmu_kind *kind, const struct kind_row *row, const struct parts *p)
{
	for (; row->prefixes; row++) {
		if (!matches(row, p))
			continue;
		kind->traits |= row->traits;
		kind->segments |= row->segments;
		if (row->branch)
			kind->branch = row->branch;
	}
}

static bool is_string(const struct parts *p)
{
	return p->map == ONE_BYTE && ((p->opcode >= 0x6c && p->opcode <= 0x6f) ||
	                              (p->opcode >= 0xa4 && p->opcode <= 0xa7) ||
	                              (p->opcode >= 0xaa && p->opcode <= 0xaf));
}

static uint64_t fused_of(bool is_scalar, bool is_double)
{
	return REFPMU_TRAIT_FLOP_MAC |
	       (is_scalar ? is_double ? REFPMU_TRAIT_UOP_SCALAR_DP : REFPMU_TRAIT_UOP_SCALAR_SP
	                  : is_double ? REFPMU_TRAIT_UOP_PACKED_DP : REFPMU_TRAIT_UOP_PACKED_SP);
}

/* Fused multiplications and additions: VEX.W has the width of their operands, and of FMA4, which is
 * AMD's, the opcode. */
static uint64_t fused(const struct parts *p)
{
	unsigned low = p->opcode & 0xf, high = p->opcode >> 4;

	if (p->prefix != P66)
		return 0;
	if (p->map == VEX_0F38 && low >= 6 && high >= 9 && high <= 0xb)
		return fused_of(low >= 9 && (low & 1), p->is_wide);
	if (p->map == VEX_0F3A && ((high == 5 && low >= 0xc) || (p->opcode & 0xe8) == 0x68))
		return fused_of(high > 5 && (low & 2), low & 1);
	return 0;
}

/* A prefix keeps the instruction from pairing. */
static void add_prefixes(struct refpmu_kind *kind, const struct parts *p)
{
	const uint64_t pairable = REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V;

	kind->is_repeated = p->has_rep && is_string(p);
	if (kind->is_repeated && p->opcode >> 1 == 0xa4 >> 1)
		kind->traits |= REFPMU_TRAIT_REP_MOVS;
	if (p->has_lock)
		kind->traits = (kind->traits & ~pairable) | REFPMU_TRAIT_LOCKED;
	if (p->is_vex && p->is_256)
		kind->traits |= REFPMU_TRAIT_VECTOR_256;
}

/* MOV to a segment register: there are six, and the others raise #UD. */
static uint8_t segment_operand(const struct parts *p)
{
	bool moves_to_one = p->map == ONE_BYTE && p->opcode == 0x8e;

	return (uint8_t)(moves_to_one ? (1 << (p->modrm >> 3 & 7)) & 0x3f : 0);
}

/* x87: those that compute, load, store and move, and the loads of constants; not those that read or
 * change the control or the status word. */
static bool may_assist_x87(const struct parts *p, uint64_t traits)
{
	const uint64_t any = REFPMU_TRAIT_FP | REFPMU_TRAIT_UOP_X87 | REFPMU_TRAIT_UOP_LOAD
	                     | REFPMU_TRAIT_UOP_MOVE;

	return (traits & REFPMU_TRAIT_X87)
	       && ((traits & any) || (p->opcode == 0xd9 && p->modrm >= 0xe8 && p->modrm < 0xf0));
}

static bool may_assist_sse(uint64_t traits)
{
	return traits & (REFPMU_TRAIT_UOP_PACKED_SP | REFPMU_TRAIT_UOP_PACKED_DP
	                 | REFPMU_TRAIT_UOP_SCALAR_SP | REFPMU_TRAIT_UOP_SCALAR_DP);
}

struct refpmu_kind refpmu_kind_of(const uint8_t *bytes, unsigned size, unsigned bits)
{
	struct cursor c = { bytes, bytes + size };
	struct parts p = take_apart(&c, bits == 64);
	struct refpmu_kind kind = { 0 };

	add_rows(&kind, kind_rows_system, &p);
	add_rows(&kind, kind_rows_x87, &p);
	add_rows(&kind, kind_rows_mmx, &p);
	add_rows(&kind, kind_rows_sse, &p);
	add_rows(&kind, kind_rows_pairs, &p);
	kind.traits |= fused(&p);
	kind.segments |= segment_operand(&p);
	kind.may_assist_x87 = may_assist_x87(&p, kind.traits);
	kind.may_assist_sse = may_assist_sse(kind.traits);
	kind.prefetches = p.map == MAP_0F && p.modrm < 0xc0
	                  && (p.opcode == 0x0d || (p.opcode == 0x18 && p.modrm >> 3 < 4));
	kind.empties_caches = p.map == MAP_0F && (p.opcode == 0x08 || p.opcode == 0x09);
	add_prefixes(&kind, &p);
	return kind;
}

uint8_t refpmu_segments_of_branch(const struct refpmu_insn *insn, bool changes_vm86)
{
	const uint8_t cs = 1 << 1, ss = 1 << 2, all = 0x3f;

	switch (insn->branch) {
	case REFPMU_FAR_JMP:
	case REFPMU_FAR_CALL:
	case REFPMU_FAR_RET:
	case REFPMU_INT:
	case REFPMU_IRET:
		if (changes_vm86)
			return all;
		return insn->cpl == insn->cpl_after ? cs : cs | ss;
	case REFPMU_SYSCALL:
	case REFPMU_SYSRET:
	case REFPMU_SYSENTER:
	case REFPMU_SYSEXIT:
		return cs | ss;
	default:
		return 0;
	}
}
