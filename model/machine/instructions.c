/* SPDX-License-Identifier: MIT */
/* What the emulator tells of each instruction: what is the same for all generations is done here,
 * the rest by the processor's own. */
#include <model/sampling/branch_records.h>

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
	m->generation->retire(m, insn, &cost);
}

void model_retire(struct model *m, const struct model_insn *insn)
{
	const struct model_generation *g = m->generation;

	if (!g->retire_plain || !g->retire_plain(m, insn))
		retire_fully(m, insn);
}

void model_access(struct model *m, enum model_access kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable)
{
	m->generation->access(m, kind, linear, physical, size, is_cacheable);
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
	count_one(m, m->ring, rules_of(m)->entry_signal);
	m->generation->enter(m, ENTRY_EXCEPTION);
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
	m->generation->enter(m, ENTRY_INTERRUPT);
}

void model_tlb_flush(struct model *m)
{
	cache_tlb_flush(&m->caches);
}
