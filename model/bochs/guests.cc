/* SPDX-License-Identifier: MIT */
/*
 * Virtual machines. Bochs has the VMCS with its controls and fields, but neither loads nor saves
 * those of the PMU, and the lists of MSRs reach its own registers alone; nor does it look at the
 * VMCB's. Here fields and rows pass between Bochs and the model, which knows what becomes of them.
 */
#include "guests.h"
#include "cpu/msr.h"
#include "cpu/svm.h"

/* Of the VMCB. APM 2, appendix "VMCB Layout". */
static const unsigned LBR_VIRTUALIZATION = 0xb8, DBGCTL = 0x670;

static const Bit32u X2APIC = 0x800, X2APIC_LAST = 0x8ff;        /* no list may name these */
static const Bit32u ENTRY_FAILED = 1u << 31;    /* in the reason of a VM exit */

/* Follows what a write of a register may have changed. */
static void note_registers(unsigned cpu)
{
	choose_looks(cpu);
	note_activity();
}

/* Bochs panics if it is asked for a field that the processor does not have. */
static Bit64u field(BX_CPU_C *c, Bit32u encoding)
{
	return c->vmcs_field_supported(encoding) ? c->VMread64(encoding) : 0;
}

Bit64u vmcb_read(BX_CPU_C *c, unsigned offset)
{
	return c->read_physical_qword(c->vmcbptr + offset, MEMTYPE(c->vmcb_memtype),
	                              BX_VMCS_ACCESS);
}

static struct refpmu_vm vm_of(BX_CPU_C *c)
{
	struct refpmu_vm vm = {};

	if (glues[c->which_cpu()].is_amd) {
		vm.has_lbr_virtualization = vmcb_read(c, LBR_VIRTUALIZATION) & 1;
		vm.guest.debugctl = vmcb_read(c, DBGCTL);
		return vm;
	}
	vm.entry_controls = c->VMread32(VMCS_32BIT_CONTROL_VMENTRY_CONTROLS);
	vm.exit_controls = c->VMread32(VMCS_32BIT_CONTROL_VMEXIT_CONTROLS);
	vm.guest.debugctl = field(c, VMCS_64BIT_GUEST_IA32_DEBUGCTL);
	vm.guest.global_ctrl = field(c, VMCS_64BIT_GUEST_IA32_PERF_GLOBAL_CTRL);
	vm.host.global_ctrl = field(c, VMCS_64BIT_HOST_IA32_PERF_GLOBAL_CTRL);
	return vm;
}

static void save(BX_CPU_C *c, const struct refpmu_vm *vm)
{
	c->VMwrite64(VMCS_64BIT_GUEST_IA32_DEBUGCTL, vm->guest.debugctl);
	if (c->vmcs_field_supported(VMCS_64BIT_GUEST_IA32_PERF_GLOBAL_CTRL))
		c->VMwrite64(VMCS_64BIT_GUEST_IA32_PERF_GLOBAL_CTRL, vm->guest.global_ctrl);
}

/* ---------------------------------------------------------------------------- VM entry */

/* Says whether Bochs' own checks that come before those of guest fields let the entry through. */
static bool passes_other_checks(BX_CPU_C *c, bool is_launch)
{
	return !c->interrupts_inhibited(BX_INHIBIT_INTERRUPTS_BY_MOVSS) &&
	       c->VMread32(VMCS_LAUNCH_STATE_FIELD_ENCODING) ==
	       (Bit32u)(is_launch ? VMCS_STATE_CLEAR : VMCS_STATE_LAUNCHED) &&
	       c->VMenterLoadCheckVmControls() == VMXERR_NO_ERROR &&
	       c->VMenterLoadCheckHostState() == VMXERR_NO_ERROR;
}

enum refpmu_vm_check check_entry(unsigned cpu, bool is_launch)
{
	BX_CPU_C *c = BX_CPU(cpu);

	if (c->vmcsptr == BX_INVALID_VMCSPTR)
		return REFPMU_VM_PASSES;
	struct refpmu_vm vm = vm_of(c);
	enum refpmu_vm_check check = refpmu_vm_check(glues[cpu].model, &vm);
	if (check != REFPMU_VM_PASSES && !passes_other_checks(c, is_launch))
		return REFPMU_VM_PASSES;        /* another check fails before */
	return check;
}

/* The guest's state is loaded; the list of MSRs and an event that is injected come next. */
static void load_guest(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	struct refpmu_vm vm = vm_of(BX_CPU(cpu));

	g->insn.branch = (uint8_t)refpmu_vm_entered(g->model, &vm);
	g->insn.is_taken = true;
	g->injects = true;
	g->is_in_svm_guest = g->is_amd;
	note_registers(cpu);
}

/* Bochs delivers an event. Those that a VM entry injects are reported here alone. */
void bx_model_delivers(unsigned cpu, unsigned vector)
{
	BX_CPU_C *c = BX_CPU(cpu);

	(void)vector;
	if (!glues[cpu].injects)
		return;
	glues[cpu].injects = false;
	note_handler(cpu);
	refpmu_vm_injected(glues[cpu].model, glues[cpu].is_amd ? c->vmcb->ctrls.eventinj
	                                                       : c->vmcs.vmentry_interr_info);
	bx_model_moved(cpu);
	note_activity();
}

/* With V_INTR_MASKING the host's IF masks interrupts. Bochs has masked them if the guest's IF is 0,
 * and never unmasks them: docs/bochs.md. */
void unmask_interrupts(BX_CPU_C *c)
{
	if (!c->in_svm_guest || !c->vmcb->ctrls.v_intr_masking)
		return;
	bool is_open = c->vmcb->host_state.eflags & EFlagsIFMask;
	if (is_open)
		c->unmask_event(BX_EVENT_PENDING_INTR | BX_EVENT_PENDING_LAPIC_INTR);
}

/* ---------------------------------------------------------------------------- VM exit */

bool leaves_guest(BX_CPU_C *c, unsigned vector)
{
	Bit32u leaving = c->in_vmx_guest ? c->vmcs.vm_exceptions_bitmap :
	                 c->in_svm_guest ? c->vmcb->ctrls.exceptions_intercept : 0;

	return vector != BX_PF_EXCEPTION && (leaving >> vector & 1);
}

/* Stores one row of the list; returns false if Bochs has to find what is wrong with it. */
static bool store_listed(BX_CPU_C *c, struct refpmu_cpu *model, bx_phy_address row)
{
	Bit64u index = c->read_physical_qword(row, MEMTYPE(c->resolve_memtype(row)),
	                                      BX_VMX_STORE_MSR_ACCESS);
	Bit64u own;
	uint64_t value;

	if (GET32H(index) || (index >= X2APIC && index <= X2APIC_LAST))
		return false;
	enum refpmu_status status = refpmu_vm_store(model, GET32L(index), &value);
	if (status == REFPMU_NOT_MINE && c->rdmsr(GET32L(index), &own)) {
		status = REFPMU_OK;
		value = own;
	}
	if (status == REFPMU_OK)
		c->write_physical_qword(row + 8, value, MEMTYPE(c->resolve_memtype(row)),
		                        BX_VMX_STORE_MSR_ACCESS);
	return status == REFPMU_OK;
}

/* Bochs itself reads its own registers only, so it gets no rows, unless a row is wrong. */
static void store_list(BX_CPU_C *c, struct refpmu_cpu *model)
{
	VMCS_CACHE *vm = &c->vmcs;

	for (Bit32u row = 0; row < vm->vmexit_msr_store_cnt; row++)
		if (!store_listed(c, model, vm->vmexit_msr_store_addr + 16 * row))
			return;
	vm->vmexit_msr_store_cnt = 0;   /* each VM entry reads it from the VMCS again */
}

/* A VM exit begins: Bochs still has the guest's state. */
void bx_model_vmexit(unsigned cpu, unsigned reason)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (!g->has_pmu)
		return;
	bx_model_moved(cpu);
	if (g->is_asleep)
		wake(cpu);
	g->enters_guest = g->injects = false;
	g->leaves_guest = true;
	struct refpmu_vm vm = vm_of(c);
	vm.is_failed = (reason & ENTRY_FAILED) != 0;
	if (!vm.is_failed)
		store_list(c, g->model);
	refpmu_vm_exited(g->model, &vm);
	save(c, &vm);
}

/* A #VMEXIT: the host's state is loaded. */
static void leave_svm_guest(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);
	struct refpmu_vm vm = vm_of(c);

	if (g->is_asleep)
		wake(cpu);
	g->is_in_svm_guest = g->injects = false;
	refpmu_vm_exited(g->model, &vm);
	if (vm.has_lbr_virtualization)
		c->write_physical_qword(c->vmcbptr + DBGCTL, vm.guest.debugctl,
		                        MEMTYPE(c->vmcb_memtype), BX_VMCS_ACCESS);
	note_registers(cpu);
}

/* ---------------------------------------------------------------------------- both */

/* Bochs has loaded the state of the guest, or of the host, whose list of MSRs comes next. */
void switch_guest(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (g->is_in_svm_guest && !BX_CPU(cpu)->in_svm_guest) {
		leave_svm_guest(cpu);
	} else if (g->enters_guest && (!g->is_amd || BX_CPU(cpu)->svm_gif)) {
		load_guest(cpu);
	} else if (g->leaves_guest) {
		note_registers(cpu);
		BX_CPU(cpu)->handleInterruptMaskChange();       /* docs/bochs.md */
	}
	g->enters_guest = g->leaves_guest = false;
}

/* Bochs writes a register: for WRMSR, which has asked the model already, or for a row of a list. */
int bx_model_wrmsr(unsigned cpu, unsigned msr, Bit64u value)
{
	if (!glues[cpu].has_pmu)
		return BX_MODEL_NOT_MINE;
	enum refpmu_status status = refpmu_vm_load(glues[cpu].model, msr, value);
	if (status == REFPMU_NOT_MINE)
		return BX_MODEL_NOT_MINE;
	note_registers(cpu);
	return status == REFPMU_OK;
}
