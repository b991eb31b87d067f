/* SPDX-License-Identifier: MIT */
/* Declares the state that the parts of the glue share: one struct for each logical processor. */
#ifndef MODEL_BOCHS_GLUE_H
#define MODEL_BOCHS_GLUE_H

#define NEED_CPU_REG_SHORTCUTS 1
#include "bochs.h"
#include "cpu/cpu.h"
#include "cpu/decoder/ia_opcodes.h"

#include <model/refpmu.h>
#include <model/refpmu_kinds.h>

static const unsigned CPUS = 64;

struct Glue {
	struct refpmu_insn insn;        /* the instruction under way */
	Bit64u left_ip;                 /* where the last exception or interrupt left */
	struct refpmu_run *run;
	bool is_moved;                  /* it may not be where the last instruction ended */
	bool looks_always;              /* looks before each instruction, not only after a move */
	bool enters_guest;              /* the instruction is VMLAUNCH, VMRESUME, VMRUN */
	bool injects;                   /* ... and may deliver an event to the guest */
	bool leaves_guest;              /* a VM exit of VMX is under way */
	bool is_in_svm_guest;           /* ... of SVM: between VMRUN and #VMEXIT, in SMM, too */
	bool goes_to_sleep;             /* the instruction is HLT or MWAIT */
	bool has_pmu;                   /* there are rules for this processor */
	bool is_amd;                    /* or Hygon's */
	struct refpmu_needs needs;      /* details: details.h */
	bool lacks_pce;                 /* there is no CR4.PCE */
	bool was_vm86;                  /* before the instruction under way */
	bool is_assist_expected;        /* fpu_flags were taken out of the status word */
	Bit16u fpu_flags;
	bool is_sse_assist_expected;    /* the same for mxcsr_flags and MXCSR */
	Bit32u mxcsr_flags;
	bool is_active;                 /* as its view says: the TSC moves by the model's cycles */
	bool is_asleep;                 /* while active: in HLT or MWAIT, or waiting for a SIPI */
	Bit64u reported_ticks;          /* asleep: the time up to which the model has advanced */
	int timer;                      /* asleep: ends when the next overflow is due */
	Bit64u clock_cycles, clock_ticks;       /* active: when the TSC was last set right */
	Bit64s tsc_shift;               /* of the model's cycles against Bochs' clock */
	Bit32u cr0, cr4;
	struct refpmu_cpu *model;       /* NULL: the processor has no PMU */
	const struct refpmu_view *view;
};
extern struct Glue glues[CPUS];
extern const struct refpmu_machine_view *machine_view;

/* These functions are called by the model and Bochs' timers; context is a Glue. */
void raise_pmi(void *context);
void raise_ibs(void *context, unsigned entry);
void overflow_is_due(void *glue);

/* The model calls these for the debug store area (guest_memory.cc). */
bool read_memory(void *context, uint64_t linear, void *bytes, size_t size);
bool write_memory(void *context, uint64_t linear, const void *bytes, size_t size);
void read_registers(void *context, bool with_xmm, struct refpmu_registers *registers);
void shut_down(void *context);
bool find_page(void *context, uint64_t linear, uint64_t *physical, unsigned *bits);

/* Makes Bochs' TSC, which is its clock and an offset, move with the model's cycles. */
void set_tsc_right(unsigned cpu);

/* Sets Bochs' offset, which VM entries, VM exits and INIT overwrite: the guest's, and ours. */
void set_tsc_offset(unsigned cpu);

/* Begin and end a processor's sleep in HLT or MWAIT, or its wait for a SIPI (sleep.cc). */
void fall_asleep(unsigned cpu);
void wake(unsigned cpu);

/* Follows changes of is_active and is_watched; called after any call of the model that may make
 * one. */
void note_activity(void);
/* Notes where an exception or interrupt comes from, if branches are recorded. */
void note_handler(unsigned cpu);

/* Reports EFER.SVME, after all that may change it. */
void note_svme(unsigned cpu);

/* Follows changes of records_branches; called after any call that may make one. */
void choose_looks(unsigned cpu);

#endif
