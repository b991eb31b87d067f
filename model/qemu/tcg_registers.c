/* SPDX-License-Identifier: MIT */
/* RDMSR, WRMSR and RDPMC: the model's registers, and the TSC, which follows it. */
#include "tcg_glue.h"
#include "exec/exec-all.h"
#include "tcg/helper-tcg.h"

/* Follows what the call may have changed; raises the exception that the model answers. */
static bool answered(CPUX86State *env, enum refpmu_status status, uintptr_t ra)
{
	note_activity();
	if (status == REFPMU_GP)
		raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
	if (status == REFPMU_UD)
		raise_exception_ra(env, EXCP06_ILLOP, ra);
	return status == REFPMU_OK;
}

bool pmu_rdmsr(CPUX86State *env, uintptr_t ra)
{
	uint32_t msr = (uint32_t)env->regs[R_ECX];
	uint64_t value;

	if (!env->pmu)
		return false;
	if (msr == MSR_IA32_TSC)
		value = pmu_tsc(env) + env->tsc_offset;
	else if (!answered(env, refpmu_rdmsr(env->pmu->model, msr, &value), ra))
		return false;
	refpmu_rdmsr_registers(value, &env->regs[R_EAX], &env->regs[R_EDX]);
	return true;
}

enum { WRMSR_BYTES = 2 };

/* The WRMSR that starts the first counter has not been reported. */
static void begin_watching(struct Pmu *g, CPUX86State *env)
{
	g->insn = (struct refpmu_insn){
		.ip = linear_ip(env, env->eip), .traits = REFPMU_TRAIT_SERIALIZING,
		.cpl = cpl_of(env), .code_base = code_base(env),
	};
	g->info = WRMSR_BYTES | INFO_MAY_MOVE;
	if (g->needs.all_details)
		details_before(g, env);
	g->is_pending = true;
}

bool pmu_wrmsr(CPUX86State *env, uint64_t value, uintptr_t ra)
{
	uint32_t msr = (uint32_t)env->regs[R_ECX];
	struct Pmu *g = env->pmu;

	if (!g)
		return false;
	if (msr == MSR_IA32_TSC) {
		set_tsc(g, value);
		return true;
	}
	bool was_watched = g->view->is_watched;
	bool is_done = answered(env, refpmu_wrmsr(g->model, msr, value), ra);
	if (!was_watched && g->view->is_watched)
		begin_watching(g, env);
	return is_done;
}

bool pmu_rdpmc(CPUX86State *env, uintptr_t ra)
{
	unsigned cpl = env->cr[0] & CR0_PE_MASK ? cpl_of(env) : 0;
	uint64_t value;
	bool is_pce = env->cr[4] & CR4_PCE_MASK;

	if (!env->pmu)
		return false;
	if (cpl == 0 || is_pce)         /* #GP for the CPL goes before, that for the index after */
		cpu_svm_check_intercept_param(env, SVM_EXIT_RDPMC, 0, ra);
	enum refpmu_status status = refpmu_rdpmc(env->pmu->model, env->regs[R_ECX], cpl, is_pce,
	                                         &value);
	if (!answered(env, status, ra))
		return false;
	refpmu_rdpmc_registers(value, &env->regs[R_EAX], &env->regs[R_EDX]);
	return true;
}

void pmu_unknown_msr(CPUX86State *env, uintptr_t ra)
{
	if (env->pmu)
		raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
}
