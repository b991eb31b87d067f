/* SPDX-License-Identifier: MIT */
/* Details of an instruction that only PMUs before the architectural ones count. */
#include "tcg_glue.h"

/* A bit for each value of DR7.R/Wn. SDM 3B, "Debug Control Register (DR7)". */
enum {
	ON_EXECUTION = 1 << 0,
	ON_WRITE     = 1 << 1 | 1 << 3,
	ON_READ      = 1 << 3
};

/* Returns a bit for each debug register that matches, enabled or not. */
static uint8_t breakpoints(CPUX86State *env, unsigned uses, uint64_t first, unsigned size)
{
	static const unsigned bytes_of[] = { 1, 2, 8, 4 };      /* by DR7.LENn */
	uint8_t matching = 0;

	for (unsigned n = 0; n < 4; n++) {
		unsigned kind = env->dr[7] >> (16 + 4 * n) & 3;
		unsigned bytes = bytes_of[env->dr[7] >> (18 + 4 * n) & 3];
		uint64_t start = env->dr[n] & ~(uint64_t)(bytes - 1);

		if ((uses & 1 << kind) && first < start + bytes && start < first + size)
			matching |= 1 << n;
	}
	return matching;
}

void details_access(struct Pmu *g, CPUX86State *env, uint64_t linear, unsigned size,
                    bool is_write)
{
	g->insn.breakpoints |= breakpoints(env, is_write ? ON_WRITE : ON_READ, linear, size);
}

void details_before(struct Pmu *g, CPUX86State *env)
{
	g->was_vm86 = (env->eflags & VM_MASK) != 0;
	g->insn.is_if_clear = !(env->eflags & IF_MASK);
	g->insn.is_interrupt_pending = env_cpu(env)->interrupt_request & CPU_INTERRUPT_HARD;
	g->insn.breakpoints = g->compares_breakpoints
	                      ? breakpoints(env, ON_EXECUTION, g->insn.ip, 1) : 0;
}

void details_after(struct Pmu *g, CPUX86State *env)
{
	const bool is_vm86 = (env->eflags & VM_MASK) != 0;

	g->insn.segments |= refpmu_segments_of_branch(&g->insn, is_vm86 != g->was_vm86);
	if (g->insn.segments)
		g->insn.traits |= REFPMU_TRAIT_SEGMENT_LOAD;
}
