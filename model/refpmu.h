/* SPDX-License-Identifier: MIT */
/*
 * Models the performance-monitoring units of Intel and AMD, for emulators: the reference PMU.
 *
 * The emulator reports, instruction by instruction, what retired and what the instruction did; the
 * model turns these reports into cycles, events, counts, overflows and PMIs. The model owns the
 * PMU's MSRs and RDPMC. It is freestanding C11: it allocates nothing, has no globals, does no I/O,
 * and calls nothing of libc except memcpy, memset, memmove and memcmp, which gcc asks of every
 * freestanding environment. All state is in memory that the emulator provides, and equal calls give
 * equal results. Calls may not overlap, whichever processor they are about; if several processors
 * run at once, the emulator chooses the order of their calls.
 *
 * Order of calls for one instruction: first refpmu_access() and refpmu_io(), for each access as it
 * happens; for RDMSR, WRMSR and RDPMC the function of that name; then refpmu_retire(), or
 * refpmu_exception() if the instruction faulted. The functions under "creation" and "registers"
 * must always be called. All others are needed only while is_watched (struct refpmu_view) is true:
 * then some processor of the machine counts or records branches, and the caches must see the
 * accesses of all processors. An emulator tests that flag inline: an idle model costs no more.
 *
 * Pointers to handles must not be NULL. A function calls back (struct refpmu_host) before it
 * returns only if its comment says that it may raise a PMI or access guest memory.
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
 * The interface's version. A new major number means that callers have to be changed; while the
 * major number is 0, a new minor number may mean the same. Any other new version only adds to the
 * interface.
 */
#define REFPMU_VERSION_MAJOR 0
#define REFPMU_VERSION_MINOR 3
#define REFPMU_VERSION_PATCH 0
#define REFPMU_VERSION \
	(REFPMU_VERSION_MAJOR << 16 | REFPMU_VERSION_MINOR << 8 | REFPMU_VERSION_PATCH)

/* Returns the REFPMU_VERSION with which the library was compiled. */
uint32_t refpmu_version(void);

/* ---------------------------------------------------------------------------- handles */

struct refpmu_machine;                 /* one or more packages, which share memory */
struct refpmu_package;                 /* cores that share a last-level cache */
struct refpmu_core;                    /* one or two threads, which share its own caches */
struct refpmu_cpu;                     /* a thread: a logical processor */

/*
 * State that an emulator reads without a call. The model writes it, the emulator must not. It stays
 * at the same address as long as the processor's memory exists. Any call may change it, even a call
 * about another processor of the machine.
 */
struct refpmu_view {
	/* The time-stamp counter's clock, in core cycles. It moves only while is_active; at other
	 * times the emulator's own clock counts. An emulator adds the difference to its TSC. */
	uint64_t cycles;
	bool is_watched;               /* the model needs all calls; the same for all processors */
	bool is_active;                /* something counts this processor: cycles moves */
	bool records_branches;         /* LBR or BTS is on: the model needs refpmu_enter(), too */
	bool is_entering;              /* refpmu_entered() has to follow refpmu_enter() */
};
/* Returns the processor's view. */
const struct refpmu_view *refpmu_view(const struct refpmu_cpu *cpu);

struct refpmu_machine_view {
	uint32_t changes;              /* number of changes of any is_active or is_watched; wraps */
};
/* Returns the machine's view. */
const struct refpmu_machine_view *refpmu_machine_view(const struct refpmu_machine *machine);

/* ---------------------------------------------------------------------------- the emulator */

/* Holds the part of a PEBS record that the model does not know itself. */
struct refpmu_registers {
	uint64_t flags;
	uint64_t general[16];          /* RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15 */
	uint64_t xmm[16][2];           /* needed only if with_xmm was true */
	uint64_t tsc;                  /* as RDTSC would read it */
	bool is_ia32e;                 /* IA-32e mode is active: IA32_EFER.LMA */
};

/*
 * Holds the functions of the emulator that the model calls, for one processor. Each gets context
 * unchanged. raise_pmi must not be NULL; the others may be NULL only on a processor without a debug
 * store area. None of them may call the model, except that raise_pmi() calls refpmu_lvtpc().
 */
struct refpmu_host {
	void *context;
	/* Requests a PMI: read LVTPC, call refpmu_lvtpc(), write its lvtpc back, and deliver the
	 * interrupt if is_delivered. The processor has to take the PMI right after the instruction
	 * that is under way. A call about one thread may raise the PMI of the core's other thread
	 * (AnyThread). */
	void (*raise_pmi)(void *context);
	/* Access guest memory at a linear address with the rights of CPL 0, for the debug store
	 * area. Return false, change nothing and raise no exception if the access would fault. */
	bool (*read_memory)(void *context, uint64_t linear, void *bytes, size_t size);
	bool (*write_memory)(void *context, uint64_t linear, const void *bytes, size_t size);
	/* Writes the processor's current registers to *registers: when refpmu_retire() calls it,
	 * those after the instruction. */
	void (*read_registers)(void *context, bool with_xmm, struct refpmu_registers *registers);
	/* Puts the processor into the shutdown state: the debug store area faulted on NetBurst. */
	void (*shut_down)(void *context);
	/* AMD's IBS, NULL elsewhere: requests an interrupt as raise_pmi() does, by this entry of
	 * the extended LVT; finds the page, of 1 << *bits bytes, that a linear address is in. */
	void (*raise_ibs)(void *context, unsigned entry);
	bool (*find_page)(void *context, uint64_t linear, uint64_t *physical, unsigned *bits);
};

enum refpmu_status {
	REFPMU_OK,
	REFPMU_GP,             /* #GP(0) */
	REFPMU_UD,             /* #UD: the instruction does not exist on this processor */
	REFPMU_NOT_MINE        /* not the PMU's: the emulator acts as without the model */
};

/* ---------------------------------------------------------------------------- creation */

/*
 * The emulator provides the memory of each handle: as many bytes as the _size function returns,
 * aligned to REFPMU_ALIGNMENT, with any contents. From then on the memory belongs to the model, and
 * its address is the handle; the memory must not be moved. There is no function that destroys a
 * handle: the emulator may free the memory of a whole machine at once, when it uses none of its
 * handles any more. No part of a machine can be created anew alone.
 */
enum { REFPMU_ALIGNMENT = 16 };

/* Returns the size of a machine, in bytes; creates a machine without packages. */
size_t refpmu_machine_size(void);
struct refpmu_machine *refpmu_machine_create(void *memory);

/*
 * From now on, caches, TLBs and predictors hold contents derived from the seed whenever counting
 * starts. With seed 0, and without this call, they are empty then.
 */
void refpmu_machine_perturb(struct refpmu_machine *machine, uint32_t seed);

/* From now on, caches, TLBs and predictors keep their contents while nothing counts. */
void refpmu_machine_keep(struct refpmu_machine *machine);

/*
 * Holds EAX and EDX of CPUID.1, as without the model, and the vendor, because processors of two
 * vendors may have the same numbers. The MMX bit of EDX distinguishes the two kinds of Pentium. The
 * emulator must not create handles for processors of other vendors.
 */
enum refpmu_vendor { REFPMU_INTEL, REFPMU_AMD };
struct refpmu_identity {
	uint32_t cpuid_1_eax, cpuid_1_edx;
	enum refpmu_vendor vendor;
	uint8_t core_type;     /* of a hybrid: CPUID.1AH:EAX[31:24], 20H or 40H; 0: the larger */
};

/*
 * Returns the size of a package, in bytes; creates a package of the machine. The identity is that
 * of any of its processors and decides the size of the last-level cache. If the model does not know
 * the processor, the size is 0, and refpmu_package_create() returns NULL and changes nothing.
 */
size_t refpmu_package_size(struct refpmu_identity identity);
struct refpmu_package *refpmu_package_create(void *memory, struct refpmu_machine *machine,
                                             struct refpmu_identity identity);

/*
 * Returns the size of a core, in bytes; creates a core of the package, with the rules of this
 * processor. threads is 1 or 2; some processors divide a core's counters among its threads. If the
 * model does not know the processor, refpmu_core_create() returns NULL and changes nothing.
 */
size_t refpmu_core_size(struct refpmu_identity identity);
struct refpmu_core *refpmu_core_create(void *memory, struct refpmu_package *package,
                                       struct refpmu_identity identity, unsigned threads);

/*
 * Returns the size of a logical processor, in bytes; creates one as a thread of the core, in its
 * state after power-up. Create as many as the core has threads. *host is copied. The first
 * processor of a machine is the boot processor. Must not be called from the host's functions.
 */
enum { REFPMU_THREADS = 2 };
size_t refpmu_cpu_size(const struct refpmu_core *core);
struct refpmu_cpu *refpmu_cpu_create(void *memory, struct refpmu_core *core,
                                     const struct refpmu_host *host);

enum refpmu_reset {
	REFPMU_RESET_POWER_UP,
	REFPMU_RESET_HARDWARE, /* RESET# */
	REFPMU_RESET_INIT      /* INIT#, or an INIT IPI: the PMU keeps its registers and counts on;
	                        * call refpmu_halt() if the processor then waits for a SIPI */
};
/* Resets the PMU of a processor. May raise the PMI of the core's other thread. */
void refpmu_reset(struct refpmu_cpu *cpu, enum refpmu_reset kind);

/* ---------------------------------------------------------------------------- registers */

/*
 * Execute RDMSR and WRMSR at CPL 0; the emulator itself refuses them at other levels. *value
 * changes only if REFPMU_OK is returned. A write takes effect before its instruction retires. Both
 * functions may raise a PMI.
 */
enum refpmu_status refpmu_rdmsr(struct refpmu_cpu *cpu, uint32_t msr, uint64_t *value);
enum refpmu_status refpmu_wrmsr(struct refpmu_cpu *cpu, uint32_t msr, uint64_t value);

/* Executes RDPMC. is_pce is CR4.PCE; cpl is 0 in real mode and 3 in virtual-8086 mode. Sets *value
 * to EDX:EAX if it returns REFPMU_OK, else leaves it. May raise a PMI. */
enum refpmu_status refpmu_rdpmc(struct refpmu_cpu *cpu, uint64_t rcx, unsigned cpl, bool is_pce,
                                uint64_t *value);

/* Write what RDMSR and RDPMC leave in RAX and RDX for this value: the upper halves become 0. The
 * functions are right outside of 64-bit mode, too, where the upper halves are not visible. */
void refpmu_rdmsr_registers(uint64_t value, uint64_t *rax, uint64_t *rdx);
void refpmu_rdpmc_registers(uint64_t value, uint64_t *rax, uint64_t *rdx);

/* Changes the answer of CPUID where it describes the PMU. On entry regs holds EAX, EBX, ECX and EDX
 * as without the model. Call it for leaf 0, too, whose EAX is the highest leaf. */
void refpmu_cpuid(const struct refpmu_cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/* Returns what happens to a PMI: the local APIC's LVTPC decides, by the generation's rules. Call it
 * once for each PMI, from raise_pmi() or before the next call of the model. */
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
	REFPMU_INT,            /* INT n, INT3, and INTO if it traps */
	REFPMU_IRET,
	REFPMU_SYSCALL, REFPMU_SYSRET, REFPMU_SYSENTER, REFPMU_SYSEXIT,
	REFPMU_BRANCHES        /* the number of kinds */
};

/*
 * These bits are the kind of an instruction; several may be set. Every processor needs the first
 * three; only processors without architectural performance monitoring need the others.
 */
#define REFPMU_TRAIT(bit) (UINT64_C(1) << (bit))
#define REFPMU_TRAIT_SERIALIZING    REFPMU_TRAIT(0)  /* SDM 3A, "Serializing Instructions" */
#define REFPMU_TRAIT_CPUID          REFPMU_TRAIT(1)
#define REFPMU_TRAIT_HLT            REFPMU_TRAIT(2)
#define REFPMU_TRAIT_MUL            REFPMU_TRAIT(3)  /* MUL, IMUL */
#define REFPMU_TRAIT_DIV            REFPMU_TRAIT(4)  /* DIV, IDIV */
#define REFPMU_TRAIT_X87            REFPMU_TRAIT(5)  /* any x87 instruction */
#define REFPMU_TRAIT_FP             REFPMU_TRAIT(6)  /* x87 arithmetic: FADD, FCOM, FMUL, ... */
#define REFPMU_TRAIT_FP_MUL         REFPMU_TRAIT(7)
#define REFPMU_TRAIT_FP_DIV         REFPMU_TRAIT(8)  /* FDIV, FSQRT, FPREM */
#define REFPMU_TRAIT_FP_80BIT       REFPMU_TRAIT(9)  /* an 80-bit operand in memory */
#define REFPMU_TRAIT_FP_ASSIST      REFPMU_TRAIT(10) /* x87: set DE or UE of the status word */
#define REFPMU_TRAIT_MMX            REFPMU_TRAIT(11) /* any MMX instruction, including EMMS */
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
#define REFPMU_TRAIT_SSE_STREAM     REFPMU_TRAIT(24) /* PREFETCHh, or a non-temporal store */
#define REFPMU_TRAIT_SSE_HINT(n)    ((uint64_t)(n) << 25)   /* with it: enum refpmu_sse_hint */
#define REFPMU_TRAIT_LOCKED         REFPMU_TRAIT(27) /* LOCK prefix, or XCHG with memory */
#define REFPMU_TRAIT_SEGMENT_LOAD   REFPMU_TRAIT(28) /* see refpmu_insn.segments */
#define REFPMU_TRAIT_TABLE_LOAD     REFPMU_TRAIT(29) /* LGDT, LIDT, LLDT, LTR */
#define REFPMU_TRAIT_INVALIDATES    REFPMU_TRAIT(30) /* INVD, WBINVD, INVLPG */
#define REFPMU_TRAIT_PAIRABLE_U     REFPMU_TRAIT(31) /* Pentium: may start a pair */
#define REFPMU_TRAIT_PAIRABLE_V     REFPMU_TRAIT(32) /* Pentium: may end a pair */
#define REFPMU_TRAIT_SSE2           REFPMU_TRAIT(33) /* double precision; SSE is set, too */
/* These are the operands of NetBurst's micro-operation. MOVE is a move from a register. */
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
/* These are causes of an assist of NetBurst. */
#define REFPMU_TRAIT_FP_STACK_UNDERFLOW REFPMU_TRAIT(44)
#define REFPMU_TRAIT_FP_STACK_OVERFLOW  REFPMU_TRAIT(45)
#define REFPMU_TRAIT_FP_OVERFLOW    REFPMU_TRAIT(46)
#define REFPMU_TRAIT_FP_UNDERFLOW   REFPMU_TRAIT(47)
#define REFPMU_TRAIT_FP_DENORMAL    REFPMU_TRAIT(48)
#define REFPMU_TRAIT_SSE_ASSIST     REFPMU_TRAIT(49) /* a denormal operand */
/* AMD: what an SSE or AVX instruction computes (UOP_ has the operands), and fences. */
#define REFPMU_TRAIT_FLOP_ADD       REFPMU_TRAIT(50) /* additions and subtractions */
#define REFPMU_TRAIT_FLOP_MUL       REFPMU_TRAIT(51)
#define REFPMU_TRAIT_FLOP_DIV       REFPMU_TRAIT(52) /* divisions and square roots */
#define REFPMU_TRAIT_FLOP_MAC       REFPMU_TRAIT(53) /* multiplies and adds */
#define REFPMU_TRAIT_VECTOR_256     REFPMU_TRAIT(54) /* operands of 256 bits, not 128 */
#define REFPMU_TRAIT_CLFLUSH        REFPMU_TRAIT(55)
#define REFPMU_TRAIT_LFENCE         REFPMU_TRAIT(56)
#define REFPMU_TRAIT_SFENCE         REFPMU_TRAIT(57)
#define REFPMU_TRAIT_MFENCE         REFPMU_TRAIT(58)
#define REFPMU_TRAIT_PRIVATE        REFPMU_TRAIT(59) /* from here on: free, for later generations */

/* Lists the unit masks of the P6 event EMON_KNI_PREF_DISPATCHED. */
enum refpmu_sse_hint { REFPMU_SSE_NTA, REFPMU_SSE_T0, REFPMU_SSE_T2, REFPMU_SSE_STORE };

/* Describes a retired instruction. A REP string instruction retires once, after its last round. */
struct refpmu_insn {
	uint64_t ip;           /* linear address of its first byte */
	uint64_t next_ip;      /* linear address of the instruction that executes next */
	uint64_t traits;       /* REFPMU_TRAIT_* */
	uint8_t length;        /* bytes, from 1 to 15 */
	uint8_t cpl;           /* before the instruction */
	uint8_t cpl_after;
	uint8_t branch;        /* enum refpmu_branch */
	bool is_taken;         /* REFPMU_JCC; true for every other branch */
	uint8_t segments;      /* loaded, a bit each: ES, CS, SS, DS, FS, GS from bit 0 */
	uint8_t breakpoints;   /* bit n: it matched DRn with DR7.R/Wn and LENn */
	bool is_if_clear;      /* EFLAGS.IF was 0 before the instruction */
	bool is_interrupt_pending;     /* an external interrupt was pending before it */
	/* Needed while records_branches: the base of CS, 0 in 64-bit mode, before and after. */
	uint64_t code_base, code_base_after;
};

/* Retires an instruction, while is_watched. May raise a PMI, access guest memory and registers. */
void refpmu_retire(struct refpmu_cpu *cpu, const struct refpmu_insn *insn);

/*
 * Holds gathered plain instructions, which is faster. An emulator that has called refpmu_run() for
 * a processor may gather its plain instructions inline; a later call about that processor retires
 * them. From then on view.cycles is up to date only right after refpmu_end_run(), or after a call
 * other than refpmu_access() and refpmu_retire().
 *
 * refpmu_gather() replaces refpmu_retire() for an instruction that is not a branch, does not stop
 * the processor, is not a repeated string instruction, has the same CPL as the instruction before
 * it, and is followed by the next instruction in memory, as that one was. Returns false, and notes
 * nothing, if the instruction cannot be gathered or has no bytes: call refpmu_retire().
 */
struct refpmu_run {
	uint64_t barred_traits;        /* instructions with one of these cannot be gathered */
	uint32_t bytes;                /* of code that may still be gathered */
	uint32_t insns, reads;         /* number gathered; of those, number that read memory */
	uint32_t is_reading;           /* 1: the instruction under way has read memory */
};
/* Returns the processor's run, the same for its lifetime. */
struct refpmu_run *refpmu_run(struct refpmu_cpu *cpu);
/* Retires what was gathered. */
void refpmu_end_run(struct refpmu_cpu *cpu);

/* Gathers several such instructions, none of which reads memory: traits are those of any. */
static inline bool refpmu_gather_many(struct refpmu_run *run, uint64_t traits, unsigned insns,
                                      unsigned bytes)
{
	if (bytes - 1 >= run->bytes || (traits & run->barred_traits))   /* 0 is too many, too */
		return false;
	run->bytes -= bytes;
	run->insns += insns;
	return true;
}

static inline bool refpmu_gather(struct refpmu_run *run, uint64_t traits, unsigned length)
{
	if (!refpmu_gather_many(run, traits, 1, length))
		return false;
	run->reads += run->is_reading;
	run->is_reading = 0;
	return true;
}

enum refpmu_access { REFPMU_READ, REFPMU_WRITE, REFPMU_READ_WRITE };

/*
 * Reports a memory access of the instruction under way. Call it while is_watched, twice for an
 * access that crosses a page. size is in bytes, from 1. is_cacheable is false, for example, for the
 * local APIC's page.
 */
void refpmu_access(struct refpmu_cpu *cpu, enum refpmu_access kind, uint64_t linear,
                   uint64_t physical, unsigned size, bool is_cacheable);

/* Reports the instruction's access to an I/O port, of 1, 2 or 4 bytes. Call it while is_watched. */
void refpmu_io(struct refpmu_cpu *cpu, bool is_write, uint32_t port, unsigned size);

/* A place of execution: an instruction's linear address; the base of CS, 0 in 64-bit mode. */
struct refpmu_place {
	uint64_t ip, code_base;
	uint8_t cpl;
};

/*
 * Report both ends of an exception or interrupt. Call refpmu_enter() while records_branches, right
 * before refpmu_exception() or refpmu_interrupt(); from is the instruction that faulted, or to
 * which the interrupt returns. Call refpmu_entered() while is_entering, before the first
 * instruction of the handler executes; to is that instruction. If the delivery fails, the next
 * refpmu_enter() replaces this one. refpmu_entered() may raise a PMI, and access guest memory.
 */
void refpmu_enter(struct refpmu_cpu *cpu, struct refpmu_place from);
void refpmu_entered(struct refpmu_cpu *cpu, struct refpmu_place to);

/* Reports an instruction's fault or abort. Call it while is_watched. May raise a PMI. */
void refpmu_exception(struct refpmu_cpu *cpu, unsigned vector);

/* Reports an interrupt or NMI between two instructions, while is_watched. May raise a PMI. */
void refpmu_interrupt(struct refpmu_cpu *cpu, unsigned vector);

/*
 * Report that the processor enters system-management mode between two instructions, and that RSM
 * has left it. Call refpmu_smi() while is_watched, before the handler's first instruction;
 * refpmu_rsm() after each RSM has retired, even if nothing is watched then. Both may raise a PMI.
 */
void refpmu_smi(struct refpmu_cpu *cpu);
void refpmu_rsm(struct refpmu_cpu *cpu);

/* Empties the TLBs: CR3 was loaded, or a translation was dropped. Call it while is_watched. */
void refpmu_tlb_flush(struct refpmu_cpu *cpu);

/* Empties the caches of the processor's core and package: INVD or WBINVD was executed. Call it even
 * if nothing is watched. What is written back to memory is on no bus. */
void refpmu_cache_flush(struct refpmu_cpu *cpu);

/* ---------------------------------------------------------------------------- guests */

/*
 * What VM entries and VM exits do to the PMU. The emulator makes its own checks, decides what
 * leaves a guest, reads and writes the VMCS or VMCB, and calls these functions in this order, even
 * if nothing is watched:
 *
 *	refpmu_vm_check()     VMLAUNCH, VMRESUME: before the guest's state is loaded
 *	refpmu_vm_entered()   the guest's state is loaded
 *	refpmu_vm_load()      VMX: for each row of the VM-entry MSR-load area
 *	refpmu_vm_injected()  while is_watched: an event is delivered that the VM entry injects
 *	refpmu_vm_store()     VMX: for each row of the VM-exit MSR-store area
 *	refpmu_vm_exited()    after a VM exit, before the guest's next instruction or the host's
 *	refpmu_vm_load()      VMX: for each row of the VM-exit MSR-load area
 *
 * All but refpmu_vm_check() and refpmu_vm_store() may raise a PMI.
 */

/* Holds the fields of these registers. One that the processor does not have is not looked at. */
struct refpmu_vm_fields {
	uint64_t debugctl;             /* IA32_DEBUGCTL */
	uint64_t global_ctrl;          /* IA32_PERF_GLOBAL_CTRL */
	uint64_t lbr_ctl;              /* IA32_LBR_CTL */
};

/* Describes a VM entry or a VM exit. */
struct refpmu_vm {
	/* VMX: the VM-entry controls, and the primary VM-exit controls, as the VMCS holds them. */
	uint32_t entry_controls, exit_controls;
	bool is_failed;                /* VMX: the VM exit is that of a VM entry which has failed */
	bool has_lbr_virtualization;   /* SVM: bit 0 of the VMCB's byte B8H */
	struct refpmu_vm_fields guest, host;   /* SVM: guest.debugctl alone, the VMCB's DBGCTL */
};

/* Reports AMD's EFER.SVME. Call it when it has changed, before the next instruction retires, even
 * if nothing is watched then. May raise a PMI. */
void refpmu_svme(struct refpmu_cpu *cpu, bool is_svme);

/* Says which fields of the PMU the VM entry refuses: VMfailValid, or a VM exit for the guest's. */
enum refpmu_vm_check { REFPMU_VM_PASSES, REFPMU_VM_HOST_FIELD, REFPMU_VM_GUEST_FIELD };
enum refpmu_vm_check refpmu_vm_check(const struct refpmu_cpu *cpu, const struct refpmu_vm *vm);

/* Begins a guest, of VMX or of SVM. Returns as which kind of branch the instruction that has
 * entered it retires, by refpmu_retire() after this call, or REFPMU_BRANCHES if it does not. */
enum refpmu_branch refpmu_vm_entered(struct refpmu_cpu *cpu, const struct refpmu_vm *vm);

/* Reports the event that a VM entry injects, in place of refpmu_exception() or refpmu_interrupt():
 * event is the VM-entry interruption-information field, or EVENTINJ of the VMCB. */
void refpmu_vm_injected(struct refpmu_cpu *cpu, uint32_t event);

/* Load and store a row of an area of MSRs, as refpmu_wrmsr() and refpmu_rdmsr() would. With another
 * answer than REFPMU_OK and REFPMU_NOT_MINE the VM entry fails, or the VM exit aborts. */
enum refpmu_status refpmu_vm_load(struct refpmu_cpu *cpu, uint32_t msr, uint64_t value);
enum refpmu_status refpmu_vm_store(struct refpmu_cpu *cpu, uint32_t msr, uint64_t *value);

/* Ends a guest, or a VM entry that has failed. Writes into vm->guest what the VM exit saves, and
 * leaves the fields that it does not save. */
void refpmu_vm_exited(struct refpmu_cpu *cpu, struct refpmu_vm *vm);

/* ---------------------------------------------------------------------------- halted */

/*
 * Reports that the processor stops executing (HLT, MWAIT, shutdown, or waiting for a SIPI). Call it
 * while is_active. Returns after how many halted cycles a counter will overflow, UINT64_MAX for
 * never; refpmu_halted() has to be called by then. May raise a PMI.
 */
uint64_t refpmu_halt(struct refpmu_cpu *cpu);

/* Reports that this many more cycles passed while halted, at most as many as the last call
 * returned. Returns like refpmu_halt(). May raise a PMI. */
uint64_t refpmu_halted(struct refpmu_cpu *cpu, uint64_t cycles);

/* ---------------------------------------------------------------------------- snapshots */

/*
 * Save the whole state of a machine as a string of bytes, for an emulator's snapshots. They may be
 * called between any two calls, also during an instruction or while a processor is halted, but not
 * from the host's functions; an emulator that gathers runs calls refpmu_end_run() for each
 * processor before. The string has no pointers and is the same whatever the host's width and byte
 * order; equal states give equal strings. The machine does not change.
 *
 * refpmu_save_size() returns the size in bytes, valid until the next call about the machine.
 * refpmu_save() writes the string and returns its size, or returns 0 if size is too small; the
 * contents of bytes are then undefined.
 */
size_t refpmu_save_size(const struct refpmu_machine *machine);
size_t refpmu_save(const struct refpmu_machine *machine, void *bytes, size_t size);

enum refpmu_restored {
	REFPMU_RESTORED,
	REFPMU_OTHER_VERSION,  /* saved by a version of the library with another format */
	REFPMU_OTHER_MACHINE,  /* other processors, or other packages and cores */
	REFPMU_DAMAGED         /* truncated, too long, changed, or never saved at all */
};

/*
 * Restores a saved state: from there on equal calls give equal results. The machine must have the
 * same processors, created in the same order on the same packages and cores; what they did since
 * does not matter. Changes nothing unless it returns REFPMU_RESTORED. The bytes may be anything:
 * none of them lead to an access outside of the machine's memory. But forged bytes with the right
 * checksum may restore a state that no calls lead to.
 *
 * Calls no function of the host. Afterwards the emulator looks at all views again, the machine's
 * and each processor's; for a halted processor, refpmu_halted() with 0 cycles returns when a
 * counter overflows. The emulator itself saves what the model does not own: LVTPC, its TSC, and
 * which processors are halted.
 */
enum refpmu_restored refpmu_restore(struct refpmu_machine *machine, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
