/* SPDX-License-Identifier: MIT */
/* What VM entries and VM exits do to the PMU's registers, for the generations that have guests. */
#ifndef MODEL_GUESTS_VM_STATE_H
#define MODEL_GUESTS_VM_STATE_H

#include <model/core/internal.h>

enum refpmu_vm_check model_vmx_check(const struct model_rules *r, const struct refpmu_vm *vm);
enum refpmu_branch model_vmx_enter(struct refpmu_cpu *m, const struct refpmu_vm *vm);
void model_vmx_exit(struct refpmu_cpu *m, struct refpmu_vm *vm);

enum refpmu_branch model_svm_enter(struct refpmu_cpu *m, const struct refpmu_vm *vm);
void model_svm_exit(struct refpmu_cpu *m, struct refpmu_vm *vm);

/* The members of a generation that has them (core/generation.h). */
#define MODEL_VMX \
	.vm_check = model_vmx_check, .vm_enter = model_vmx_enter, .vm_exit = model_vmx_exit
#define MODEL_SVM .vm_enter = model_svm_enter, .vm_exit = model_svm_exit

#endif
