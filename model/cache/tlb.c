/* SPDX-License-Identifier: MIT */
/* The TLBs: like caches, of pages by their linear address. */
#include <model/cache/caches_parts.h>

uint32_t cache_translate_code(struct caches *u, uint64_t page)
{
	const struct cache_geometry *g = u->core->geometry;

	return cache_has_page(u->itlb, &g->itlb, page, u->tlb_stamp) ? 0 : g->invented->walk_cycles;
}

uint32_t cache_translate_data(struct caches *u, uint64_t page)
{
	const struct cache_geometry *g = u->core->geometry;

	return cache_has_page(u->dtlb, &g->dtlb, page, u->tlb_stamp) ? 0 : g->invented->walk_cycles;
}

/* Forgetting the last line fetched makes the next fetch look for its page. */
void cache_tlb_flush(struct caches *u)
{
	const struct cache_geometry *g = u->core->geometry;
	uint64_t stamp = u->tlb_stamp;

	cache_new_stamp(&stamp, u->itlb, &g->itlb);
	cache_new_stamp(&u->tlb_stamp, u->dtlb, &g->dtlb);
	u->core->fetch_line[u->thread] = CACHE_NOWHERE;
	u->data_page = CACHE_NOWHERE;
}
