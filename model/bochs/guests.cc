/* SPDX-License-Identifier: MIT */
/*
 * Virtual machines of VMX. Bochs has the VMCS with its controls and fields, but neither loads nor
 * saves IA32_PERF_GLOBAL_CTRL and IA32_DEBUGCTL, and the lists of MSRs reach its own registers
 * alone. Sources: SDM 3C, "VM Entries", "VM Exits", "VMX Controls and ...: MSR areas".
 */
#include "guests.h"
#include "cpu/msr.h"

static const Bit32u DEBUGCTL = 0x1d9, PERF_GLOBAL_CTRL = 0x38f;
static const Bit32u X2APIC = 0x800, X2APIC_LAST = 0x8ff;        /* no list may name these */
static const Bit32u ENTRY_FAILED = 1u << 31;    /* in the reason of a VM exit */

static bool has(Bit32u controls, Bit32u control)
{
	return (controls & control) != 0;
}

/* ---------------------------------------------------------------------------- VM entry */

/* Returns whether a register has reserved bits that are set in the value; leaves it as it is. */
static bool is_reserved_in(struct refpmu_cpu *model, Bit32u msr, Bit64u value)
{
	uint64_t now;

	if (refpmu_rdmsr(model, msr, &now) != REFPMU_OK || now == value)
		return false;
	if (refpmu_wrmsr(model, msr, value) == REFPMU_GP)
		return true;
	refpmu_wrmsr(model, msr, now);
	return false;
}

static bool is_host_field_wrong(BX_CPU_C *c, struct refpmu_cpu *model)
{
	return has(c->VMread32(VMCS_32BIT_CONTROL_VMEXIT_CONTROLS),
	           VMX_VMEXIT_CTRL1_LOAD_PERF_GLOBAL_CTRL_MSR) &&
	       is_reserved_in(model, PERF_GLOBAL_CTRL,
	                      c->VMread64(VMCS_64BIT_HOST_IA32_PERF_GLOBAL_CTRL));
}

static bool is_guest_field_wrong(BX_CPU_C *c, struct refpmu_cpu *model)
{
	Bit32u controls = c->VMread32(VMCS_32BIT_CONTROL_VMENTRY_CONTROLS);

	return (has(controls, VMX_VMENTRY_CTRL1_LOAD_PERF_GLOBAL_CTRL_MSR) &&
	        is_reserved_in(model, PERF_GLOBAL_CTRL,
	                       c->VMread64(VMCS_64BIT_GUEST_IA32_PERF_GLOBAL_CTRL))) ||
	       (has(controls, VMX_VMENTRY_CTRL1_LOAD_DBG_CTRLS) &&
	        is_reserved_in(model, DEBUGCTL, c->VMread64(VMCS_64BIT_GUEST_IA32_DEBUGCTL)));
}

/* Says whether Bochs' own checks that come before those of guest fields let the entry through. */
static bool passes_other_checks(BX_CPU_C *c, bool is_launch)
{
	return c->vmcsptr != BX_INVALID_VMCSPTR &&
	       !c->interrupts_inhibited(BX_INHIBIT_INTERRUPTS_BY_MOVSS) &&
	       c->VMread32(VMCS_LAUNCH_STATE_FIELD_ENCODING) ==
	       (Bit32u)(is_launch ? VMCS_STATE_CLEAR : VMCS_STATE_LAUNCHED) &&
	       c->VMenterLoadCheckVmControls() == VMXERR_NO_ERROR &&
	       c->VMenterLoadCheckHostState() == VMXERR_NO_ERROR;
}

enum entry_problem check_entry(unsigned cpu, bool is_launch)
{
	BX_CPU_C *c = BX_CPU(cpu);
	struct refpmu_cpu *model = glues[cpu].model;

	if (c->vmcsptr == BX_INVALID_VMCSPTR)
		return ENTRY_PASSES;
	if (is_host_field_wrong(c, model))
		return passes_other_checks(c, is_launch) ? ENTRY_HOST_FIELD : ENTRY_PASSES;
	if (is_guest_field_wrong(c, model))
		return passes_other_checks(c, is_launch) ? ENTRY_GUEST_FIELD : ENTRY_PASSES;
	return ENTRY_PASSES;
}

/* Follows what a write of a register may have changed. */
static void note_registers(unsigned cpu)
{
	choose_looks(cpu);
	note_activity();
}

/* The guest's state is loaded; the list of MSRs and an event that is injected come next. */
static void load_guest(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (c->vmcs.vmentry_ctrls.LOAD_DBG_CTRLS())
		refpmu_wrmsr(g->model, DEBUGCTL, c->VMread64(VMCS_64BIT_GUEST_IA32_DEBUGCTL));
	if (c->vmcs.vmentry_ctrls.LOAD_PERF_GLOBAL_CTRL_MSR())
		refpmu_wrmsr(g->model, PERF_GLOBAL_CTRL,
		             c->VMread64(VMCS_64BIT_GUEST_IA32_PERF_GLOBAL_CTRL));
	note_registers(cpu);
	g->insn.branch = NOT_RETIRED;
	g->injects = true;
}

/* Bochs delivers an event. Those that a VM entry injects are reported here alone. */
void bx_model_delivers(unsigned cpu, unsigned vector)
{
	if (!glues[cpu].injects)
		return;
	glues[cpu].injects = false;
	switch (BX_CPU(cpu)->vmcs.vmentry_interr_info >> 8 & 7) {
	case BX_EXTERNAL_INTERRUPT:
	case BX_NMI:
		return bx_model_interrupt(cpu, vector);
	default:
		return deliver_exception(cpu, vector);
	}
}

/* ---------------------------------------------------------------------------- VM exit */

static void save_guest(BX_CPU_C *c, struct refpmu_cpu *model)
{
	uint64_t value;

	if (c->vmcs.vmexit_ctrls1.SAVE_DBG_CTRLS() &&
	    refpmu_rdmsr(model, DEBUGCTL, &value) == REFPMU_OK)
		c->VMwrite64(VMCS_64BIT_GUEST_IA32_DEBUGCTL, value);
	if (c->vmcs.vmexit_ctrls1.SAVE_PERF_GLOBAL_CTRL() &&
	    refpmu_rdmsr(model, PERF_GLOBAL_CTRL, &value) == REFPMU_OK)
		c->VMwrite64(VMCS_64BIT_GUEST_IA32_PERF_GLOBAL_CTRL, value);
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
	switch (refpmu_rdmsr(model, GET32L(index), &value)) {
	case REFPMU_OK:
		break;
	case REFPMU_NOT_MINE:
		if (!c->rdmsr(GET32L(index), &own))
			return false;
		value = own;
		break;
	default:
		return false;
	}
	c->write_physical_qword(row + 8, value, MEMTYPE(c->resolve_memtype(row)),
	                        BX_VMX_STORE_MSR_ACCESS);
	return true;
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

/* A VM exit begins: the guest's state is still there. */
void bx_model_vmexit(unsigned cpu, unsigned reason)
{
	struct Glue *g = &glues[cpu];

	if (!g->has_pmu)
		return;
	bx_model_moved(cpu);
	if (g->is_asleep)
		wake(cpu);
	g->enters_guest = g->injects = false;
	g->leaves_guest = true;
	if (reason & ENTRY_FAILED)
		return;
	save_guest(BX_CPU(cpu), g->model);
	store_list(BX_CPU(cpu), g->model);
}

/* The host's state is loaded; the list of MSRs comes next. */
static void load_host(unsigned cpu)
{
	BX_CPU_C *c = BX_CPU(cpu);

	refpmu_wrmsr(glues[cpu].model, DEBUGCTL, 0);
	if (c->vmcs.vmexit_ctrls1.LOAD_PERF_GLOBAL_CTRL_MSR())
		refpmu_wrmsr(glues[cpu].model, PERF_GLOBAL_CTRL,
		             c->VMread64(VMCS_64BIT_HOST_IA32_PERF_GLOBAL_CTRL));
	note_registers(cpu);
	c->handleInterruptMaskChange(); /* Bochs looks only if EFLAGS.IF changes: docs/bochs.md */
}

/* ---------------------------------------------------------------------------- both */

void switch_guest(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (g->enters_guest)
		load_guest(cpu);
	else if (g->leaves_guest)
		load_host(cpu);
	g->enters_guest = g->leaves_guest = false;
}

/* Bochs writes a register: for WRMSR, which has asked the model already, or for a row of a list. */
int bx_model_wrmsr(unsigned cpu, unsigned msr, Bit64u value)
{
	if (!glues[cpu].has_pmu)
		return BX_MODEL_NOT_MINE;
	enum refpmu_status status = refpmu_wrmsr(glues[cpu].model, msr, value);
	if (status == REFPMU_NOT_MINE)
		return BX_MODEL_NOT_MINE;
	note_registers(cpu);
	return status == REFPMU_OK;
}
