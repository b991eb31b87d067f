/* SPDX-License-Identifier: MIT */
/*
 * Guests of SVM. Nothing of the PMU is in the VMCB but DebugCtl, if LBR virtualization is on: VMRUN
 * keeps the host's and loads the guest's, #VMEXIT saves the guest's and loads the host's. Counters
 * go on, except that host and guest bits of PERF_CTL stop them. Source: APM 2, "LBR
 * Virtualization", "Performance Counter Virtualization"; VMRUN is a taken branch that counts in the
 * guest: kvm-unit-tests 89126fa4. Chosen: it is a far one.
 */
#include <model/guests/vm_state.h>

enum refpmu_branch model_svm_enter(struct refpmu_cpu *m, const struct refpmu_vm *vm)
{
	if (vm->has_lbr_virtualization) {
		m->host_debugctl = m->debugctl;
		m->debugctl = vm->guest.debugctl & rules_of(m)->registers.debugctl_bits;
	}
	return REFPMU_FAR_JMP;
}

void model_svm_exit(struct refpmu_cpu *m, struct refpmu_vm *vm)
{
	if (!vm->has_lbr_virtualization)
		return;
	vm->guest.debugctl = m->debugctl;
	m->debugctl = m->host_debugctl;
}
