/* SPDX-License-Identifier: MIT */
/*
 * VM entries and VM exits: the part that is equal for all generations is here; the fields that hold
 * the PMU's registers are the generation's. Sources: SDM 3C, "Loading MSRs", "Event Injection";
 * APM 2, "Event Injection", whose EVENTINJ has the fields of the VM-entry interruption information.
 */
#include <model/sampling/records.h>

#include <arch/regs/vmx.h>

void refpmu_svme(struct refpmu_cpu *m, bool is_svme)
{
	if (m->is_svme == is_svme)
		return;
	model_before_switch(m);
	m->is_svme = is_svme;
	model_after_switch(m);
}

enum refpmu_vm_check refpmu_vm_check(const struct refpmu_cpu *m, const struct refpmu_vm *vm)
{
	return m->generation->vm_check ? m->generation->vm_check(rules_of(m), vm)
	                               : REFPMU_VM_PASSES;
}

enum refpmu_branch refpmu_vm_entered(struct refpmu_cpu *m, const struct refpmu_vm *vm)
{
	enum refpmu_branch retires = REFPMU_BRANCHES;

	model_before_switch(m);
	m->is_guest = true;
	if (m->generation->vm_enter)
		retires = m->generation->vm_enter(m, vm);
	model_after_switch(m);
	return retires;
}

void refpmu_vm_injected(struct refpmu_cpu *m, uint32_t event)
{
	unsigned vector = (unsigned)FIELD_GET(VMCS_INFO_VECTOR, event);

	switch (FIELD_GET(VMCS_INFO_TYPE, event)) {
	case VMCS_INFO_TYPE_EXTERNAL:
	case VMCS_INFO_TYPE_NMI:
		refpmu_interrupt(m, vector);
		break;
	default:
		refpmu_exception(m, vector);
	}
}

enum refpmu_status refpmu_vm_load(struct refpmu_cpu *m, uint32_t msr, uint64_t value)
{
	return refpmu_wrmsr(m, msr, value);
}

enum refpmu_status refpmu_vm_store(struct refpmu_cpu *m, uint32_t msr, uint64_t *value)
{
	return refpmu_rdmsr(m, msr, value);
}

void refpmu_vm_exited(struct refpmu_cpu *m, struct refpmu_vm *vm)
{
	model_before_switch(m);
	m->is_guest = false;
	if (m->generation->vm_exit)
		m->generation->vm_exit(m, vm);
	model_after_switch(m);
}
