/* SPDX-License-Identifier: MIT */
/* Sets in order of use, and a line's way through the levels. */
#include <model/cache/caches_parts.h>

#include <stddef.h>

uint64_t cache_lookup_slowly(uint64_t *set, uint32_t ways, uint64_t tag)
{
	uint64_t moving = set[0], found = 0;

	set[0] = tag;
	for (uint32_t way = 1; way < ways && !found; way++) {
		uint64_t next = set[way];

		set[way] = moving;
		moving = next;
		if (cache_is_same(next, tag))
			found = next;
	}
	if (found)
		set[0] = found;
	return found;
}

uint64_t *cache_find(uint64_t *set, uint32_t ways, uint64_t tag)
{
	for (uint32_t way = 0; way < ways; way++)
		if (cache_is_same(set[way], tag))
			return &set[way];
	return NULL;
}

/* Stamp 0 is that of zero bytes and never in use. Stamps come round: then old tags must go. */
void cache_new_stamp(uint64_t *stamp, uint64_t *tags, const struct cache_shape *shape)
{
	*stamp += CACHE_STAMP_LSB;
	if (*stamp)
		return;
	for (uint32_t i = 0; i < shape->sets * shape->ways; i++)
		tags[i] = 0;
	*stamp = CACHE_STAMP_LSB;
}

/* ---------------------------------------------------------------------------- the levels */

void cache_count_l2(struct caches *u, enum cache_request request, unsigned state)
{
	u->is_pending = true;
	u->pending_l2.count[request][state]++;
}

/* All levels of this core missed. Returns the state that the line gets there. */
static unsigned use_last_level(struct caches *u, uint64_t line, enum cache_request request,
                               uint32_t *cycles)
{
	struct cache_core *c = u->core;
	const struct cache_geometry *g = c->geometry;
	const struct cache_shape *shape = cache_last(g);
	uint64_t *set = cache_set(c->package->llc, shape, line);
	uint64_t tag = cache_tag(line, c->package->stamp);
	uint64_t *entry = u->fills_last ? set : cache_find(set, shape->ways, tag);
	uint64_t found = u->fills_last ? cache_lookup(set, shape->ways, tag) : entry ? *entry : 0;
	bool is_write = request == CACHE_STORE;
	bool is_shared = cache_snoop_cores(c, line, is_write);
	unsigned state = cache_state(found);

	if (!g->l3.ways)
		cache_count_l2(u, request, state);
	u->pending.llc_references++;
	u->pending.llc_misses += !found;
	*cycles = found ? g->invented->llc_cycles : g->invented->memory_cycles;
	/* What this package has alone no other one is asked for. */
	if (state < CACHE_E && cache_snoop_packages(c, line, is_write))
		state = CACHE_S;
	else if (!found)
		state = CACHE_E;
	if (is_write)
		state = CACHE_M;
	if (entry)
		*entry = tag | state;
	if (is_write)
		return CACHE_M;
	return is_shared || state == CACHE_S ? CACHE_S : CACHE_E;
}

static void mark_written(uint64_t *tags, const struct cache_shape *shape, uint64_t line,
                         uint64_t stamp)
{
	uint64_t *entry = cache_find(cache_set(tags, shape, line), shape->ways,
	                             cache_tag(line, stamp));

	if (entry)
		*entry |= CACHE_M;
}

/* The core has the line in this state, and writes it. Returns what reading it first would wait. */
static uint32_t acquire(struct cache_core *c, uint64_t line, unsigned state)
{
	const struct cache_geometry *g = c->geometry;

	if (state == CACHE_S) {
		cache_snoop_cores(c, line, true);
		cache_snoop_packages(c, line, true);
	}
	if (g->l3.ways)
		mark_written(c->l2, &g->l2, line, c->stamp);
	mark_written(c->package->llc, cache_last(g), line, c->package->stamp);
	return state == CACHE_S ? g->invented->llc_cycles : 0;
}

/* L1 missed. Returns the state that the line gets there. */
static unsigned fill_line(struct caches *u, uint64_t line, enum cache_request request,
                          uint32_t *cycles)
{
	struct cache_core *c = u->core;
	const struct cache_geometry *g = c->geometry;
	uint64_t *set, tag = cache_tag(line, c->stamp), found;
	unsigned state;

	if (!g->l3.ways)
		return use_last_level(u, line, request, cycles);
	set = cache_set(c->l2, &g->l2, line);
	found = cache_lookup(set, g->l2.ways, tag);
	state = cache_state(found);
	cache_count_l2(u, request, state);
	if (!found) {
		state = use_last_level(u, line, request, cycles);
	} else {
		*cycles = g->invented->l2_cycles;
		if (request == CACHE_STORE && state != CACHE_M) {
			*cycles += acquire(c, line, state);
			state = CACHE_M;
		}
	}
	*set = tag | state;
	return state;
}

static unsigned find_state(uint64_t *tags, const struct cache_shape *shape, uint64_t line,
                           uint64_t stamp)
{
	const uint64_t *entry = cache_find(cache_set(tags, shape, line), shape->ways,
	                                   cache_tag(line, stamp));

	return entry ? cache_state(*entry) : CACHE_I;
}

void cache_count_upgrade(struct caches *u, uint64_t line)
{
	struct cache_core *c = u->core;
	const struct cache_shape *shape = &c->geometry->l2;
	bool is_own = c->geometry->l3.ways != 0;
	uint64_t *tags = is_own ? c->l2 : c->package->llc;
	uint64_t stamp = is_own ? c->stamp : c->package->stamp;

	cache_count_l2(u, CACHE_STORE, find_state(tags, shape, line, stamp));
}

/* The core's caches stay as they are, but what is there and is written changes its state. */
static void pass_by(struct cache_core *c, uint64_t line, bool is_write)
{
	const struct cache_geometry *g = c->geometry;
	unsigned state = find_state(c->l1d, &g->l1d, line, c->stamp);

	if (state == CACHE_I && g->l3.ways)
		state = find_state(c->l2, &g->l2, line, c->stamp);
	if (is_write) {
		acquire(c, line, state ? state : CACHE_S);
		mark_written(c->l1d, &g->l1d, line, c->stamp);
	} else if (state == CACHE_I) {
		cache_snoop_cores(c, line, false);
		cache_snoop_packages(c, line, false);
	}
}

uint32_t cache_use_data(struct caches *u, uint64_t line, bool is_write)
{
	struct cache_core *c = u->core;
	const struct cache_shape *shape = &c->geometry->l1d;
	uint64_t *set = cache_set(c->l1d, shape, line);
	uint64_t tag = cache_tag(line, c->stamp), found;
	unsigned state;
	uint32_t cycles = 0;

	if (!u->fills_core) {
		pass_by(c, line, is_write);
		return 0;
	}
	found = cache_lookup(set, shape->ways, tag);
	state = cache_state(found);
	if (!found) {
		state = fill_line(u, line, is_write ? CACHE_STORE : CACHE_LOAD, &cycles);
	} else if (is_write && state != CACHE_M) {
		if (state == CACHE_S)
			cache_count_upgrade(u, line);
		cycles = acquire(c, line, state);
		state = CACHE_M;
	}
	*set = tag | state;
	c->data_line = line;
	c->written_line = state == CACHE_M ? line : CACHE_NOWHERE;
	return cycles;
}

uint32_t cache_use_code(struct caches *u, uint64_t line)
{
	struct cache_core *c = u->core;
	const struct cache_shape *shape = &c->geometry->l1i;
	uint64_t *set = cache_set(c->l1i, shape, line);
	uint64_t tag = cache_tag(line, c->stamp);
	uint32_t cycles = 0;

	c->fetch_line[u->thread] = line;
	if (!u->fills_core) {
		if (!cache_find(set, shape->ways, tag))
			pass_by(c, line, false);
		return 0;
	}
	if (cache_lookup(set, shape->ways, tag))
		return 0;
	fill_line(u, line, CACHE_FETCH, &cycles);
	*set = tag | CACHE_S;
	return cycles;
}

/* ---------------------------------------------------------------------------- emptying */

void cache_empty_package(struct cache_package *p)
{
	cache_new_stamp(&p->stamp, p->llc, cache_last(p->geometry));
}

/* L1I, L1D and L2 share a stamp: all three are cleared when it comes round. */
void cache_empty_core(struct cache_core *c)
{
	const struct cache_geometry *g = c->geometry;
	uint64_t stamp = c->stamp;

	cache_new_stamp(&stamp, c->l1i, &g->l1i);
	stamp = c->stamp;
	cache_new_stamp(&stamp, c->l1d, &g->l1d);
	cache_new_stamp(&c->stamp, c->l2, cache_own_l2(g));
	for (unsigned i = 0; i < CACHE_THREADS; i++)
		c->fetch_line[i] = CACHE_NOWHERE;
	c->data_line = c->written_line = CACHE_NOWHERE;
}
