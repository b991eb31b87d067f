/* SPDX-License-Identifier: MIT */
/*
 * Helps emulators with what several need: tables of the kinds of instructions, and CPUID of the
 * processor that the PMU belongs to. Nothing in refpmu.h needs this; the rules of that
 * header hold here, too. No function here calls back.
 */
#ifndef REFPMU_KINDS_H
#define REFPMU_KINDS_H

#include "refpmu.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Holds what struct refpmu_insn wants to know and the bytes of an instruction tell. The branch is
 * what the instruction does if it does not fault; INTO is none, since it may not trap. traits has
 * no assists.
 */
struct refpmu_kind {
	uint64_t traits;       /* REFPMU_TRAIT_* */
	uint8_t branch;        /* enum refpmu_branch */
	uint8_t segments;      /* always loaded; branches load others */
	bool is_repeated;      /* a string instruction with a REP prefix */
	bool empties_caches;   /* INVD, WBINVD: refpmu_cache_flush() */
	bool prefetches;       /* its operand: a read for refpmu_access(), if the page is there */
	bool may_assist_x87;   /* by a denormal number, or by the stack; see REFPMU_TRAIT_FP_* */
	bool may_assist_sse;   /* by a denormal number: REFPMU_TRAIT_SSE_ASSIST */
};

/* Returns the kind of an instruction that the processor knows; size is its length in bytes, bits is
 * the size of code: 16, 32, or 64. What has an EVEX prefix is SSE, and no more. Not known: XOP,
 * 3DNow!. */
struct refpmu_kind refpmu_kind_of(const uint8_t *bytes, unsigned size, unsigned bits);

/* Returns what struct refpmu_insn and the other reports must have for this processor, besides what
 * every PMU needs. */
struct refpmu_needs {
	bool details;          /* traits, segments, ports, what is cacheable: not architectural */
	bool all_details;      /* ... of each instruction, with is_if_clear: not NetBurst's */
	bool breakpoints;      /* the PMU counts matches of DR0 to DR3 */
};
struct refpmu_needs refpmu_needs(const struct refpmu_cpu *cpu);

/* Returns the segment registers that the branch of an instruction loads: all if it enters or leaves
 * virtual-8086 mode. insn has branch, cpl and cpl_after. */
uint8_t refpmu_segments_of_branch(const struct refpmu_insn *insn, bool changes_vm86);

/* Returns a bit for each debug register, enabled or not, that an access of size bytes matches.
 * first is linear, or a port. See breakpoints of struct refpmu_insn. */
enum refpmu_use { REFPMU_EXECUTES, REFPMU_WRITES, REFPMU_READS, REFPMU_USES_PORT };
uint8_t refpmu_breakpoints(uint64_t dr7, const uint64_t dr[4], enum refpmu_use use, uint64_t first,
                           unsigned size);

/* Returns the name of a processor that the library knows, the nth from 0 on, and fills in who it is
 * (cpuid_1_edx without features, but for MMX); NULL if there are not so many. */
const char *refpmu_processor(unsigned n, struct refpmu_identity *identity);

/* Describes the caches that the model simulates by CPUID leaves 4, 8000_0005H and 8000_0006H. regs
 * are as those of refpmu_cpuid(): in leaf 4 the emulator's own type, level and sharing stay, and a
 * cache that the model lacks ends the list. TLBs and a third level of AMD stay, too. */
void refpmu_cpuid_caches(const struct refpmu_cpu *cpu, uint32_t leaf, uint32_t regs[4]);

/* Sets the bits of CPUID leaf 1 for the debug store area: DS, DTES64, DS-CPL. regs are as those of
 * refpmu_cpuid(), which leaves these bits to the emulator. */
void refpmu_debug_store(const struct refpmu_cpu *cpu, uint32_t regs[4]);

#ifdef __cplusplus
}
#endif
#endif
