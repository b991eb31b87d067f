/* SPDX-License-Identifier: MIT */
/* What VM entries and VM exits of VMX do to the PMU: the same for all generations that have VMX. */
#ifndef MODEL_GUESTS_VMX_STATE_H
#define MODEL_GUESTS_VMX_STATE_H

#include <model/core/internal.h>

enum refpmu_vm_check model_vmx_check(const struct model_rules *r, const struct refpmu_vm *vm);
enum refpmu_branch model_vmx_enter(struct refpmu_cpu *m, const struct refpmu_vm *vm);
void model_vmx_exit(struct refpmu_cpu *m, struct refpmu_vm *vm);

/* These members of a generation are VMX's (core/generation.h). */
#define MODEL_VMX \
	.vm_check = model_vmx_check, .vm_enter = model_vmx_enter, .vm_exit = model_vmx_exit

#endif
