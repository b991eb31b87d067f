/* SPDX-License-Identifier: MIT */
/*
 * The kinds of Bochs' opcodes. Rows name opcodes by patterns over Bochs' own names, without their
 * BX_IA_: * is any text, ? is one character, and a row may have several patterns.
 */
#include <vector>

#include "traits.h"
#include "cpu/decoder/fetchdecode.h"

extern struct bxIAOpcodeTable BxOpcodesTable[];

struct Opcode opcodes[BX_IA_LAST][2];

/* The place of the operand, for rows that are not about both. */
enum { MEMORY = 1, REGISTER = 2, BOTH = MEMORY | REGISTER };

struct TraitRow {
	const char *patterns;
	unsigned forms;
	Bit64u traits;
};

static const Bit64u U = REFPMU_TRAIT_PAIRABLE_U, V = REFPMU_TRAIT_PAIRABLE_V;
static const Bit64u SCALAR = REFPMU_TRAIT_SSE_SCALAR, COMPUTES = REFPMU_TRAIT_SSE_COMPUTES;
static const Bit64u DOUBLE = REFPMU_TRAIT_SSE2;

static const struct TraitRow system_rows[] = {
	/* SDM 3A, "Serializing Instructions". SERIALIZE is one of the newer editions'. */
	{ "CPUID INVD INVEPT INVLPG INVVPID IRET_* LGDT_* LIDT_* LLDT_Ew LTR_Ew MOV_CR?R? MOV_D?R? "
	  "RSM SERIALIZE WBINVD WRMSR", BOTH, REFPMU_TRAIT_SERIALIZING },
	{ "CPUID", BOTH, REFPMU_TRAIT_CPUID },
	{ "HLT", BOTH, REFPMU_TRAIT_HLT },
	{ "LGDT_* LIDT_* LLDT_Ew LTR_Ew", BOTH, REFPMU_TRAIT_TABLE_LOAD },
	{ "INVD WBINVD INVLPG", BOTH, REFPMU_TRAIT_INVALIDATES },
	/* The other instructions with a bus lock have a prefix, which the glue sees. */
	{ "XCHG_E?G?", MEMORY, REFPMU_TRAIT_LOCKED },
	{ "REP_* VMLAUNCH VMRESUME", BOTH, TRAIT_GOES_ELSEWHERE },
	{ "MUL_* IMUL_*", BOTH, REFPMU_TRAIT_MUL },
	{ "DIV_* IDIV_*", BOTH, REFPMU_TRAIT_DIV },
};

/*
 * Instructions that the manual's events name compute, including the transcendental ones. FABS, FCHS
 * and FXAM, which the manual does not name, do not. SDM 3B, events FLOPS and FP_COMP_OPS_EXE.
 */
static const struct TraitRow x87_rows[] = {
	{ "FADD* FIADD_* FSUB* FISUB* FCOM* FUCOM* FICOM* FTST FSCALE FRNDINT FXTRACT F2XM1 FYL2X* "
	  "FPTAN FPATAN FSIN* FCOS", BOTH, REFPMU_TRAIT_FP },
	{ "FMUL* FIMUL_*", BOTH, REFPMU_TRAIT_FP | REFPMU_TRAIT_FP_MUL },
	{ "FDIV* FIDIV* FSQRT FPREM*", BOTH, REFPMU_TRAIT_FP | REFPMU_TRAIT_FP_DIV },
	{ "FLD_EXTENDED_REAL FSTP_EXTENDED_REAL FBLD_PACKED_BCD FBSTP_PACKED_BCD", BOTH,
	  REFPMU_TRAIT_FP_80BIT },
	{ "FWAIT", BOTH, REFPMU_TRAIT_X87 },
};

/* Instructions saturate if their name says so; packing always does. SDM 2, "PACKSSWB" and so on. */
static const struct TraitRow mmx_rows[] = {
	{ "PMULLW_PqQq PMULHW_PqQq PMULHUW_PqQq PMULUDQ_PqQq PMADDWD_PqQq", BOTH,
	  REFPMU_TRAIT_MMX_MUL },
	{ "PSLL?_PqQq PSRL?_PqQq PSRA?_PqQq PSLL?_NqIb PSRL?_NqIb PSRA?_NqIb", BOTH,
	  REFPMU_TRAIT_MMX_SHIFT },
	{ "PACK*_PqQq", BOTH, REFPMU_TRAIT_MMX_PACK | REFPMU_TRAIT_MMX_SATURATING },
	{ "PUNPCK*_PqQ?", BOTH, REFPMU_TRAIT_MMX_UNPACK },
	{ "PAND_PqQq PANDN_PqQq POR_PqQq PXOR_PqQq", BOTH, REFPMU_TRAIT_MMX_LOGICAL },
	{ "PADD*_PqQq PSUB*_PqQq PCMPEQ?_PqQq PCMPGT?_PqQq PAVG?_PqQq PMIN??_PqQq PMAX??_PqQq "
	  "PSADBW_PqQq", BOTH, REFPMU_TRAIT_MMX_ARITH },
	{ "PADDS?_PqQq PADDUS?_PqQq PSUBS?_PqQq PSUBUS?_PqQq", BOTH, REFPMU_TRAIT_MMX_SATURATING },
	{ "MOVD_EdPq MOVQ_QqPq", MEMORY, REFPMU_TRAIT_MMX_STORE },
	{ "EMMS", BOTH, REFPMU_TRAIT_EMMS },
};

/* Moves, conversions, shuffles and logical operations do not compute: the manual does not say. */
static const struct TraitRow sse_rows[] = {
	{ "ADDPS_* SUBPS_* MULPS_* DIVPS_* SQRTPS_* RSQRTPS_* RCPPS_* MINPS_* MAXPS_* CMPPS_*",
	  BOTH, COMPUTES },
	{ "ADDSS_* SUBSS_* MULSS_* DIVSS_* SQRTSS_* RSQRTSS_* RCPSS_* MINSS_* MAXSS_* CMPSS_* "
	  "COMISS_* UCOMISS_*", BOTH, COMPUTES | SCALAR },
	{ "MOVSS_* CVTSI2SS_* CVTSS2SI_* CVTTSS2SI_*", BOTH, SCALAR },
	{ "ADDPD_* SUBPD_* MULPD_* DIVPD_* SQRTPD_* MINPD_* MAXPD_* CMPPD_*", BOTH,
	  DOUBLE | COMPUTES },
	{ "ADDSD_* SUBSD_* MULSD_* DIVSD_* SQRTSD_* MINSD_* MAXSD_* CMPSD_* COMISD_* UCOMISD_*",
	  BOTH, DOUBLE | COMPUTES | SCALAR },
	{ "MOVSD_* CVTSI2SD_* CVTSD2SI_* CVTTSD2SI_* CVTSS2SD_* CVTSD2SS_*",
	  BOTH, DOUBLE | SCALAR },
	{ "MOVAPD_* MOVUPD_* MOVHPD_* MOVLPD_* ANDPD_* ANDNPD_* ORPD_* XORPD_* SHUFPD_* UNPCK?PD_*",
	  BOTH, DOUBLE },
	{ "PREFETCHNTA_Mb", BOTH,
	  REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_STREAM | REFPMU_TRAIT_SSE_HINT(REFPMU_SSE_NTA) },
	{ "PREFETCHT0_Mb PREFETCHT1_Mb", BOTH,
	  REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_STREAM | REFPMU_TRAIT_SSE_HINT(REFPMU_SSE_T0) },
	{ "PREFETCHT2_Mb", BOTH,
	  REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_STREAM | REFPMU_TRAIT_SSE_HINT(REFPMU_SSE_T2) },
	{ "MOVNTPS_MpsVps MOVNTQ_MqPq MASKMOVQ_PqNq MOVNTPD_MpdVpd MOVNTDQ_MdqVdq MOVNTI_*", BOTH,
	  REFPMU_TRAIT_SSE_STREAM | REFPMU_TRAIT_SSE_HINT(REFPMU_SSE_STORE) },
};

/*
 * The Pentium's pairs, coarsely. Ignored: the registers that an instruction needs, prefixes,
 * displacements with immediates, FXCH, and that both pipes share one shifter and one multiplier.
 * Source: Intel Architecture Optimization Manual (1997), "Integer Pairing Rules", "MMX Technology
 * Pairing Guidelines".
 */
static const struct TraitRow pairing_rows[] = {
	{ "ADD_* OR_* AND_* SUB_* XOR_* CMP_* INC_E? DEC_E? LEA_G?M NOP", BOTH, U | V },
	{ "MOV_E?I? MOV_G?E? MOV_E?G? MOV_Op32_* MOV_*Od MOV_Od*", BOTH, U | V },
	{ "TEST_E?G? TEST_ALIb TEST_AXIw TEST_EAXId", BOTH, U | V },
	{ "PUSH_E? PUSH_I? PUSH_sIb* POP_E?", REGISTER, U | V },
	{ "ADC_* SBB_* SHL_E?I? SHR_E?I? SAR_E?I? ROL_E?I1 ROR_E?I1 RCL_E?I1 RCR_E?I1", BOTH, U },
	{ "J?_J* J??_J* JN??_J* CALL_J*", BOTH, V },
	{ "P*_PqQ? P*_NqIb MOVQ_PqQq MOVQ_QqPq", REGISTER, U | V },
	{ "P*_PqQ? MOVQ_PqQq MOVQ_QqPq", MEMORY, U },
	{ "MOVD_PqEd MOVD_EdPq", BOTH, U },
};

/*
 * The kinds of NetBurst's micro-operations. The manual does not list instructions: conversions are
 * of the kind that they read, logical ones and shuffles of the kind of their name. x87:
 * instructions that compute by x87_rows, and signs. Source: SDM 3B, the events packed_SP_uop to
 * x87_SIMD_moves_uop.
 */
static const struct TraitRow netburst_rows[] = {
	{ "ADDPS_* SUBPS_* MULPS_* DIVPS_* SQRTPS_* RSQRTPS_* RCPPS_* MINPS_* MAXPS_* CMPPS_* "
	  "ANDPS_* ANDNPS_* ORPS_* XORPS_* SHUFPS_* UNPCK?PS_* CVTPS2PI_* CVTTPS2PI_* CVTPS2DQ_* "
	  "CVTTPS2DQ_* CVTPS2PD_*", BOTH, REFPMU_TRAIT_UOP_PACKED_SP },
	{ "ADDPD_* SUBPD_* MULPD_* DIVPD_* SQRTPD_* MINPD_* MAXPD_* CMPPD_* ANDPD_* ANDNPD_* "
	  "ORPD_* XORPD_* SHUFPD_* UNPCK?PD_* CVTPD2PI_* CVTTPD2PI_* CVTPD2DQ_* CVTTPD2DQ_* "
	  "CVTPD2PS_*", BOTH, REFPMU_TRAIT_UOP_PACKED_DP },
	{ "ADDSS_* SUBSS_* MULSS_* DIVSS_* SQRTSS_* RSQRTSS_* RCPSS_* MINSS_* MAXSS_* CMPSS_* "
	  "COMISS_* UCOMISS_* CVTSI2SS_* CVTSS2SI_* CVTTSS2SI_* CVTSS2SD_*",
	  BOTH, REFPMU_TRAIT_UOP_SCALAR_SP },
	{ "ADDSD_* SUBSD_* MULSD_* DIVSD_* SQRTSD_* MINSD_* MAXSD_* CMPSD_* COMISD_* UCOMISD_* "
	  "CVTSI2SD_* CVTSD2SI_* CVTTSD2SI_* CVTSD2SS_*", BOTH, REFPMU_TRAIT_UOP_SCALAR_DP },
	{ "P*_PqQ* P*_NqIb PINSRW_PqEwIb PEXTRW_GdNqIb PMOVMSKB_GdNq", BOTH,
	  REFPMU_TRAIT_UOP_MMX_64 },
	{ "P*_VdqWdq* P*_UdqIb PINSRW_VdqEwIb PEXTRW_GdUdqIb PMOVMSKB_GdUdq", BOTH,
	  REFPMU_TRAIT_UOP_MMX_128 },
	{ "FABS FCHS FXAM", BOTH, REFPMU_TRAIT_UOP_X87 },
	{ "FLD_*_REAL FILD_* MOVAP?_V* MOVUP?_V* MOVS?_V* MOVLP?_V* MOVHP?_V* MOVDQA_V* MOVDQU_V* "
	  "LDDQU_V* MOVD_VdqEd MOVQ_VqWq MOVD_PqEd MOVQ_PqQq", MEMORY, REFPMU_TRAIT_UOP_LOAD },
	{ "FLD_STi FXCH_STi FCMOV* MOVAP?_V* MOVUP?_V* MOVS?_V* MOVHLPS_V* MOVLHPS_V* MOVDQA_V* "
	  "MOVDQU_V* MOVD_VdqEd MOVQ_VqWq MOVD_PqEd MOVQ_PqQq MOVDQ2Q_* MOVQ2DQ_*", REGISTER,
	  REFPMU_TRAIT_UOP_MOVE },
	{ "FST_* FSTP_* FIST_* FISTP_* MOVAP?_W* MOVUP?_W* MOVS?_W* MOVLP?_M* MOVHP?_M* MOVDQA_W* "
	  "MOVDQU_W* MOVD_EdVd MOVQ_WqVq MOVD_EdPq MOVQ_QqPq MOVNTP?_M* MOVNTDQ_M* MOVNTQ_M*",
	  BOTH, REFPMU_TRAIT_UOP_MOVE },
	{ "REP_MOVS*", BOTH, REFPMU_TRAIT_REP_MOVS },
};

/* What AMD's events of floating point and fences count; square roots are with divisions, as the
 * event lists of Linux and LIKWID say. */
static const struct TraitRow amd_rows[] = {
	{ "ADDP?_* SUBP?_* ADDS?_* SUBS?_* VADDP?_* VSUBP?_* VADDS?_* VSUBS?_*", BOTH,
	  REFPMU_TRAIT_FLOP_ADD },
	{ "MULP?_* MULS?_* VMULP?_* VMULS?_*", BOTH, REFPMU_TRAIT_FLOP_MUL },
	{ "DIVP?_* DIVS?_* SQRTP?_* SQRTS?_* VDIVP?_* VDIVS?_* VSQRTP?_* VSQRTS?_*", BOTH,
	  REFPMU_TRAIT_FLOP_DIV },
	{ "VFMADD* VFMSUB* VFNMADD* VFNMSUB*", BOTH, REFPMU_TRAIT_FLOP_MAC },
	{ "VADDPS_* VSUBPS_* VMULPS_* VDIVPS_* VSQRTPS_* VFM*PS_* VFNM*PS_*", BOTH,
	  REFPMU_TRAIT_UOP_PACKED_SP },
	{ "VADDPD_* VSUBPD_* VMULPD_* VDIVPD_* VSQRTPD_* VFM*PD_* VFNM*PD_*", BOTH,
	  REFPMU_TRAIT_UOP_PACKED_DP },
	{ "VADDSS_* VSUBSS_* VMULSS_* VDIVSS_* VSQRTSS_* VFM*SS_* VFNM*SS_*", BOTH,
	  REFPMU_TRAIT_UOP_SCALAR_SP },
	{ "VADDSD_* VSUBSD_* VMULSD_* VDIVSD_* VSQRTSD_* VFM*SD_* VFNM*SD_*", BOTH,
	  REFPMU_TRAIT_UOP_SCALAR_DP },
	{ "CLFLUSH", BOTH, REFPMU_TRAIT_CLFLUSH },
	{ "LFENCE", BOTH, REFPMU_TRAIT_LFENCE },
	{ "SFENCE", BOTH, REFPMU_TRAIT_SFENCE },
	{ "MFENCE", BOTH, REFPMU_TRAIT_MFENCE },
};

/* For far branches the kind of branch decides. Bits are as in struct refpmu_insn. */
static const struct {
	const char *patterns;
	Bit8u segments;
} segment_rows[] = {
	{ "LES_*", 1 << BX_SEG_REG_ES },
	{ "LSS_*", 1 << BX_SEG_REG_SS },
	{ "LDS_*", 1 << BX_SEG_REG_DS },
	{ "LFS_*", 1 << BX_SEG_REG_FS },
	{ "LGS_*", 1 << BX_SEG_REG_GS },
};
static const char segment_operand[] = "MOV_SwEw POP_Op*_Sw";

/* Assisted besides those that compute; not those that read or change the status word. */
static const char assisted[] = "FLD_* FST_* FSTP_* FLD1 FLDL2? FLDLG2 FLDLN2 FLDPI FLDZ FILD_* "
                               "FIST_* FISTP_* FXCH_STi";

/* ---------------------------------------------------------------------------- patterns */

/* Returns whether a name matches the pattern, which ends at a blank or at the end of the text. */
static bool matches(const char *pattern, const char *name)
{
	while (*pattern != '*') {
		if (*pattern == ' ' || *pattern == '\0')
			return *name == '\0';
		if (*name == '\0' || (*pattern != '?' && *pattern != *name))
			return false;
		pattern++, name++;
	}
	do {
		if (matches(pattern + 1, name))
			return true;
	} while (*name++);
	return false;
}

static const char *name_of(unsigned opcode)
{
	return get_bx_opcode_name((Bit16u)opcode) + strlen("BX_IA_");
}

/* Returns the opcodes whose names begin with this letter: to look at all of them for each pattern
 * takes a tenth of a short boot's time. */
static const std::vector<unsigned> &beginning_with(char letter)
{
	static std::vector<unsigned> opcodes_of[1 << 7];

	if (opcodes_of[(unsigned)'A'].empty())
		for (unsigned opcode = 0; opcode < BX_IA_LAST; opcode++)
			opcodes_of[name_of(opcode)[0] & 0x7f].push_back(opcode);
	return opcodes_of[letter & 0x7f];
}

/* Calls act for each opcode that a pattern matches, which begins with a letter; a pattern without a
 * match is an error. */
template <typename Act> static void for_each(const char *patterns, Act act)
{
	for (const char *p = patterns; *p; p += strcspn(p, " "), p += *p == ' ') {
		bool is_found = false;

		for (unsigned opcode : beginning_with(*p)) {
			if (!matches(p, name_of(opcode)))
				continue;
			is_found = true;
			act(opcode);
		}
		if (!is_found) {
			fprintf(stderr, "model: Bochs has no opcode %s\n", p);
			exit(2);
		}
	}
}

template <size_t N> static void take_rows(const struct TraitRow (&rows)[N])
{
	for (const struct TraitRow &row : rows)
		for_each(row.patterns, [&](unsigned opcode) {
			for (unsigned is_register = 0; is_register < 2; is_register++)
				if (row.forms & (is_register ? REGISTER : MEMORY))
					opcodes[opcode][is_register].traits |= row.traits;
		});
}

/* Returns the traits for the registers of an opcode, which Bochs itself knows. */
static Bit64u class_of(unsigned opcode)
{
	Bit64u traits = 0;

	if (BxOpcodesTable[opcode].opflags & BX_PREPARE_FPU)
		traits |= REFPMU_TRAIT_X87;
	if (BxOpcodesTable[opcode].opflags & BX_PREPARE_MMX)
		traits |= REFPMU_TRAIT_MMX;
	if (BxOpcodesTable[opcode].opflags & (BX_PREPARE_SSE | BX_PREPARE_AVX))
		traits |= REFPMU_TRAIT_SSE;
	return traits;
}

static bool is_vector(unsigned opcode)
{
	return BxOpcodesTable[opcode].opflags & BX_PREPARE_AVX;
}

static void take_segments(void)
{
	for (const auto &row : segment_rows)
		for_each(row.patterns, [&](unsigned opcode) {
			opcodes[opcode][0].segments |= row.segments;
		});
	for_each(segment_operand, [](unsigned opcode) {
		opcodes[opcode][0].loads_operand = opcodes[opcode][1].loads_operand = true;
	});
}

/* Computing instructions need assists for denormal numbers, those of SSE, too. */
static void take_computing(struct Opcode *o)
{
	const Bit64u sse = REFPMU_TRAIT_UOP_PACKED_SP | REFPMU_TRAIT_UOP_PACKED_DP |
	                   REFPMU_TRAIT_UOP_SCALAR_SP | REFPMU_TRAIT_UOP_SCALAR_DP;

	o->may_assist |= (o->traits & REFPMU_TRAIT_FP) != 0;
	o->may_assist_sse = (o->traits & sse) != 0;
	o->has_details = o->may_assist || o->may_assist_sse || (o->traits & REFPMU_TRAIT_REP_MOVS);
	if (o->traits & REFPMU_TRAIT_FP)
		o->traits |= REFPMU_TRAIT_UOP_X87;
}

static void take_assists(void)
{
	for_each(assisted, [](unsigned opcode) {
		opcodes[opcode][0].may_assist = opcodes[opcode][1].may_assist = true;
	});
	for (struct Opcode (&forms)[2] : opcodes)
		for (struct Opcode &o : forms)
			take_computing(&o);
}

void take_traits(void)
{
	for (unsigned opcode = 0; opcode < BX_IA_LAST; opcode++) {
		opcodes[opcode][0].traits = opcodes[opcode][1].traits = class_of(opcode);
		opcodes[opcode][0].is_vector = opcodes[opcode][1].is_vector = is_vector(opcode);
	}
	take_rows(system_rows);
	take_rows(x87_rows);
	take_rows(mmx_rows);
	take_rows(sse_rows);
	take_rows(pairing_rows);
	take_rows(netburst_rows);
	take_rows(amd_rows);
	take_segments();
	take_assists();
}
