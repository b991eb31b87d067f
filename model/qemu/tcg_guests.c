/* SPDX-License-Identifier: MIT */
/* Guests of SVM; TCG has no VMX. Fields pass between the VMCB and the model. */
#include "tcg_glue.h"
#include "tcg/helper-tcg.h"

/* Of the VMCB. APM 2, appendix "VMCB Layout". */
enum { LBR_VIRTUALIZATION = 0xb8, RIP = 0x578, DBGCTL = 0x670 };
enum { VMRUN_BYTES = 3 };

static struct refpmu_vm vm_of(CPUX86State *env)
{
	CPUState *cs = env_cpu(env);

	return (struct refpmu_vm){
		.has_lbr_virtualization = x86_ldq_phys(cs, env->vm_vmcb + LBR_VIRTUALIZATION) & 1,
		.guest.debugctl = x86_ldq_phys(cs, env->vm_vmcb + DBGCTL),
	};
}

/* VMRUN has not been reported where the guest alone is counted. QEMU keeps the host's state as a
 * VMCB, with the RIP that follows. */
static void begin_watching(struct Pmu *g, CPUX86State *env)
{
	uint64_t next = x86_ldq_phys(env_cpu(env), env->vm_hsave + RIP);

	g->insn = (struct refpmu_insn){ .ip = next - VMRUN_BYTES };
	g->info = VMRUN_BYTES;
	g->is_pending = true;
}

/* The guest's state is loaded; VMRUN retires in the guest, as the branch that the model says. */
void pmu_vm_entered(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!g)
		return;
	struct refpmu_vm vm = vm_of(env);
	bool was_watched = g->view->is_watched;
	uint32_t branch = refpmu_vm_entered(g->model, &vm);
	if (!was_watched && g->view->is_watched)
		begin_watching(g, env);
	g->info = (g->info & ~INFO_BRANCH) | branch << INFO_BRANCH_SHIFT | INFO_MAY_MOVE;
	g->is_in_guest = true;
	note_activity();
}

/* An event is delivered in place of refpmu_interrupt() or refpmu_exception(). */
void pmu_vm_injects(CPUX86State *env, uint32_t event)
{
	struct Pmu *g = env->pmu;

	if (!g || !env->pmu_flag)
		return;
	end_pending(g, env);
	note_handler(g, env);
	refpmu_vm_injected(g->model, event);
	g->injects = true;
	note_activity();
}

/* A #VMEXIT begins: what has executed in the guest retires there. */
void pmu_vm_leaves(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!g || !env->pmu_flag)
		return;
	if (linear_ip(env, env->eip) == g->insn.ip)
		g->is_pending = false;          /* it was intercepted */
	end_pending(g, env);
}

/* The host's state is loaded. */
void pmu_vm_exited(CPUX86State *env)
{
	struct Pmu *g = env->pmu;

	if (!g || !g->is_in_guest)
		return;
	struct refpmu_vm vm = vm_of(env);
	g->is_in_guest = g->injects = g->has_pmi = false;
	refpmu_vm_exited(g->model, &vm);
	if (vm.has_lbr_virtualization)
		x86_stq_phys(env_cpu(env), env->vm_vmcb + DBGCTL, vm.guest.debugctl);
	note_activity();
}
