/* SPDX-License-Identifier: MIT */
/*
 * Declares code whose records are known: registers, addresses, branches. The code is called as
 * workloads are.
 */
#ifndef TESTS_SUITES_PEBS_PEBS_CODE_H
#define TESTS_SUITES_PEBS_PEBS_CODE_H

#include <stdint.h>

enum { PEBS_NOPS = 480, PEBS_JUMPS = 33, PEBS_JUMP_STRIDE = 8, PEBS_BEFORE_SLED = 90 };

/*
 * Executes PEBS_JUMPS jumps, each to the next one, from pebs_jump_first on, PEBS_JUMP_STRIDE bytes
 * apart; then PEBS_NOPS NOPs of one byte, from pebs_sled to pebs_sled_end. During the NOPs each
 * register except the stack pointer, which is in pebs_stack, holds its pattern. Patterns are in the
 * order in which instructions number registers: AX, CX, DX, BX, -, BP, SI, DI, R8 ... R15. With
 * argument 1 the XMM registers hold theirs, too (0 to 7 in the 32-bit kernel); this needs
 * pmu_workload_begin(). With the window's instructions, 50 to PEBS_BEFORE_SLED come before the
 * NOPs, at most 16 after them.
 */
void pebs_nops(uint32_t rounds, uint32_t argument);
extern const uint8_t pebs_jump_first[], pebs_sled[], pebs_sled_end[];
extern const uint64_t pebs_patterns[16], pebs_xmm[16][2];
extern uintptr_t pebs_stack;

/* These flags are 1: CF, PF, AF, SF; ZF and OF are 0. */
#define PEBS_FLAGS_MASK   UINT64_C(0x8d5)
#define PEBS_FLAGS_WANTED UINT64_C(0x095)

/*
 * Declares a loop in which each round causes one event, by the instruction at NAME_guilty;
 * NAME_next follows it. ECX holds the number of rounds left, including the current one, EDX the
 * address.
 */
#define PEBS_GUILTY(name) \
	void name(uint32_t rounds, uint32_t argument); \
	extern const uint8_t name##_guilty[], name##_next[]

PEBS_GUILTY(pebs_walk);        /* reads a line of 64 bytes a round, from the argument on */
PEBS_GUILTY(pebs_page_walk);   /* reads at a page and a line further each round */
PEBS_GUILTY(pebs_page_store);
PEBS_GUILTY(pebs_load);        /* a doubleword at the argument */
PEBS_GUILTY(pebs_store);
PEBS_GUILTY(pebs_blocked);     /* loads more bytes than the preceding store has */
PEBS_GUILTY(pebs_packed_sp);   /* this one and those below need pmu_workload_begin() */
PEBS_GUILTY(pebs_scalar_sp);
PEBS_GUILTY(pebs_packed_dp);
PEBS_GUILTY(pebs_scalar_dp);
PEBS_GUILTY(pebs_mmx_128);
PEBS_GUILTY(pebs_mmx_64);
PEBS_GUILTY(pebs_x87);

#endif
