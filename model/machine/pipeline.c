/* SPDX-License-Identifier: MIT */
/*
 * One instruction: first the cycles that it waited, then the cycle that it retires in, then what
 * it counts. Up to cycle_width instructions share a cycle.
 *
 * Invented, as the emulator shows no micro-operations: an instruction takes one slot; the slots
 * that a cycle leaves empty belong to the stall that ends it, to the back end before a serialising
 * instruction and after it, and to the front end otherwise.
 */
#include <model/arch/events_arch.h>
#include <model/netburst/netburst_shared.h>
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

/* The ring of an instruction: that before it, but for rules that no processor has. */
static unsigned odd_cpl(struct model *m, const struct model_insn *insn)
{
	const struct model_rules *r = rules_of(m);
	unsigned cpl = m->late_cpl ? m->late_cpl - 1u : insn->cpl;

	m->late_cpl = 0;
	if (r->syscall_keeps_ring && insn->branch == MODEL_SYSCALL)
		m->late_cpl = (uint8_t)(insn->cpl + 1);
	return r->ring_is_after ? insn->cpl_after : cpl;
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
		model_close(m, stalls[i].cause);
		model_stall(m, stalls[i].cycles, stalls[i].cause);
	}
	if (cost->is_alone)
		model_close(m, SIGNAL_BACKEND);
}

/* Not more than one an instruction, and one an exception or interrupt. */
void model_count_inserts(struct model *m)
{
	model_count_told(m, SIGNAL_LBR_INSERTS, m->branches.inserted);
	m->branches.inserted = 0;
	model_settle(m);
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

/*
 * The short way of what does nothing but retire, and perhaps load or store what is there: no cost,
 * no branch, nobody else who counts it. False: it is not so, and nothing happened yet.
 */
static bool retire_plain(struct model *m, const struct model_insn *insn)
{
	static const struct cache_cost nothing;
	const struct model_rules *r = rules_of(m);
	unsigned ring = r->usr_cpls >> insn->cpl & 1 ? RING_USR : RING_OS;
	bool is_special = insn->traits & (MODEL_TRAIT_SERIALIZING | MODEL_TRAIT_CPUID);

	if ((insn->branch != MODEL_NO_BRANCH) | is_special | m->is_legacy | !m->is_active |
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
	model_end_instruction(m, insn, false);
	return true;
}

/* Apart, as the short way is short for the compiler, too. */
static __attribute__((noinline)) void retire_fully(struct model *m, const struct model_insn *insn)
{
	const struct model_rules *r = rules_of(m);
	unsigned cpl, ring;
	struct cache_cost cost;

	cache_retire(&m->caches, insn, &cost);
	if (m->records_branches)
		model_branches_retire(m, insn, cost.is_mispredicted);
	if (!m->is_active)
		return;
	m->retired++;
	cpl = m->plan.has_odd_rings ? odd_cpl(m, insn) : insn->cpl;
	ring = r->usr_cpls >> cpl & 1 ? RING_USR : RING_OS;
	if (ring != m->ring) {
		model_close(m, SIGNAL_FRONTEND);
		m->ring = (uint8_t)ring;
	}
	if (m->is_legacy) {
		model_retire_legacy(m, insn, &cost);
		return;
	}
	if (m->is_netburst) {
		netburst_retire(m, insn, &cost);
		return;
	}
	if (cost.frontend_cycles | cost.bad_speculation_cycles | cost.backend_cycles |
	    cost.is_alone)
		wait(m, &cost);
	m->is_open = true;
	m->now[SIGNAL_RETIRING]++;
	count_events(m, insn, &cost);
	model_end_instruction(m, insn, cost.is_alone);
}

void model_retire(struct model *m, const struct model_insn *insn)
{
	if (!(m->is_netburst ? netburst_retire_plain(m, insn) : retire_plain(m, insn)))
		retire_fully(m, insn);
}

void model_access(struct model *m, enum model_access kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable)
{
	m->accesses++;
	if (m->plan.has_memory)
		model_note_access(m, kind, linear);
	if (m->is_legacy)
		model_access_legacy(m, kind, linear, physical, size, is_cacheable);
	else if (m->is_netburst)
		netburst_access(m, kind, linear, physical, size, is_cacheable);
	else
		cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
}

void model_io(struct model *m, bool is_write, uint32_t port, unsigned size)
{
	cache_io(&m->caches, is_write, port, size);
}

/* One more of a signal, but not of SIGNAL_NONE: nobody counts that. */
static void count_one(struct model *m, unsigned ring, unsigned signal)
{
	const struct model_list *plain = &m->plan.own.on_retire[ring][signal];

	for (unsigned i = 0; i < plain->count; i++)
		model_count(m, plain->index[i], 1);
	model_settle(m);
	model_flush_pmi(m);
}

void model_exception(struct model *m, unsigned vector)
{
	if (m->is_entering)
		model_branches_exception(m, vector);
	cache_drop(&m->caches);
	m->accesses = m->blocked_loads = 0;
	model_forget_accesses(m);
	count_one(m, m->ring, rules_of(m)->entry_signal);
	if (m->is_legacy)
		model_enter_legacy(m, ENTRY_EXCEPTION);
	if (m->is_netburst)
		netburst_enter(m);
}

void model_interrupt(struct model *m, unsigned vector)
{
	const struct model_rules *r = rules_of(m);

	m->is_halted = false;
	m->is_pmi_followed &= vector != m->pmi_vector;
	if (m->is_entering)
		model_branches_interrupt(m);
	count_one(m, RING_USR, r->interrupt_retires ? SIGNAL_INSTRUCTIONS : SIGNAL_NONE);
	count_one(m, m->ring, r->entry_signal);
	if (m->is_legacy)
		model_enter_legacy(m, ENTRY_INTERRUPT);
	if (m->is_netburst)
		netburst_enter(m);
}

void model_tlb_flush(struct model *m)
{
	cache_tlb_flush(&m->caches);
}

void model_pebs_write(struct model *m, const struct model_insn *insn)
{
	if (m->is_netburst)
		netburst_pebs_write(m, insn);
	else
		model_pebs_write_arch(m, insn);
}
