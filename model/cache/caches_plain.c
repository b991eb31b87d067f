/* SPDX-License-Identifier: MIT */
/* Instructions of which there is nothing to tell, with at most one load that hit. */
#include <model/cache/caches_parts.h>

#include <stddef.h>

/* Is it in the set? */
static bool has(uint64_t *set, uint32_t ways, uint64_t tag)
{
	return cache_is_same(*set, tag) || cache_find(set, ways, tag);
}

/* Both are used, if they are there. */
static bool use(struct caches *u, uint64_t page, uint64_t line)
{
	struct cache_core *c = u->core;
	const struct cache_shape *tlb = &c->geometry->dtlb, *l1d = &c->geometry->l1d;
	uint64_t page_tag = cache_tag(page, u->tlb_stamp), line_tag = cache_tag(line, c->stamp);
	uint64_t *pages = cache_set(u->dtlb, tlb, page), *lines = cache_set(c->l1d, l1d, line);

	if (page == u->data_page && cache_is_same(*lines, line_tag))
		return true;
	if (!has(lines, l1d->ways, line_tag))
		return false;
	if (page != u->data_page && !has(pages, tlb->ways, page_tag))
		return false;
	cache_lookup(lines, l1d->ways, line_tag);
	if (page != u->data_page)
		cache_lookup(pages, tlb->ways, page_tag);
	u->data_page = page;
	return true;
}

bool cache_read_plain(struct caches *u, uint64_t linear, uint64_t physical, unsigned size)
{
	struct cache_told *told = &u->told;

	if (told->is_pending | (told->plain_size != 0) | !u->fills_core |
	    ((linear & 7) + size > 8) | u->core->geometry->aligns_by_size)
		return false;
	if (!use(u, linear >> CACHE_PAGE_BITS, physical >> u->core->line_bits))
		return false;
	told->plain_linear = linear;
	told->plain_size = size;
	return true;
}

/* It lies in the line that was fetched last, and goes on behind itself. */
static bool is_in_line(const struct caches *u, const struct refpmu_insn *insn, uint64_t end)
{
	uint64_t line = u->core->fetch_line[u->thread];

	return insn->ip >> u->core->line_bits == line && end >> u->core->line_bits == line &&
	       insn->next_ip == end + 1;
}

bool cache_retire_plain(struct caches *u, const struct refpmu_insn *insn)
{
	struct cache_told *told = &u->told;
	uint64_t end = insn->ip + insn->length - 1;

	if (told->is_pending | u->is_pending | (u->core->snooped.snoops != 0) |
	    (u->core->package->machine->bus_changes != told->changes_seen))
		return false;
	if (!is_in_line(u, insn, end))
		return false;
	told->fetch_block = end & ~(uint64_t)(u->core->geometry->fetch_bytes - 1);
	told->plain_size = 0;
	return true;
}

void cache_retire_plain_run(struct caches *u, uint64_t end, bool is_reading)
{
	u->told.fetch_block = end & ~(uint64_t)(u->core->geometry->fetch_bytes - 1);
	if (!is_reading)
		cache_forget_plain_read(u);
}
