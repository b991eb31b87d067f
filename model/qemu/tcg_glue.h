/* SPDX-License-Identifier: MIT */
/*
 * Declares what the parts of the glue between QEMU's TCG and the reference PMU share: one struct
 * for each logical processor.
 *
 * An instruction is pending from the moment before it executes, when its translation block reports
 * it, until something shows that it has retired: the next instruction, an interrupt, an exception
 * or HLT. So a PMI leaves the block right before the next instruction, and is precise.
 */
#ifndef MODEL_QEMU_GLUE_H
#define MODEL_QEMU_GLUE_H

#include "qemu/osdep.h"
#include "cpu.h"

#include <model/refpmu.h>
#include <model/refpmu_kinds.h>

enum { PMU_CPUS = 64 };

/* What is known of an instruction by its bytes. */
#define INFO_LENGTH        0x0000000fu
#define INFO_BRANCH_SHIFT  4
#define INFO_BRANCH        0x000001f0u
#define INFO_SEGMENTS_SHIFT 9
#define INFO_SEGMENTS      0x00007e00u
#define INFO_MAY_MOVE      0x00010000u     /* a repeated one, or another that may go elsewhere */
#define INFO_EMPTIES       0x00020000u     /* INVD, WBINVD */
#define INFO_VECTOR        0x00040000u     /* its parts in memory are one access */
#define INFO_PREFETCHES    0x00080000u
#define INFO_TRAITS_SHIFT  20
#define INFO_TRAITS        0x00700000u     /* those that an architectural PMU needs, in a group */

/* A group of instructions that do nothing but retire, in one line, and the one after them: its info
 * with its traits, or 0. */
#define GROUP_INSNS        0x0000007fu
#define GROUP_BYTES        0x00007f00u
#define GROUP_BYTES_SHIFT  8
#define GROUP_ENDS         0x00008000u     /* it follows an instruction, which the access ends */
#define GROUP_LAST_SHIFT   32

/* An access that the model has not heard of yet: the next one may be a part of it. */
struct Access {
	uint64_t linear, physical;
	uint32_t size;                  /* 0: there is none */
	uint8_t kind;                   /* enum refpmu_access */
	bool is_cacheable;
};

struct Pmu {
	struct refpmu_insn insn;        /* the pending instruction */
	uint64_t stack;                 /* before it: a CALL that has not pushed begins anew */
	struct Access access;
	uint32_t info;                  /* of the pending instruction */
	bool is_pending;
	bool has_pmi;                   /* the block has to be left before the next instruction */
	bool is_jump_taken;             /* env->pmu_taken, while it is saved */
	bool was_vm86;
	bool is_in_guest;
	bool injects;
	bool is_active;                 /* as its view says: the TSC moves by the model's cycles */
	bool is_asleep;                 /* while active: in HLT, or waiting for a SIPI */
	uint64_t reported_ticks;        /* asleep: the time up to which the model has advanced */
	uint64_t clock_cycles;          /* active: when the TSC was set */
	uint64_t tsc;                   /* ... to this; idle: the TSC's distance to the ticks */
	uint64_t left_ip;               /* where the last exception or interrupt left */
	uint32_t extended_lvt[4];
	/* What precedes is saved as it is. */
	QEMUTimer *timer;               /* asleep: ends when the next overflow is due */
	bool is_amd;
	bool has_ibs;
	struct refpmu_needs needs;
	X86CPU *cpu;
	struct refpmu_run *run;
	struct refpmu_cpu *model;
	const struct refpmu_view *view;
};

#define PMU_SAVED_BYTES offsetof(struct Pmu, timer)

extern struct Pmu *pmus[PMU_CPUS];
extern struct refpmu_machine *pmu_machine;
extern const struct refpmu_machine_view *machine_view;
extern uint32_t noted_changes;          /* of machine_view */

/* ---------------------------------------------------------------------------- places */

static inline bool is_64bit(CPUX86State *env)
{
	return env->hflags & HF_CS64_MASK;
}

static inline uint64_t code_base(CPUX86State *env)
{
	return is_64bit(env) ? 0 : env->segs[R_CS].base;
}

static inline uint64_t linear_ip(CPUX86State *env, uint64_t eip)
{
	return is_64bit(env) ? eip : (uint32_t)(env->segs[R_CS].base + eip);
}

static inline uint8_t cpl_of(CPUX86State *env)
{
	return env->hflags & HF_CPL_MASK;
}

/* ---------------------------------------------------------------------------- functions */

/* Follows changes of is_active and is_watched; called after any call of the model that may make
 * one. */
void note_activity(void);
void follow_activity(void);

/* Reports the access under way to the model. */
void end_access(struct Pmu *g);
/* Says whether the pending instruction, which has this address, begins again. */
bool is_same_again(const struct Pmu *g, CPUX86State *env, uint64_t ip);
/* Retires the pending instruction, which next_ip follows. */
void retire(struct Pmu *g, CPUX86State *env, uint64_t next_ip);
/* Wakes the processor, and retires the pending instruction unless it is the one at EIP, which has
 * not executed. */
void end_pending(struct Pmu *g, CPUX86State *env);
/* Notes where an exception or interrupt comes from, if branches are recorded. */
void note_handler(struct Pmu *g, CPUX86State *env);

/* Details that only PMUs before the architectural ones count (tcg_details.c). */
void details_before(struct Pmu *g, CPUX86State *env);
void details_after(struct Pmu *g, CPUX86State *env);
void details_access(struct Pmu *g, CPUX86State *env, uint64_t linear, unsigned size,
                    bool is_write);

/* Time (time.c). */
void clock_changes(struct Pmu *g);
void set_tsc(struct Pmu *g, uint64_t value);
void fall_asleep(struct Pmu *g);
void wake(struct Pmu *g);
void overflow_is_due(void *context);

/* Lets savevm and migration carry the PMUs (tcg_snapshots.c). */
void register_snapshots(void);

/* The model calls these (requests.c). */
void raise_pmi(void *context);
void raise_ibs(void *context, unsigned entry);
bool read_memory(void *context, uint64_t linear, void *bytes, size_t size);
bool write_memory(void *context, uint64_t linear, const void *bytes, size_t size);
void read_registers(void *context, bool with_xmm, struct refpmu_registers *registers);
void shut_down(void *context);
bool find_page(void *context, uint64_t linear, uint64_t *physical, unsigned *bits);

/* Lets code within a translation block read clocks and raise interrupts with -icount, too. */
bool begin_io(void);
void end_io(bool could_do_io);

static inline bool has_changed(void)
{
	return unlikely(machine_view->changes != noted_changes);
}

#endif
