/* SPDX-License-Identifier: MIT */
/* Collects details of an instruction that only PMUs before the architectural ones count. */
#ifndef MODEL_BOCHS_DETAILS_H
#define MODEL_BOCHS_DETAILS_H

#include "traits.h"

extern unsigned executing;              /* the processor with an instruction under way */

/* Returns whether the instruction has details besides its traits; if not, details_after() may be
 * skipped. P5 and P6 need it each time. */
static inline bool has_details(const struct Glue *g, const bxInstruction_c *i)
{
	return g->needs.all_details || opcode_of(i)->has_details || i->getLock();
}

/* Notes details right before an instruction executes; g->insn.ip is set. Called for each
 * instruction of P5 and P6, and for one of NetBurst that may need an assist. */
void details_before(unsigned cpu, const bxInstruction_c *i);

/* Adds details right after an instruction; everything else of g->insn is set. */
void details_after(unsigned cpu, const bxInstruction_c *i);

/* Drops the details of an instruction that faulted. */
void details_fault(unsigned cpu);

/* Notes a memory access. */
void details_access(unsigned cpu, bx_address linear, unsigned size, unsigned rw);

#endif
