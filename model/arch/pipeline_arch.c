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

static bool is_branch(const struct model_rules *r, const struct model_insn *insn)
{
	return ((r->branches >> insn->branch & 1) ||
	        (r->cpuid_is_branch && (insn->traits & MODEL_TRAIT_CPUID))) &&
	       (insn->is_taken | !r->taken_branches_only);
}

/* In instructions: one, but for rules that no processor has. */
static uint32_t count_of(const struct model *m, const struct model_insn *insn)
{
	const struct model_rules *r = rules_of(m);
	bool is_too_high = r->ip_bits && insn->ip >> r->ip_bits;
	uint32_t count = r->int_retires_twice && insn->branch == MODEL_INT ? 2 : 1;

	return is_too_high ? 0 : count - ((m->retired & r->insns_lost) == 1);
}

static void wait(struct model *m, const struct cache_cost *cost)
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

static void count_branch(struct model *m, const struct model_insn *insn)
{
	model_count_told(m, SIGNAL_BRANCHES, 1);
	if (insn->branch == MODEL_JCC)
		model_count_told(m, SIGNAL_CONDITIONAL, 1);
	model_count_told(m, insn->is_taken ? SIGNAL_TAKEN : SIGNAL_NOT_TAKEN, 1);
}

static void count_events(struct model *m, const struct model_insn *insn,
                         const struct cache_cost *cost)
{
	const struct model_rules *r = rules_of(m);

	model_count_told(m, SIGNAL_INSTRUCTIONS, m->plan.has_odd_counts ? count_of(m, insn) : 1);
	if (is_branch(r, insn))
		count_branch(m, insn);
	if (cost->is_mispredicted)
		model_count_told(m, SIGNAL_BRANCH_MISSES, 1);
	if (cost->llc_references) {
		model_count_told(m, SIGNAL_LLC_REFERENCES, cost->llc_references);
		model_count_told(m, SIGNAL_LLC_MISSES, cost->llc_misses);
	}
	if (r->access_signal != SIGNAL_NONE)
		model_count_told(m, r->access_signal, m->accesses);
	m->accesses = 0;
	if (m->records_branches && m->branches.inserted)
		model_count_inserts(m);
	if (m->plan.has_memory)
		model_count_memory(m, cost);
	if (m->overflowed)
		model_settle(m);
}

/* is_alone: no other one retires in its cycle. */
static void end_instruction(struct model *m, const struct model_insn *insn, bool is_alone)
{
	if (is_alone || m->now[SIGNAL_RETIRING] >= rules_of(m)->cycle_width)
		model_close_arch(m, SIGNAL_BACKEND);
	model_end_instruction(m, insn);
}

/*
 * The short way of what does nothing but retire, and perhaps load or store what is there: no cost,
 * no branch, nobody else who counts it. False: it is not so, and nothing happened yet.
 */
bool model_retire_plain_arch(struct model *m, const struct model_insn *insn)
{
	static const struct cache_cost nothing;
	const struct model_rules *r = rules_of(m);
	unsigned ring = r->usr_cpls >> insn->cpl & 1 ? RING_USR : RING_OS;
	bool is_special = insn->traits & (MODEL_TRAIT_SERIALIZING | MODEL_TRAIT_CPUID);

	if ((insn->branch != MODEL_NO_BRANCH) | is_special | !m->is_active |
	    (ring != m->ring) | m->plan.is_odd | (m->listener != NULL) |
	    (m->records_branches && m->branches.inserted))
		return false;
	if (!cache_is_free(&m->caches, insn->ip, insn->length))
		return false;
	m->retired++;
	m->accesses = 0;
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

void model_retire_arch(struct model *m, const struct model_insn *insn,
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

void model_access_arch(struct model *m, enum model_access kind, uint64_t linear,
                       uint64_t physical, unsigned size, bool is_cacheable)
{
	m->accesses++;
	if (m->plan.has_memory)
		model_note_access(m, kind, linear);
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
}

/* What the instruction that faulted has accessed is not counted. */
void model_enter_arch(struct model *m, unsigned entry)
{
	if (entry != ENTRY_EXCEPTION)
		return;
	m->accesses = 0;
	model_forget_accesses(m);
}
