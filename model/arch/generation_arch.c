/* SPDX-License-Identifier: MIT */
/*
 * Processors with architectural performance monitoring: cycles and instructions, and the table of
 * this generation. Of an instruction come first the cycles that it waited, then the cycle in which
 * it retires, then its counts. Up to cycle_width instructions share a cycle. A freeze ends a
 * runs of equal cycles, and IA32_PERF_METRICS takes their slots.
 *
 * Invented, as the emulator shows no micro-operations: an instruction takes one slot; the slots
 * that a cycle leaves empty belong to the stall that ends it, to the back end before a serialising
 * instruction and after it, and to the front end otherwise.
 */
#include <model/arch/arch.h>
#include <model/guests/vm_state.h>
#include <model/sampling/records.h>

/* ---------------------------------------------------------------------------- cycles */

/* Not inlined: close_cycle() is called more often than there is a cycle to close. */
static void end_cycle(struct refpmu_cpu *m, unsigned cause)
{
	struct model_equal_cycles s;

	model_end_cycle(m, &s, cause);
	if (m->plan.has_metrics[m->ring])
		model_metrics_add(m, &s, false);
	model_count_equal_cycles(m, &s);
}

static void close_cycle(struct refpmu_cpu *m, unsigned cause)
{
	if (m->is_open)
		end_cycle(m, cause);
}

static void stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	struct model_equal_cycles s = { .cycles = cycles };

	model_fill_in(m, &s, cause);
	while (cycles) {
		s.cycles = cycles;
		model_cut_at_freeze(m, &m->plan.own, m->ring, &s);
		if (m->sibling)
			model_cut_at_freeze(m->sibling, &m->sibling->plan.any, m->ring, &s);
		cycles -= s.cycles;
		if (m->plan.has_metrics[m->ring])
			model_metrics_add(m, &s, true);
		model_count_equal_cycles(m, &s);
	}
}

/* ---------------------------------------------------------------------------- instructions */

static bool is_branch(const struct refpmu_insn *insn)
{
	return insn->branch != REFPMU_NO_BRANCH;
}

static void wait(struct refpmu_cpu *m, const struct cache_cost *cost)
{
	const struct { uint32_t cycles; uint8_t cause; } stalls[] = {
		{ cost->frontend_cycles,        SIGNAL_FRONTEND },
		{ cost->bad_speculation_cycles, SIGNAL_BAD_SPECULATION },
		{ cost->backend_cycles,         SIGNAL_BACKEND },
	};

	for (unsigned i = 0; i < 3; i++) {
		if (!stalls[i].cycles)
			continue;
		close_cycle(m, stalls[i].cause);
		stall(m, stalls[i].cycles, stalls[i].cause);
	}
	if (cost->is_alone)
		close_cycle(m, SIGNAL_BACKEND);
}

static void count_branch(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	static const uint8_t kinds[REFPMU_BRANCHES] = {
		[REFPMU_JCC]  = SIGNAL_CONDITIONAL,
		[REFPMU_CALL] = SIGNAL_CALLS, [REFPMU_CALL_INDIRECT] = SIGNAL_CALLS,
		[REFPMU_RET]  = SIGNAL_RETURNS,
	};
	bool is_far = insn->branch >= REFPMU_FAR_JMP;

	model_count_shared(m, SIGNAL_BRANCHES, 1);
	if (kinds[insn->branch])
		model_count_shared(m, kinds[insn->branch], 1);
	model_count_shared(m, insn->is_taken ? SIGNAL_TAKEN : SIGNAL_NOT_TAKEN, 1);
	if (insn->is_taken)
		model_count_shared(m, is_far ? SIGNAL_FAR : SIGNAL_NEAR_TAKEN, 1);
}

/* Of an IRET only what it retires as belongs to the level that it returns to. */
static void count_events(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                         const struct cache_cost *cost)
{
	if (cost->llc_references) {
		model_count_shared(m, SIGNAL_LLC_REFERENCES, cost->llc_references);
		model_count_shared(m, SIGNAL_LLC_MISSES, cost->llc_misses);
	}
	if (m->records_branches && m->branches.inserted)
		model_count_inserts(m);
	if (m->plan.rows)
		model_count_rows(m, insn, cost);
	if (m->plan.has_memory)
		model_count_memory(m, cost);
	if (insn->branch == REFPMU_IRET && rules_of(m)->counters.iret_counts_after)
		model_enter_ring(m, ring_of(m, insn->cpl_after));
	model_count_shared(m, SIGNAL_INSTRUCTIONS, 1);
	if (is_branch(insn))
		count_branch(m, insn);
	if (cost->is_mispredicted)
		model_count_shared(m, SIGNAL_BRANCH_MISSES, 1);
	if (m->overflowed)
		model_settle(m);
}

/* Ends the instruction; is_alone: no other one retires in its cycle. */
static void end_instruction(struct refpmu_cpu *m, const struct refpmu_insn *insn, bool is_alone)
{
	if (is_alone || is_cycle_full(m))
		close_cycle(m, SIGNAL_BACKEND);
	model_end_instruction(m, insn);
}

/*
 * Retires, by the fast path, an instruction that only retires, and perhaps loads or stores lines
 * that are present: without cost, not a branch, and not counted by the other thread. Returns
 * false, and does nothing, for any other instruction.
 */
static bool retire_fast(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	static const struct cache_cost nothing;
	bool is_special = insn->traits & (REFPMU_TRAIT_SERIALIZING | REFPMU_TRAIT_CPUID);

	if ((insn->branch != REFPMU_NO_BRANCH) | is_special | !m->is_active |
	    (ring_of(m, insn->cpl) != m->ring) | (m->sibling != NULL) | (m->plan.rows != 0) |
	    (m->records_branches && m->branches.inserted))
		return false;
	if (!cache_is_free(&m->caches, insn->ip, insn->length))
		return false;
	m->is_open = true;
	m->now[SIGNAL_RETIRING]++;
	model_count_signal(m, SIGNAL_INSTRUCTIONS, 1);
	if (m->plan.has_accesses)
		model_count_memory(m, &nothing);
	else
		model_forget_accesses(m);
	if (m->overflowed)
		model_settle(m);
	end_instruction(m, insn, false);
	return true;
}

static bool has_room(const struct refpmu_cpu *m, uint32_t counters)
{
	FOR_EACH_BIT(i, counters)
		if (headroom(&m->counter[i]) < RUN_ROOM)
			return false;
	return true;
}

/* LBR needs the time of each branch, and metrics need each cycle: neither allows to gather. */
static bool may_gather(struct refpmu_cpu *m)
{
	const struct model_plan *plan = &m->plan;
	const struct model_lists *own = &plan->own;

	if (!m->is_active || m->is_polling || m->records_branches || plan->has_memory ||
	    plan->has_metrics[m->ring] || own->on_compare[m->ring])
		return false;
	for (unsigned signal = SIGNAL_INSTRUCTIONS; signal <= SIGNAL_NOT_TAKEN; signal++)
		if (!has_room(m, own->on_retire[m->ring][signal]))
			return false;
	return has_room(m, own->on_cycle[m->ring]);
}

/* Closes full cycles, the first one together with instructions that retired in it before. */
static void close_full(struct refpmu_cpu *m, uint32_t cycles)
{
	struct model_equal_cycles s;

	model_end_cycle(m, &s, SIGNAL_BACKEND);
	s.cycles = cycles;
	s.per_cycle[SIGNAL_RETIRING] = rules_of(m)->counters.cycle_width;
	s.per_cycle[SIGNAL_BACKEND] = 0;
	model_count_equal_cycles(m, &s);
}

/* Retires the run as retire_fast() would, instruction by instruction. */
static void retire_run(struct refpmu_cpu *m)
{
	uint32_t n = m->run.insns, width = rules_of(m)->counters.cycle_width;
	uint32_t slots = m->now[SIGNAL_RETIRING] + n;

	model_count_signal(m, SIGNAL_INSTRUCTIONS, n);
	m->now[SIGNAL_RETIRING] = slots;
	if (slots >= width) {
		close_full(m, slots / width);
		m->now[SIGNAL_RETIRING] = m->now[SIGNAL_INSTRUCTIONS] = slots % width;
	}
	m->is_open = m->now[SIGNAL_RETIRING] != 0;
}

static void retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                       const struct cache_cost *cost)
{
	if (cost->frontend_cycles | cost->bad_speculation_cycles | cost->backend_cycles |
	    cost->is_alone)
		wait(m, cost);
	m->is_open = true;
	m->now[SIGNAL_RETIRING]++;
	count_events(m, insn, cost);
	end_instruction(m, insn, cost->is_alone);
}

static void note_access(struct model_pebs *p, enum refpmu_access kind, uint64_t linear,
                        bool is_split)
{
	p->split_loads += is_split && kind != REFPMU_WRITE;
	p->split_stores += is_split && kind != REFPMU_READ;
	p->loads += kind != REFPMU_WRITE;
	p->stores += kind != REFPMU_READ;
	p->has_both |= kind == REFPMU_READ_WRITE;
	p->address = linear;
}

static bool is_split(const struct refpmu_cpu *m, uint64_t linear, unsigned size)
{
	return ((linear ^ (linear + size - 1)) >> m->core->caches.line_bits) != 0;
}

static void take_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                       uint64_t physical, unsigned size, bool is_cacheable)
{
	if (m->plan.has_memory)
		note_access(&m->pebs, kind, linear, is_split(m, linear, size));
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
	if (m->caches.is_pending)
		m->run.bytes = 0;
}

/* Drops the accesses of the instruction that faulted. The entry counts at CPL 0, where handlers
 * run. */
static void enter(struct refpmu_cpu *m, unsigned entry)
{
	unsigned signal = rules_of(m)->events.entry_signal;

	if (entry == ENTRY_EXCEPTION)
		model_forget_accesses(m);
	if ((!signal && !m->plan.rows) || !m->is_active)
		return;
	model_enter_ring(m, RING_OS);
	model_count_entry_rows(m, entry);
	if (signal)
		model_count_shared(m, signal, 1);
	if (signal == SIGNAL_BRANCHES)
		model_count_shared(m, SIGNAL_FAR, 1);
	model_settle(m);
	model_flush_pmi(m);
}

/* ---------------------------------------------------------------------------- reset, freeze */

/* Source: SDM 4, "Architectural MSRs". */
static void reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	const struct model_rules *r = rules_of(m);

	if (kind == REFPMU_RESET_INIT)
		return;
	m->global_ctrl = r->registers.has_global_control ? ones(r->counters.gp_count) : 0;
	model_metrics_set(m, 0);
}

/*
 * On a PMI DEBUGCTL[12] stops the counters, DEBUGCTL[11] the branch records. The request alone does
 * so, whether or not LVTPC lets it through. Sources: SDM 3B, "Freezing LBR and Performance Counters
 * on PMI", "Streamlined Freeze_LBR_On_PMI", "Streamlined Freeze_PerfMon_On_PMI".
 */
static void freeze(struct refpmu_cpu *m)
{
	if (m->debugctl & IA32_DEBUGCTL_FREEZE_LBRS_ON_PMI)
		model_branches_freeze(m);
	if (!(m->debugctl & IA32_DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	if (rules_of(m)->overflow.freezes_by_status)
		m->global_status |= IA32_PERF_GLOBAL_STATUS_CTR_FRZ;
	else
		m->global_ctrl = 0;
	model_make_plan(m);
}

const struct model_generation model_generation_arch = {
	.msrs = { model_msrs_arch, model_msrs_debugctl, model_msrs_debug_store, model_msrs_pebs,
	          model_msrs_lbr },
	MODEL_VMX,
	.events = model_events_arch,
	.retire_fast = retire_fast,
	.may_gather = may_gather,
	.retire_run = retire_run,
	.join_branch = count_branch,   /* nothing compares, so the branch's cycle does not matter */
	.barred_traits = REFPMU_TRAIT_SERIALIZING | REFPMU_TRAIT_CPUID | REFPMU_TRAIT_HLT |
	                 ~(REFPMU_TRAIT_PRIVATE - 1),
	.retire = retire,
	.access = take_access,
	.enter = enter,
	.write_pebs = model_pebs_write_arch,
	.plan = model_plan_arch,
	.close = close_cycle,
	.stall = stall,
	.read_counter = model_read_counter_arch,
	.reset = reset,
	.freeze = freeze,
};
