/* SPDX-License-Identifier: MIT */
/*
 * Halted, or waiting for a SIPI: the time stamp goes on, counters stand still, but for what the
 * core's other thread does on those with AnyThread. Source: SDM 3B, "Architectural Performance
 * Monitoring Version 1" on Unhalted Core Cycles and Unhalted Reference Cycles.
 */
#include <model/core/internal.h>

uint64_t refpmu_halt(struct refpmu_cpu *m)
{
	const struct model_generation *g = m->generation;

	model_end_run(m);
	if (g->finish)
		g->finish(m, MODEL_BEFORE_HALT);
	model_close(m, SIGNAL_BACKEND);
	model_flush_pmi(m);
	if (g->halt)
		g->halt(m);
	model_make_plan(m);
	return UINT64_MAX;
}

uint64_t refpmu_halted(struct refpmu_cpu *m, uint64_t cycles)
{
	model_end_run(m);
	m->cycles += cycles;
	m->bus_phase = (uint32_t)((m->bus_phase + cycles) % rules_of(m)->counters.bus_ratio);
	model_flush_pmi(m);
	return UINT64_MAX;
}
