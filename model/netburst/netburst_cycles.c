/* SPDX-License-Identifier: MIT */
/* What a cycle of NetBurst does when it ends, and stretches of equal cycles. */
#include <model/netburst/netburst_shared.h>

/* Units and transactions continue. */
static void work(struct refpmu_cpu *m, uint64_t cycles)
{
	m->netburst.executed = 0;
	model_work(m, cycles);
	netburst_work_transactions(m, cycles);
}

static void cut(const struct refpmu_cpu *m, struct model_equal_cycles *s)
{
	const struct netburst_thread *t = &m->netburst;

	model_cut_at_work(m, s);
	for (unsigned i = 0; i < t->entry_count; i++)
		if (t->entry[i].cycles < s->cycles)
			s->cycles = t->entry[i].cycles;
}

void netburst_pass(struct refpmu_cpu *m, uint64_t cycles)
{
	const struct netburst *b = netburst_of(m);

	model_pass(m, cycles);
	if (b->compares | (b->levels & b->counting[m->netburst.number][m->ring]))
		netburst_look_at_cycles(m, cycles);
	work(m, cycles);
}

void netburst_close(struct refpmu_cpu *m, unsigned cause)
{
	(void)cause;
	if (!m->is_open)
		return;
	m->is_open = false;
	m->now[SIGNAL_RETIRING] = 0;
	netburst_pass(m, 1);
}

void netburst_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	struct model_equal_cycles s;

	(void)cause;
	for (; cycles; cycles -= s.cycles) {
		s.cycles = cycles;
		cut(m, &s);
		netburst_cut_at_cascade(m, &s);
		netburst_pass(m, s.cycles);
	}
}

/* Only levels that are not compared count: a compared one was already asserted before. */
static void count_tail(struct refpmu_cpu *m, uint64_t cycles)
{
	FOR_EACH_COUNTING(m, i)
		if ((netburst_of(m)->levels >> i & 1) && !netburst_of(m)->slot[i].has_compare)
			netburst_move(m, i, netburst_level(m, i), cycles);
}

/* Everything under way ends before a register changes that counts it. While the caches and the bus
 * finish, no cycles of the processor pass. */
void netburst_finish(struct refpmu_cpu *m, enum model_finish before)
{
	struct model_equal_cycles s;

	netburst_close(m, SIGNAL_BACKEND);
	netburst_skid_end(m);
	model_wait_for_divider(m);
	m->netburst.is_finishing = true;
	while (model_busy_units(m) || m->netburst.entry_count) {
		s.cycles = UINT64_MAX;
		cut(m, &s);
		count_tail(m, s.cycles);
		work(m, s.cycles);
	}
	m->netburst.is_finishing = false;
	if (before == MODEL_BEFORE_WRITE && m->other)
		netburst_close(m->other, SIGNAL_FRONTEND);
}
