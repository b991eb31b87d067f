/* SPDX-License-Identifier: MIT */
/*
 * Declares code whose counts are known by construction. The NASM macros that emit the code count it
 * (workload.inc), and `make test` counts it again from the disassembly.
 *
 * All workloads are called as code(rounds, argument), return by RET, and preserve what C expects to
 * be preserved. They retire base + rounds * each instructions, including their RET; the CALL
 * belongs to the caller. DEC, JNZ close a loop and are part of each round; the last JNZ is not
 * taken.
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
	const char *needs;             /* what the Pentium lacks: "mmx", "sse", "sse2"; or NULL */
	uint32_t insns, insns_each;
	uint32_t branches, branches_each;      /* every kind, taken or not, with the RET */
	uint32_t taken, taken_each;            /* both 0 if they depend on the argument */
};

/* Return the instructions, branches and taken branches that a call with so many rounds retires. */
uint64_t workload_insns(const struct workload *w, uint32_t rounds);
uint64_t workload_branches(const struct workload *w, uint32_t rounds);
uint64_t workload_taken(const struct workload *w, uint32_t rounds);

/*
 * rounds must be at least 1 if the workload is a loop (each is then per round), and may be 0
 * otherwise.
 */
extern const struct workload
	workload_empty,          /* RET */
	workload_loop,           /* DEC, JNZ per round; the last JNZ falls through */
	workload_nops,           /* a NOP per round: jumps into a sled of 4096; rounds 0 to 4096 */
	workload_movsb,          /* a REP MOVSB of `argument` bytes per round, within the arena */
	workload_stosd,          /* a REP STOSD of `argument` doublewords per round, to the arena */
	workload_rep_insb,       /* a REP INSB of `argument` bytes per round, from port 80H */
	workload_rep_outsb,      /* a REP OUTSB of `argument` bytes per round, to port 80H */
	workload_locked_branches, /* two taken Jcc and a JMP per round, LOCK ADD, LOCK XADD,
	                            LOCK CMPXCHG and XCHG between them */
	workload_cpuid,          /* CPUID leaf 0 */
	workload_enter_leave,    /* ENTER 8, 0; LEAVE */
	workload_jcc_taken, workload_jcc_not_taken,
	workload_jmp, workload_jmp_indirect, workload_call, workload_call_indirect,
	workload_loop_insn,      /* a round is just LOOP */
	workload_jecxz,          /* taken */
	workload_far_jmp, workload_far_call, /* CALL FAR, RET FAR */
	workload_int_iret,       /* INT n to an IRET; needs pmu_workload_gates() */
	workload_iret,           /* IRET to the next instruction */
	workload_fault,          /* UD2, which a NASM handler skips (its two instructions count);
	                          * needs pmu_workload_gates() */
	workload_pattern,        /* a JCC per round to the next instruction, taken if bit
	                            (round & 31) of argument is 1 */
	workload_random,         /* the same with a pseudo-random bit; argument: seed, not 0 */
	workload_divide,         /* DIV: a long latency */
	workload_walk,           /* reads one line per round, 64 bytes apart, from argument */
	workload_store_walk,     /* writes instead */
	workload_walk32, workload_store_walk32,      /* lines are 32 bytes apart */
	workload_prefetchnta_walk, workload_prefetcht1_walk, workload_prefetcht2_walk,
	workload_movntps_walk,   /* SSE's requests of lines, 32 bytes apart */
	workload_load_at, workload_store_at;   /* a doubleword per round, at address argument */

/*
 * Finds a workload by name, or returns NULL. Most serve one event each; their files describe a
 * round of them.
 */
const struct workload *workload_find(const char *name);

/*
 * Marks the first NOP of workload_nops' sled. Each NOP is one byte long; the sled ends 4096 bytes
 * later.
 */
extern const uint8_t workload_nops_sled[];

/* Holds all workloads. */
extern const struct workload workload_table[], workload_table_end[];

/*
 * Returns memory of at least 1 MB, aligned to a page, that the running workload or test may use as
 * it likes. Its initial content is undefined.
 */
uint8_t *pmu_workload_arena(uint32_t *size);

/* Takes the arena, which is private to this processor, unless it was already taken. */
void pmu_workload_take_arena(void);

/* Returns true if this processor has the instructions of w. */
bool workload_is_possible(const struct workload *w);

/*
 * Prepare for measuring workloads that were found by name, and end that; must be called in pairs.
 * In between, the x87 and, if there is SSE, CR4.OSFXSR are on, and the gates are set.
 */
void pmu_workload_begin(void);
void pmu_workload_end(void);

/*
 * pmu_code_write() writes code into the arena that runs from line to line: `count` jumps, one every
 * `stride` bytes (at least 8), each to the next line, then a RET. It needs (count + 1) * stride
 * bytes. pmu_code_walk() executes the last `rounds` jumps.
 */
void pmu_code_write(uint32_t stride, uint32_t count);
void pmu_code_walk(uint32_t rounds, uint32_t argument);

/*
 * Points two gates of the IDT directly at NASM handlers; the engine and pmu_workload_gates_end()
 * restore them. Until then every #UD goes to the workload.
 */
void pmu_workload_gates(void);
void pmu_workload_gates_end(void);

/*
 * Make code measurable at CPL 3: the first function sets the code, the second one runs it at CPL 3,
 * and the third one returns the fault that ended it there, if any.
 */
void pmu_workload_at_cpl3_begin(void (*code)(uint32_t rounds, uint32_t argument));
void pmu_workload_at_cpl3(uint32_t rounds, uint32_t argument);
fault_t pmu_workload_at_cpl3_fault(void);

#endif
