/* SPDX-License-Identifier: MIT */
/*
 * The glue between Bochs and the model of the PMU: translates what Bochs tells and what the model
 * asks for, and knows nothing of PMUs. Nothing of Bochs is changed: where its instrumentation has
 * no callback, the handlers of decoded instructions are replaced (bx_model_opcode).
 */
#define NEED_CPU_REG_SHORTCUTS 1
#include "bochs.h"
#include "cpu/cpu.h"
#include "cpu/apic.h"
#include "cpu/cpuid.h"
#include "cpu/msr.h"
#include "cpu/decoder/ia_opcodes.h"
#include "gui/siminterface.h"
#include "param_names.h"
#include "pc_system.h"

#include <model/model.h>
#include "traits.h"

/* One for each logical processor. */
struct Glue {
	struct model_insn insn;         /* the one under way */
	bool goes_to_sleep;             /* it is HLT or MWAIT */
	bool has_pmu;                   /* there are rules for this processor */
	bool is_asleep;
	Bit64u told_ticks;              /* asleep: up to when the model knows of it */
	int timer;                      /* asleep: the next overflow is due */
	Bit64u clock_cycles, clock_ticks;       /* active: where the TSC was set right last */
	Bit32u cr0, cr4;
	struct model model;
};

bool bx_model_active[64];

static const unsigned CPUS = sizeof(bx_model_active) / sizeof(bx_model_active[0]);
static const Bit32u LVTPC = 0x340;              /* SDM 3A, "Local APIC Register Address Map" */
static const Bit32u APIC_GLOBAL_ENABLE = 1 << 11;
/* SDM 3A, "Operations that Invalidate TLBs and Paging-Structure Caches": CR0.PG; CR4.PSE, PAE,
 * PGE, PCIDE, SMEP. */
static const Bit32u CR0_FLUSHING = 1u << 31;
static const Bit32u CR4_FLUSHING = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 17 | 1 << 20;

static struct Glue glues[CPUS];
static struct model_package packages[CPUS];
static Bit32u traits_of[BX_IA_LAST];
static BxExecutePtr_tR handler_of[BX_IA_LAST];  /* Bochs' own, of the replaced ones */

/* ---------------------------------------------------------------------------- time */

/* Instructions executed so far; Bochs' own clock lags behind within a trace. */
static Bit64u ticks_of(unsigned cpu)
{
	Bit64u ticks = bx_pc_system.time_ticks();

	if (BX_SMP_PROCESSORS == 1)
		ticks += BX_CPU(cpu)->get_icount() - BX_CPU(cpu)->get_icount_last_sync();
	return ticks;
}

/* Makes Bochs' TSC, which is its clock and an offset, move with the model's cycles. */
static void set_tsc_right(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	Bit64u ticks = bx_pc_system.time_ticks();

	BX_CPU(cpu)->tsc_offset +=
		(Bit64s)((g->model.cycles - g->clock_cycles) - (ticks - g->clock_ticks));
	g->clock_cycles = g->model.cycles;
	g->clock_ticks = ticks;
}

/* After whatever may have made the model active or idle. */
static void note_activity(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (g->model.is_active == bx_model_active[cpu])
		return;
	bx_model_active[cpu] = g->model.is_active;
	if (!g->model.is_active)
		return set_tsc_right(cpu);
	g->clock_cycles = g->model.cycles;
	g->clock_ticks = bx_pc_system.time_ticks();
	g->cr0 = BX_CPU(cpu)->cr0.get32();
	g->cr4 = BX_CPU(cpu)->cr4.get32();
}

/* ---------------------------------------------------------------------------- asleep */

static void expect_overflow(struct Glue *g, uint64_t cycles)
{
	if (cycles == UINT64_MAX)
		bx_pc_system.deactivate_timer(g->timer);
	else
		bx_pc_system.activate_timer_ticks(g->timer, cycles, false);
}

static void fall_asleep(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	g->is_asleep = true;
	g->told_ticks = ticks_of(cpu) + 1;      /* this instruction's own tick is to come */
	expect_overflow(g, model_halt(&g->model));
}

/* Tells the model how long it has slept; one tick is one cycle. */
static void tell_sleep(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	Bit64u now = ticks_of(cpu);
	Bit64u slept = now > g->told_ticks ? now - g->told_ticks : 0;

	g->told_ticks = now;
	expect_overflow(g, model_halted(&g->model, slept));
	note_activity(cpu);
}

static void wake(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	g->is_asleep = false;
	tell_sleep(cpu);
	bx_pc_system.deactivate_timer(g->timer);
}

static void overflow_is_due(void *glue)
{
	unsigned cpu = (unsigned)((struct Glue *)glue - glues);

	if (glues[cpu].is_asleep)
		tell_sleep(cpu);
}

void bx_model_sleep(unsigned cpu)
{
	glues[cpu].goes_to_sleep = true;
}

/* ---------------------------------------------------------------------------- what the model asks */

/* Taken right after the instruction under way: Bochs looks for events once its trace is stopped. */
static void raise_pmi(void *context)
{
	unsigned cpu = (unsigned)((struct Glue *)context - glues);
	bx_local_apic_c *apic = BX_CPU(cpu)->lapic;

	if (!(BX_CPU(cpu)->msr.apicbase & APIC_GLOBAL_ENABLE))
		return;
	Bit32u before = apic->read_aligned(LVTPC);
	struct model_lvtpc pmi = model_lvtpc(&glues[cpu].model, before);
	if (pmi.lvtpc != before)
		apic->write_aligned(LVTPC, pmi.lvtpc);
	if (!pmi.is_delivered)
		return;
	apic->deliver(pmi.vector, pmi.delivery, 0);
	BX_CPU(cpu)->async_event |= BX_ASYNC_EVENT_STOP_TRACE;
}

/* ---------------------------------------------------------------------------- instructions */

/* Handlers in place of Bochs' own. The class adds no data: every processor of Bochs is one. */
class ModelCpu : public BX_CPU_C {
public:
	void begin();
	void read_msr(bxInstruction_c *i);
	void write_msr(bxInstruction_c *i);
	void read_pmc(bxInstruction_c *i);
	void read_tsc(bxInstruction_c *i);
private:
	void fault_on(enum model_status status);
};

void ModelCpu::begin()
{
	struct Glue *g = &glues[BX_CPU_ID];

	g->insn.ip = get_laddr(BX_SEG_REG_CS, prev_rip);
	g->insn.cpl = (uint8_t)CPL;
	g->insn.branch = MODEL_NO_BRANCH;
	g->goes_to_sleep = false;
}

void ModelCpu::fault_on(enum model_status status)
{
	note_activity(BX_CPU_ID);
	if (status == MODEL_GP)
		exception(BX_GP_EXCEPTION, 0);
	if (status == MODEL_UD)
		exception(BX_UD_EXCEPTION, 0);
}

void ModelCpu::read_msr(bxInstruction_c *i)
{
	bool is_immediate = i->getIaOpcode() == BX_IA_RDMSR_EqId;
	enum model_status status = MODEL_NOT_MINE;
	uint64_t value = 0;

	if (CPL == 0 && !in_vmx_guest) {
		status = model_rdmsr(&glues[BX_CPU_ID].model, is_immediate ? i->Id() : ECX, &value);
		fault_on(status);
	}
	if (status == MODEL_NOT_MINE)
		return read_tsc(i);
	if (is_immediate) {
		BX_WRITE_64BIT_REG(i->dst(), value);
	} else {
		RAX = GET32L(value);
		RDX = GET32H(value);
	}
	BX_NEXT_INSTR(i);
}

void ModelCpu::write_msr(bxInstruction_c *i)
{
	bool is_immediate = i->getIaOpcode() == BX_IA_WRMSRNS_IdEq;
	Bit32u msr = is_immediate ? i->Id() : ECX;
	Bit64u value = is_immediate ? BX_READ_64BIT_REG(i->src()) : GET64_FROM_HI32_LO32(EDX, EAX);
	enum model_status status = MODEL_NOT_MINE;

	begin();        /* it may be the one that makes the model active */
	if (CPL == 0 && !in_vmx_guest) {
		status = model_wrmsr(&glues[BX_CPU_ID].model, msr, value);
		fault_on(status);
		if (msr == BX_MSR_TSC) {        /* what Bochs sets is without the offset */
			set_tsc_right(BX_CPU_ID);
			tsc_offset = 0;
		}
	}
	if (status == MODEL_NOT_MINE)
		return (this->*handler_of[i->getIaOpcode()])(i);
	BX_NEXT_TRACE(i);
}

void ModelCpu::read_pmc(bxInstruction_c *i)
{
	enum model_status status = MODEL_NOT_MINE;
	uint64_t value = 0;

	if (!in_vmx_guest) {
		status = model_rdpmc(&glues[BX_CPU_ID].model, ECX, CPL, cr4.get_PCE(), &value);
		fault_on(status);
	}
	if (status == MODEL_NOT_MINE)
		return (this->*handler_of[BX_IA_RDPMC])(i);
	RAX = GET32L(value);
	RDX = GET32H(value);
	BX_NEXT_INSTR(i);
}

void ModelCpu::read_tsc(bxInstruction_c *i)
{
	if (bx_model_active[BX_CPU_ID])
		set_tsc_right(BX_CPU_ID);
	return (this->*handler_of[i->getIaOpcode()])(i);
}

/* Decoded: its handler may be replaced. */
void bx_model_opcode(unsigned cpu, bxInstruction_c *i)
{
	void (ModelCpu::*handler)(bxInstruction_c *);

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
	case BX_IA_RDTSC:
	case BX_IA_RDTSCP:
		handler = &ModelCpu::read_tsc;
		break;
	default:
		return;
	}
	if (!glues[cpu].has_pmu)
		return;
	handler_of[i->getIaOpcode()] = i->execute1;
	i->execute1 = static_cast<BxExecutePtr_tR>(handler);
}

/* ---------------------------------------------------------------------------- execution */

void bx_model_before(unsigned cpu)
{
	if (glues[cpu].is_asleep)
		wake(cpu);
	static_cast<ModelCpu *>(BX_CPU(cpu))->begin();
}

void bx_model_after(unsigned cpu, bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	g->insn.next_ip = c->get_laddr(BX_SEG_REG_CS, c->get_instruction_pointer());
	/* A REP string instruction that was interrupted stands where it was. */
	if (g->insn.next_ip == g->insn.ip && i->repUsedL() && g->insn.branch == MODEL_NO_BRANCH)
		return;
	g->insn.traits = traits_of[i->getIaOpcode()];
	g->insn.length = (uint8_t)i->ilen();
	g->insn.cpl_after = (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl;
	model_retire(&g->model, &g->insn);
	if (g->goes_to_sleep)
		fall_asleep(cpu);
	note_activity(cpu);
}

void bx_model_access(unsigned cpu, bx_address linear, bx_phy_address physical, unsigned size,
                     unsigned rw)
{
	enum model_access kind = MODEL_READ;

	if (rw == BX_WRITE)
		kind = MODEL_WRITE;
	else if (rw == BX_RW)
		kind = MODEL_READ_WRITE;
	model_access(&glues[cpu].model, kind, linear, physical, size);
}

static void branch_is(unsigned cpu, enum model_branch branch, bool is_taken)
{
	glues[cpu].insn.branch = (uint8_t)branch;
	glues[cpu].insn.is_taken = is_taken;
}

void bx_model_conditional(unsigned cpu, bool is_taken)
{
	branch_is(cpu, MODEL_JCC, is_taken);
}

void bx_model_near_branch(unsigned cpu, unsigned what)
{
	switch (what) {
	case BX_INSTR_IS_JMP:           return branch_is(cpu, MODEL_JMP, true);
	case BX_INSTR_IS_JMP_INDIRECT:  return branch_is(cpu, MODEL_JMP_INDIRECT, true);
	case BX_INSTR_IS_CALL:          return branch_is(cpu, MODEL_CALL, true);
	case BX_INSTR_IS_CALL_INDIRECT: return branch_is(cpu, MODEL_CALL_INDIRECT, true);
	case BX_INSTR_IS_RET:           return branch_is(cpu, MODEL_RET, true);
	}
}

void bx_model_far_branch(unsigned cpu, unsigned what)
{
	switch (what) {
	case BX_INSTR_IS_JMP:
	case BX_INSTR_IS_JMP_INDIRECT:  return branch_is(cpu, MODEL_FAR_JMP, true);
	case BX_INSTR_IS_CALL:
	case BX_INSTR_IS_CALL_INDIRECT: return branch_is(cpu, MODEL_FAR_CALL, true);
	case BX_INSTR_IS_RET:           return branch_is(cpu, MODEL_FAR_RET, true);
	case BX_INSTR_IS_INT:           return branch_is(cpu, MODEL_INT, true);
	case BX_INSTR_IS_IRET:
	case BX_INSTR_IS_UIRET:         return branch_is(cpu, MODEL_IRET, true);
	case BX_INSTR_IS_SYSCALL:       return branch_is(cpu, MODEL_SYSCALL, true);
	case BX_INSTR_IS_SYSRET:        return branch_is(cpu, MODEL_SYSRET, true);
	case BX_INSTR_IS_SYSENTER:      return branch_is(cpu, MODEL_SYSENTER, true);
	case BX_INSTR_IS_SYSEXIT:       return branch_is(cpu, MODEL_SYSEXIT, true);
	}
}

void bx_model_exception(unsigned cpu, unsigned vector)
{
	model_exception(&glues[cpu].model, vector);
	note_activity(cpu);
}

void bx_model_interrupt(unsigned cpu, unsigned vector)
{
	if (glues[cpu].is_asleep)
		wake(cpu);
	model_interrupt(&glues[cpu].model, vector);
	note_activity(cpu);
}

void bx_model_tlb_control(unsigned cpu, unsigned what, Bit64u value)
{
	struct Glue *g = &glues[cpu];
	Bit32u changed = ~0u;

	if (what == BX_INSTR_MOV_CR0) {
		changed = (g->cr0 ^ (Bit32u)value) & CR0_FLUSHING;
		g->cr0 = (Bit32u)value;
	} else if (what == BX_INSTR_MOV_CR4) {
		changed = (g->cr4 ^ (Bit32u)value) & CR4_FLUSHING;
		g->cr4 = (Bit32u)value;
	}
	if (changed)
		model_tlb_flush(&g->model);
}

/* ---------------------------------------------------------------------------- creation */

/* CPUID as Bochs answers it, with what the model says of the PMU. */
class ModelCpuid : public bx_cpuid_t {
public:
	ModelCpuid(bx_cpuid_t *bochs_own, const struct model *m)
		: bx_cpuid_t(*bochs_own), own(bochs_own), model(m) {}
	const char *get_name(void) const { return own->get_name(); }
	Bit32u get_vmx_extensions_bitmask(void) const { return own->get_vmx_extensions_bitmask(); }
	void dump_cpuid(void) const { own->dump_cpuid(); }
	int rdmsr(Bit32u msr, Bit64u *value) { return own->rdmsr(msr, value); }
	int wrmsr(Bit32u msr, Bit64u value) { return own->wrmsr(msr, value); }
	void get_cpuid_leaf(Bit32u leaf, Bit32u subleaf, cpuid_function_t *regs) const;
private:
	bx_cpuid_t *own;
	const struct model *model;
};

void ModelCpuid::get_cpuid_leaf(Bit32u leaf, Bit32u subleaf, cpuid_function_t *regs) const
{
	own->get_cpuid_leaf(leaf, subleaf, regs);
	uint32_t changed[4] = { regs->eax, regs->ebx, regs->ecx, regs->edx };
	model_cpuid(model, leaf, subleaf, changed);
	get_leaf(regs, changed[0], changed[1], changed[2], changed[3]);
}

/* The package of this processor, created with its first one; NULL: no PMU is known. */
static struct model_package *package_of(unsigned cpu)
{
	unsigned threads = SIM->get_param_num(BXPN_CPU_NTHREADS)->get();
	unsigned in_package = threads * SIM->get_param_num(BXPN_CPU_NCORES)->get();
	struct model_package *package = &packages[cpu / in_package];
	const char *quirk = getenv("PMU_QUIRK");
	cpuid_function_t leaf;

	if (cpu % in_package)
		return glues[cpu - 1].has_pmu ? package : NULL;
	BX_CPU(cpu)->cpuid->get_cpuid_leaf(1, 0, &leaf);
	switch (model_package_create(package, leaf.eax, threads, quirk)) {
	case MODEL_CREATED:
		return package;
	case MODEL_NO_SUCH_QUIRK:
		fprintf(stderr, "model: there is no quirk named %s\n", quirk);
		exit(2);
	default:
		fprintf(stderr, "model: no PMU is modelled for %s yet\n", BX_CPU(cpu)->cpuid->get_name());
		return NULL;
	}
}

void bx_model_initialize(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	const struct model_host host = { g, raise_pmi, NULL };
	struct model_package *package = package_of(cpu);

	for (const struct opcode_traits &row : opcode_traits)
		traits_of[row.opcode] = row.traits;
	if (!package)
		return;
	model_create(&g->model, package, &host);
	BX_CPU(cpu)->cpuid = new ModelCpuid(BX_CPU(cpu)->cpuid, &g->model);
	g->timer = bx_pc_system.register_timer_ticks(g, overflow_is_due, 1, false, false, "pmu");
	g->has_pmu = true;
}

void bx_model_reset(unsigned cpu, unsigned type)
{
	struct Glue *g = &glues[cpu];

	if (!g->has_pmu)
		return;
	g->is_asleep = false;
	bx_pc_system.deactivate_timer(g->timer);
	model_reset(&g->model, type == BX_RESET_HARDWARE ? MODEL_RESET_HARDWARE : MODEL_RESET_INIT);
	bx_model_active[cpu] = g->model.is_active;
}
