/* SPDX-License-Identifier: MIT */
/*
 * The reference PMU: what an emulator calls to have performance counters that count.
 *
 * The emulator says, instruction by instruction, what retired and what that did; the model turns
 * it into cycles, events, counts, overflows and PMIs. It owns the PMU's MSRs and RDPMC. It is
 * freestanding C11: no allocation, no globals, no libc, no I/O; all state is in structs that the
 * emulator provides, and equal calls give equal results. Calls are made one after the other,
 * whichever processor they are about: what several do at once is an order of calls, the emulator's.
 *
 * Order of calls for one instruction: model_access() for each memory access as it happens; for an
 * MSR or RDPMC instruction model_rdmsr() and so on; then model_retire(), or model_exception() if it
 * faulted instead. Only model_rdmsr, model_wrmsr, model_rdpmc, model_cpuid, model_reset and
 * model_lvtpc must always be called; the others only while m->is_watched: then some processor of
 * the machine counts or records branches, and the caches must see what all of them do. Any call
 * about any processor may change it for all, and counts the change in machine.changes: an emulator
 * tests one flag inline, and an idle model costs that test.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <model/state/state.h>

#ifdef __cplusplus
extern "C" {
#endif

enum model_status {
	MODEL_OK,
	MODEL_GP,              /* #GP(0) */
	MODEL_UD,              /* #UD: the instruction does not exist on this processor */
	MODEL_NOT_MINE         /* not the PMU's: the emulator does what it does without the model */
};

/* ---------------------------------------------------------------------------- creation */

enum model_created {
	MODEL_CREATED,
	MODEL_NO_SUCH_CPU,     /* no rules for this processor: it has no PMU here */
	MODEL_NO_SUCH_QUIRK
};

/* Prepares what the packages share. */
void model_machine_create(struct model_machine *machine);

/*
 * What caches, TLBs and predictors hold when counting starts differs with the seed from now on.
 * Without it, or with 0, they are empty then.
 */
void model_machine_vary(struct model_machine *machine, uint32_t seed);

/* From now on they hold what they held when counting ended; while nothing counts they stay. */
void model_machine_keep(struct model_machine *machine);

/* What CPUID.1 says of a processor, without the model. EDX tells a Pentium from one with MMX. */
struct model_identity {
	uint32_t cpuid_1_eax, cpuid_1_edx;
};

/* Prepares what the cores of a package share, and puts it into the machine. The identity, of any of
 * its processors, says how large their last-level cache is. */
enum model_created model_package_create(struct model_package *p, struct model_machine *machine,
                                        struct model_identity identity);

/*
 * Prepares what the threads of a core share, and puts it into the package: the rules of this
 * processor, changed by one quirk (quirks.c), or by none: NULL or "". Nothing is put anywhere if it
 * fails. threads: 1 or 2; some processors split a core's counters between its threads.
 */
enum model_created model_core_create(struct model_core *c, struct model_package *p,
                                     struct model_identity identity, unsigned threads,
                                     const char *quirk);

/*
 * Prepares one logical processor in its state after power-up, as a thread of the core, of which
 * there are CACHE_THREADS at most. host (state.h) is copied. The first one of a machine is
 * the boot processor.
 */
void model_create(struct model *m, struct model_core *c, const struct model_host *host);

enum model_reset {
	MODEL_RESET_POWER_UP,
	MODEL_RESET_HARDWARE,  /* RESET# */
	MODEL_RESET_INIT       /* INIT#, or an INIT IPI: the PMU's registers stay, it counts on;
	                        * while the processor waits for a SIPI: model_halt() */
};
void model_reset(struct model *m, enum model_reset kind);

/* ---------------------------------------------------------------------------- registers */

/* At CPL 0; the emulator itself refuses RDMSR and WRMSR elsewhere. */
enum model_status model_rdmsr(struct model *m, uint32_t msr, uint64_t *value);
enum model_status model_wrmsr(struct model *m, uint32_t msr, uint64_t value);

/* is_pce: CR4.PCE. cpl: 0 in real mode, 3 in virtual-8086 mode. value: EDX:EAX. */
enum model_status model_rdpmc(struct model *m, uint64_t rcx, unsigned cpl, bool is_pce,
                              uint64_t *value);

/* What RDMSR and RDPMC leave in the registers for such a value: the upper halves become 0. Outside
 * of 64-bit mode they do, too, and nobody sees it. */
void model_rdmsr_registers(const struct model *m, uint64_t value, uint64_t *rax, uint64_t *rdx);
void model_rdpmc_registers(const struct model *m, uint64_t value, uint64_t *rax, uint64_t *rdx);

/* Changes what CPUID answers where that describes the PMU. regs: EAX, EBX, ECX, EDX as without
 * the model; for leaf 0 too, whose EAX is the highest leaf. */
void model_cpuid(const struct model *m, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* What becomes of a PMI: the local APIC's LVTPC decides, by the generation's rules. */
struct model_lvtpc {
	bool is_delivered;
	uint8_t delivery;      /* LVT encoding: 0 fixed, 2 SMI, 4 NMI */
	uint8_t vector;
	uint32_t lvtpc;        /* the new value of LVTPC */
};
struct model_lvtpc model_lvtpc(struct model *m, uint32_t lvtpc);

/* ---------------------------------------------------------------------------- execution */

enum model_branch {
	MODEL_NO_BRANCH,
	MODEL_JCC,             /* conditional, LOOP and JECXZ among them */
	MODEL_JMP, MODEL_JMP_INDIRECT,
	MODEL_CALL, MODEL_CALL_INDIRECT, MODEL_RET,
	MODEL_FAR_JMP, MODEL_FAR_CALL, MODEL_FAR_RET,
	MODEL_INT, MODEL_IRET, /* INT n, INT3, INTO that traps */
	MODEL_SYSCALL, MODEL_SYSRET, MODEL_SYSENTER, MODEL_SYSEXIT,
	MODEL_BRANCHES         /* how many there are */
};

/*
 * What kind of instruction it was; several may be set. The first three matter to every processor,
 * the others only to those without architectural performance monitoring.
 */
#define MODEL_TRAIT(bit) (UINT64_C(1) << (bit))
#define MODEL_TRAIT_SERIALIZING    MODEL_TRAIT(0)  /* SDM 3A, "Serializing Instructions" */
#define MODEL_TRAIT_CPUID          MODEL_TRAIT(1)
#define MODEL_TRAIT_HLT            MODEL_TRAIT(2)
#define MODEL_TRAIT_MUL            MODEL_TRAIT(3)  /* MUL, IMUL */
#define MODEL_TRAIT_DIV            MODEL_TRAIT(4)  /* DIV, IDIV */
#define MODEL_TRAIT_X87            MODEL_TRAIT(5)  /* any x87 instruction */
#define MODEL_TRAIT_FP             MODEL_TRAIT(6)  /* x87 computing: FADD, FCOM, FMUL, FDIV, ... */
#define MODEL_TRAIT_FP_MUL         MODEL_TRAIT(7)
#define MODEL_TRAIT_FP_DIV         MODEL_TRAIT(8)  /* FDIV, FSQRT, FPREM */
#define MODEL_TRAIT_FP_80BIT       MODEL_TRAIT(9)  /* an 80-bit operand in memory */
#define MODEL_TRAIT_FP_ASSIST      MODEL_TRAIT(10) /* x87: it made DE or UE of the status word 1 */
#define MODEL_TRAIT_MMX            MODEL_TRAIT(11) /* any MMX instruction, EMMS too */
#define MODEL_TRAIT_MMX_MUL        MODEL_TRAIT(12) /* PMULLW, PMULHW, PMADDWD */
#define MODEL_TRAIT_MMX_SHIFT      MODEL_TRAIT(13)
#define MODEL_TRAIT_MMX_PACK       MODEL_TRAIT(14)
#define MODEL_TRAIT_MMX_UNPACK     MODEL_TRAIT(15)
#define MODEL_TRAIT_MMX_LOGICAL    MODEL_TRAIT(16)
#define MODEL_TRAIT_MMX_ARITH      MODEL_TRAIT(17) /* packed addition, subtraction, comparison */
#define MODEL_TRAIT_MMX_SATURATING MODEL_TRAIT(18)
#define MODEL_TRAIT_MMX_STORE      MODEL_TRAIT(19) /* MOVD, MOVQ from a register to memory */
#define MODEL_TRAIT_EMMS           MODEL_TRAIT(20)
#define MODEL_TRAIT_SSE            MODEL_TRAIT(21)
#define MODEL_TRAIT_SSE_SCALAR     MODEL_TRAIT(22)
#define MODEL_TRAIT_SSE_COMPUTES   MODEL_TRAIT(23)
#define MODEL_TRAIT_SSE_STREAM     MODEL_TRAIT(24) /* PREFETCHh, or a non-temporal store ... */
#define MODEL_TRAIT_SSE_HINT(n)    ((uint64_t)(n) << 25)   /* ... which: enum model_sse_hint */
#define MODEL_TRAIT_LOCKED         MODEL_TRAIT(27) /* LOCK prefix, or XCHG with memory */
#define MODEL_TRAIT_SEGMENT_LOAD   MODEL_TRAIT(28) /* see model_insn.segments */
#define MODEL_TRAIT_TABLE_LOAD     MODEL_TRAIT(29) /* LGDT, LIDT, LLDT, LTR */
#define MODEL_TRAIT_INVALIDATES    MODEL_TRAIT(30) /* INVD, WBINVD, INVLPG */
#define MODEL_TRAIT_PAIRABLE_U     MODEL_TRAIT(31) /* Pentium: may start a pair */
#define MODEL_TRAIT_PAIRABLE_V     MODEL_TRAIT(32) /* Pentium: may end one */
#define MODEL_TRAIT_SSE2           MODEL_TRAIT(33) /* double precision; SSE is set, too */
/* NetBurst: what its micro-operation computes, or moves; MOVE: from a register. */
#define MODEL_TRAIT_UOP_PACKED_SP  MODEL_TRAIT(34)
#define MODEL_TRAIT_UOP_PACKED_DP  MODEL_TRAIT(35)
#define MODEL_TRAIT_UOP_SCALAR_SP  MODEL_TRAIT(36)
#define MODEL_TRAIT_UOP_SCALAR_DP  MODEL_TRAIT(37)
#define MODEL_TRAIT_UOP_MMX_64     MODEL_TRAIT(38)
#define MODEL_TRAIT_UOP_MMX_128    MODEL_TRAIT(39)
#define MODEL_TRAIT_UOP_X87        MODEL_TRAIT(40)
#define MODEL_TRAIT_UOP_LOAD       MODEL_TRAIT(41) /* x87, MMX, SSE */
#define MODEL_TRAIT_UOP_MOVE       MODEL_TRAIT(42)
#define MODEL_TRAIT_REP_MOVS       MODEL_TRAIT(43)
/* NetBurst: what an assist was for. */
#define MODEL_TRAIT_FP_STACK_UNDERFLOW MODEL_TRAIT(44)
#define MODEL_TRAIT_FP_STACK_OVERFLOW  MODEL_TRAIT(45)
#define MODEL_TRAIT_FP_OVERFLOW    MODEL_TRAIT(46)
#define MODEL_TRAIT_FP_UNDERFLOW   MODEL_TRAIT(47)
#define MODEL_TRAIT_FP_DENORMAL    MODEL_TRAIT(48)
#define MODEL_TRAIT_SSE_ASSIST     MODEL_TRAIT(49) /* a denormal operand */
#define MODEL_TRAIT_PRIVATE        MODEL_TRAIT(50) /* from here on: free for later generations */

/* The unit mask of the P6 event EMON_KNI_PREF_DISPATCHED. */
enum model_sse_hint { MODEL_SSE_NTA, MODEL_SSE_T0, MODEL_SSE_T2, MODEL_SSE_STORE };

/* A retired instruction. A REP string instruction retires once, with its last iteration. */
struct model_insn {
	uint64_t ip;           /* linear address of its first byte */
	uint64_t next_ip;      /* linear address of where execution goes on */
	uint64_t traits;       /* MODEL_TRAIT_* */
	uint8_t length;        /* bytes */
	uint8_t cpl;           /* before it */
	uint8_t cpl_after;
	uint8_t branch;        /* enum model_branch */
	bool is_taken;         /* MODEL_JCC; true for every other branch */
	uint8_t segments;      /* loaded, a bit each: ES, CS, SS, DS, FS, GS from bit 0 */
	uint8_t breakpoints;   /* bit n: what DRn and DR7.R/Wn, LENn name was used */
	bool is_if_clear;      /* EFLAGS.IF was 0 before it */
	bool is_interrupt_pending;     /* an external one was, before it */
	/* While m->records_branches: the base of CS, 0 in 64-bit mode, and that after it. */
	uint64_t code_base, code_base_after;
};
void model_retire(struct model *m, const struct model_insn *insn);

enum model_access { MODEL_READ, MODEL_WRITE, MODEL_READ_WRITE };

/* A memory access of the instruction under way. An access across pages is two calls. Uncacheable
 * is, for example, the local APIC's page. */
void model_access(struct model *m, enum model_access kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable);

/* An access to an I/O port by the instruction under way. size: 1, 2 or 4 bytes. */
void model_io(struct model *m, bool is_write, uint32_t port, unsigned size);

/* Where execution is: the linear address of an instruction, the base of CS (0 in 64-bit mode). */
struct model_place {
	uint64_t ip, code_base;
	uint8_t cpl;
};

/*
 * While m->records_branches: an exception or interrupt leaves this place (the instruction that
 * faulted, or to which the interrupt returns); call it right before model_exception() or
 * model_interrupt(). And while m->is_entering, before the first instruction there executes: where
 * it stands. If its delivery fails, the next model_enter() takes its place.
 */
void model_enter(struct model *m, struct model_place from);
void model_entered(struct model *m, struct model_place to);

/* A fault or abort: the instruction under way did not retire. */
void model_exception(struct model *m, unsigned vector);

/* An interrupt, NMI or SMI is being delivered between two instructions. */
void model_interrupt(struct model *m, unsigned vector);

/* CR3 was loaded, or a page's translation dropped: the TLBs forget. */
void model_tlb_flush(struct model *m);

/* ---------------------------------------------------------------------------- halted */

/*
 * The processor stops executing (HLT, MWAIT, shutdown). Returns after how many cycles halted a
 * counter will overflow, UINT64_MAX for never: call model_halted() by then.
 */
uint64_t model_halt(struct model *m);

/* So many more cycles went by halted. Returns like model_halt(). May raise a PMI. */
uint64_t model_halted(struct model *m, uint64_t cycles);

/*
 * The time-stamp counter's clock: m->cycles, one per core cycle while the model is active. While
 * it is not the emulator's own clock goes on; an emulator adds the difference to its TSC.
 */

#ifdef __cplusplus
}
#endif
#endif
