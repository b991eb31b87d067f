/* SPDX-License-Identifier: MIT */
/*
 * The glue between Bochs and the model of the PMU: translates what Bochs tells and what the model
 * asks for, and knows nothing of PMUs. Nothing of Bochs is changed.
 */
#include "glue.h"
#include "cpu/apic.h"
#include "pc_system.h"
#include "details.h"

bool bx_model_watched;
static Bit32u noted_changes;                    /* of machine_view */

static const Bit32u LVTPC = 0x340;              /* SDM 3A, "Local APIC Register Address Map" */
static const Bit32u APIC_GLOBAL_ENABLE = 1 << 11;
/* SDM 3A, "Operations that Invalidate TLBs and Paging-Structure Caches": CR0.PG; CR4.PSE, PAE,
 * PGE, PCIDE, SMEP. */
static const Bit32u CR0_FLUSHING = 1u << 31;
static const Bit32u CR4_FLUSHING = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 17 | 1 << 20;

struct Glue glues[CPUS];
const struct model_machine_view *machine_view;

/* ---------------------------------------------------------------------------- time */

/* Instructions executed so far; Bochs' own clock lags behind within a trace. */
static Bit64u ticks_of(unsigned cpu)
{
	Bit64u ticks = bx_pc_system.time_ticks();

	if (BX_SMP_PROCESSORS == 1)
		ticks += BX_CPU(cpu)->get_icount() - BX_CPU(cpu)->get_icount_last_sync();
	return ticks;
}

void set_tsc_right(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	Bit64u ticks = bx_pc_system.time_ticks();

	BX_CPU(cpu)->tsc_offset +=
		(Bit64s)((g->view->cycles - g->clock_cycles) - (ticks - g->clock_ticks));
	g->tsc_offset = BX_CPU(cpu)->tsc_offset;
	g->clock_cycles = g->view->cycles;
	g->clock_ticks = ticks;
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
	expect_overflow(g, model_halt(g->model));
}

/* Tells the model how long it has slept; one tick is one cycle. */
static void tell_sleep(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	Bit64u now = ticks_of(cpu);
	Bit64u slept = now > g->told_ticks ? now - g->told_ticks : 0;

	g->told_ticks = now;
	expect_overflow(g, model_halted(g->model, slept));
	note_activity();
}

static void wake(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	tell_sleep(cpu);
	g->is_asleep = false;
	bx_pc_system.deactivate_timer(g->timer);
}

void overflow_is_due(void *glue)
{
	unsigned cpu = (unsigned)((struct Glue *)glue - glues);

	if (glues[cpu].is_asleep)
		tell_sleep(cpu);
}

/* ---------------------------------------------------------------------------- activity */

/* Asleep or not, from here on the TSC goes by the model's cycles, or by Bochs' clock again. */
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
	}
}

void bx_model_sleep(unsigned cpu)
{
	glues[cpu].goes_to_sleep = true;
}

/* ----------------------------------------------------------------- what the model asks for */

/* Taken right after the instruction under way: Bochs looks for events once its trace is stopped. */
void raise_pmi(void *context)
{
	unsigned cpu = (unsigned)((struct Glue *)context - glues);
	bx_local_apic_c *apic = BX_CPU(cpu)->lapic;

	if (!(BX_CPU(cpu)->msr.apicbase & APIC_GLOBAL_ENABLE))
		return;
	Bit32u before = apic->read_aligned(LVTPC);
	struct model_lvtpc pmi = model_lvtpc(glues[cpu].model, before);
	if (pmi.lvtpc != before)
		apic->write_aligned(LVTPC, pmi.lvtpc);
	if (!pmi.is_delivered)
		return;
	apic->deliver(pmi.vector, pmi.delivery, 0);
	BX_CPU(cpu)->async_event |= BX_ASYNC_EVENT_STOP_TRACE;
}

/* ---------------------------------------------------------------------------- branches */

static Bit64u code_base(BX_CPU_C *c)
{
	return c->long64_mode() ? 0 : c->sregs[BX_SEG_REG_CS].cache.u.segment.base;
}

/* prev_rip: of the instruction under way. Right before one it is RIP: an NMI leaves prev_rip behind,
 * where it came from. */
static struct model_place place_of(BX_CPU_C *c, bx_address ip)
{
	return model_place{ c->get_laddr(BX_SEG_REG_CS, ip), code_base(c),
	                    (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl };
}

/* A handler is reached where execution stands elsewhere than where it was left: else its delivery
 * failed, and that is an exception of its own. */
static void enter(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	if (!g->view->records_branches)
		return;
	struct model_place place = place_of(BX_CPU(cpu), BX_CPU(cpu)->prev_rip);
	if (g->view->is_entering && place.ip != g->left_ip)
		model_entered(g->model, place);
	g->left_ip = place.ip;
	model_enter(g->model, place);
}

/* ---------------------------------------------------------------------------- execution */

/* Apart: what is called for each instruction has to be short. */
static __attribute__((noinline)) void note_branches_before(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (g->view->is_entering)
		model_entered(g->model, place_of(c, c->get_instruction_pointer()));
	g->insn.code_base = g->insn.code_base_after = code_base(c);
}

/* The same. */
static __attribute__((noinline)) void wake_before(unsigned cpu, bxInstruction_c *i)
{
	wake(cpu);
	bx_model_before(cpu, i);
}

void bx_model_before(unsigned cpu, bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	if (__builtin_expect(g->is_asleep, false))
		return wake_before(cpu, i);
	g->insn.ip = c->get_laddr(BX_SEG_REG_CS, c->get_instruction_pointer());
	g->insn.cpl = (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl;
	g->insn.branch = MODEL_NO_BRANCH;
	g->goes_to_sleep = false;
	if (__builtin_expect(g->view->records_branches, false))
		note_branches_before(cpu);
	if (g->wants_details) {
		executing = cpu;
		if (has_details(g, i))
			details_before(cpu, i);
	}
}

void bx_model_after(unsigned cpu, bxInstruction_c *i)
{
	struct Glue *g = &glues[cpu];
	BX_CPU_C *c = BX_CPU(cpu);

	g->insn.next_ip = c->get_laddr(BX_SEG_REG_CS, c->get_instruction_pointer());
	/* A REP string instruction that was interrupted stands where it was. */
	if (g->insn.next_ip == g->insn.ip && i->repUsedL() && g->insn.branch == MODEL_NO_BRANCH)
		return;
	g->insn.traits = opcode_of(i)->traits;
	g->insn.length = (uint8_t)i->ilen();
	g->insn.cpl_after = (uint8_t)c->sregs[BX_SEG_REG_CS].selector.rpl;
	if (g->wants_details && has_details(g, i))
		details_after(cpu, i);
	model_retire(g->model, &g->insn);
	if (__builtin_expect(machine_view->changes != noted_changes, false))
		note_activity();
	if (g->goes_to_sleep && g->is_active && !g->is_asleep)
		fall_asleep(cpu);
}

/*
 * Devices are not cached: the VGA's memory, and what is right below 4 GB, where the local APIC is.
 * Elsewhere Bochs tells the memory type if it was configured to know any.
 */
static bool is_cacheable(bx_phy_address physical, unsigned memtype)
{
	static const bx_phy_address VGA = 0xa0000, VGA_END = 0xc0000;
	static const bx_phy_address DEVICES = 0xe0000000, DEVICES_END = (bx_phy_address)1 << 32;

	if ((physical >= VGA && physical < VGA_END)
	    || (physical >= DEVICES && physical < DEVICES_END))
		return false;
#if BX_SUPPORT_MEMTYPE
	return memtype == BX_MEMTYPE_WB || memtype == BX_MEMTYPE_WT || memtype == BX_MEMTYPE_WP;
#else
	return (void)memtype, true;
#endif
}

void bx_model_access(unsigned cpu, bx_address linear, bx_phy_address physical, unsigned size,
                     unsigned memtype, unsigned rw)
{
	enum model_access kind = MODEL_READ;
	bool is_cached = true;          /* nothing else matters to an architectural PMU */

	if (glues[cpu].wants_details) {
		if (glues[cpu].compares_breakpoints)
			details_access(cpu, linear, size, rw);
		is_cached = is_cacheable(physical, memtype);
	}
	if (rw == BX_WRITE)
		kind = MODEL_WRITE;
	else if (rw == BX_RW)
		kind = MODEL_READ_WRITE;
	model_access(glues[cpu].model, kind, linear, physical, size, is_cached);
}

/* PREFETCHh is a read, if the page is there. Only older PMUs look at where: others count none. */
void bx_model_prefetch(unsigned cpu, unsigned segment, bx_address offset)
{
	bx_address linear = BX_CPU(cpu)->get_laddr(segment, offset);
	bx_phy_address physical;

	if (glues[cpu].wants_details && BX_CPU(cpu)->dbg_xlate_linear2phy(linear, &physical))
		model_access(glues[cpu].model, MODEL_READ, linear, physical, 1,
		             is_cacheable(physical, BX_MEMTYPE_WB));
}

/* By BX_INSTR_IS_, from BX_INSTR_IS_JMP on. */
static const enum model_branch near_branches[] = {
	MODEL_JMP, MODEL_JMP_INDIRECT, MODEL_CALL, MODEL_CALL_INDIRECT, MODEL_RET
};
static const enum model_branch far_branches[] = {
	MODEL_FAR_JMP, MODEL_FAR_JMP, MODEL_FAR_CALL, MODEL_FAR_CALL, MODEL_FAR_RET, MODEL_IRET,
	MODEL_INT, MODEL_SYSCALL, MODEL_SYSRET, MODEL_SYSENTER, MODEL_SYSEXIT, MODEL_IRET
};

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
	branch_is(cpu, near_branches[what - BX_INSTR_IS_JMP], true);
}

void bx_model_far_branch(unsigned cpu, unsigned what)
{
	branch_is(cpu, far_branches[what - BX_INSTR_IS_JMP], true);
	glues[cpu].insn.code_base_after = code_base(BX_CPU(cpu));
}

void bx_model_exception(unsigned cpu, unsigned vector)
{
	if (glues[cpu].wants_details)
		details_fault(cpu);
	enter(cpu);
	model_exception(glues[cpu].model, vector);
	note_activity();
}

void bx_model_interrupt(unsigned cpu, unsigned vector)
{
	if (glues[cpu].is_asleep)
		wake(cpu);
	enter(cpu);
	model_interrupt(glues[cpu].model, vector);
	note_activity();
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
		model_tlb_flush(g->model);
}

/* ---------------------------------------------------------------------------- reset */

/* Bochs has reset the processor already. One that waits for a SIPI then is asleep to the model. */
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
	if (g->is_active)
		BX_CPU(cpu)->tsc_offset = g->tsc_offset;
	model_reset(g->model, is_init ? MODEL_RESET_INIT : MODEL_RESET_HARDWARE);
	note_activity();
	if (!is_init)
		BX_CPU(cpu)->tsc_offset = 0;
	else
		BX_CPU(cpu)->tsc_offset = g->tsc_offset;
	g->tsc_offset = BX_CPU(cpu)->tsc_offset;
	if (g->is_active && BX_CPU(cpu)->activity_state != BX_CPU_C::BX_ACTIVITY_STATE_ACTIVE)
		fall_asleep(cpu);
}
