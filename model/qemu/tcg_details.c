/* SPDX-License-Identifier: MIT */
/* Details of an instruction that only PMUs before the architectural ones count. */
#include "tcg_glue.h"
#include <model/refpmu_kinds.h>

void details_access(struct Pmu *g, CPUX86State *env, uint64_t linear, unsigned size,
                    bool is_write)
{
	g->insn.breakpoints |= refpmu_breakpoints(env->dr[7], env->dr,
	                                          is_write ? REFPMU_WRITES : REFPMU_READS,
	                                          linear, size);
}

void details_before(struct Pmu *g, CPUX86State *env)
{
	g->was_vm86 = (env->eflags & VM_MASK) != 0;
	g->insn.is_if_clear = !(env->eflags & IF_MASK);
	g->insn.is_interrupt_pending = env_cpu(env)->interrupt_request & CPU_INTERRUPT_HARD;
	g->insn.breakpoints = g->needs.breakpoints
	                      ? refpmu_breakpoints(env->dr[7], env->dr, REFPMU_EXECUTES,
	                                           g->insn.ip, 1) : 0;
}

void details_after(struct Pmu *g, CPUX86State *env)
{
	const bool is_vm86 = (env->eflags & VM_MASK) != 0;

	g->insn.segments |= refpmu_segments_of_branch(&g->insn, is_vm86 != g->was_vm86);
	if (g->insn.segments)
		g->insn.traits |= REFPMU_TRAIT_SEGMENT_LOAD;
}
