/* SPDX-License-Identifier: MIT */
/*
 * Instructions for which Bochs' instrumentation has no callback, or none that could refuse: their
 * handlers are replaced when they are decoded. Registers that are not the PMU's go to Bochs' own.
 */
#include "details.h"
#include "guests.h"
#include "ports.h"
#include "cpu/decoder/fetchdecode.h"
#include "cpu/msr.h"
#include "cpu/svm.h"

extern struct bxIAOpcodeTable BxOpcodesTable[];

static BxExecutePtr_tR handler_of[BX_IA_LAST];  /* Bochs' own handlers of these instructions */

/* The class adds no data: every processor of Bochs is one. */
class ModelCpu : public BX_CPU_C {
public:
	void read_msr(bxInstruction_c *i);
	void write_msr(bxInstruction_c *i);
	void read_pmc(bxInstruction_c *i);
	void read_tsc(bxInstruction_c *i);
	void leave_smm(bxInstruction_c *i);
	void enter_guest(bxInstruction_c *i);
	void run_guest(bxInstruction_c *i);
	void may_assist(bxInstruction_c *i);
	void read_port(bxInstruction_c *i);
	void write_port(bxInstruction_c *i);
private:
	void fault_on(enum refpmu_status status);
	void look_at(bxInstruction_c *i);
};

void ModelCpu::fault_on(enum refpmu_status status)
{
	note_activity();
	if (status == REFPMU_GP)
		exception(BX_GP_EXCEPTION, 0);
	if (status == REFPMU_UD)
		exception(BX_UD_EXCEPTION, 0);
}

/* Looks at this instruction as before it: it may make the model active. */
void ModelCpu::look_at(bxInstruction_c *i)
{
	bx_model_moved(BX_CPU_ID);
	bx_model_before(BX_CPU_ID, i);
	glues[BX_CPU_ID].insn.ip -= i->ilen();  /* RIP already points after the instruction */
}

/* Elsewhere RDMSR and WRMSR are #GP(0), which goes before a VM exit. */
static bool may_access_msrs(BX_CPU_C *c)
{
	return c->sregs[BX_SEG_REG_CS].selector.rpl == 0;
}

/* In a guest: leaves it, and does not return, if the VMM wants to see this access. */
static void exit_by_msr(BX_CPU_C *c, unsigned reason, Bit32u msr)
{
	if (c->in_vmx_guest)
		c->VMexit_MSR(reason, msr);
	if (c->in_svm_guest)
		c->SvmInterceptMSR(reason == VMX_VMEXIT_RDMSR ? BX_READ : BX_WRITE, msr);
}

static bool intercepts(BX_CPU_C *c, unsigned bit)
{
	return c->vmcb->ctrls.intercept_vector[bit / 32] >> bit % 32 & 1;
}

/* Says whether RDPMC leaves the guest, whatever its index is. #GP for the CPL goes before. */
static bool exits_by_rdpmc(BX_CPU_C *c)
{
	if (c->in_svm_guest)
		return intercepts(c, SVM_INTERCEPT0_RDPMC);
	return c->in_vmx_guest && c->vmcs.vmexec_ctrls1.RDPMC_VMEXIT();
}

void ModelCpu::read_msr(bxInstruction_c *i)
{
	bool is_immediate = i->getIaOpcode() == BX_IA_RDMSR_EqId;
	enum refpmu_status status = REFPMU_NOT_MINE;
	uint64_t value = 0;

	if (may_access_msrs(this)) {
		exit_by_msr(this, VMX_VMEXIT_RDMSR, is_immediate ? i->Id() : ECX);
		status = refpmu_rdmsr(glues[BX_CPU_ID].model, is_immediate ? i->Id() : ECX, &value);
		fault_on(status);
	}
	if (status == REFPMU_NOT_MINE)
		return read_tsc(i);
	if (is_immediate) {
		BX_WRITE_64BIT_REG(i->dst(), value);
	} else {
		refpmu_rdmsr_registers(value, &RAX, &RDX);
	}
	BX_NEXT_INSTR(i);
}

void ModelCpu::write_msr(bxInstruction_c *i)
{
	bool is_immediate = i->getIaOpcode() == BX_IA_WRMSRNS_IdEq;
	Bit32u msr = is_immediate ? i->Id() : ECX;
	Bit64u value = is_immediate ? BX_READ_64BIT_REG(i->src()) : GET64_FROM_HI32_LO32(EDX, EAX);
	enum refpmu_status status = REFPMU_NOT_MINE;

	look_at(i);
	if (may_access_msrs(this)) {
		exit_by_msr(this, VMX_VMEXIT_WRMSR, msr);
		status = refpmu_wrmsr(glues[BX_CPU_ID].model, msr, value);
		choose_looks(BX_CPU_ID);
		fault_on(status);
		if (msr == BX_MSR_TSC) {        /* Bochs sets the TSC without the offset */
			set_tsc_right(BX_CPU_ID);
			glues[BX_CPU_ID].tsc_shift = 0;
			set_tsc_offset(BX_CPU_ID);
		}
	}
	if (status != REFPMU_NOT_MINE)
		BX_NEXT_TRACE(i);
	(this->*handler_of[i->getIaOpcode()])(i);
	note_svme(BX_CPU_ID);           /* it may have been EFER */
	note_activity();
}

void ModelCpu::read_pmc(bxInstruction_c *i)
{
	enum refpmu_status status = REFPMU_NOT_MINE;
	uint64_t value = 0;

	if (!exits_by_rdpmc(this)) {
		status = refpmu_rdpmc(glues[BX_CPU_ID].model, RCX, CPL, cr4.get_PCE(), &value);
		fault_on(status);
	}
	if (status == REFPMU_NOT_MINE)
		return (this->*handler_of[BX_IA_RDPMC])(i);
	refpmu_rdpmc_registers(value, &RAX, &RDX);
	BX_NEXT_INSTR(i);
}

void ModelCpu::read_tsc(bxInstruction_c *i)
{
	if (glues[BX_CPU_ID].is_active)
		set_tsc_right(BX_CPU_ID);
	else
		set_tsc_offset(BX_CPU_ID);
	return (this->*handler_of[i->getIaOpcode()])(i);
}

/*
 * Bochs checks all fields but the PMU's. Its handler does not return if the entry fails after the
 * guest's state was checked, or if an event that it injects causes a VM exit or an exception.
 */
void ModelCpu::enter_guest(bxInstruction_c *i)
{
	struct Glue *g = &glues[BX_CPU_ID];
	bool may_enter = in_vmx && !in_vmx_guest && protected_mode() &&
	                 cpu_mode != BX_MODE_LONG_COMPAT && CPL == 0;

	bx_model_moved(BX_CPU_ID);
	bool is_launch = i->getIaOpcode() == BX_IA_VMLAUNCH;
	switch (may_enter ? check_entry(BX_CPU_ID, is_launch) : REFPMU_VM_PASSES) {
	case REFPMU_VM_HOST_FIELD:
		clearEFlagsOSZAPC();            /* "VMfailValid", SDM's section "Conventions" */
		assert_ZF();
		VMwrite32(VMCS_32BIT_INSTRUCTION_ERROR, VMXERR_VMENTRY_INVALID_VM_HOST_STATE_FIELD);
		BX_NEXT_TRACE(i);
	case REFPMU_VM_GUEST_FIELD:
		VMexit(VMX_VMEXIT_VMENTRY_FAILURE_GUEST_STATE | (1 << 31), VMENTER_ERR_NO_ERROR);
	case REFPMU_VM_PASSES:
		break;
	}
	g->enters_guest = may_enter;
	(this->*handler_of[i->getIaOpcode()])(i);
	g->enters_guest = g->injects = false;
	handleInterruptMaskChange();    /* Bochs looks only if IF changes: docs/bochs.md */
}

/*
 * VMRUN sets GIF when it has entered the guest, and #VMEXIT clears it. Set before, it tells the
 * load of the guest's state from that of the host's after an entry that fails.
 */
void ModelCpu::run_guest(bxInstruction_c *i)
{
	struct Glue *g = &glues[BX_CPU_ID];

	look_at(i);
	g->enters_guest = protected_mode() && efer.get_SVME() && CPL == 0 && !in_svm_guest &&
	                  IsValidPageAlignedPhyAddr(RAX & i->asize_mask());
	svm_gif |= g->enters_guest;
	(this->*handler_of[BX_IA_VMRUN])(i);
	g->enters_guest = g->injects = false;
	handleInterruptMaskChange();    /* as after a VM entry */
	unmask_interrupts(this);
}

/* Bochs' handler reports that RSM has retired, and does not return if it faults. */
void ModelCpu::leave_smm(bxInstruction_c *i)
{
	(this->*handler_of[BX_IA_RSM])(i);
	bx_model_moved(BX_CPU_ID);
	refpmu_rsm(glues[BX_CPU_ID].model);
	note_svme(BX_CPU_ID);
	choose_looks(BX_CPU_ID);
	note_activity();
}

/* Returns Bochs' own handler, unless decoding has found that the instruction faults. */
static BxExecutePtr_tR usual_handler(const bxInstruction_c *i)
{
	const struct bxIAOpcodeTable *row = &BxOpcodesTable[i->getIaOpcode()];

	return i->modC0() ? row->execute2 : row->execute1;
}

/* Used on NetBurst only: each instruction of P5 and P6 is looked at before it executes. */
void ModelCpu::may_assist(bxInstruction_c *i)
{
	if (bx_model_watched)
		details_before(BX_CPU_ID, i);
	return (this->*usual_handler(i))(i);
}

/* The original makes the checks, and the #GP, of an access that is not allowed. */
void ModelCpu::read_port(bxInstruction_c *i)
{
	Bit16u port = i->getIaOpcode() == BX_IA_IN_ALDX ? DX : i->Ib();
	Bit8u value;

	if (!allow_io(i, port, 1) || !ports_read(RIP, port, &value))
		return (this->*handler_of[i->getIaOpcode()])(i);
	BX_INSTR_INP(port, 1);
	AL = value;
	BX_NEXT_TRACE(i);
}

void ModelCpu::write_port(bxInstruction_c *i)
{
	Bit16u port = i->getIaOpcode() == BX_IA_OUT_DXAL ? DX : i->Ib();

	if (!allow_io(i, port, 1) || !ports_write(RIP, port, AL))
		return (this->*handler_of[i->getIaOpcode()])(i);
	BX_INSTR_OUTP(port, 1, AL);
	BX_NEXT_TRACE(i);
}

static bool is_assisted(const struct Glue *g, const bxInstruction_c *i)
{
	const struct Opcode *opcode = opcode_of(i);

	return g->needs.details && !g->needs.all_details && i->execute1 == usual_handler(i) &&
	       (opcode->may_assist_x87 || opcode->may_assist_sse);
}

static void replace(bxInstruction_c *i, void (ModelCpu::*handler)(bxInstruction_c *))
{
	handler_of[i->getIaOpcode()] = i->execute1;
	i->execute1 = static_cast<BxExecutePtr_tR>(handler);
}

/* Called when an instruction is decoded; may replace its handler. */
void bx_model_opcode(unsigned cpu, bxInstruction_c *i, const Bit8u *bytes, unsigned bits)
{
	void (ModelCpu::*handler)(bxInstruction_c *);

	take_kind(i, bytes, bits);
	switch (i->getIaOpcode()) {
	case BX_IA_RDMSR:
	case BX_IA_RDMSR_EqId:
		handler = &ModelCpu::read_msr;
		break;
	case BX_IA_WRMSR:
	case BX_IA_WRMSRNS:
	case BX_IA_WRMSRNS_IdEq:
		handler = &ModelCpu::write_msr;
		break;
	case BX_IA_RDPMC:
		handler = &ModelCpu::read_pmc;
		break;
	case BX_IA_VMLAUNCH:
	case BX_IA_VMRESUME:
		handler = &ModelCpu::enter_guest;
		break;
	case BX_IA_VMRUN:
		handler = &ModelCpu::run_guest;
		break;
	case BX_IA_RSM:
		handler = &ModelCpu::leave_smm;
		break;
	case BX_IA_RDTSC:
	case BX_IA_RDTSCP:
		handler = &ModelCpu::read_tsc;
		break;
	case BX_IA_IN_ALDX:
	case BX_IA_IN_ALIb:
		if (ports_are_ours())
			replace(i, &ModelCpu::read_port);
		return;
	case BX_IA_OUT_DXAL:
	case BX_IA_OUT_IbAL:
		if (ports_are_ours())
			replace(i, &ModelCpu::write_port);
		return;
	default:
		if (is_assisted(&glues[cpu], i))
			i->execute1 = static_cast<BxExecutePtr_tR>(&ModelCpu::may_assist);
		return;
	}
	if (glues[cpu].has_pmu)
		replace(i, handler);
}
