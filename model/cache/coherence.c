/* SPDX-License-Identifier: MIT */
/*
 * What the others do when a core reads or writes a line: MESI. Source: SDM 3A, "Methods of Caching
 * Available", "Cache Control Protocol". A read makes every other copy shared, wherever it is; a
 * write makes it invalid.
 *
 * What holds at any time: where a core has a line alone (E or M), no other core and no other
 * package's last level has it; where a last level has it alone, no other package has it at all.
 */
#include <model/cache/caches_parts.h>

#include <stddef.h>

/* The entry's place in the order of use is taken by those after it; the free one is used first. */
static void remove(uint64_t *set, uint32_t ways, uint64_t *entry)
{
	for (; entry + 1 < set + ways; entry++)
		entry[0] = entry[1];
	*entry = 0;
}

static bool snoop_cache(uint64_t *tags, const struct cache_shape *shape, uint64_t line,
                        uint64_t stamp, bool is_write)
{
	uint64_t *set = cache_set(tags, shape, line);
	uint64_t *entry = cache_find(set, shape->ways, cache_tag(line, stamp));

	if (!entry)
		return false;
	if (is_write)
		remove(set, shape->ways, entry);
	else
		*entry = (*entry & ~CACHE_STATE_MASK) | CACHE_S;
	return true;
}

/* The last ones used no longer hit without a look. */
static void forget_line(struct cache_core *c, uint64_t line, bool is_write)
{
	if (c->written_line == line)
		c->written_line = CACHE_NOWHERE;
	if (!is_write)
		return;
	if (c->data_line == line)
		c->data_line = CACHE_NOWHERE;
	for (unsigned i = 0; i < CACHE_THREADS; i++)
		if (c->fetch_line[i] == line)
			c->fetch_line[i] = CACHE_NOWHERE;
}

static bool snoop_core(struct cache_core *c, uint64_t line, bool is_write)
{
	const struct cache_geometry *g = c->geometry;
	bool has_it = snoop_cache(c->l1d, &g->l1d, line, c->stamp, is_write);

	has_it |= snoop_cache(c->l1i, &g->l1i, line, c->stamp, is_write);
	if (g->l3.ways)
		has_it |= snoop_cache(c->l2, &g->l2, line, c->stamp, is_write);
	if (has_it)
		forget_line(c, line, is_write);
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
		is_anywhere |= snoop_cache(p->llc, cache_last(p->geometry), line, p->stamp,
		                           is_write);
		for (struct cache_core *c = p->cores; c; c = c->next)
			is_anywhere |= snoop_core(c, line, is_write);
	}
	return is_anywhere;
}
