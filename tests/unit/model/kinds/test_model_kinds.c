/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what the bytes of an instruction tell, and what a processor's rules tell for CPUID. The
 * bytes are those of an assembler. Source: SDM 2, appendix "Opcode Map".
 */
#include <string.h>

#include <arch/regs/table.h>
#include <model/refpmu_kinds.h>
#include <tests/unit/unit.h>

#define T(name) REFPMU_TRAIT_##name
#define SSE_ADD(kind) (T(SSE) | T(SSE_COMPUTES) | T(FLOP_ADD) | (kind))

struct row {
	const char *name;
	uint8_t bytes[8], size, bits;
	uint64_t traits;
	uint8_t branch, segments;
};

static const struct row rows[] = {
	{ "NOP", { 0x90 }, 1, 64, 0, 0, 0 },
	{ "JNZ", { 0x75, 0xfe }, 2, 64, 0, REFPMU_JCC, 0 },
	{ "JNZ near", { 0x0f, 0x85, 0, 0, 0, 0 }, 6, 64, 0, REFPMU_JCC, 0 },
	{ "LOOP", { 0xe2, 0xfe }, 2, 16, 0, REFPMU_JCC, 0 },
	{ "JMP", { 0xeb, 0xfe }, 2, 32, 0, REFPMU_JMP, 0 },
	{ "JMP RAX", { 0xff, 0xe0 }, 2, 64, 0, REFPMU_JMP_INDIRECT, 0 },
	{ "JMP far [RAX]", { 0xff, 0x28 }, 2, 64, 0, REFPMU_FAR_JMP, 0 },
	{ "CALL", { 0xe8, 0, 0, 0, 0 }, 5, 64, 0, REFPMU_CALL, 0 },
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
	  T(MMX) | T(MMX_ARITH) | T(UOP_MMX_64), 0, 0 },
	{ "PADDB XMM0, XMM1", { 0x66, 0x0f, 0xfc, 0xc1 }, 4, 64, T(SSE) | T(UOP_MMX_128), 0, 0 },
	{ "EMMS", { 0x0f, 0x77 }, 2, 64, T(MMX) | T(EMMS), 0, 0 },
	{ "ADDPS", { 0x0f, 0x58, 0xc1 }, 3, 64, SSE_ADD(T(UOP_PACKED_SP)), 0, 0 },
	{ "ADDSD", { 0xf2, 0x0f, 0x58, 0xc1 }, 4, 64,
	  SSE_ADD(T(UOP_SCALAR_DP) | T(SSE2) | T(SSE_SCALAR)), 0, 0 },
	{ "VADDPD YMM", { 0xc5, 0xf5, 0x58, 0xc2 }, 4, 64,
	  T(SSE) | T(FLOP_ADD) | T(UOP_PACKED_DP) | T(VECTOR_256), 0, 0 },
	{ "VFMADD231SD", { 0xc4, 0xe2, 0xf1, 0xb9, 0xc2 }, 5, 64,
	  T(SSE) | T(FLOP_MAC) | T(UOP_SCALAR_DP), 0, 0 },
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

/* ------------------------------------------------------------------------------- processors */

/* Returns memory for as long as the program runs. */
static void *room(size_t size)
{
	static _Alignas(64) uint8_t memory[16 << 20];
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

UNIT_TEST(leaf_4_has_the_caches_that_are_simulated)
{
	struct refpmu_cpu *haswell = create("Haswell"), *penryn = create("Penryn");
	struct refpmu_cache_shape shape;

	check_true("L1", refpmu_cache(haswell, 1, false, &shape));
	check_eq_u64("bytes of L1", shape.sets * shape.ways * shape.line_bytes, 32 << 10);
	check_true("L3", refpmu_cache(haswell, 3, false, &shape));
	check_eq_u64("bytes of L3", shape.sets * shape.ways * shape.line_bytes, 8 << 20);
	check_true("L2 is Penryn's last", refpmu_cache(penryn, 2, false, &shape));
	check_eq_u64("bytes of L2", shape.sets * shape.ways * shape.line_bytes, 6 << 20);
	check_true("Penryn has no L3", !refpmu_cache(penryn, 3, false, &shape));
	check_true("code has no L2 of its own", !refpmu_cache(haswell, 2, true, &shape));
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
