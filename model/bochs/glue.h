/* SPDX-License-Identifier: MIT */
/* What the parts of the glue share: one struct for each logical processor. */
#ifndef MODEL_BOCHS_GLUE_H
#define MODEL_BOCHS_GLUE_H

#define NEED_CPU_REG_SHORTCUTS 1
#include "bochs.h"
#include "cpu/cpu.h"
#include "cpu/decoder/ia_opcodes.h"

#include <model/model.h>

static const unsigned CPUS = sizeof(bx_model_active) / sizeof(bx_model_active[0]);

struct Glue {
	struct model_insn insn;         /* the one under way */
	bool goes_to_sleep;             /* it is HLT or MWAIT */
	bool has_pmu;                   /* there are rules for this processor */
	bool is_asleep;
	Bit64u told_ticks;              /* asleep: up to when the model knows of it */
	int timer;                      /* asleep: the next overflow is due */
	Bit64u clock_cycles, clock_ticks;       /* active: where the TSC was set right last */
	Bit32u cr0, cr4;
	struct model model;
};
extern struct Glue glues[CPUS];

/* Makes Bochs' TSC, which is its clock and an offset, move with the model's cycles. */
void set_tsc_right(unsigned cpu);

/* After whatever may have made the model active or idle. */
void note_activity(unsigned cpu);

#endif
