/* SPDX-License-Identifier: MIT */
/* The cost of an instruction: accesses add to it, retiring collects it. */
#include <model/cache/caches_parts.h>

void cache_forget(struct caches *u)
{
	cache_tlb_flush(u);
	cache_predictor_reset(&u->predictor);
	cache_drop(u);
	if (u->observes_traffic)
		cache_traffic_forget(u);
}

static void clear(struct caches *u)
{
	u->pending = (struct cache_cost){ .is_alone = false };
	u->pending_l2 = (struct cache_l2){ 0 };
	u->is_pending = false;
}

void cache_drop(struct caches *u)
{
	clear(u);
	if (u->observes_traffic)
		cache_traffic_drop(u);
}

/* Returns whether the line is already the most recently used one of its set and keeps its state. */
static bool hits_at_once(const struct cache_tags *l1d, uint64_t line, bool is_write)
{
	uint64_t entry = *cache_set(l1d, line), tag = cache_tag(l1d, line);

	return is_write ? entry == (tag | CACHE_M) : cache_is_same(entry, tag);
}

static void note_walk(struct caches *u, unsigned kind)
{
	u->pending.load_walks += kind != REFPMU_WRITE;
	u->pending.store_walks += kind == REFPMU_WRITE;
}

void cache_access(struct caches *u, unsigned kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable)
{
	struct cache_core *c = u->core;
	uint32_t line_mask = c->geometry->line_bytes - 1;
	uint64_t line = physical >> c->line_bits;
	uint32_t *sum = &u->pending.backend_cycles, walk;
	uint32_t lines = (((uint32_t)physical & line_mask) + size + line_mask) >> c->line_bits;

	if (u->observes_traffic) {
		cache_traffic_access(u, kind, linear, physical, size, is_cacheable);
		return;
	}
	walk = cache_translate_data(u, linear >> CACHE_PAGE_BITS);
	if (walk)
		note_walk(u, kind);
	cache_wait(u, sum, walk);
	if (lines == 1 && u->fills_core && hits_at_once(&c->l1d, line, kind != REFPMU_READ))
		return;
	for (uint32_t i = 0; i < lines; i++) {
		uint32_t cycles = cache_use_data(u, line + i, kind);

		cache_wait(u, sum, kind == REFPMU_WRITE ? 0 : cycles);
	}
}

static void fetch_line(struct caches *u, uint64_t line)
{
	uint64_t page = line >> (CACHE_PAGE_BITS - u->core->line_bits);
	uint32_t walk = cache_translate(u, &u->itlb, page), cycles = cache_use_code(u, line);

	if (u->observes_traffic) {
		struct cache_traffic *t = cache_observe(u);

		t->itlb_misses += walk != 0;
		t->itlb_cycles += walk;
		t->ifetch_cycles += cycles;
	}
	u->pending.code_walks += walk != 0;
	cache_wait(u, &u->pending.frontend_cycles, walk + cycles);
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

/* Makes the sums of the accesses the cost. */
static void collect(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost)
{
	*cost = u->pending;
	if (u->is_pending) {
		u->retired_l2 = u->pending_l2;
		cost->l2 = &u->retired_l2;
		clear(u);
	}
	cost->is_alone = (insn->traits & REFPMU_TRAIT_SERIALIZING) || cache_is_far(insn->branch);
}

static void mispredict(const struct caches *u, struct cache_cost *cost)
{
	cost->is_mispredicted = true;
	cost->bad_speculation_cycles = u->core->geometry->invented->mispredict_cycles;
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
	if (u->observes_traffic)
		cache_traffic_fetch(u, insn);
	fetch(u, insn);
	collect(u, insn, cost);
	if (insn->branch != REFPMU_NO_BRANCH &&
	    (u->observes_traffic ? cache_btb_retire(u, insn) : cache_predictor_retire(u, insn)))
		mispredict(u, cost);
	if (u->observes_traffic)
		cache_traffic_retire(u, insn, cost);
}
