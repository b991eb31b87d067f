/* SPDX-License-Identifier: MIT */
/*
 * Counts by rows of events (event_rows.h) on processors with architectural performance monitoring.
 * The rows count an instruction's traffic, which costs of these processors do not have: it is made
 * here, while a counter needs it, of the accesses that were noted.
 *
 * Chosen: all that an instruction counts by rows belongs to the level that it begins at; rows count
 * with AnyThread what their own thread does. Loads and stores are micro-operations from Sandy
 * Bridge to Broadwell, instructions elsewhere, as in plan_arch.c.
 */
#include <model/arch/arch.h>
#include <model/steps/steps.h>

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct cache_traffic traffic_of(const struct refpmu_cpu *m, const struct cache_cost *cost)
{
	const struct model_pebs *p = &m->pebs;
	const uint32_t most = rules_of(m)->events.model & MODEL_UOPS ? UINT32_MAX : 1;

	return (struct cache_traffic){
		.data_reads = least(p->loads, most), .data_writes = least(p->stores, most),
		.data_updates = p->has_both,
		.splits = p->split_loads + p->split_stores,
		.split_reads = least(p->split_loads, most),
		.split_writes = least(p->split_stores, most),
		.dtlb_misses = cost->load_walks + cost->store_walks,
		.dtlb_read_misses = cost->load_walks, .dtlb_write_misses = cost->store_walks,
		.itlb_misses = cost->code_walks,
		.l1i_misses = cache_sum_of(cost->l2, 1 << CACHE_FETCH, ~0u),
		.l1d_lines_in = cache_sum_of(cost->l2, 1 << CACHE_LOAD | 1 << CACHE_STORE, ~0u),
		.l2_lines_in = cache_sum_of(cost->l2, ~0u, 1 << CACHE_I),
	};
}

void model_count_rows(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                      const struct cache_cost *cost)
{
	const struct cache_traffic traffic = traffic_of(m, cost);
	const struct model_retired retired = { insn, cost, &traffic };

	FOR_EACH_BIT(i, m->plan.rows)
		if (m->counter[i].rings >> m->ring & 1)
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_count(m, &m->counter[i], &retired));
	model_note_unit(m, insn);
}

void model_count_entry_rows(struct refpmu_cpu *m, unsigned entry)
{
	FOR_EACH_BIT(i, m->plan.rows)
		if (m->counter[i].rings >> m->ring & 1)
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_of_entry(&m->counter[i], entry));
}
