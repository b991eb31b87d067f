/* SPDX-License-Identifier: MIT */
/*
 * The effects of a core's reads and writes on other copies of the line: MESI. Source: SDM 3A,
 * "Methods of Caching Available", "Cache Control Protocol". A read makes every other copy shared,
 * wherever it is; a write makes it invalid.
 *
 * Invariants: if a core has a line alone (E or M), no other core and no other package's last level
 * has it; if a last level has a line alone, no other package has it at all.
 */
#include <model/cache/caches_parts.h>

/* Removes an entry: later ones move up in the order of use, and the free one is used first. */
static void remove(const struct cache_tags *t, uint64_t line, uint64_t *entry)
{
	const uint64_t *end = cache_set(t, line) + t->shape.ways;

	for (; entry + 1 < end; entry++)
		entry[0] = entry[1];
	*entry = 0;
}

static bool snoop_cache(const struct cache_tags *t, uint64_t line, bool is_write)
{
	uint64_t *entry = cache_find(t, line);

	if (entry && is_write)
		remove(t, line, entry);
	else if (entry)
		cache_set_state(entry, CACHE_S);
	return entry;
}

static bool snoop_core(struct cache_core *c, uint64_t line, bool is_write)
{
	bool has_it = snoop_cache(&c->l1d, line, is_write);

	has_it |= snoop_cache(&c->l1i, line, is_write);
	has_it |= snoop_cache(&c->l2, line, is_write);
	/* The last line fetched must be looked up again. */
	for (unsigned i = 0; has_it && is_write && i < CACHE_THREADS; i++)
		if (c->fetch_line[i] == line)
			c->fetch_line[i] = CACHE_NOWHERE;
	return has_it;
}

bool cache_snoop_cores(struct cache_core *self, uint64_t line, bool is_write)
{
	bool is_anywhere = false;

	for (struct cache_core *c = self->package->cores; c; c = c->next)
		if (c != self)
			is_anywhere |= snoop_core(c, line, is_write);
	return is_anywhere;
}

bool cache_snoop_packages(struct cache_core *self, uint64_t line, bool is_write)
{
	bool is_anywhere = false;

	for (struct cache_package *p = self->package->machine->packages; p; p = p->next) {
		if (p == self->package)
			continue;
		if (p->geometry->tells_traffic)
			cache_tell_snoop(p, line, is_write);
		is_anywhere |= snoop_cache(&p->llc, line, is_write);
		for (struct cache_core *c = p->cores; c; c = c->next)
			is_anywhere |= snoop_core(c, line, is_write);
	}
	return is_anywhere;
}
