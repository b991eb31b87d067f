/* SPDX-License-Identifier: MIT */
/*
 * Halted, or waiting for a SIPI: the time stamp goes on, counters stand still, but for what the
 * core's other thread does on those with AnyThread. Source: SDM 3B, "Architectural Performance
 * Monitoring Version 1" on Unhalted Core Cycles and Unhalted Reference Cycles. Only a quirk lets
 * some count (halted_signals).
 */
#include <model/core/internal.h>

uint64_t model_halt(struct model *m)
{
	const struct model_generation *g = m->generation;

	if (g->finish)
		g->finish(m, MODEL_BEFORE_HALT);
	model_close(m, SIGNAL_BACKEND);
	model_flush_pmi(m);
	m->global_ctrl &= ~rules_of(m)->halt_disables;
	if (g->halt)
		g->halt(m);
	m->is_halted = true;
	model_make_plan(m);
	return g->until_overflow(m);
}

uint64_t model_halted(struct model *m, uint64_t cycles)
{
	m->cycles += cycles;
	m->generation->pass_halted(m, cycles);
	m->bus_phase = (uint32_t)((m->bus_phase + cycles) % rules_of(m)->bus_ratio);
	model_settle(m);
	model_flush_pmi(m);
	return m->generation->until_overflow(m);
}
