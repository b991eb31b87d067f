/* SPDX-License-Identifier: MIT */
/* Instructions without effects besides retiring, with at most one load that hit. */
#include <model/cache/caches_parts.h>

static bool is_first(const struct cache_tags *t, uint64_t number)
{
	return cache_is_same(*cache_set(t, number), cache_tag(t, number));
}

static bool has(const struct cache_tags *t, uint64_t number)
{
	return is_first(t, number) || cache_find(t, number);
}

/* Uses both if they are present. Not inlined: most of them are the last ones of their sets. */
static __attribute__((noinline)) bool use_slowly(struct caches *u, uint64_t page, uint64_t line)
{
	const struct cache_tags *l1d = &u->core->l1d;
	uint64_t found;

	if (!has(l1d, line) || (page != u->data_page && !has(&u->dtlb, page)))
		return false;
	cache_use(l1d, line, &found);
	if (page != u->data_page)
		cache_use(&u->dtlb, page, &found);
	u->data_page = page;
	return true;
}

static bool use(struct caches *u, uint64_t page, uint64_t line)
{
	if (!is_first(&u->core->l1d, line))
		return use_slowly(u, page, line);
	if (page != u->data_page && !is_first(&u->dtlb, page))
		return use_slowly(u, page, line);
	u->data_page = page;
	return true;
}

bool cache_read_fast(struct caches *u, uint64_t linear, uint64_t physical, unsigned size)
{
	struct cache_observed *observed = &u->observed;
	uint64_t page = linear >> CACHE_PAGE_BITS, line = physical >> u->core->line_bits;

	if (observed->is_pending | (observed->fast_size != 0) | !u->fills_core |
	    ((linear & 7) + size > 8) | u->core->geometry->aligns_by_size)
		return false;
	if (!use(u, page, line))
		return false;
	observed->fast_linear = linear;
	observed->fast_size = size;
	return true;
}

/* Returns whether the instruction is in the line fetched last, and the next one follows it. */
static bool is_in_line(const struct caches *u, const struct refpmu_insn *insn, uint64_t end)
{
	uint64_t line = u->core->fetch_line[u->thread];

	return insn->ip >> u->core->line_bits == line && end >> u->core->line_bits == line &&
	       insn->next_ip == end + 1;
}

bool cache_retire_fast(struct caches *u, const struct refpmu_insn *insn)
{
	struct cache_observed *observed = &u->observed;
	uint64_t end = insn->ip + insn->length - 1;

	if (observed->is_pending | u->is_pending | (u->core->snooped.snoops != 0) |
	    (u->core->package->machine->bus.changes != observed->seen.changes))
		return false;
	if (!is_in_line(u, insn, end))
		return false;
	observed->fetch_block = end & ~(uint64_t)(u->core->geometry->fetch_bytes - 1);
	observed->fast_size = 0;
	return true;
}

void cache_retire_fast_run(struct caches *u, uint64_t end, bool is_reading)
{
	u->observed.fetch_block = end & ~(uint64_t)(u->core->geometry->fetch_bytes - 1);
	if (!is_reading)
		cache_forget_fast_read(u);
}
