/* SPDX-License-Identifier: MIT */
/* Sets in order of use, and a line's way through the levels. */
#include <model/cache/caches_parts.h>

#include <stddef.h>

uint64_t uarch_lookup_slowly(uint64_t *set, uint32_t ways, uint64_t tag)
{
	uint64_t moving = set[0], found = 0;

	set[0] = tag;
	for (uint32_t way = 1; way < ways && !found; way++) {
		uint64_t next = set[way];

		set[way] = moving;
		moving = next;
		if (uarch_is_same(next, tag))
			found = next;
	}
	if (found)
		set[0] = found;
	return found;
}

uint64_t *uarch_find(uint64_t *set, uint32_t ways, uint64_t tag)
{
	for (uint32_t way = 0; way < ways; way++)
		if (uarch_is_same(set[way], tag))
			return &set[way];
	return NULL;
}

/* Stamp 0 is that of zero bytes and never in use. Stamps come round: then old tags must go. */
void uarch_new_stamp(uint64_t *stamp, uint64_t *tags, uint32_t count)
{
	*stamp += UARCH_STAMP_LSB;
	if (*stamp)
		return;
	for (uint32_t i = 0; i < count; i++)
		tags[i] = 0;
	*stamp = UARCH_STAMP_LSB;
}

/* ---------------------------------------------------------------------------- the levels */

void uarch_count_l2(struct uarch *u, enum uarch_request request, unsigned state)
{
	u->is_pending = true;
	u->pending_l2.count[request][state]++;
}

/* All levels of this core missed. Returns the state that the line gets there. */
static unsigned use_last_level(struct uarch *u, uint64_t line, enum uarch_request request,
                               uint32_t *cycles)
{
	struct uarch_core *c = u->core;
	const struct uarch_geometry *g = c->geometry;
	const struct uarch_shape *shape = uarch_last(g);
	uint64_t *set = uarch_set(c->package->llc, shape, line);
	uint64_t tag = uarch_tag(line, c->package->stamp);
	uint64_t *entry = u->fills_last ? set : uarch_find(set, shape->ways, tag);
	uint64_t found = u->fills_last ? uarch_lookup(set, shape->ways, tag) : entry ? *entry : 0;
	bool is_write = request == UARCH_STORE;
	bool is_shared = uarch_snoop_cores(c, line, is_write);
	unsigned state = uarch_state(found);

	if (!g->l3.ways)
		uarch_count_l2(u, request, state);
	u->pending.llc_references++;
	u->pending.llc_misses += !found;
	*cycles = found ? g->invented->llc_cycles : g->invented->memory_cycles;
	/* What this package has alone no other one is asked for. */
	if (state < UARCH_E && uarch_snoop_packages(c, line, is_write))
		state = UARCH_S;
	else if (!found)
		state = UARCH_E;
	if (is_write)
		state = UARCH_M;
	if (entry)
		*entry = tag | state;
	if (is_write)
		return UARCH_M;
	return is_shared || state == UARCH_S ? UARCH_S : UARCH_E;
}

static void mark_written(uint64_t *tags, const struct uarch_shape *shape, uint64_t line,
                         uint64_t stamp)
{
	uint64_t *entry = uarch_find(uarch_set(tags, shape, line), shape->ways,
	                             uarch_tag(line, stamp));

	if (entry)
		*entry |= UARCH_M;
}

/* The core has the line in this state, and writes it. Returns what reading it first would wait. */
static uint32_t acquire(struct uarch_core *c, uint64_t line, unsigned state)
{
	const struct uarch_geometry *g = c->geometry;

	if (state == UARCH_S) {
		uarch_snoop_cores(c, line, true);
		uarch_snoop_packages(c, line, true);
	}
	if (g->l3.ways)
		mark_written(c->l2, &g->l2, line, c->stamp);
	mark_written(c->package->llc, uarch_last(g), line, c->package->stamp);
	return state == UARCH_S ? g->invented->llc_cycles : 0;
}

/* L1 missed. Returns the state that the line gets there. */
static unsigned fill_line(struct uarch *u, uint64_t line, enum uarch_request request,
                          uint32_t *cycles)
{
	struct uarch_core *c = u->core;
	const struct uarch_geometry *g = c->geometry;
	uint64_t *set, tag = uarch_tag(line, c->stamp), found;
	unsigned state;

	if (!g->l3.ways)
		return use_last_level(u, line, request, cycles);
	set = uarch_set(c->l2, &g->l2, line);
	found = uarch_lookup(set, g->l2.ways, tag);
	state = uarch_state(found);
	uarch_count_l2(u, request, state);
	if (!found) {
		state = use_last_level(u, line, request, cycles);
	} else {
		*cycles = g->invented->l2_cycles;
		if (request == UARCH_STORE && state != UARCH_M) {
			*cycles += acquire(c, line, state);
			state = UARCH_M;
		}
	}
	*set = tag | state;
	return state;
}

static unsigned find_state(uint64_t *tags, const struct uarch_shape *shape, uint64_t line,
                           uint64_t stamp)
{
	const uint64_t *entry = uarch_find(uarch_set(tags, shape, line), shape->ways,
	                                   uarch_tag(line, stamp));

	return entry ? uarch_state(*entry) : UARCH_I;
}

void uarch_count_upgrade(struct uarch *u, uint64_t line)
{
	struct uarch_core *c = u->core;
	const struct uarch_shape *shape = &c->geometry->l2;
	bool is_own = c->geometry->l3.ways != 0;
	uint64_t *tags = is_own ? c->l2 : c->package->llc;
	uint64_t stamp = is_own ? c->stamp : c->package->stamp;

	uarch_count_l2(u, UARCH_STORE, find_state(tags, shape, line, stamp));
}

/* The core's caches stay as they are, but what is there and is written changes its state. */
static void pass_by(struct uarch_core *c, uint64_t line, bool is_write)
{
	const struct uarch_geometry *g = c->geometry;
	unsigned state = find_state(c->l1d, &g->l1d, line, c->stamp);

	if (state == UARCH_I && g->l3.ways)
		state = find_state(c->l2, &g->l2, line, c->stamp);
	if (is_write) {
		acquire(c, line, state ? state : UARCH_S);
		mark_written(c->l1d, &g->l1d, line, c->stamp);
	} else if (state == UARCH_I) {
		uarch_snoop_cores(c, line, false);
		uarch_snoop_packages(c, line, false);
	}
}

uint32_t uarch_use_data(struct uarch *u, uint64_t line, bool is_write)
{
	struct uarch_core *c = u->core;
	const struct uarch_shape *shape = &c->geometry->l1d;
	uint64_t *set = uarch_set(c->l1d, shape, line);
	uint64_t tag = uarch_tag(line, c->stamp), found;
	unsigned state;
	uint32_t cycles = 0;

	if (!u->fills_core) {
		pass_by(c, line, is_write);
		return 0;
	}
	found = uarch_lookup(set, shape->ways, tag);
	state = uarch_state(found);
	if (!found) {
		state = fill_line(u, line, is_write ? UARCH_STORE : UARCH_LOAD, &cycles);
	} else if (is_write && state != UARCH_M) {
		if (state == UARCH_S)
			uarch_count_upgrade(u, line);
		cycles = acquire(c, line, state);
		state = UARCH_M;
	}
	*set = tag | state;
	c->data_line = line;
	c->written_line = state == UARCH_M ? line : UARCH_NOWHERE;
	return cycles;
}

uint32_t uarch_use_code(struct uarch *u, uint64_t line)
{
	struct uarch_core *c = u->core;
	const struct uarch_shape *shape = &c->geometry->l1i;
	uint64_t *set = uarch_set(c->l1i, shape, line);
	uint64_t tag = uarch_tag(line, c->stamp);
	uint32_t cycles = 0;

	c->fetch_line[u->thread] = line;
	if (!u->fills_core) {
		if (!uarch_find(set, shape->ways, tag))
			pass_by(c, line, false);
		return 0;
	}
	if (uarch_lookup(set, shape->ways, tag))
		return 0;
	fill_line(u, line, UARCH_FETCH, &cycles);
	*set = tag | UARCH_S;
	return cycles;
}

/* ---------------------------------------------------------------------------- emptying */

void uarch_empty_package(struct uarch_package *p)
{
	uarch_new_stamp(&p->stamp, p->llc, UARCH_LLC_LINES);
}

/* L1I, L1D and L2 share a stamp: all three are cleared when it comes round. */
void uarch_empty_core(struct uarch_core *c)
{
	uint64_t stamp = c->stamp;

	uarch_new_stamp(&stamp, c->l1i, UARCH_L1_LINES);
	stamp = c->stamp;
	uarch_new_stamp(&stamp, c->l1d, UARCH_L1_LINES);
	uarch_new_stamp(&c->stamp, c->l2, UARCH_L2_LINES);
	for (unsigned i = 0; i < UARCH_THREADS; i++)
		c->fetch_line[i] = UARCH_NOWHERE;
	c->data_line = c->written_line = UARCH_NOWHERE;
}
