/* SPDX-License-Identifier: MIT */
/* Of an instruction, what only the PMUs before architectural performance monitoring count. */
#ifndef MODEL_BOCHS_DETAILS_H
#define MODEL_BOCHS_DETAILS_H

#include "traits.h"

/* Right before it executes, with g->insn.ip already there. */
void details_before(unsigned cpu, const bxInstruction_c *i);

/* Right after, with everything else of g->insn there. */
void details_after(unsigned cpu, const bxInstruction_c *i);

/* It faulted. */
void details_fault(unsigned cpu);

/* It accesses memory. */
void details_access(unsigned cpu, bx_address linear, unsigned size, unsigned rw);

#endif
