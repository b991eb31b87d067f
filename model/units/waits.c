/* SPDX-License-Identifier: MIT */
/* What an instruction waits for. */
#include <model/units/units.h>

enum { CYCLES_OF_DRAIN = 3 };          /* invented */

void model_wait_cycles(struct refpmu_cpu *m, uint32_t cycles, unsigned cause, uint32_t why)
{
	if (!cycles)
		return;
	model_close(m, cause);
	m->stall = why;
	model_stall(m, cycles, cause);
	m->stall = 0;
}

static void drain_stores(struct refpmu_cpu *m)
{
	model_wait_cycles(m, m->busy[UNIT_STORE_BUFFER] + CYCLES_OF_DRAIN, SIGNAL_BACKEND,
	                  CYCLE_DRAIN | CYCLE_STORE_DRAIN);
}

/* The cycle that ends here is one less to wait. */
void model_wait_for_divider(struct refpmu_cpu *m)
{
	if (m->busy[UNIT_DIVIDER])
		model_close(m, SIGNAL_BACKEND);
	model_wait_cycles(m, m->busy[UNIT_DIVIDER], SIGNAL_BACKEND, CYCLE_DRAIN);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

void model_wait(struct refpmu_cpu *m, const struct model_told *told)
{
	const struct cache_cost *cost = told->cost;
	const struct cache_traffic *t = told->traffic;
	uint32_t itlb = least(t->itlb_cycles, cost->frontend_cycles);
	uint32_t dtlb = least(t->dtlb_cycles, cost->backend_cycles);
	uint32_t read = least(t->read_cycles, cost->backend_cycles - dtlb);
	uint32_t mmx = told->insn->traits & REFPMU_TRAIT_MMX ? CYCLE_MMX_READ : 0;

	model_wait_cycles(m, itlb, SIGNAL_FRONTEND, CYCLE_ITLB);
	model_wait_cycles(m, cost->frontend_cycles - itlb, SIGNAL_FRONTEND, CYCLE_FETCH);
	model_wait_cycles(m, cost->bad_speculation_cycles, SIGNAL_BAD_SPECULATION,
	                  CYCLE_MISPREDICT);
	model_wait_cycles(m, dtlb, SIGNAL_BACKEND, CYCLE_DTLB);
	model_wait_cycles(m, read, SIGNAL_BACKEND, CYCLE_READ | mmx);
	model_wait_cycles(m, cost->backend_cycles - dtlb - read, SIGNAL_BACKEND, 0);
	if (cost->is_alone)
		model_close(m, SIGNAL_BACKEND);
	if (cost->is_alone || (told->insn->traits & REFPMU_TRAIT_LOCKED))
		drain_stores(m);
	if (cost->is_alone)
		model_wait_for_divider(m);
}
