/* SPDX-License-Identifier: MIT */
/* The emulator's reports about instructions: the part that is equal for all generations is here;
 * the processor's own generation does the rest. */
#include <model/sampling/records.h>

/* Not inlined, so that the compiler keeps the fast path short. */
static __attribute__((noinline)) void retire_fully(struct refpmu_cpu *m,
                                                   const struct refpmu_insn *insn)
{
	struct cache_cost cost;

	cache_retire(&m->caches, insn, &cost);
	if (m->records_branches)
		model_branches_retire(m, insn, cost.is_mispredicted);
	if (!m->is_active)
		return;
	model_enter_ring(m, ring_of(m, insn->cpl));
	m->generation->retire(m, insn, &cost);
}

/* Aims the run: it may go on to the end of the line that is already fetched. */
static void aim_run(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	const struct cache_core *c = &m->core->caches;
	uint32_t line_bytes = c->geometry->line_bytes;

	m->run.bytes = 0;
	if (insn->next_ip >> c->line_bits != c->fetch_line[m->caches.thread])
		return;
	m->run.bytes = line_bytes - (uint32_t)(insn->next_ip & (line_bytes - 1));
	m->run_end = insn->next_ip + m->run.bytes;
}

/* Begins a run in this ring, if the generation retires instructions by the fast path here. */
static void begin_run(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	m->run_cpl = insn->cpl_after;
	m->is_gathering = ring_of(m, insn->cpl_after) == m->ring && m->generation->may_gather(m);
	if (m->is_gathering)
		aim_run(m, insn);
}

/* Adds the instruction to the run, unless it costs something. */
static void join_run(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	struct cache_cost cost;

	if (cache_retire_near(&m->caches, insn, &cost)) {
		m->run.insns++;
		if (insn->branch != REFPMU_NO_BRANCH)
			m->generation->join_branch(m, insn);
		aim_run(m, insn);
		return;
	}
	model_end_run(m);
	m->generation->retire(m, insn, &cost);
	begin_run(m, insn);
}

static bool may_join(const struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	return m->is_gathering && m->generation->join_branch && insn->branch < REFPMU_FAR_JMP &&
	       insn->cpl == m->run_cpl && !(insn->traits & m->run.barred_traits) &&
	       m->run.insns < RUN_INSNS;
}

void refpmu_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	const struct model_generation *g = m->generation;

	if (may_join(m, insn)) {
		join_run(m, insn);
		return;
	}
	model_end_run(m);
	if (g->retire_fast && g->retire_fast(m, insn)) {
		if (m->was_fast)
			begin_run(m, insn);
		m->was_fast = m->gets_runs && m->is_single && g->may_gather;
	} else {
		m->was_fast &= g->join_branch && insn->branch != REFPMU_NO_BRANCH;
		retire_fully(m, insn);
		if (m->was_fast)
			begin_run(m, insn);
	}
}

struct refpmu_run *refpmu_run(struct refpmu_cpu *m)
{
	m->gets_runs = true;
	return &m->run;
}

void refpmu_end_run(struct refpmu_cpu *m)
{
	model_end_run(m);
}

void refpmu_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                   uint64_t physical, unsigned size, bool is_cacheable)
{
	m->generation->access(m, kind, linear, physical, size, is_cacheable);
}

void refpmu_io(struct refpmu_cpu *m, bool is_write, uint32_t port, unsigned size)
{
	model_end_run(m);
	cache_io(&m->caches, is_write, port, size);
}

void refpmu_exception(struct refpmu_cpu *m, unsigned vector)
{
	model_end_run(m);
	if (m->is_entering)
		model_branches_exception(m, vector);
	cache_drop(&m->caches);
	m->generation->enter(m, ENTRY_EXCEPTION);
}

void refpmu_interrupt(struct refpmu_cpu *m, unsigned vector)
{
	(void)vector;                  /* passed as for an exception; no event needs it yet */
	model_end_run(m);
	m->generation->enter(m, ENTRY_INTERRUPT);
}

void refpmu_tlb_flush(struct refpmu_cpu *m)
{
	model_end_run(m);
	cache_tlb_flush(&m->caches);
}

void refpmu_cache_flush(struct refpmu_cpu *m)
{
	model_end_run(m);
	cache_empty_core(&m->core->caches);
	cache_empty_package(&m->package->caches);
	cache_forget_fast_read(&m->caches);
}

/* ---------------------------------------------------------------------------- halted */

/*
 * While halted, or waiting for a SIPI, the time stamp moves and counters stand still, except those
 * with AnyThread, which count the core's other thread. Source: SDM 3B, "Architectural Performance
 * Monitoring Version 1" on Unhalted Core Cycles and Unhalted Reference Cycles.
 */
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
	m->halted_cycles += cycles;
	m->bus_phase = (uint32_t)((m->bus_phase + cycles) % rules_of(m)->counters.bus_ratio);
	model_flush_pmi(m);
	return UINT64_MAX;
}
