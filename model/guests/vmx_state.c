/* SPDX-License-Identifier: MIT */
/*
 * The fields of the VMCS that hold registers of the PMU. Sources: SDM 3C, "Checks on Host Control
 * Registers, MSRs, and SSP", "Checks on Guest Control Registers, Debug Registers, and MSRs",
 * "Loading Guest Control Registers, Debug Registers, and MSRs", "Saving Control Registers, Debug
 * Registers, and MSRs", "Loading Host Control Registers, Debug Registers, MSRs"; "VM-Entry
 * Failures During or After Loading Guest State": such a failure saves nothing and loads the host.
 *
 * Chosen: VMLAUNCH and VMRESUME do not retire if they enter a guest.
 */
#include <model/guests/vm_state.h>

#include <arch/regs/lbr.h>
#include <arch/regs/vmx.h>

static bool refuses_global_ctrl(const struct model_rules *r, uint64_t value)
{
	return r->registers.has_global_control && (value & ~model_global_bits(r));
}

static bool refuses_debugctl(const struct model_rules *r, uint64_t value)
{
	return !r->registers.debugctl_drops && (value & ~r->registers.debugctl_bits);
}

static bool refuses_lbr_ctl(const struct model_rules *r, uint64_t value)
{
	return r->lbr.is_architectural && (value & ~r->lbr.select_bits);
}

static bool refuses_host(const struct model_rules *r, const struct refpmu_vm *vm)
{
	return (vm->exit_controls & VMX_EXIT_LOAD_PERF) &&
	       refuses_global_ctrl(r, vm->host.global_ctrl);
}

static bool refuses_guest(const struct model_rules *r, const struct refpmu_vm *vm)
{
	return ((vm->entry_controls & VMX_ENTRY_LOAD_PERF) &&
	        refuses_global_ctrl(r, vm->guest.global_ctrl)) ||
	       ((vm->entry_controls & VMX_ENTRY_LOAD_DEBUG) &&
	        refuses_debugctl(r, vm->guest.debugctl)) ||
	       ((vm->entry_controls & VMX_ENTRY_LOAD_LBR_CTL) &&
	        refuses_lbr_ctl(r, vm->guest.lbr_ctl));
}

enum refpmu_vm_check model_vmx_check(const struct model_rules *r, const struct refpmu_vm *vm)
{
	if (refuses_host(r, vm))
		return REFPMU_VM_HOST_FIELD;
	return refuses_guest(r, vm) ? REFPMU_VM_GUEST_FIELD : REFPMU_VM_PASSES;
}

/* ---------------------------------------------------------------------------- VM entry */

static void load_debugctl(struct refpmu_cpu *m, uint64_t value)
{
	m->debugctl = value & rules_of(m)->registers.debugctl_bits;
}

static void load_global_ctrl(struct refpmu_cpu *m, uint64_t value)
{
	if (rules_of(m)->registers.has_global_control)
		m->global_ctrl = value & model_global_bits(rules_of(m));
}

static void load_lbr_ctl(struct refpmu_cpu *m, uint64_t value)
{
	if (rules_of(m)->lbr.is_architectural)
		m->branches.select = value & rules_of(m)->lbr.select_bits;
}

enum refpmu_branch model_vmx_enter(struct refpmu_cpu *m, const struct refpmu_vm *vm)
{
	if (vm->entry_controls & VMX_ENTRY_LOAD_DEBUG)
		load_debugctl(m, vm->guest.debugctl);
	if (vm->entry_controls & VMX_ENTRY_LOAD_PERF)
		load_global_ctrl(m, vm->guest.global_ctrl);
	if (vm->entry_controls & VMX_ENTRY_LOAD_LBR_CTL)
		load_lbr_ctl(m, vm->guest.lbr_ctl);
	return REFPMU_BRANCHES;
}

/* ---------------------------------------------------------------------------- VM exit */

static void save_guest(const struct refpmu_cpu *m, struct refpmu_vm *vm)
{
	if (vm->exit_controls & VMX_EXIT_SAVE_DEBUG)
		vm->guest.debugctl = m->debugctl;
	if (vm->exit_controls & VMX_EXIT_SAVE_PERF)
		vm->guest.global_ctrl = m->global_ctrl;
	if (rules_of(m)->lbr.is_architectural)
		vm->guest.lbr_ctl = m->branches.select;
}

static void load_host(struct refpmu_cpu *m, const struct refpmu_vm *vm)
{
	load_debugctl(m, 0);
	if (vm->exit_controls & VMX_EXIT_LOAD_PERF)
		load_global_ctrl(m, vm->host.global_ctrl);
	if (vm->exit_controls & VMX_EXIT_CLEAR_LBR_CTL)
		load_lbr_ctl(m, 0);
}

void model_vmx_exit(struct refpmu_cpu *m, struct refpmu_vm *vm)
{
	if (!vm->is_failed)
		save_guest(m, vm);
	load_host(m, vm);
}
