/* SPDX-License-Identifier: MIT */
/* Details for processors that need them; struct refpmu_insn describes them. */
#include "details.h"
#include "cpu/fpu/status_w.h"

unsigned executing;

/* ---------------------------------------------------------------------------- breakpoints */

static Bit8u breakpoints(const BX_CPU_C *c, enum refpmu_use use, bx_address first, unsigned size)
{
	const uint64_t dr[] = { c->dr[0], c->dr[1], c->dr[2], c->dr[3] };

	return refpmu_breakpoints(c->dr7.get32(), dr, use, first, size);
}

void details_access(unsigned cpu, bx_address linear, unsigned size, unsigned rw)
{
	enum refpmu_use use = rw == BX_READ ? REFPMU_READS : REFPMU_WRITES;

	glues[cpu].insn.breakpoints |= breakpoints(BX_CPU(cpu), use, linear, size);
}

/* Devices do not pass the processor that accesses them. */
void bx_model_io(bool is_write, unsigned port, unsigned size)
{
	struct Glue *g = &glues[executing];

	if (!g->needs.details)
		return;
	if (g->needs.breakpoints && BX_CPU(executing)->cr4.get_DE())
		g->insn.breakpoints |= breakpoints(BX_CPU(executing), REFPMU_USES_PORT, port, size);
	refpmu_io(g->model, is_write, port, size);
}

/* ---------------------------------------------------------------------------- assists */

/* The flags of the status word that an assist sets. They are sticky, so they are cleared until
 * then. */
static const Bit16u ASSISTS = FPU_SW_Denormal_Op | FPU_SW_Underflow | FPU_SW_Overflow |
                              FPU_SW_Stack_Fault;
/* SDM 1, "MXCSR Control and Status Register": DE. */
static const Bit32u SSE_ASSISTS = 1 << 1;

static void expect_assist(struct Glue *g, i387_t *fpu)
{
	g->fpu_flags = fpu->swd & ASSISTS;
	fpu->swd &= ~ASSISTS;
	g->is_assist_expected = true;
}

static void expect_sse_assist(struct Glue *g, BX_CPU_C *c)
{
	g->mxcsr_flags = c->mxcsr.mxcsr & SSE_ASSISTS;
	c->mxcsr.mxcsr &= ~SSE_ASSISTS;
	g->is_sse_assist_expected = true;
}

/* Returns the assists in the status word. C1 distinguishes the two faults of the stack. */
static Bit64u assists_in(Bit16u status)
{
	Bit64u traits = 0;

	if (status & (FPU_SW_Denormal_Op | FPU_SW_Underflow))
		traits |= REFPMU_TRAIT_FP_ASSIST;
	if (status & FPU_SW_Denormal_Op)
		traits |= REFPMU_TRAIT_FP_DENORMAL;
	if (status & FPU_SW_Underflow)
		traits |= REFPMU_TRAIT_FP_UNDERFLOW;
	if (status & FPU_SW_Overflow)
		traits |= REFPMU_TRAIT_FP_OVERFLOW;
	if (status & FPU_SW_Stack_Fault)
		traits |= status & FPU_SW_C1 ? REFPMU_TRAIT_FP_STACK_OVERFLOW :
		                               REFPMU_TRAIT_FP_STACK_UNDERFLOW;
	return traits;
}

/* Ends the expectation of assists; returns those that occurred. */
static Bit64u end_assists(struct Glue *g, BX_CPU_C *c)
{
	Bit64u traits = 0;

	if (g->is_assist_expected) {
		traits = assists_in(c->the_i387.swd);
		c->the_i387.swd |= g->fpu_flags;
	}
	if (g->is_sse_assist_expected) {
		if (c->mxcsr.mxcsr & SSE_ASSISTS)
			traits |= REFPMU_TRAIT_SSE_ASSIST;
		c->mxcsr.mxcsr |= g->mxcsr_flags;
	}
	g->is_assist_expected = g->is_sse_assist_expected = false;
	return traits;
}

/* ---------------------------------------------------------------------------- the instruction */

void details_before(unsigned cpu, const bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	g->was_vm86 = c->get_VM() != 0;
	g->insn.is_if_clear = !c->get_IF();
	g->insn.is_interrupt_pending =
		c->is_pending(BX_EVENT_PENDING_INTR | BX_EVENT_PENDING_LAPIC_INTR);
	g->insn.breakpoints = 0;
	if (g->needs.breakpoints)
		g->insn.breakpoints = breakpoints(c, REFPMU_EXECUTES, g->insn.ip, 1);
	if (opcode_of(i)->may_assist_x87)
		expect_assist(g, &c->the_i387);
	if (opcode_of(i)->may_assist_sse)
		expect_sse_assist(g, c);
}

void details_after(unsigned cpu, const bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);
	const struct Opcode *opcode = opcode_of(i);

	g->insn.segments = opcode->segments |
	                   refpmu_segments_of_branch(&g->insn, (c->get_VM() != 0) != g->was_vm86);
	if (opcode->loads_operand)
		g->insn.segments |= 1 << i->dst();
	if (g->insn.segments)
		g->insn.traits |= REFPMU_TRAIT_SEGMENT_LOAD;
	if (i->getLock()) {             /* a prefix keeps the instruction from pairing */
		g->insn.traits |= REFPMU_TRAIT_LOCKED;
		g->insn.traits &= ~(REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V);
	}
	if (!i->repUsedL())
		g->insn.traits &= ~REFPMU_TRAIT_REP_MOVS;
	if (opcode->is_vector && i->getVL() == BX_VL256)
		g->insn.traits |= REFPMU_TRAIT_VECTOR_256;
	g->insn.traits |= end_assists(g, c);
}

void details_fault(unsigned cpu)
{
	end_assists(&glues[cpu], BX_CPU(cpu));
}
