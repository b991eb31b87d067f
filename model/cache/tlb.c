/* SPDX-License-Identifier: MIT */
/* The TLBs: like caches, of pages by their linear address. */
#include <model/cache/caches_parts.h>

uint32_t uarch_translate_code(struct uarch *u, uint64_t page)
{
	const struct uarch_geometry *g = u->core->geometry;

	return uarch_has_page(u->itlb, &g->itlb, page, u->tlb_stamp) ? 0 : g->invented->walk_cycles;
}

uint32_t uarch_translate_data(struct uarch *u, uint64_t page)
{
	const struct uarch_geometry *g = u->core->geometry;

	return uarch_has_page(u->dtlb, &g->dtlb, page, u->tlb_stamp) ? 0 : g->invented->walk_cycles;
}

/* Forgetting the last line fetched makes the next fetch look for its page. */
void uarch_tlb_flush(struct uarch *u)
{
	uint64_t stamp = u->tlb_stamp;

	uarch_new_stamp(&stamp, u->itlb, UARCH_TLB_PAGES);
	uarch_new_stamp(&u->tlb_stamp, u->dtlb, UARCH_TLB_PAGES);
	u->core->fetch_line[u->thread] = UARCH_NOWHERE;
	u->data_page = UARCH_NOWHERE;
}
