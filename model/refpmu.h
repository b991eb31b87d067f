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
 * Order of calls for one instruction: refpmu_access() and refpmu_io() for each access as it
 * happens; for an MSR or RDPMC instruction refpmu_rdmsr() and so on; then refpmu_retire(), or
 * refpmu_exception() if it faulted instead. Only those under "creation" and "registers" must always
 * be called; the others only while is_watched (struct refpmu_view): then some processor of the
 * machine counts or records branches, and the caches must see what all of them do. An emulator
 * tests that flag inline, and an idle model costs that test.
 *
 * Pointers to handles are never NULL. A function that may raise a PMI, or reach guest memory, calls
 * back (struct refpmu_host) before it returns; its comment says so, the others never do.
 */
#ifndef REFPMU_H
#define REFPMU_H

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
#define REFPMU_VERSION_MAJOR 0
#define REFPMU_VERSION_MINOR 1
#define REFPMU_VERSION_PATCH 0
#define REFPMU_VERSION \
	(REFPMU_VERSION_MAJOR << 16 | REFPMU_VERSION_MINOR << 8 | REFPMU_VERSION_PATCH)

/* The REFPMU_VERSION with which the library was compiled. */
uint32_t refpmu_version(void);

/* ---------------------------------------------------------------------------- handles */

struct refpmu_machine;                 /* what shares memory: one or more packages */
struct refpmu_package;                 /* cores that share a last-level cache */
struct refpmu_core;                    /* one or two threads, which share its own caches */
struct refpmu_cpu;                     /* a thread: a logical processor */

/*
 * What an emulator looks at without a call. It is the model's: read it only. It stays where it is
 * as long as the processor's memory does, and may change in any call, about whichever processor of
 * the machine.
 */
struct refpmu_view {
	/* The time-stamp counter's clock: one per core cycle while is_active. While it is not the
	 * emulator's own clock goes on; an emulator adds the difference to its TSC. */
	uint64_t cycles;
	bool is_watched;               /* the model wants to be told what it does: all, or none */
	bool is_active;                /* something counts what it does: its cycles move */
	bool records_branches;         /* LBR or BTS is on: it wants to be told of branches, too */
	bool is_entering;              /* refpmu_enter() waits for refpmu_entered() */
};
const struct refpmu_view *refpmu_view(const struct refpmu_cpu *cpu);

struct refpmu_machine_view {
	uint32_t changes;              /* of any processor's is_active or is_watched; wraps */
};
const struct refpmu_machine_view *refpmu_machine_view(const struct refpmu_machine *machine);

/* ---------------------------------------------------------------------------- the emulator */

/* What a record of PEBS holds of the processor, beside what the model knows. */
struct refpmu_registers {
	uint64_t flags;
	uint64_t general[16];          /* RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15 */
	uint64_t xmm[16][2];           /* only if asked for */
	uint64_t tsc;                  /* as RDTSC would read it */
	bool is_ia32e;                 /* IA-32e mode is active: IA32_EFER.LMA */
};

/*
 * What the model asks of the emulator, of one processor. context is handed back untouched. None may
 * be NULL that the processor can need: raise_pmi always, the others where there is a debug store
 * area; and none may call the model, but raise_pmi(), which calls refpmu_lvtpc().
 */
struct refpmu_host {
	void *context;
	/* A PMI is requested: read LVTPC, call refpmu_lvtpc(), write LVTPC back and do what it
	 * says. The PMI has to be taken right after the instruction that is under way. A call about
	 * one thread may raise the PMI of the core's other one (AnyThread). */
	void (*raise_pmi)(void *context);
	/* Reads and writes guest memory at a linear address as at CPL 0; false, and nothing is
	 * changed, where that would fault: it raises no exception. For the debug store area. */
	bool (*read_memory)(void *context, uint64_t linear, void *bytes, size_t size);
	bool (*write_memory)(void *context, uint64_t linear, const void *bytes, size_t size);
	/* The processor's registers as they are now: in refpmu_retire(), after the instruction. */
	void (*read_registers)(void *context, bool with_xmm, struct refpmu_registers *registers);
	/* The processor enters the shutdown state: a fault in the debug store area, NetBurst. */
	void (*shut_down)(void *context);
};

enum refpmu_status {
	REFPMU_OK,
	REFPMU_GP,             /* #GP(0) */
	REFPMU_UD,             /* #UD: the instruction does not exist on this processor */
	REFPMU_NOT_MINE        /* not the PMU's: the emulator does what it does without the model */
};

/* ---------------------------------------------------------------------------- creation */

/*
 * Each handle stands in memory that the emulator gives: so many bytes as the _size function says,
 * aligned to REFPMU_ALIGNMENT, whatever they hold. The memory is the model's from then on, and the
 * handle its address; it may not be moved. There is nothing to destroy: memory is free again when
 * no handle in it is used any more, and none that was made from one in it; so all of a machine at
 * once. A part of a machine is never created anew alone.
 */
enum { REFPMU_ALIGNMENT = 16 };

/* Prepares what the packages share. */
size_t refpmu_machine_size(void);
struct refpmu_machine *refpmu_machine_create(void *memory);

/*
 * What caches, TLBs and predictors hold when counting starts differs with the seed from now on.
 * Without it, or with 0, they are empty then.
 */
void refpmu_machine_vary(struct refpmu_machine *machine, uint32_t seed);

/* From now on they hold what they held when counting ended; while nothing counts they stay. */
void refpmu_machine_keep(struct refpmu_machine *machine);

/*
 * What CPUID.1 says of an Intel processor, without the model. EDX tells a Pentium from one with
 * MMX. Others' processors have the same numbers, and other PMUs: an emulator tells them apart.
 */
struct refpmu_identity {
	uint32_t cpuid_1_eax, cpuid_1_edx;
};

/*
 * Prepares what the cores of a package share, and puts it into the machine. The identity, of any of
 * its processors, says how large their last-level cache is. Of a processor that has no PMU here the
 * size is 0; then the handle is NULL, and nothing is put anywhere.
 */
size_t refpmu_package_size(struct refpmu_identity identity);
struct refpmu_package *refpmu_package_create(void *memory, struct refpmu_machine *machine,
                                             struct refpmu_identity identity);

/*
 * Prepares what the threads of a core share, and puts it into the package: the rules of this
 * processor. threads: 1 or 2; some processors split a core's counters between its threads. NULL,
 * and nothing is put anywhere, where no PMU is modelled for the processor.
 */
size_t refpmu_core_size(struct refpmu_identity identity);
struct refpmu_core *refpmu_core_create(void *memory, struct refpmu_package *package,
                                       struct refpmu_identity identity, unsigned threads);

/*
 * Prepares one logical processor in its state after power-up, as a thread of the core: so many as
 * were said when that was created. *host is copied. The first one of a machine is the boot
 * processor. May not be called from the host's functions.
 */
enum { REFPMU_THREADS = 2 };
size_t refpmu_cpu_size(const struct refpmu_core *core);
struct refpmu_cpu *refpmu_cpu_create(void *memory, struct refpmu_core *core,
                                     const struct refpmu_host *host);

enum refpmu_reset {
	REFPMU_RESET_POWER_UP,
	REFPMU_RESET_HARDWARE, /* RESET# */
	REFPMU_RESET_INIT      /* INIT#, or an INIT IPI: the PMU's registers stay, it counts on;
	                        * while the processor waits for a SIPI: refpmu_halt() */
};
/* May raise the PMI of the core's other thread. */
void refpmu_reset(struct refpmu_cpu *cpu, enum refpmu_reset kind);

/* ---------------------------------------------------------------------------- registers */

/*
 * RDMSR and WRMSR at CPL 0; the emulator itself refuses them elsewhere. *value changes only with
 * REFPMU_OK. A write takes effect before its instruction retires. Both may raise a PMI.
 */
enum refpmu_status refpmu_rdmsr(struct refpmu_cpu *cpu, uint32_t msr, uint64_t *value);
enum refpmu_status refpmu_wrmsr(struct refpmu_cpu *cpu, uint32_t msr, uint64_t value);

/* RDPMC. is_pce: CR4.PCE. cpl: 0 in real mode, 3 in virtual-8086 mode. *value: EDX:EAX, and changes
 * only with REFPMU_OK. May raise a PMI. */
enum refpmu_status refpmu_rdpmc(struct refpmu_cpu *cpu, uint64_t rcx, unsigned cpl, bool is_pce,
                                uint64_t *value);

/* What RDMSR and RDPMC leave in the registers for such a value: the upper halves become 0. Outside
 * of 64-bit mode they do, too, and nobody sees it. */
void refpmu_rdmsr_registers(uint64_t value, uint64_t *rax, uint64_t *rdx);
void refpmu_rdpmc_registers(uint64_t value, uint64_t *rax, uint64_t *rdx);

/* Changes what CPUID answers where that describes the PMU. regs: EAX, EBX, ECX, EDX as without
 * the model; for leaf 0 too, whose EAX is the highest leaf. */
void refpmu_cpuid(const struct refpmu_cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* What becomes of a PMI: the local APIC's LVTPC decides, by the generation's rules. Once for each
 * PMI that is raised, from raise_pmi() or before the next call. */
struct refpmu_lvtpc {
	bool is_delivered;
	uint8_t delivery;      /* LVT encoding: 0 fixed, 2 SMI, 4 NMI */
	uint8_t vector;
	uint32_t lvtpc;        /* the new value of LVTPC */
};
struct refpmu_lvtpc refpmu_lvtpc(struct refpmu_cpu *cpu, uint32_t lvtpc);

/* ---------------------------------------------------------------------------- execution */

enum refpmu_branch {
	REFPMU_NO_BRANCH,
	REFPMU_JCC,            /* conditional, LOOP and JECXZ among them */
	REFPMU_JMP, REFPMU_JMP_INDIRECT,
	REFPMU_CALL, REFPMU_CALL_INDIRECT, REFPMU_RET,
	REFPMU_FAR_JMP, REFPMU_FAR_CALL, REFPMU_FAR_RET,
	REFPMU_INT,            /* INT n, INT3, INTO that traps */
	REFPMU_IRET,
	REFPMU_SYSCALL, REFPMU_SYSRET, REFPMU_SYSENTER, REFPMU_SYSEXIT,
	REFPMU_BRANCHES        /* how many there are */
};

/*
 * What kind of instruction it was; several may be set. The first three matter to every processor,
 * the others only to those without architectural performance monitoring.
 */
#define REFPMU_TRAIT(bit) (UINT64_C(1) << (bit))
#define REFPMU_TRAIT_SERIALIZING    REFPMU_TRAIT(0)  /* SDM 3A, "Serializing Instructions" */
#define REFPMU_TRAIT_CPUID          REFPMU_TRAIT(1)
#define REFPMU_TRAIT_HLT            REFPMU_TRAIT(2)
#define REFPMU_TRAIT_MUL            REFPMU_TRAIT(3)  /* MUL, IMUL */
#define REFPMU_TRAIT_DIV            REFPMU_TRAIT(4)  /* DIV, IDIV */
#define REFPMU_TRAIT_X87            REFPMU_TRAIT(5)  /* any x87 instruction */
#define REFPMU_TRAIT_FP             REFPMU_TRAIT(6) /* x87 computing: FADD, FCOM, FMUL, FDIV, ... */
#define REFPMU_TRAIT_FP_MUL         REFPMU_TRAIT(7)
#define REFPMU_TRAIT_FP_DIV         REFPMU_TRAIT(8)  /* FDIV, FSQRT, FPREM */
#define REFPMU_TRAIT_FP_80BIT       REFPMU_TRAIT(9)  /* an 80-bit operand in memory */
#define REFPMU_TRAIT_FP_ASSIST      REFPMU_TRAIT(10) /* x87: it set DE or UE of the status word */
#define REFPMU_TRAIT_MMX            REFPMU_TRAIT(11) /* any MMX instruction, EMMS too */
#define REFPMU_TRAIT_MMX_MUL        REFPMU_TRAIT(12) /* PMULLW, PMULHW, PMADDWD */
#define REFPMU_TRAIT_MMX_SHIFT      REFPMU_TRAIT(13)
#define REFPMU_TRAIT_MMX_PACK       REFPMU_TRAIT(14)
#define REFPMU_TRAIT_MMX_UNPACK     REFPMU_TRAIT(15)
#define REFPMU_TRAIT_MMX_LOGICAL    REFPMU_TRAIT(16)
#define REFPMU_TRAIT_MMX_ARITH      REFPMU_TRAIT(17) /* packed addition, subtraction, comparison */
#define REFPMU_TRAIT_MMX_SATURATING REFPMU_TRAIT(18)
#define REFPMU_TRAIT_MMX_STORE      REFPMU_TRAIT(19) /* MOVD, MOVQ from a register to memory */
#define REFPMU_TRAIT_EMMS           REFPMU_TRAIT(20)
#define REFPMU_TRAIT_SSE            REFPMU_TRAIT(21)
#define REFPMU_TRAIT_SSE_SCALAR     REFPMU_TRAIT(22)
#define REFPMU_TRAIT_SSE_COMPUTES   REFPMU_TRAIT(23)
#define REFPMU_TRAIT_SSE_STREAM     REFPMU_TRAIT(24) /* PREFETCHh, or a non-temporal store ... */
#define REFPMU_TRAIT_SSE_HINT(n)    ((uint64_t)(n) << 25)   /* ... which: enum refpmu_sse_hint */
#define REFPMU_TRAIT_LOCKED         REFPMU_TRAIT(27) /* LOCK prefix, or XCHG with memory */
#define REFPMU_TRAIT_SEGMENT_LOAD   REFPMU_TRAIT(28) /* see refpmu_insn.segments */
#define REFPMU_TRAIT_TABLE_LOAD     REFPMU_TRAIT(29) /* LGDT, LIDT, LLDT, LTR */
#define REFPMU_TRAIT_INVALIDATES    REFPMU_TRAIT(30) /* INVD, WBINVD, INVLPG */
#define REFPMU_TRAIT_PAIRABLE_U     REFPMU_TRAIT(31) /* Pentium: may start a pair */
#define REFPMU_TRAIT_PAIRABLE_V     REFPMU_TRAIT(32) /* Pentium: may end one */
#define REFPMU_TRAIT_SSE2           REFPMU_TRAIT(33) /* double precision; SSE is set, too */
/* NetBurst: what its micro-operation computes, or moves; MOVE: from a register. */
#define REFPMU_TRAIT_UOP_PACKED_SP  REFPMU_TRAIT(34)
#define REFPMU_TRAIT_UOP_PACKED_DP  REFPMU_TRAIT(35)
#define REFPMU_TRAIT_UOP_SCALAR_SP  REFPMU_TRAIT(36)
#define REFPMU_TRAIT_UOP_SCALAR_DP  REFPMU_TRAIT(37)
#define REFPMU_TRAIT_UOP_MMX_64     REFPMU_TRAIT(38)
#define REFPMU_TRAIT_UOP_MMX_128    REFPMU_TRAIT(39)
#define REFPMU_TRAIT_UOP_X87        REFPMU_TRAIT(40)
#define REFPMU_TRAIT_UOP_LOAD       REFPMU_TRAIT(41) /* x87, MMX, SSE */
#define REFPMU_TRAIT_UOP_MOVE       REFPMU_TRAIT(42)
#define REFPMU_TRAIT_REP_MOVS       REFPMU_TRAIT(43)
/* NetBurst: what an assist was for. */
#define REFPMU_TRAIT_FP_STACK_UNDERFLOW REFPMU_TRAIT(44)
#define REFPMU_TRAIT_FP_STACK_OVERFLOW  REFPMU_TRAIT(45)
#define REFPMU_TRAIT_FP_OVERFLOW    REFPMU_TRAIT(46)
#define REFPMU_TRAIT_FP_UNDERFLOW   REFPMU_TRAIT(47)
#define REFPMU_TRAIT_FP_DENORMAL    REFPMU_TRAIT(48)
#define REFPMU_TRAIT_SSE_ASSIST     REFPMU_TRAIT(49) /* a denormal operand */
#define REFPMU_TRAIT_PRIVATE        REFPMU_TRAIT(50) /* from here on: free for later generations */

/* The unit mask of the P6 event EMON_KNI_PREF_DISPATCHED. */
enum refpmu_sse_hint { REFPMU_SSE_NTA, REFPMU_SSE_T0, REFPMU_SSE_T2, REFPMU_SSE_STORE };

/* A retired instruction. A REP string instruction retires once, with its last iteration. */
struct refpmu_insn {
	uint64_t ip;           /* linear address of its first byte */
	uint64_t next_ip;      /* linear address of where execution goes on */
	uint64_t traits;       /* REFPMU_TRAIT_* */
	uint8_t length;        /* bytes, from 1 to 15 */
	uint8_t cpl;           /* before it */
	uint8_t cpl_after;
	uint8_t branch;        /* enum refpmu_branch */
	bool is_taken;         /* REFPMU_JCC; true for every other branch */
	uint8_t segments;      /* loaded, a bit each: ES, CS, SS, DS, FS, GS from bit 0 */
	uint8_t breakpoints;   /* bit n: what DRn and DR7.R/Wn, LENn name was used */
	bool is_if_clear;      /* EFLAGS.IF was 0 before it */
	bool is_interrupt_pending;     /* an external one was, before it */
	/* While records_branches: the base of CS, 0 in 64-bit mode, and that after it. */
	uint64_t code_base, code_base_after;
};

/* While is_watched. May raise a PMI, and reach guest memory and registers. */
void refpmu_retire(struct refpmu_cpu *cpu, const struct refpmu_insn *insn);

/*
 * Plain instructions need no call: an emulator that has once asked for a processor's run may
 * gather them there, and a later call about the processor retires them. From then on view.cycles
 * is up to date only right after refpmu_end_run(), or a call other than refpmu_access() and
 * refpmu_retire().
 *
 * refpmu_gather() stands in the place of refpmu_retire(), for an instruction that is no branch,
 * does not stop the processor, is no repeated string instruction, and goes on behind itself in
 * memory, as the one before it did here, at the same CPL. Returns false, and notes nothing, for
 * one that cannot be gathered.
 */
struct refpmu_run {
	uint64_t barred_traits;        /* no instruction with one of these */
	uint32_t bytes;                /* none beyond so many behind the last one that retired */
	uint32_t insns, reads;         /* gathered; those of them that read memory */
	uint32_t is_reading;           /* 1: the instruction under way has, 0 */
};
struct refpmu_run *refpmu_run(struct refpmu_cpu *cpu);
void refpmu_end_run(struct refpmu_cpu *cpu);

static inline bool refpmu_gather(struct refpmu_run *run, uint64_t traits, unsigned length)
{
	if (length > run->bytes || (traits & run->barred_traits))
		return false;
	run->bytes -= length;
	run->insns++;
	run->reads += run->is_reading;
	run->is_reading = 0;
	return true;
}

enum refpmu_access { REFPMU_READ, REFPMU_WRITE, REFPMU_READ_WRITE };

/*
 * While is_watched: a memory access of the instruction under way. An access across pages is two
 * calls. size: bytes, from 1. Uncacheable is, for example, the local APIC's page.
 */
void refpmu_access(struct refpmu_cpu *cpu, enum refpmu_access kind, uint64_t linear,
                   uint64_t physical, unsigned size, bool is_cacheable);

/* While is_watched: an access to an I/O port by the instruction under way, of 1, 2 or 4 bytes. */
void refpmu_io(struct refpmu_cpu *cpu, bool is_write, uint32_t port, unsigned size);

/* Where execution is: the linear address of an instruction, the base of CS (0 in 64-bit mode). */
struct refpmu_place {
	uint64_t ip, code_base;
	uint8_t cpl;
};

/*
 * While records_branches: an exception or interrupt leaves this place (the instruction that
 * faulted, or to which the interrupt returns); call it right before refpmu_exception() or
 * refpmu_interrupt(). And while is_entering, before the first instruction there executes: where
 * it stands. If its delivery fails, the next refpmu_enter() takes its place. refpmu_entered() may
 * raise a PMI, and reach guest memory.
 */
void refpmu_enter(struct refpmu_cpu *cpu, struct refpmu_place from);
void refpmu_entered(struct refpmu_cpu *cpu, struct refpmu_place to);

/* While is_watched: a fault or abort, the instruction under way did not retire. May raise a PMI. */
void refpmu_exception(struct refpmu_cpu *cpu, unsigned vector);

/* While is_watched: an interrupt, NMI or SMI is being delivered between two instructions. May raise
 * a PMI. */
void refpmu_interrupt(struct refpmu_cpu *cpu, unsigned vector);

/* While is_watched: CR3 was loaded, or a page's translation dropped: the TLBs forget. */
void refpmu_tlb_flush(struct refpmu_cpu *cpu);

/* ---------------------------------------------------------------------------- halted */

/*
 * While is_active: the processor stops executing (HLT, MWAIT, shutdown, waiting for a SIPI).
 * Returns after how many cycles halted a counter will overflow, UINT64_MAX for never: call
 * refpmu_halted() by then. May raise a PMI.
 */
uint64_t refpmu_halt(struct refpmu_cpu *cpu);

/* So many more cycles went by halted, at most as many as were said. Returns like refpmu_halt(). May
 * raise a PMI. */
uint64_t refpmu_halted(struct refpmu_cpu *cpu, uint64_t cycles);

/* ---------------------------------------------------------------------------- snapshots */

/*
 * The whole state of a machine as a string of bytes, for an emulator's snapshots: between any two
 * calls, also amid an instruction or while a processor is halted, but not from the host's
 * functions; who gathers runs calls refpmu_end_run() for each processor before. The string has no
 * pointers, and is the same whatever the host's width and byte order: equal states are equal
 * strings. Nothing of the machine changes.
 *
 * refpmu_save_size() is valid until the next call about the machine. refpmu_save() returns it; 0
 * where size is less, and then bytes hold anything.
 */
size_t refpmu_save_size(const struct refpmu_machine *machine);
size_t refpmu_save(const struct refpmu_machine *machine, void *bytes, size_t size);

enum refpmu_restored {
	REFPMU_RESTORED,
	REFPMU_OTHER_VERSION,  /* of this library, which saves something else */
	REFPMU_OTHER_MACHINE,  /* other processors, or they share packages and cores otherwise */
	REFPMU_DAMAGED         /* cut off, longer, changed, or nothing that was ever saved */
};

/*
 * Makes of a machine what was saved: from there on equal calls give equal results. It has the same
 * processors, created in the same order on the same packages and cores; what they did meanwhile
 * does not matter. What is not REFPMU_RESTORED changes nothing. Bytes may be anything: none lead
 * out of the machine's memory; but what somebody made up and gave its check sum may be a state that
 * no calls lead to.
 *
 * Calls no host's function. An emulator looks at all views anew, of the machine and of each
 * processor; for one that is halted refpmu_halted() with 0 cycles returns when a counter overflows.
 * What is not the model's is the emulator's to save: LVTPC, its TSC, who is halted.
 */
enum refpmu_restored refpmu_restore(struct refpmu_machine *machine, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
