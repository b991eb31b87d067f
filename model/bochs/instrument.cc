/* SPDX-License-Identifier: MIT */
/*
 * The glue between Bochs and the model of the PMU: passes Bochs' callbacks to the model and the
 * model's requests to Bochs. It knows the ways to a PMU (MSRs, RDPMC, LVTPC), not what one counts.
 * No source of Bochs is changed; handlers.cc replaces handlers of instructions at run time.
 */
#include "glue.h"
#include "cpu/apic.h"
#include "pc_system.h"
#include "details.h"
#include "extended_lvt.h"
#include "guests.h"
#include "snapshots.h"

bool bx_model_watched, bx_model_looks_before;
static Bit32u noted_changes;                    /* of machine_view */

static const Bit32u LVTPC = 0x340;              /* SDM 3A, "Local APIC Register Address Map" */
static const Bit32u APIC_GLOBAL_ENABLE = 1 << 11;
/* SDM 3A, "Operations that Invalidate TLBs and Paging-Structure Caches": CR0.PG; CR4.PSE, PAE,
 * PGE, PCIDE, SMEP. */
static const Bit32u CR0_FLUSHING = 1u << 31;
static const Bit32u CR4_FLUSHING = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 17 | 1 << 20;

struct Glue glues[CPUS];
const struct refpmu_machine_view *machine_view;

/* ---------------------------------------------------------------------------- activity */

/* From here on the TSC follows the model's cycles, asleep or not, or Bochs' clock again. */
static void note_clock(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (g->is_active == g->view->is_active)
		return;
	g->is_active = g->view->is_active;
	if (!g->is_active) {
		if (g->is_asleep)
			wake(cpu);
		return set_tsc_right(cpu);
	}
	g->clock_cycles = g->view->cycles;
	g->clock_ticks = bx_pc_system.time_ticks();
	if (BX_CPU(cpu)->activity_state != BX_CPU_C::BX_ACTIVITY_STATE_ACTIVE)
		fall_asleep(cpu);
}

/* With several processors the next look may be at another one, so each instruction is looked at. */
void choose_looks(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	g->looks_always = BX_SMP_PROCESSORS > 1 || g->needs.all_details ||
	                  g->view->records_branches;
	bx_model_moved(cpu);
}

/* Makes the model look at the processor's next instruction before it executes. */
void bx_model_moved(unsigned cpu)
{
	refpmu_end_run(glues[cpu].model);
	glues[cpu].is_moved = true;
	bx_model_looks_before = bx_model_watched;
}

void note_activity(void)
{
	bool was_watched = bx_model_watched;

	if (machine_view->changes == noted_changes)
		return;
	noted_changes = machine_view->changes;
	bx_model_watched = glues[0].view->is_watched;
	for (unsigned cpu = 0; cpu < (unsigned)BX_SMP_PROCESSORS; cpu++) {
		if (!was_watched) {
			glues[cpu].cr0 = BX_CPU(cpu)->cr0.get32();
			glues[cpu].cr4 = BX_CPU(cpu)->cr4.get32();
		}
		note_clock(cpu);
		choose_looks(cpu);
	}
}

void bx_model_sleep(unsigned cpu)
{
	bx_model_moved(cpu);
	glues[cpu].goes_to_sleep = true;
}

/* ----------------------------------------------------------------- requests of the model */

/* The interrupt is taken right after the instruction under way: Bochs looks for events once its
 * trace is stopped. */
static void deliver(unsigned cpu, struct refpmu_lvtpc pmi)
{
	BX_CPU(cpu)->lapic->deliver(pmi.vector, pmi.delivery, 0);
	BX_CPU(cpu)->async_event |= BX_ASYNC_EVENT_STOP_TRACE;
}

void raise_pmi(void *context)
{
	unsigned cpu = (unsigned)((struct Glue *)context - glues);
	bx_local_apic_c *apic = BX_CPU(cpu)->lapic;

	if (!(BX_CPU(cpu)->msr.apicbase & APIC_GLOBAL_ENABLE))
		return;
	Bit32u before = apic->read_aligned(LVTPC);
	struct refpmu_lvtpc pmi = refpmu_lvtpc(glues[cpu].model, before);
	if (pmi.lvtpc != before)
		apic->write_aligned(LVTPC, pmi.lvtpc);
	if (!pmi.is_delivered)
		return;
	deliver(cpu, pmi);
}

void raise_ibs(void *context, unsigned entry)
{
	unsigned cpu = (unsigned)((struct Glue *)context - glues);
	struct refpmu_lvtpc pmi = refpmu_lvtpc(glues[cpu].model, extended_lvt(cpu, entry));

	if (pmi.is_delivered && (BX_CPU(cpu)->msr.apicbase & APIC_GLOBAL_ENABLE))
		deliver(cpu, pmi);
}

/* ---------------------------------------------------------------------------- branches */

static Bit64u code_base(BX_CPU_C *c)
{
	return c->long64_mode() ? 0 : c->sregs[BX_SEG_REG_CS].cache.u.segment.base;
}

/* prev_rip is that of the instruction under way. Right before an instruction it equals RIP, except
 * that an NMI leaves it at the place that the NMI interrupted. */
static struct refpmu_place place_of(BX_CPU_C *c, bx_address ip)
{
	return refpmu_place{ c->get_laddr(BX_SEG_REG_CS, ip), code_base(c),
	                     (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl };
}

/* If execution is still at the place that it left, the delivery failed, which is an exception of
 * its own; else the handler is reached. */
void note_handler(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (!g->view->records_branches)
		return;
	struct refpmu_place place = place_of(BX_CPU(cpu), BX_CPU(cpu)->prev_rip);
	if (g->view->is_entering && place.ip != g->left_ip)
		refpmu_entered(g->model, place);
	g->left_ip = place.ip;
	refpmu_enter(g->model, place);
}

/* ---------------------------------------------------------------------------- execution */

static void note_branches_before(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (g->view->is_entering)
		refpmu_entered(g->model, place_of(c, c->get_instruction_pointer()));
	g->insn.code_base = g->insn.code_base_after = code_base(c);
}

void note_svme(unsigned cpu)
{
	if (glues[cpu].is_amd)
		refpmu_svme(glues[cpu].model, BX_CPU(cpu)->efer.get_SVME() != 0);
}

/* Notes where execution is. Without this call it continues where the last instruction ended, and
 * nothing else of the next one is known yet. Not inlined, because the code for each instruction has
 * to be short. */
static __attribute__((noinline)) void look_before(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (g->is_asleep)
		wake(cpu);
	g->insn.ip = c->get_laddr(BX_SEG_REG_CS, c->get_instruction_pointer());
	g->insn.cpl = (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl;
	g->insn.branch = REFPMU_NO_BRANCH;
	g->goes_to_sleep = false;
	g->is_moved = g->view->records_branches;
	bx_model_looks_before = g->looks_always;
	if (g->view->records_branches)
		note_branches_before(cpu);
}

void bx_model_before(unsigned cpu, bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];

	if (__builtin_expect(g->is_moved, false))
		look_before(cpu);
	executing = cpu;
	if (g->needs.all_details)
		details_before(cpu, i);
}

/* After an instruction only the address of the next one is known. */
static void go_on(struct Glue *g)
{
	g->insn.ip = g->insn.next_ip;
	g->insn.cpl = g->insn.cpl_after;
	g->insn.branch = REFPMU_NO_BRANCH;
}

/* Bochs overwrites what it decoded of an instruction that changes the code around itself: the
 * instruction has no bytes then, and no traits. */
static bool is_lost(const bxInstruction_c *i)
{
	return i->ilen() == 0;
}

static uint8_t length_of_lost(const struct refpmu_insn *insn)
{
	return insn->branch == REFPMU_NO_BRANCH ? (uint8_t)(insn->next_ip - insn->ip) : 1;
}

static bool is_repeated(const bxInstruction_c *i)
{
	return i->repUsedL() || is_lost(i);
}

/* Not inlined, so that the compiler keeps the fast path short. */
static __attribute__((noinline)) void report_details_of(unsigned cpu, bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (g->insn.branch == REFPMU_BRANCHES)
		return;
	pass_place(1);                  /* its accesses are reported, and it has not retired */
	g->insn.next_ip = c->get_laddr(BX_SEG_REG_CS, c->get_instruction_pointer());
	/* A REP string instruction that was interrupted has not moved on. */
	if (g->insn.next_ip == g->insn.ip && is_repeated(i) && g->insn.branch == REFPMU_NO_BRANCH)
		return;
	g->insn.traits = opcode_of(i)->traits;
	g->insn.length = is_lost(i) ? length_of_lost(&g->insn) : (uint8_t)i->ilen();
	g->insn.cpl_after = (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl;
	if (g->needs.details && has_details(g, i))
		details_after(cpu, i);
	refpmu_retire(g->model, &g->insn);
	if (__builtin_expect(machine_view->changes != noted_changes, false))
		note_activity();
	go_on(g);
	if (g->goes_to_sleep && g->is_active && !g->is_asleep)
		fall_asleep(cpu);
}

void bx_model_after(unsigned cpu, bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];

	if (g->insn.branch != REFPMU_NO_BRANCH ||
	    !refpmu_gather(g->run, opcode_of(i)->traits, i->ilen()))
		return report_details_of(cpu, i);
	g->insn.ip += i->ilen();
}

/* By BX_INSTR_IS_, from BX_INSTR_IS_JMP on. */
static const enum refpmu_branch near_branches[] = {
	REFPMU_JMP, REFPMU_JMP_INDIRECT, REFPMU_CALL, REFPMU_CALL_INDIRECT, REFPMU_RET
};
static const enum refpmu_branch far_branches[] = {
	REFPMU_FAR_JMP, REFPMU_FAR_JMP, REFPMU_FAR_CALL, REFPMU_FAR_CALL, REFPMU_FAR_RET,
	REFPMU_IRET, REFPMU_INT, REFPMU_SYSCALL, REFPMU_SYSRET, REFPMU_SYSENTER, REFPMU_SYSEXIT,
	REFPMU_IRET
};

static void branch_is(unsigned cpu, enum refpmu_branch branch, bool is_taken)
{
	glues[cpu].insn.branch = (uint8_t)branch;
	glues[cpu].insn.is_taken = is_taken;
}

void bx_model_conditional(unsigned cpu, bool is_taken)
{
	branch_is(cpu, REFPMU_JCC, is_taken);
}

void bx_model_near_branch(unsigned cpu, unsigned what)
{
	branch_is(cpu, near_branches[what - BX_INSTR_IS_JMP], true);
}

void bx_model_far_branch(unsigned cpu, unsigned what)
{
	branch_is(cpu, far_branches[what - BX_INSTR_IS_JMP], true);
	glues[cpu].insn.code_base_after = code_base(BX_CPU(cpu));
}

void bx_model_exception(unsigned cpu, unsigned vector)
{
	if (glues[cpu].needs.details)
		details_fault(cpu);
	if (leaves_guest(BX_CPU(cpu), vector))
		return;
	note_handler(cpu);
	refpmu_exception(glues[cpu].model, vector);
	bx_model_moved(cpu);
	note_activity();
}

void bx_model_interrupt(unsigned cpu, unsigned vector)
{
	pass_place(RARE);
	if (glues[cpu].is_asleep)
		wake(cpu);
	note_handler(cpu);
	refpmu_interrupt(glues[cpu].model, vector);
	bx_model_moved(cpu);
	note_activity();
}

/* An SMI wakes a halted processor. */
static void enter_smm(unsigned cpu)
{
	pass_place(RARE);
	if (glues[cpu].is_asleep)
		wake(cpu);
	refpmu_smi(glues[cpu].model);
	note_svme(cpu);
	choose_looks(cpu);
	note_activity();
}

void bx_model_cache_control(unsigned cpu)
{
	if (glues[cpu].model)
		refpmu_cache_flush(glues[cpu].model);
}

/* Bochs switches contexts when it enters and leaves system-management mode, and in VMX and SVM. */
void bx_model_tlb_control(unsigned cpu, unsigned what, Bit64u value)
{
	struct Glue *g = &glues[cpu];
	Bit32u changed = ~0u;

	if (!g->has_pmu)
		return;
	if (what == BX_INSTR_MOV_CR0) {
		changed = (g->cr0 ^ (Bit32u)value) & CR0_FLUSHING;
		g->cr0 = (Bit32u)value;
	} else if (what == BX_INSTR_MOV_CR4) {
		changed = (g->cr4 ^ (Bit32u)value) & CR4_FLUSHING;
		g->cr4 = (Bit32u)value;
	} else if (what == BX_INSTR_CONTEXT_SWITCH && BX_CPU(cpu)->smm_mode()) {
		enter_smm(cpu);
	} else if (what == BX_INSTR_CONTEXT_SWITCH) {
		switch_guest(cpu);
	}
	if (changed)
		refpmu_tlb_flush(g->model);
	bx_model_moved(cpu);
}

/* ---------------------------------------------------------------------------- reset */

/* Bochs has reset the processor already. A processor that then waits for a SIPI is asleep. */
void bx_model_reset(unsigned cpu, unsigned type)
{
	struct Glue *g = &glues[cpu];
	bool is_init = type != BX_RESET_HARDWARE;

	if (!g->has_pmu)
		return;
	if (g->lacks_pce)
		BX_CPU(cpu)->cr4_suppmask &= ~BX_CR4_PCE_MASK;
	if (g->is_asleep)
		wake(cpu);
	refpmu_reset(g->model, is_init ? REFPMU_RESET_INIT : REFPMU_RESET_HARDWARE);
	note_svme(cpu);
	bx_model_moved(cpu);
	note_activity();
	if (!is_init) {
		g->tsc_shift = 0;
		reset_extended_lvt(cpu);
	}
	set_tsc_offset(cpu);
	if (g->is_active && BX_CPU(cpu)->activity_state != BX_CPU_C::BX_ACTIVITY_STATE_ACTIVE)
		fall_asleep(cpu);
}
