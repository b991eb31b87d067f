/* SPDX-License-Identifier: MIT */
/*
 * Code with counts that are known by construction. The NASM macros that emit it count it
 * (workload.inc), and `make test` counts again from the disassembly.
 *
 * All are called as code(rounds, argument), return by RET, and keep what C expects to be kept.
 * What they retire is base + rounds * each, their RET included; the CALL is the caller's. A loop is
 * closed by DEC, JNZ, which are part of each round; its last JNZ is not taken.
 */
#ifndef PMU_WORKLOAD_WORKLOAD_H
#define PMU_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/fault.h>

struct workload {
	const char *name;
	void (*code)(uint32_t rounds, uint32_t argument);
	const void *end;               /* first byte after the code */
	const char *needs;             /* what the Pentium has not: "mmx", "sse", "sse2"; or NULL */
	uint32_t insns, insns_each;
	uint32_t branches, branches_each;      /* every kind, taken or not; RET included */
	uint32_t taken, taken_each;            /* both 0: it depends on the argument */
};

/* Instructions and branches retired by a call with so many rounds. */
uint64_t workload_insns(const struct workload *w, uint32_t rounds);
uint64_t workload_branches(const struct workload *w, uint32_t rounds);
uint64_t workload_taken(const struct workload *w, uint32_t rounds);

/* rounds: from 1 where a loop is behind it (each is then per round), 0 too elsewhere. */
extern const struct workload
	workload_empty,          /* RET */
	workload_loop,           /* DEC, JNZ a round; the last JNZ falls through */
	workload_nops,           /* a round is a NOP: jumps into a sled of 4096; rounds 0 to 4096 */
	workload_movsb,          /* a REP MOVSB of `argument` bytes a round, arena to its middle */
	workload_stosd,          /* a REP STOSD of `argument` doublewords a round, to the arena */
	workload_cpuid,          /* CPUID leaf 0 */
	workload_enter_leave,    /* ENTER 8, 0; LEAVE */
	workload_jcc_taken, workload_jcc_not_taken,
	workload_jmp, workload_jmp_indirect, workload_call, workload_call_indirect,
	workload_loop_insn,      /* a round is LOOP alone */
	workload_jecxz,          /* taken */
	workload_far_jmp, workload_far_call, /* CALL FAR, RET FAR */
	workload_int_iret,       /* INT n to an IRET: needs pmu_workload_gates() */
	workload_iret,           /* IRET to the next instruction */
	workload_fault,          /* UD2, skipped by a handler in NASM, whose two instructions are
	                            in the counts: needs pmu_workload_gates() */
	workload_pattern,        /* a JCC per round to the next instruction, taken if bit
	                            (round & 31) of argument is 1 */
	workload_random,         /* the same on a pseudo-random bit; argument: seed, not 0 */
	workload_divide,         /* DIV: a long latency */
	workload_walk,           /* reads one line (64 bytes apart) a round from address argument */
	workload_store_walk,     /* writes instead */
	workload_walk32, workload_store_walk32,      /* lines are 32 bytes apart */
	workload_load_at, workload_store_at;   /* a doubleword a round, at address argument */

/* For one event each, by name: what a round of them does is in their files. */
const struct workload *workload_find(const char *name);

/* The sled of workload_nops: its first NOP; each is one byte long. The end is sled + 4096. */
extern const uint8_t workload_nops_sled[];

/* All of them, one after the other. */
extern const struct workload workload_table[], workload_table_end[];

/*
 * Memory that workloads and tests may use as they like, aligned to a page, for one test at a time;
 * what it holds at first is not known. At least 1 MB.
 */
uint8_t *pmu_workload_arena(uint32_t *size);

/* Takes the arena, which is this processor's own, if that has not been done. */
void pmu_workload_take_arena(void);

/* Has this processor the instructions of w? */
bool workload_is_possible(const struct workload *w);

/*
 * Before and after measuring workloads that were found by name, in pairs: the x87 and, where there
 * is SSE, CR4.OSFXSR are on, and the gates are set.
 */
void pmu_workload_begin(void);
void pmu_workload_end(void);

/*
 * Code that runs from line to line: as many jumps as rounds, each to the next line, then a RET.
 * pmu_code_write() puts so many into the arena, one every `stride` bytes (from 8); pmu_code_walk()
 * takes the last `rounds` of them. They need (count + 1) * stride bytes.
 */
void pmu_code_write(uint32_t stride, uint32_t count);
void pmu_code_walk(uint32_t rounds, uint32_t argument);

/* Points two gates of the IDT straight at NASM handlers; the engine takes them back, and so does
 * pmu_workload_gates_end(): meanwhile every #UD is the workload's. */
void pmu_workload_gates(void);
void pmu_workload_gates_end(void);

/* To be measured: the code at CPL 3, which begin sets; and what ended it there, if not itself. */
void pmu_workload_at_cpl3_begin(void (*code)(uint32_t rounds, uint32_t argument));
void pmu_workload_at_cpl3(uint32_t rounds, uint32_t argument);
fault_t pmu_workload_at_cpl3_fault(void);

#endif
