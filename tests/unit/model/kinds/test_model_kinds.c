/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what the bytes of an instruction tell, and what a processor's rules tell for CPUID. The
 * bytes are those of an assembler. Source: SDM 2, appendix "Opcode Map".
 */
#include <string.h>

#include <arch/regs/table.h>
#include <model/core/internal.h>
#include <model/refpmu_kinds.h>
#include <tests/unit/unit.h>

#define T(name) REFPMU_TRAIT_##name
#define U  T(PAIRABLE_U)
#define V  T(PAIRABLE_V)
#define SSE_ADD(kind) (T(SSE) | T(SSE_COMPUTES) | T(FLOP_ADD) | (kind))

struct row {
	const char *name;
	uint8_t bytes[8], size, bits;
	uint64_t traits;
	uint8_t branch, segments;
};

static const struct row rows[] = {
	{ "NOP", { 0x90 }, 1, 64, U | V, 0, 0 },
	{ "JNZ", { 0x75, 0xfe }, 2, 64, V, REFPMU_JCC, 0 },
	{ "JNZ near", { 0x0f, 0x85, 0, 0, 0, 0 }, 6, 64, V, REFPMU_JCC, 0 },
	{ "LOOP", { 0xe2, 0xfe }, 2, 16, 0, REFPMU_JCC, 0 },
	{ "JMP", { 0xeb, 0xfe }, 2, 32, V, REFPMU_JMP, 0 },
	{ "JMP RAX", { 0xff, 0xe0 }, 2, 64, 0, REFPMU_JMP_INDIRECT, 0 },
	{ "JMP far [RAX]", { 0xff, 0x28 }, 2, 64, 0, REFPMU_FAR_JMP, 0 },
	{ "CALL", { 0xe8, 0, 0, 0, 0 }, 5, 64, V, REFPMU_CALL, 0 },
	{ "CALL [R8]", { 0x41, 0xff, 0x10 }, 3, 64, 0, REFPMU_CALL_INDIRECT, 0 },
	{ "RET 8", { 0xc2, 8, 0 }, 3, 64, 0, REFPMU_RET, 0 },
	{ "RETF", { 0xcb }, 1, 64, 0, REFPMU_FAR_RET, 0 },
	{ "INT 20H", { 0xcd, 0x20 }, 2, 64, 0, REFPMU_INT, 0 },
	{ "INTO", { 0xce }, 1, 32, 0, 0, 0 },
	{ "IRETQ", { 0x48, 0xcf }, 2, 64, T(SERIALIZING), REFPMU_IRET, 0 },
	{ "SYSCALL", { 0x0f, 0x05 }, 2, 64, 0, REFPMU_SYSCALL, 0 },
	{ "CPUID", { 0x0f, 0xa2 }, 2, 64, T(SERIALIZING) | T(CPUID), 0, 0 },
	{ "HLT", { 0xf4 }, 1, 64, T(HLT), 0, 0 },
	{ "WRMSR", { 0x0f, 0x30 }, 2, 64, T(SERIALIZING), 0, 0 },
	{ "INVLPG [RAX]", { 0x0f, 0x01, 0x38 }, 3, 64, T(SERIALIZING) | T(INVALIDATES), 0, 0 },
	{ "SWAPGS", { 0x0f, 0x01, 0xf8 }, 3, 64, 0, 0, 0 },
	{ "LGDT [RAX]", { 0x0f, 0x01, 0x10 }, 3, 64, T(SERIALIZING) | T(TABLE_LOAD), 0, 0 },
	{ "SERIALIZE", { 0x0f, 0x01, 0xe8 }, 3, 64, T(SERIALIZING), 0, 0 },
	{ "MOV DS, AX", { 0x8e, 0xd8 }, 2, 32, 0, 0, 1 << 3 },
	{ "LES EAX, [EAX]", { 0xc4, 0x00 }, 2, 32, 0, 0, 1 << 0 },
	{ "POP FS", { 0x0f, 0xa1 }, 2, 64, 0, 0, 1 << 4 },
	{ "LOCK INC [RAX]", { 0xf0, 0xff, 0x00 }, 3, 64, T(LOCKED), 0, 0 },
	{ "XCHG [RAX], EAX", { 0x87, 0x00 }, 2, 64, T(LOCKED), 0, 0 },
	{ "XCHG ECX, EAX", { 0x87, 0xc8 }, 2, 64, 0, 0, 0 },
	{ "IMUL EAX, EAX, 3", { 0x6b, 0xc0, 3 }, 3, 64, T(MUL), 0, 0 },
	{ "DIV ECX", { 0xf7, 0xf1 }, 2, 64, T(DIV), 0, 0 },
	{ "FADD ST0", { 0xd8, 0xc0 }, 2, 64, T(X87) | T(FP) | T(UOP_X87), 0, 0 },
	{ "FDIV m32", { 0xd8, 0x30 }, 2, 64, T(X87) | T(FP) | T(FP_DIV) | T(UOP_X87), 0, 0 },
	{ "FSQRT", { 0xd9, 0xfa }, 2, 64, T(X87) | T(FP) | T(FP_DIV) | T(UOP_X87), 0, 0 },
	{ "FWAIT", { 0x9b }, 1, 64, T(X87), 0, 0 },
	{ "PADDB MM0, MM1", { 0x0f, 0xfc, 0xc1 }, 3, 64,
	  T(MMX) | T(MMX_ARITH) | T(UOP_MMX_64) | U | V, 0, 0 },
	{ "PADDB MM0, [RAX]", { 0x0f, 0xfc, 0x00 }, 3, 64,
	  T(MMX) | T(MMX_ARITH) | T(UOP_MMX_64) | U, 0, 0 },
	{ "ADC EAX, 1", { 0x83, 0xd0, 1 }, 3, 32, U, 0, 0 },
	{ "ADD EAX, 1", { 0x83, 0xc0, 1 }, 3, 32, U | V, 0, 0 },
	{ "LOCK ADD [EAX], 1", { 0xf0, 0x83, 0x00, 1 }, 4, 32, T(LOCKED), 0, 0 },
	{ "SHL EAX, 3", { 0xc1, 0xe0, 3 }, 3, 32, U, 0, 0 },
	{ "ROL EAX, 3", { 0xc1, 0xc0, 3 }, 3, 32, 0, 0, 0 },
	{ "ROL EAX, 1", { 0xd1, 0xc0 }, 2, 32, U, 0, 0 },
	{ "PUSH EAX", { 0x50 }, 1, 32, U | V, 0, 0 },
	{ "PUSH [EAX]", { 0xff, 0x30 }, 2, 32, 0, 0, 0 },
	{ "VADDPS ZMM0", { 0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1 }, 6, 64, T(SSE), 0, 0 },
	{ "BOUND EAX, [EAX]", { 0x62, 0x00 }, 2, 32, 0, 0, 0 },
	{ "PADDB XMM0, XMM1", { 0x66, 0x0f, 0xfc, 0xc1 }, 4, 64, T(SSE) | T(UOP_MMX_128), 0, 0 },
	{ "EMMS", { 0x0f, 0x77 }, 2, 64, T(MMX) | T(EMMS), 0, 0 },
	{ "ADDPS", { 0x0f, 0x58, 0xc1 }, 3, 64, SSE_ADD(T(UOP_PACKED_SP)), 0, 0 },
	{ "ADDSD", { 0xf2, 0x0f, 0x58, 0xc1 }, 4, 64,
	  SSE_ADD(T(UOP_SCALAR_DP) | T(SSE2) | T(SSE_SCALAR)), 0, 0 },
	{ "VADDPD YMM", { 0xc5, 0xf5, 0x58, 0xc2 }, 4, 64,
	  T(SSE) | T(FLOP_ADD) | T(UOP_PACKED_DP) | T(VECTOR_256), 0, 0 },
	{ "VFMADD231SD", { 0xc4, 0xe2, 0xf1, 0xb9, 0xc2 }, 5, 64,
	  T(SSE) | T(FLOP_MAC) | T(UOP_SCALAR_DP), 0, 0 },
	{ "VFMADDSD, FMA4", { 0xc4, 0xe3, 0xf9, 0x6b, 0xc1, 0x20 }, 6, 64,
	  T(SSE) | T(FLOP_MAC) | T(UOP_SCALAR_DP), 0, 0 },
	{ "VFMADDPS, FMA4", { 0xc4, 0xe3, 0xf9, 0x68, 0xc1, 0x20 }, 6, 64,
	  T(SSE) | T(FLOP_MAC) | T(UOP_PACKED_SP), 0, 0 },
	{ "PSHUFB XMM0, XMM1", { 0x66, 0x0f, 0x38, 0x00, 0xc1 }, 5, 64,
	  T(SSE) | T(UOP_MMX_128), 0, 0 },
	{ "ROUNDPS", { 0x66, 0x0f, 0x3a, 0x08, 0xc1, 0 }, 6, 64, T(SSE), 0, 0 },
	{ "KMOVW K0, K1", { 0xc5, 0xf8, 0x90, 0xc1 }, 4, 64, 0, 0, 0 },
	{ "PREFETCHT0", { 0x0f, 0x18, 0x08 }, 3, 64,
	  T(SSE) | T(SSE_STREAM) | REFPMU_TRAIT_SSE_HINT(REFPMU_SSE_T0), 0, 0 },
	{ "CLFLUSH", { 0x0f, 0xae, 0x38 }, 3, 64, T(CLFLUSH), 0, 0 },
	{ "MFENCE", { 0x0f, 0xae, 0xf0 }, 3, 64, T(MFENCE), 0, 0 },
};

UNIT_TEST(the_bytes_of_an_instruction_tell_its_kind)
{
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		const struct row *r = &rows[i];
		struct refpmu_kind kind = refpmu_kind_of(r->bytes, r->size, r->bits);

		check_eq_u64(r->name, kind.traits, r->traits);
		check_eq_u64(r->name, kind.branch, r->branch);
		check_eq_u64(r->name, kind.segments, r->segments);
	}
}

UNIT_TEST(string_instructions_repeat_with_a_prefix_alone)
{
	static const uint8_t movsb[] = { 0xf3, 0xa4 }, pause[] = { 0xf3, 0x90 };

	check_eq_u64("REP MOVSB", refpmu_kind_of(movsb, 2, 64).is_repeated, true);
	check_eq_u64("its trait", refpmu_kind_of(movsb, 2, 64).traits, T(REP_MOVS));
	check_eq_u64("MOVSB", refpmu_kind_of(movsb + 1, 1, 64).is_repeated, false);
	check_eq_u64("PAUSE", refpmu_kind_of(pause, 2, 64).is_repeated, false);
}

UNIT_TEST(instructions_that_may_need_an_assist_say_so)
{
	static const uint8_t fld1[] = { 0xd9, 0xe8 }, fldcw[] = { 0xd9, 0x28 },
	                     fchs[] = { 0xd9, 0xe0 }, fcmovb[] = { 0xda, 0xc1 },
	                     fwait[] = { 0x9b }, sqrtss[] = { 0xf3, 0x0f, 0x51, 0xc0 };

	check_eq_u64("FLD1", refpmu_kind_of(fld1, 2, 64).may_assist_x87, true);
	check_eq_u64("FLDCW", refpmu_kind_of(fldcw, 2, 64).may_assist_x87, false);
	check_eq_u64("FCHS", refpmu_kind_of(fchs, 2, 64).may_assist_x87, true);
	check_eq_u64("FCMOVB", refpmu_kind_of(fcmovb, 2, 64).may_assist_x87, true);
	check_eq_u64("FWAIT", refpmu_kind_of(fwait, 1, 64).may_assist_x87, false);
	check_eq_u64("SQRTSS, x87", refpmu_kind_of(sqrtss, 4, 64).may_assist_x87, false);
	check_eq_u64("SQRTSS", refpmu_kind_of(sqrtss, 4, 64).may_assist_sse, true);
}

UNIT_TEST(caches_are_emptied_and_filled_by_name)
{
	static const uint8_t wbinvd[] = { 0x0f, 0x09 }, prefetch[] = { 0x0f, 0x18, 0x00 };

	check_eq_u64("WBINVD", refpmu_kind_of(wbinvd, 2, 64).empties_caches, true);
	check_eq_u64("PREFETCHNTA", refpmu_kind_of(prefetch, 3, 64).prefetches, true);
	check_eq_u64("WBINVD prefetches", refpmu_kind_of(wbinvd, 2, 64).prefetches, false);
}

UNIT_TEST(a_branch_loads_the_segments_of_its_kind)
{
	const unsigned cs = 1 << 1, ss = 1 << 2;
	struct refpmu_insn insn = { .branch = REFPMU_IRET, .cpl = 0, .cpl_after = 3 };

	check_eq_u64("IRET to CPL 3", refpmu_segments_of_branch(&insn, false), cs | ss);
	check_eq_u64("IRET to virtual-8086 mode", refpmu_segments_of_branch(&insn, true), 0x3f);
	insn.cpl_after = 0;
	check_eq_u64("IRET at CPL 0", refpmu_segments_of_branch(&insn, false), cs);
	insn.branch = REFPMU_SYSCALL;
	check_eq_u64("SYSCALL", refpmu_segments_of_branch(&insn, false), cs | ss);
	insn.branch = REFPMU_JCC;
	check_eq_u64("Jcc", refpmu_segments_of_branch(&insn, false), 0);
}

UNIT_TEST(debug_registers_match_bytes_and_uses)
{
	/* 4 bytes at 1000H, written; a byte, executed; 8 bytes, accessed; a port. */
	const uint64_t dr7 = UINT64_C(0x2b0d0000), dr[4] = { 0x1002, 0x2000, 0x3004, 0x60 };

	check_eq_u64("the byte before", refpmu_breakpoints(dr7, dr, REFPMU_WRITES, 0xfff, 1), 0);
	check_eq_u64("its first byte", refpmu_breakpoints(dr7, dr, REFPMU_WRITES, 0xffc, 5), 1);
	check_eq_u64("its last byte", refpmu_breakpoints(dr7, dr, REFPMU_WRITES, 0x1003, 8), 1);
	check_eq_u64("the byte after", refpmu_breakpoints(dr7, dr, REFPMU_WRITES, 0x1004, 8), 0);
	check_eq_u64("a read", refpmu_breakpoints(dr7, dr, REFPMU_READS, 0x1000, 4), 0);
	check_eq_u64("executed", refpmu_breakpoints(dr7, dr, REFPMU_EXECUTES, 0x2000, 1), 1 << 1);
	check_eq_u64("8 bytes, read", refpmu_breakpoints(dr7, dr, REFPMU_READS, 0x3007, 1), 1 << 2);
	check_eq_u64("8 bytes, written", refpmu_breakpoints(dr7, dr, REFPMU_WRITES, 0x3000, 1),
	             1 << 2);
	check_eq_u64("a port", refpmu_breakpoints(dr7, dr, REFPMU_USES_PORT, 0x60, 1), 1 << 3);
}

/* ------------------------------------------------------------------------------- processors */

/* Returns memory for as long as the program runs. */
static void *room(size_t size)
{
	static _Alignas(64) uint8_t memory[48 << 20];
	static size_t used;
	void *place = memory + used;

	used += (size + 63) & ~(size_t)63;
	check_true("there is room", used <= sizeof(memory));
	return place;
}

static struct refpmu_cpu *create(const char *name)
{
	static struct refpmu_host host;
	struct refpmu_identity identity;
	const char *found;
	unsigned n = 0;

	while ((found = refpmu_processor(n++, &identity)) != NULL && strcmp(found, name) != 0)
		continue;
	struct refpmu_machine *machine = refpmu_machine_create(room(refpmu_machine_size()));
	struct refpmu_package *package = refpmu_package_create(
		room(refpmu_package_size(identity)), machine, identity);
	struct refpmu_core *core = refpmu_core_create(room(refpmu_core_size(identity)), package,
	                                              identity, 1);
	return refpmu_cpu_create(room(refpmu_cpu_size(core)), core, &host);
}

UNIT_TEST(every_processor_is_found_by_its_identity)
{
	struct refpmu_identity identity;
	unsigned n = 0;

	while (refpmu_processor(n, &identity)) {
		check_true("a package has a size", refpmu_package_size(identity) != 0);
		n++;
	}
	check_true("there are processors of all generations", n > 40);
}

UNIT_TEST(a_processor_needs_the_details_of_its_generation)
{
	static const struct { const char *name; bool details, all, breakpoints; } rows[] = {
		{ "Haswell", false, false, false }, { "Willamette", true, false, false },
		{ "Katmai", true, true, false }, { "Pentium MMX", true, true, true },
		{ "Zen", true, true, true },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		const struct refpmu_needs n = refpmu_needs(create(rows[i].name));

		check_true(rows[i].name, n.details == rows[i].details);
		check_true(rows[i].name, n.all_details == rows[i].all);
		check_true(rows[i].name, n.breakpoints == rows[i].breakpoints);
	}
}

/* Bits 19:16 and 7:4 are the model; EPYC Milan, a Haswell for servers, and a processor of Gracemont
 * cores alone have no row of their own. */
UNIT_TEST(processors_with_the_same_cores_have_one_row)
{
	static const struct refpmu_identity milan = { 0xa00f11, 0, REFPMU_AMD, 0 };
	static const struct refpmu_identity servers = { 0x306f2, 0, REFPMU_INTEL, 0 };
	static const struct refpmu_identity n100 = { 0xb06e0, 0, REFPMU_INTEL, 0 };
	static const struct refpmu_identity unknown = { 0x3ff0, 0, REFPMU_INTEL, 0 };

	check_true("Zen 3", strcmp(model_rules_find(milan)->name, "Zen 3") == 0);
	check_true("Haswell", strcmp(model_rules_find(servers)->name, "Haswell") == 0);
	check_true("Gracemont", strcmp(model_rules_find(n100)->name, "Gracemont") == 0);
	check_true("none", !model_rules_find(unknown));
}

/* EAX[4:0] is the type of a cache, 1 for data, 2 for code and 3 for both; EAX[7:5] its level. */
static void check_leaf_4(const char *name, uint32_t eax, uint32_t ways, uint32_t sets)
{
	uint32_t regs[4] = { eax, ~0u, ~0u, ~0u };

	refpmu_cpuid_caches(create(name), 4, regs);
	check_eq_u64("EAX", regs[0], ways ? eax : 0);
	check_eq_u64("EBX, ways and bytes of a line", regs[1], ways ? (ways - 1) << 22 | 63 : 0);
	check_eq_u64("ECX, sets", regs[2], ways ? sets - 1 : 0);
	check_eq_u64("EDX", regs[3], ways ? ~0u : 0);
}

UNIT_TEST(leaf_4_has_the_caches_that_are_simulated)
{
	check_leaf_4("Haswell", 1 << 5 | 1, 8, 64);
	check_leaf_4("Haswell", 1 << 5 | 2, 8, 64);
	check_leaf_4("Haswell", 3 << 5 | 3, 16, 8192);
	check_leaf_4("Penryn", 2 << 5 | 3, 24, 4096);
	check_leaf_4("Penryn", 3 << 5 | 3, 0, 0);
	check_leaf_4("Haswell", 2 << 5 | 2, 0, 0);      /* code has no L2 of its own */
	check_leaf_4("Haswell", 0, 0, 0);
}

UNIT_TEST(amd_has_its_caches_in_two_leaves)
{
	uint32_t regs[4] = { 1, 2, 3, 4 }, intel[4] = { 1, 2, 3, 4 };

	refpmu_cpuid_caches(create("Zen"), 0x80000005, regs);
	check_eq_u64("ECX, L1 of data", regs[2], 32u << 24 | 8 << 16 | 1 << 8 | 64);
	check_eq_u64("EDX, L1 of code", regs[3], 64u << 24 | 4 << 16 | 1 << 8 | 64);
	refpmu_cpuid_caches(create("Zen"), 0x80000006, regs);
	check_eq_u64("ECX, L2", regs[2], 512u << 16 | 6 << 12 | 1 << 8 | 64);
	check_eq_u64("EAX, TLBs", regs[0], 1);
	refpmu_cpuid_caches(create("Haswell"), 0x80000005, intel);
	check_eq_u64("Intel's has no such leaf", intel[2], 3);
}

UNIT_TEST(an_older_processor_hides_the_leaf_of_architectural_pmus)
{
	uint32_t highest[4] = { 0x1f }, leaf[4] = { 1, 1, 1, 1 }, amd[4] = { 0x0d };

	refpmu_cpuid(create("Pentium MMX"), 0, 0, highest);
	refpmu_cpuid(create("Pentium MMX"), 0x0a, 0, leaf);
	check_eq_u64("the highest leaf", highest[0], 9);
	check_eq_u64("leaf 0AH", leaf[0] | leaf[1] | leaf[2] | leaf[3], 0);
	refpmu_cpuid(create("Zen"), 0, 0, amd);
	check_eq_u64("the highest leaf of AMD", amd[0], 0x0d);
}

UNIT_TEST(leaf_1_announces_the_debug_store_area)
{
	uint32_t haswell[4] = { 0 }, yonah[4] = { 0 }, pentium[4] = { 0, 0, ~0u, ~0u };

	refpmu_debug_store(create("Haswell"), haswell);
	check_eq_u64("Haswell: ECX, DTES64 and DS-CPL", haswell[2], 1 << 2 | 1 << 4);
	check_eq_u64("Haswell: EDX, DS", haswell[3], 1 << 21);
	refpmu_debug_store(create("Yonah"), yonah);
	check_eq_u64("Yonah: ECX", yonah[2], 0);
	check_eq_u64("Yonah: EDX, DS", yonah[3], 1 << 21);
	refpmu_debug_store(create("Pentium MMX"), pentium);
	check_eq_u64("Pentium MMX: EDX[21]", pentium[3] >> 21 & 1, 0);
}

UNIT_MAIN()
