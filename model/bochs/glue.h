/* SPDX-License-Identifier: MIT */
/* What the parts of the glue share: one struct for each logical processor. */
#ifndef MODEL_BOCHS_GLUE_H
#define MODEL_BOCHS_GLUE_H

#define NEED_CPU_REG_SHORTCUTS 1
#include "bochs.h"
#include "cpu/cpu.h"
#include "cpu/decoder/ia_opcodes.h"

#include <model/refpmu.h>

static const unsigned CPUS = 64;

struct Glue {
	struct refpmu_insn insn;        /* the one under way */
	Bit64u left_ip;                 /* where the last exception or interrupt left */
	struct refpmu_run *run;
	bool is_moved;                  /* it may not be where the last one ended */
	bool looks_always;              /* before each instruction; else after it was moved */
	bool goes_to_sleep;             /* it is HLT or MWAIT */
	bool has_pmu;                   /* there are rules for this processor */
	bool wants_details;             /* it has no architectural PMU: details.h */
	bool wants_all_details;         /* not NetBurst's either */
	bool compares_breakpoints;      /* it counts matches of DR0 to DR3 */
	bool lacks_pce;                 /* there is no CR4.PCE */
	bool was_vm86;                  /* before the instruction under way */
	bool is_assist_expected;        /* fpu_flags are out of the status word */
	Bit16u fpu_flags;
	bool is_sse_assist_expected;    /* the same of mxcsr_flags and MXCSR */
	Bit32u mxcsr_flags;
	bool is_active;                 /* as its model is: the TSC goes by the model's cycles */
	bool is_asleep;                 /* while it is active: HLT, MWAIT, waiting for a SIPI */
	Bit64u told_ticks;              /* asleep: up to when the model knows of it */
	int timer;                      /* asleep: the next overflow is due */
	Bit64u clock_cycles, clock_ticks;       /* active: where the TSC was set right last */
	Bit64s tsc_offset;              /* as set right last: INIT makes Bochs forget its own */
	Bit32u cr0, cr4;
	struct refpmu_cpu *model;       /* NULL: it has no PMU */
	const struct refpmu_view *view;
};
extern struct Glue glues[CPUS];
extern const struct refpmu_machine_view *machine_view;

/* What the model and Bochs' timers call; context: a Glue. */
void raise_pmi(void *context);
void overflow_is_due(void *glue);

/* The same, for the debug store area (guest_memory.cc). */
bool read_memory(void *context, uint64_t linear, void *bytes, size_t size);
bool write_memory(void *context, uint64_t linear, const void *bytes, size_t size);
void read_registers(void *context, bool with_xmm, struct refpmu_registers *registers);
void shut_down(void *context);

/* Makes Bochs' TSC, which is its clock and an offset, move with the model's cycles. */
void set_tsc_right(unsigned cpu);

/* After whatever may have made a processor's model active or idle: any call of the model. */
void note_activity(void);

/* After whatever may have made it record branches. */
void choose_looks(unsigned cpu);

#endif
