/* SPDX-License-Identifier: MIT */
/* Events: exceptions, interrupts, HLT, SMIs, ports, and what empties TLBs. */
#include "tcg_glue.h"

void note_handler(struct Pmu *g, CPUX86State *env)
{
	if (!g->view->records_branches)
		return;
	struct refpmu_place place = { linear_ip(env, env->eip), code_base(env), cpl_of(env) };
	if (g->view->is_entering && place.ip != g->left_ip)
		refpmu_entered(g->model, place);
	g->left_ip = place.ip;
	refpmu_enter(g->model, place);
}

void end_pending(struct Pmu *g, CPUX86State *env)
{
	uint64_t ip = linear_ip(env, env->eip);

	if (g->is_asleep)
		wake(g);
	if (g->is_pending && !is_same_again(g, env, ip))
		retire(g, env, ip);
	g->is_pending = false;
	end_access(g);
	refpmu_end_run(g->model);
}

/* INT n, INT3 and INTO retire at the handler. */
void pmu_exception(CPUX86State *env, int vector, bool is_int)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	if (g->is_pending && is_int) {
		g->info = (g->info & ~INFO_BRANCH) | REFPMU_INT << INFO_BRANCH_SHIFT;
		return;
	}
	if (g->is_pending && linear_ip(env, env->eip) == g->insn.ip)
		g->is_pending = false;          /* it faulted */
	end_pending(g, env);
	note_handler(g, env);
	refpmu_exception(g->model, vector);
	g->has_pmi = false;
	note_activity();
}

void pmu_interrupt(CPUX86State *env, int vector)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	end_pending(g, env);
	if (g->injects) {               /* reported already */
		g->injects = false;
		return;
	}
	note_handler(g, env);
	refpmu_interrupt(g->model, vector);
	g->has_pmi = false;
	note_activity();
}

/* EIP is already that of the next instruction. */
void pmu_halt(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	end_pending(g, env);
	g->has_pmi = false;             /* what is pending is looked for before it sleeps */
	note_activity();
	if (g->is_active)
		fall_asleep(g);
}

void pmu_smi(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!env->pmu_flag)
		return;
	end_pending(g, env);
	refpmu_smi(g->model);
	note_activity();
}

/* RSM retires at the place that the SMI interrupted, and then leaves system-management mode. */
void pmu_rsm(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!g)
		return;
	if (env->pmu_flag)
		end_pending(g, env);
	refpmu_rsm(g->model);
	note_activity();
}

void pmu_flush_page(CPUX86State *env)
{
	if (env->pmu_flag) {
		end_access(env->pmu);
		refpmu_tlb_flush(env->pmu->model);
	}
}

/* SDM 3A, "Operations that Invalidate TLBs and Paging-Structure Caches". */
void pmu_write_cr(CPUX86State *env, int reg, uint64_t value)
{
	static const uint64_t cr4_flushing = CR4_PSE_MASK | CR4_PAE_MASK | CR4_PGE_MASK
	                                     | CR4_PCIDE_MASK | CR4_SMEP_MASK;

	if (reg == 3 || (reg == 0 && ((env->cr[0] ^ value) & CR0_PG_MASK))
	    || (reg == 4 && ((env->cr[4] ^ value) & cr4_flushing)))
		pmu_flush_page(env);
}

void pmu_efer(CPUX86State *env)
{
	if (env->pmu && env->pmu->is_amd && env->pmu->model) {
		refpmu_svme(env->pmu->model, (env->efer & MSR_EFER_SVME) != 0);
		note_activity();
	}
}

void pmu_io(CPUX86State *env, bool is_write, uint32_t port, unsigned size)
{
	if (env->pmu_flag && env->pmu->needs.details)
		refpmu_io(env->pmu->model, is_write, port, size);
}
