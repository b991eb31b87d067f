/* SPDX-License-Identifier: MIT */
/*
 * The reference PMU: what an emulator calls to have performance counters that count.
 *
 * The emulator says, instruction by instruction, what retired and what that did; the model turns
 * it into cycles, events, counts, overflows and PMIs. It owns the PMU's MSRs and RDPMC. It is
 * freestanding C11: no allocation, no globals, no libc but memcpy, memset, memmove and memcmp, as
 * gcc asks of every freestanding environment, no I/O; all state is in memory that the emulator
 * gives, and equal calls give equal results. Calls are made one after the other, whichever
 * processor they are about: what several do at once is an order of calls, the emulator's.
 *
 * Order of calls for one instruction: model_access() and model_io() for each access as it happens;
 * for an MSR or RDPMC instruction model_rdmsr() and so on; then model_retire(), or
 * model_exception() if it faulted instead. Only those under "creation" and "registers" must always
 * be called; the others only while is_watched (struct model_view): then some processor of the
 * machine counts or records branches, and the caches must see what all of them do. An emulator
 * tests that flag inline, and an idle model costs that test.
 *
 * Pointers to handles are never NULL. A function that may raise a PMI, or reach guest memory, calls
 * back (struct model_host) before it returns; its comment says so, the others never do.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The interface's version. Another major number: what was compiled with it has to be changed; as
 * long as that is 0, another minor number may say so, too. Else what is new is an addition.
 */
#define MODEL_VERSION_MAJOR 0
#define MODEL_VERSION_MINOR 1
#define MODEL_VERSION_PATCH 0
#define MODEL_VERSION \
	(MODEL_VERSION_MAJOR << 16 | MODEL_VERSION_MINOR << 8 | MODEL_VERSION_PATCH)

/* The MODEL_VERSION with which the library was compiled. */
uint32_t model_version(void);

/* ---------------------------------------------------------------------------- handles */

struct model_machine;                  /* what shares memory: one or more packages */
struct model_package;                  /* cores that share a last-level cache */
struct model_core;                     /* one or two threads, which share its own caches */
struct model;                          /* a thread: a logical processor */

/*
 * What an emulator looks at without a call. It is the model's: read it only. It stays where it is
 * as long as the processor's memory does, and may change in any call, about whichever processor of
 * the machine.
 */
struct model_view {
	/* The time-stamp counter's clock: one per core cycle while is_active. While it is not the
	 * emulator's own clock goes on; an emulator adds the difference to its TSC. */
	uint64_t cycles;
	bool is_watched;               /* the model wants to be told what it does: all, or none */
	bool is_active;                /* something counts what it does: its cycles move */
	bool records_branches;         /* LBR or BTS is on: it wants to be told of branches, too */
	bool is_entering;              /* model_enter() waits for model_entered() */
};
const struct model_view *model_view(const struct model *cpu);

struct model_machine_view {
	uint32_t changes;              /* of any processor's is_active or is_watched; wraps */
};
const struct model_machine_view *model_machine_view(const struct model_machine *machine);

/* ---------------------------------------------------------------------------- the emulator */

/* What a record of PEBS holds of the processor, beside what the model knows. */
struct model_registers {
	uint64_t flags;
	uint64_t general[16];          /* RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15 */
	uint64_t xmm[16][2];           /* only if asked for */
	uint64_t tsc;                  /* as RDTSC would read it */
	bool is_ia32e;                 /* IA-32e mode is active: IA32_EFER.LMA */
};

/*
 * What the model asks of the emulator, of one processor. context is handed back untouched. None may
 * be NULL that the processor can need: raise_pmi always, the others where there is a debug store
 * area; and none may call the model, but raise_pmi(), which calls model_lvtpc().
 */
struct model_host {
	void *context;
	/* A PMI is requested: read LVTPC, call model_lvtpc(), write LVTPC back and do what it says.
	 * The PMI has to be taken right after the instruction that is under way. A call about one
	 * thread may raise the PMI of the core's other one (AnyThread). */
	void (*raise_pmi)(void *context);
	/* Reads and writes guest memory at a linear address as at CPL 0; false, and nothing is
	 * changed, where that would fault: it raises no exception. For the debug store area. */
	bool (*read_memory)(void *context, uint64_t linear, void *bytes, size_t size);
	bool (*write_memory)(void *context, uint64_t linear, const void *bytes, size_t size);
	/* The processor's registers as they are now: in model_retire(), after the instruction. */
	void (*read_registers)(void *context, bool with_xmm, struct model_registers *registers);
	/* The processor enters the shutdown state: a fault in the debug store area, NetBurst. */
	void (*shut_down)(void *context);
};

enum model_status {
	MODEL_OK,
	MODEL_GP,              /* #GP(0) */
	MODEL_UD,              /* #UD: the instruction does not exist on this processor */
	MODEL_NOT_MINE         /* not the PMU's: the emulator does what it does without the model */
};

/* ---------------------------------------------------------------------------- creation */

/*
 * Each handle stands in memory that the emulator gives: so many bytes as the _size function says,
 * aligned to MODEL_ALIGNMENT, whatever they hold. The memory is the model's from then on, and the
 * handle its address; it may not be moved. There is nothing to destroy: memory is free again when
 * no handle in it is used any more, and none that was made from one in it; so all of a machine at
 * once. A part of a machine is never created anew alone.
 */
enum { MODEL_ALIGNMENT = 16 };

/* Prepares what the packages share. */
size_t model_machine_size(void);
struct model_machine *model_machine_create(void *memory);

/*
 * What caches, TLBs and predictors hold when counting starts differs with the seed from now on.
 * Without it, or with 0, they are empty then.
 */
void model_machine_vary(struct model_machine *machine, uint32_t seed);

/* From now on they hold what they held when counting ended; while nothing counts they stay. */
void model_machine_keep(struct model_machine *machine);

/*
 * What CPUID.1 says of an Intel processor, without the model. EDX tells a Pentium from one with
 * MMX. Others' processors have the same numbers, and other PMUs: an emulator tells them apart.
 */
struct model_identity {
	uint32_t cpuid_1_eax, cpuid_1_edx;
};

/*
 * Prepares what the cores of a package share, and puts it into the machine. The identity, of any of
 * its processors, says how large their last-level cache is. Of a processor that has no PMU here the
 * size is 0; then the handle is NULL, and nothing is put anywhere.
 */
size_t model_package_size(struct model_identity identity);
struct model_package *model_package_create(void *memory, struct model_machine *machine,
                                           struct model_identity identity);

/* What became of a core. */
enum model_created {
	MODEL_CREATED,
	MODEL_NO_SUCH_CPU,     /* no rules for this processor: it has no PMU here */
	MODEL_NO_SUCH_QUIRK
};

/*
 * Prepares what the threads of a core share, and puts it into the package: the rules of this
 * processor, changed by one quirk (README.md), or by none: NULL or "". threads: 1 or 2; some
 * processors split a core's counters between its threads. *why says what became of it: if it is not
 * MODEL_CREATED the handle is NULL, and nothing is put anywhere.
 */
size_t model_core_size(struct model_identity identity);
struct model_core *model_core_create(void *memory, struct model_package *package,
                                     struct model_identity identity, unsigned threads,
                                     const char *quirk, enum model_created *why);

/*
 * Prepares one logical processor in its state after power-up, as a thread of the core: so many as
 * were said when that was created. *host is copied. The first one of a machine is the boot
 * processor. May not be called from the host's functions.
 */
enum { MODEL_THREADS = 2 };
size_t model_size(const struct model_core *core);
struct model *model_create(void *memory, struct model_core *core, const struct model_host *host);

enum model_reset {
	MODEL_RESET_POWER_UP,
	MODEL_RESET_HARDWARE,  /* RESET# */
	MODEL_RESET_INIT       /* INIT#, or an INIT IPI: the PMU's registers stay, it counts on;
	                        * while the processor waits for a SIPI: model_halt() */
};
/* May raise the PMI of the core's other thread. */
void model_reset(struct model *cpu, enum model_reset kind);

/* ---------------------------------------------------------------------------- registers */

/*
 * RDMSR and WRMSR at CPL 0; the emulator itself refuses them elsewhere. *value changes only with
 * MODEL_OK. A write takes effect before its instruction retires. Both may raise a PMI.
 */
enum model_status model_rdmsr(struct model *cpu, uint32_t msr, uint64_t *value);
enum model_status model_wrmsr(struct model *cpu, uint32_t msr, uint64_t value);

/* RDPMC. is_pce: CR4.PCE. cpl: 0 in real mode, 3 in virtual-8086 mode. *value: EDX:EAX, and changes
 * only with MODEL_OK. May raise a PMI. */
enum model_status model_rdpmc(struct model *cpu, uint64_t rcx, unsigned cpl, bool is_pce,
                              uint64_t *value);

/* What RDMSR and RDPMC leave in the registers for such a value: the upper halves become 0. Outside
 * of 64-bit mode they do, too, and nobody sees it. */
void model_rdmsr_registers(const struct model *cpu, uint64_t value, uint64_t *rax, uint64_t *rdx);
void model_rdpmc_registers(const struct model *cpu, uint64_t value, uint64_t *rax, uint64_t *rdx);

/* Changes what CPUID answers where that describes the PMU. regs: EAX, EBX, ECX, EDX as without
 * the model; for leaf 0 too, whose EAX is the highest leaf. */
void model_cpuid(const struct model *cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* What becomes of a PMI: the local APIC's LVTPC decides, by the generation's rules. Once for each
 * PMI that is raised, from raise_pmi() or before the next call. */
struct model_lvtpc {
	bool is_delivered;
	uint8_t delivery;      /* LVT encoding: 0 fixed, 2 SMI, 4 NMI */
	uint8_t vector;
	uint32_t lvtpc;        /* the new value of LVTPC */
};
struct model_lvtpc model_lvtpc(struct model *cpu, uint32_t lvtpc);

/* ---------------------------------------------------------------------------- execution */

enum model_branch {
	MODEL_NO_BRANCH,
	MODEL_JCC,             /* conditional, LOOP and JECXZ among them */
	MODEL_JMP, MODEL_JMP_INDIRECT,
	MODEL_CALL, MODEL_CALL_INDIRECT, MODEL_RET,
	MODEL_FAR_JMP, MODEL_FAR_CALL, MODEL_FAR_RET,
	MODEL_INT,             /* INT n, INT3, INTO that traps */
	MODEL_IRET,
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
#define MODEL_TRAIT_FP_ASSIST      MODEL_TRAIT(10) /* x87: it set DE or UE of the status word */
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
	uint8_t length;        /* bytes, from 1 to 15 */
	uint8_t cpl;           /* before it */
	uint8_t cpl_after;
	uint8_t branch;        /* enum model_branch */
	bool is_taken;         /* MODEL_JCC; true for every other branch */
	uint8_t segments;      /* loaded, a bit each: ES, CS, SS, DS, FS, GS from bit 0 */
	uint8_t breakpoints;   /* bit n: what DRn and DR7.R/Wn, LENn name was used */
	bool is_if_clear;      /* EFLAGS.IF was 0 before it */
	bool is_interrupt_pending;     /* an external one was, before it */
	/* While records_branches: the base of CS, 0 in 64-bit mode, and that after it. */
	uint64_t code_base, code_base_after;
};

/* While is_watched. May raise a PMI, and reach guest memory and registers. */
void model_retire(struct model *cpu, const struct model_insn *insn);

enum model_access { MODEL_READ, MODEL_WRITE, MODEL_READ_WRITE };

/*
 * While is_watched: a memory access of the instruction under way. An access across pages is two
 * calls. size: bytes, from 1. Uncacheable is, for example, the local APIC's page.
 */
void model_access(struct model *cpu, enum model_access kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable);

/* While is_watched: an access to an I/O port by the instruction under way, of 1, 2 or 4 bytes. */
void model_io(struct model *cpu, bool is_write, uint32_t port, unsigned size);

/* Where execution is: the linear address of an instruction, the base of CS (0 in 64-bit mode). */
struct model_place {
	uint64_t ip, code_base;
	uint8_t cpl;
};

/*
 * While records_branches: an exception or interrupt leaves this place (the instruction that
 * faulted, or to which the interrupt returns); call it right before model_exception() or
 * model_interrupt(). And while is_entering, before the first instruction there executes: where
 * it stands. If its delivery fails, the next model_enter() takes its place. model_entered() may
 * raise a PMI, and reach guest memory.
 */
void model_enter(struct model *cpu, struct model_place from);
void model_entered(struct model *cpu, struct model_place to);

/* While is_watched: a fault or abort, the instruction under way did not retire. May raise a PMI. */
void model_exception(struct model *cpu, unsigned vector);

/* While is_watched: an interrupt, NMI or SMI is being delivered between two instructions. May raise
 * a PMI. */
void model_interrupt(struct model *cpu, unsigned vector);

/* While is_watched: CR3 was loaded, or a page's translation dropped: the TLBs forget. */
void model_tlb_flush(struct model *cpu);

/* ---------------------------------------------------------------------------- halted */

/*
 * While is_active: the processor stops executing (HLT, MWAIT, shutdown, waiting for a SIPI).
 * Returns after how many cycles halted a counter will overflow, UINT64_MAX for never: call
 * model_halted() by then. May raise a PMI.
 */
uint64_t model_halt(struct model *cpu);

/* So many more cycles went by halted, at most as many as were said. Returns like model_halt(). May
 * raise a PMI. */
uint64_t model_halted(struct model *cpu, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif
