/* SPDX-License-Identifier: MIT */
/*
 * Time: the TSC follows the model's cycles while the PMU is active, and QEMU's clock at other
 * times; the model hears how long a processor slept in HLT, or waited for a SIPI.
 */
#include "tcg_glue.h"
#include "qemu/timer.h"
#include "system/cpu-timers.h"
#include "hw/core/cpu.h"

bool begin_io(void)
{
	bool could = !current_cpu || current_cpu->neg.can_do_io;

	if (current_cpu)
		current_cpu->neg.can_do_io = true;
	return could;
}

void end_io(bool could_do_io)
{
	if (current_cpu)
		current_cpu->neg.can_do_io = could_do_io;
}

/* With -icount a tick is an instruction's time, as in Bochs, and lags within a block. */
static uint64_t ticks(struct Pmu *g)
{
	bool could_do_io = begin_io();
	uint64_t now = cpu_get_tsc(&g->cpu->env);

	end_io(could_do_io);
	return icount_enabled() ? now / icount_to_ns(1) : now;
}

static int64_t ns_of(uint64_t count)
{
	return icount_enabled() ? icount_to_ns(MIN(count, INT64_MAX >> 12)) : (int64_t)count;
}

static uint64_t tsc_now(struct Pmu *g)
{
	if (!g->is_active)
		return ticks(g) + g->tsc;
	refpmu_end_run(g->model);
	return g->tsc + (g->view->cycles - g->clock_cycles);
}

void set_tsc(struct Pmu *g, uint64_t value)
{
	g->clock_cycles = g->view->cycles;
	g->tsc = g->is_active ? value : value - ticks(g);
}

uint64_t pmu_tsc(CPUX86State *env)
{
	return env->pmu ? tsc_now(env->pmu) : cpu_get_tsc(env);
}

void clock_changes(struct Pmu *g)
{
	uint64_t now = tsc_now(g);

	g->is_active = g->view->is_active;
	set_tsc(g, now);
	if (!g->is_active && g->is_asleep)
		wake(g);
	else if (g->is_active && CPU(g->cpu)->halted)
		fall_asleep(g);
}

/* ---------------------------------------------------------------------------- asleep */

static void expect_overflow(struct Pmu *g, uint64_t cycles)
{
	if (cycles == UINT64_MAX)
		return timer_del(g->timer);
	bool could_do_io = begin_io();
	timer_mod(g->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + ns_of(cycles));
	end_io(could_do_io);
}

void fall_asleep(struct Pmu *g)
{
	g->is_asleep = true;
	g->reported_ticks = ticks(g);
	expect_overflow(g, refpmu_halt(g->model));
}

static void report_sleep(struct Pmu *g)
{
	uint64_t now = ticks(g);
	uint64_t slept = now > g->reported_ticks ? now - g->reported_ticks : 0;

	g->reported_ticks = now;
	expect_overflow(g, refpmu_halted(g->model, slept));
	note_activity();
}

void wake(struct Pmu *g)
{
	report_sleep(g);
	g->is_asleep = false;
	timer_del(g->timer);
}

static void overflow_in_turn(CPUState *cs, run_on_cpu_data data)
{
	struct Pmu *g = data.host_ptr;

	if (g->is_asleep)
		report_sleep(g);
}

/* Timers may run while another processor does, so the model is told in this one's turn. */
void overflow_is_due(void *context)
{
	struct Pmu *g = context;

	async_run_on_cpu(CPU(g->cpu), overflow_in_turn, RUN_ON_CPU_HOST_PTR(g));
}
