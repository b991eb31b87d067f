/* SPDX-License-Identifier: MIT */
/* Of an instruction, what only the PMUs before architectural performance monitoring count. */
#ifndef MODEL_BOCHS_DETAILS_H
#define MODEL_BOCHS_DETAILS_H

#include "traits.h"

extern unsigned executing;              /* the processor with an instruction under way */

/* Is there more to say of it than its traits? If not, details_after() need not be called: P5 and P6
 * want it each time. */
static inline bool has_details(const struct Glue *g, const bxInstruction_c *i)
{
	return g->wants_all_details || opcode_of(i)->has_details || i->getLock();
}

/* Right before it executes: each instruction of P5 and P6, with g->insn.ip already there; of
 * NetBurst what may need an assist. */
void details_before(unsigned cpu, const bxInstruction_c *i);

/* Right after, with everything else of g->insn there. */
void details_after(unsigned cpu, const bxInstruction_c *i);

/* It faulted. */
void details_fault(unsigned cpu);

/* It accesses memory. */
void details_access(unsigned cpu, bx_address linear, unsigned size, unsigned rw);

#endif
