/* SPDX-License-Identifier: MIT */
/*
 * The glue's time: the TSC follows the model's cycles while the PMU is active, and the model hears
 * how long a processor slept in HLT or MWAIT, or waited for a SIPI.
 */
#include "glue.h"
#include "guests.h"
#include "cpu/svm.h"
#include "pc_system.h"
#include "snapshots.h"

/* ---------------------------------------------------------------------------- time */

/* Returns the instructions executed so far; Bochs' own clock lags behind within a trace. */
static Bit64u ticks_of(unsigned cpu)
{
	Bit64u ticks = bx_pc_system.time_ticks();

	if (BX_SMP_PROCESSORS == 1)
		ticks += BX_CPU(cpu)->get_icount() - BX_CPU(cpu)->get_icount_last_sync();
	return ticks;
}

/* Returns the shift as a guest sees it, whose TSC may be scaled by a number with 48 bits of
 * fraction. */
static Bit64s shift_in_guest(const VMCS_CACHE *vm, Bit64s shift)
{
	return vm->vmexec_ctrls2.TSC_SCALING()
	       ? (Bit64s)(((__int128)shift * vm->tsc_multiplier) >> 48) : shift;
}

void set_tsc_offset(unsigned cpu)
{
	BX_CPU_C *c = BX_CPU(cpu);

	c->tsc_offset = glues[cpu].tsc_shift;
	if (c->in_vmx_guest && c->vmcs.vmexec_ctrls1.TSC_OFFSET())
		c->tsc_offset = (Bit64s)c->VMread64(VMCS_64BIT_CONTROL_TSC_OFFSET) +
		                shift_in_guest(&c->vmcs, glues[cpu].tsc_shift);
	if (c->in_svm_guest)
		c->tsc_offset += (Bit64s)vmcb_read(c, SVM_CONTROL64_TSC_OFFSET);
}

void set_tsc_right(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	Bit64u ticks = bx_pc_system.time_ticks();

	refpmu_end_run(g->model);
	g->tsc_shift += (Bit64s)((g->view->cycles - g->clock_cycles) - (ticks - g->clock_ticks));
	set_tsc_offset(cpu);
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

void fall_asleep(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	bx_model_moved(cpu);
	g->is_asleep = true;
	g->reported_ticks = ticks_of(cpu) + 1;  /* this instruction's own tick has not come yet */
	expect_overflow(g, refpmu_halt(g->model));
}

/* Reports to the model how long it has slept; one tick is one cycle. */
static void report_sleep(unsigned cpu)
{
	struct Glue *g = &glues[cpu];
	Bit64u now = ticks_of(cpu);
	Bit64u slept = now > g->reported_ticks ? now - g->reported_ticks : 0;

	g->reported_ticks = now;
	expect_overflow(g, refpmu_halted(g->model, slept));
	note_activity();
}

void wake(unsigned cpu)
{
	struct Glue *g = &glues[cpu];

	pass_place(RARE);
	report_sleep(cpu);
	g->is_asleep = false;
	bx_pc_system.deactivate_timer(g->timer);
}

void overflow_is_due(void *glue)
{
	unsigned cpu = (unsigned)((struct Glue *)glue - glues);

	pass_place(RARE);
	if (glues[cpu].is_asleep)
		report_sleep(cpu);
}
