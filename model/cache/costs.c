/* SPDX-License-Identifier: MIT */
/* What an instruction costs: accesses gather, retiring collects. */
#include <model/cache/caches_parts.h>

#include <model/refpmu.h>

void cache_forget(struct caches *u)
{
	cache_tlb_flush(u);
	cache_predictor_reset(&u->predictor, u->core->geometry->invented);
	if (u->tells_traffic)
		cache_traffic_forget(u);
	cache_drop(u);
}

void cache_drop(struct caches *u)
{
	u->pending = (struct cache_cost){ .is_alone = false };
	u->pending_l2 = (struct cache_l2){ 0 };
	u->is_pending = false;
	if (u->tells_traffic)
		cache_traffic_drop(u);
}

/* ---------------------------------------------------------------------------- data */

static void use_data(struct caches *u, unsigned kind, uint64_t line)
{
	uint32_t cycles = cache_use_data(u, line, kind != REFPMU_READ);

	if (kind == REFPMU_WRITE || !cycles)
		return;
	u->is_pending = true;
	cache_add_cycles(&u->pending.backend_cycles, cycles);
}

static void access_page(struct caches *u, uint64_t page)
{
	uint32_t cycles = cache_translate_data(u, page);

	u->data_page = page;
	if (!cycles)
		return;
	u->is_pending = true;
	cache_add_cycles(&u->pending.backend_cycles, cycles);
}

void cache_access(struct caches *u, unsigned kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable)
{
	struct cache_core *c = u->core;
	uint32_t line_mask = c->geometry->line_bytes - 1;
	uint64_t line = physical >> c->line_bits;
	uint64_t page = linear >> CACHE_PAGE_BITS;
	uint32_t lines = (((uint32_t)physical & line_mask) + size + line_mask) >> c->line_bits;

	if (u->tells_traffic) {
		cache_traffic_access(u, kind, linear, physical, size, is_cacheable);
		return;
	}
	if (page != u->data_page)
		access_page(u, page);
	if (line == (kind == REFPMU_READ ? c->data_line : c->written_line) && lines == 1)
		return;
	for (uint32_t i = 0; i < lines; i++)
		use_data(u, kind, line + i);
}

/* ---------------------------------------------------------------------------- instructions */

static void fetch_line(struct caches *u, uint64_t line)
{
	uint64_t page = line >> (CACHE_PAGE_BITS - u->core->line_bits);
	uint32_t cycles = cache_translate_code(u, page) + cache_use_code(u, line);

	if (!cycles)
		return;
	u->is_pending = true;
	cache_add_cycles(&u->pending.frontend_cycles, cycles);
}

static void fetch(struct caches *u, const struct refpmu_insn *insn)
{
	const struct cache_core *c = u->core;
	uint64_t first = insn->ip >> c->line_bits;
	uint64_t last = (insn->ip + insn->length - 1) >> c->line_bits;

	if (first != c->fetch_line[u->thread])
		fetch_line(u, first);
	if (last != first)
		fetch_line(u, last);
}

/* What gathered is the cost. */
static void collect(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost)
{
	*cost = u->pending;
	if (u->is_pending) {
		u->retired_l2 = u->pending_l2;
		cost->l2 = &u->retired_l2;
		u->pending = (struct cache_cost){ .is_alone = false };
		u->pending_l2 = (struct cache_l2){ 0 };
		u->is_pending = false;
	}
	cost->is_alone = (insn->traits & REFPMU_TRAIT_SERIALIZING) || cache_is_far(insn->branch);
}

static void mispredict(const struct caches *u, struct cache_cost *cost)
{
	cost->is_mispredicted = true;
	cost->bad_speculation_cycles = u->core->geometry->invented->mispredict_cycles;
}

static void predict(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost)
{
	bool is_wrong = u->tells_traffic ? cache_btb_retire(u, insn) :
	                cache_predictor_retire(u, insn);

	if (is_wrong)
		mispredict(u, cost);
}

bool cache_retire_near(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost)
{
	bool is_wrong;

	fetch(u, insn);
	is_wrong = insn->branch != REFPMU_NO_BRANCH && cache_predictor_retire(u, insn);
	if (!u->is_pending && !is_wrong)
		return true;
	collect(u, insn, cost);
	if (is_wrong)
		mispredict(u, cost);
	return false;
}

void cache_retire(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost)
{
	if (u->tells_traffic)
		cache_traffic_fetch(u, insn);
	else
		fetch(u, insn);
	collect(u, insn, cost);
	if (insn->branch != REFPMU_NO_BRANCH)
		predict(u, insn, cost);
	if (u->tells_traffic)
		cache_traffic_retire(u, insn, cost);
}
