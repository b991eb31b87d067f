/* SPDX-License-Identifier: MIT */
/*
 * One instruction: first the cycles that it waited, then the cycle that it retires in, then what
 * it counts. Up to cycle_width instructions share a cycle.
 *
 * Invented, as the emulator shows no micro-operations: an instruction takes one slot; the slots
 * that a cycle leaves empty belong to the stall that ends it, to the back end before a serialising
 * instruction and after it, and to the front end otherwise.
 */
#include <model/arch/arch.h>
#include <model/arch/events_arch.h>
#include <model/sampling/branch_records.h>

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
		model_close_arch(m, stalls[i].cause);
		model_stall_arch(m, stalls[i].cycles, stalls[i].cause);
	}
	if (cost->is_alone)
		model_close_arch(m, SIGNAL_BACKEND);
}

static void count_branch(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	model_count_told(m, SIGNAL_BRANCHES, 1);
	if (insn->branch == REFPMU_JCC)
		model_count_told(m, SIGNAL_CONDITIONAL, 1);
	model_count_told(m, insn->is_taken ? SIGNAL_TAKEN : SIGNAL_NOT_TAKEN, 1);
}

static void count_events(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                         const struct cache_cost *cost)
{
	model_count_told(m, SIGNAL_INSTRUCTIONS, 1);
	if (is_branch(insn))
		count_branch(m, insn);
	if (cost->is_mispredicted)
		model_count_told(m, SIGNAL_BRANCH_MISSES, 1);
	if (cost->llc_references) {
		model_count_told(m, SIGNAL_LLC_REFERENCES, cost->llc_references);
		model_count_told(m, SIGNAL_LLC_MISSES, cost->llc_misses);
	}
	if (m->records_branches && m->branches.inserted)
		model_count_inserts(m);
	if (m->plan.has_memory)
		model_count_memory(m, cost);
	if (m->overflowed)
		model_settle(m);
}

/* is_alone: no other one retires in its cycle. */
static void end_instruction(struct refpmu_cpu *m, const struct refpmu_insn *insn, bool is_alone)
{
	if (is_alone || m->now[SIGNAL_RETIRING] >= rules_of(m)->counters.cycle_width)
		model_close_arch(m, SIGNAL_BACKEND);
	model_end_instruction(m, insn);
}

/*
 * The short way of what does nothing but retire, and perhaps load or store what is there: no cost,
 * no branch, nobody else who counts it. False: it is not so, and nothing happened yet.
 */
bool model_retire_plain_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	static const struct cache_cost nothing;
	const struct model_rules *r = rules_of(m);
	unsigned ring = r->counters.usr_cpls >> insn->cpl & 1 ? RING_USR : RING_OS;
	bool is_special = insn->traits & (REFPMU_TRAIT_SERIALIZING | REFPMU_TRAIT_CPUID);

	if ((insn->branch != REFPMU_NO_BRANCH) | is_special | !m->is_active |
	    (ring != m->ring) | (m->listener != NULL) |
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

static bool has_room(const struct refpmu_cpu *m, const struct model_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		if (headroom(&m->counter[list->index[i]]) < RUN_ROOM)
			return false;
	return true;
}

/* With LBR time is that of each branch, with metrics each cycle is another one. */
bool model_may_gather_arch(struct refpmu_cpu *m)
{
	const struct model_plan *plan = &m->plan;
	const struct model_lists *own = &plan->own;

	if (!m->is_active || m->is_polling || m->records_branches || plan->has_memory ||
	    plan->has_metrics[m->ring] || own->on_compare[m->ring].count)
		return false;
	for (unsigned signal = SIGNAL_INSTRUCTIONS; signal <= SIGNAL_NOT_TAKEN; signal++)
		if (!has_room(m, &own->on_retire[m->ring][signal]))
			return false;
	return has_room(m, &own->on_cycle[m->ring]);
}

/* Nobody compares: in which cycle it was does not matter. */
void model_join_branch_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	count_branch(m, insn);
}

/* These cycles are full, the first one together with what retired in it before. */
static void close_full(struct refpmu_cpu *m, uint32_t cycles)
{
	struct model_stretch s;

	model_end_cycle(m, &s, SIGNAL_BACKEND);
	s.cycles = cycles;
	s.per_cycle[SIGNAL_RETIRING] = rules_of(m)->counters.cycle_width;
	s.per_cycle[SIGNAL_BACKEND] = 0;
	model_count_stretch(m, &s);
}

/* As model_retire_plain_arch(), so many times. */
void model_retire_run_arch(struct refpmu_cpu *m)
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

void model_retire_arch(struct refpmu_cpu *m, const struct refpmu_insn *insn,
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

void model_access_arch(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                       uint64_t physical, unsigned size, bool is_cacheable)
{
	if (m->plan.has_memory)
		model_note_access(m, kind, linear);
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
	if (m->caches.is_pending)
		m->run.bytes = 0;
}

/* What the instruction that faulted has accessed is not counted. */
void model_enter_arch(struct refpmu_cpu *m, unsigned entry)
{
	if (entry == ENTRY_EXCEPTION)
		model_forget_accesses(m);
}
