/* SPDX-License-Identifier: MIT */
/*
 * The way of a line through the levels, for which bus.c has the traffic; and MESI, the effects of a
 * core's reads and writes on other copies of the line. Source: SDM 3A, "Methods of Caching
 * Available", "Cache Control Protocol". A read makes every other copy shared, wherever it is; a
 * write makes it invalid.
 *
 * Invariants: if a core has a line alone (E or M), no other core and no other package's last level
 * has it; if a last level has a line alone, no other package has it at all.
 */
#include <model/cache/caches_parts.h>

/* ---------------------------------------------------------------------------- coherence */

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
		if (p->geometry->observes_traffic)
			cache_count_snoop(p, line, is_write);
		is_anywhere |= snoop_cache(&p->llc, line, is_write);
		for (struct cache_core *c = p->cores; c; c = c->next)
			is_anywhere |= snoop_core(c, line, is_write);
	}
	return is_anywhere;
}

/* ---------------------------------------------------------------------------- L2 */

static void count_l2(struct caches *u, enum cache_request request, unsigned state)
{
	u->is_pending = true;
	u->pending_l2.count[request][state]++;
}

/* Counts the request to L2 of a store that found its line shared in L1D. */
static void count_upgrade(struct caches *u, uint64_t line)
{
	struct cache_core *c = u->core;
	const struct cache_tags *l2 = c->l2.shape.ways ? &c->l2 : &c->package->llc;

	count_l2(u, CACHE_STORE, cache_state_at(cache_find(l2, line)));
}

static void mark_written(const struct cache_tags *t, uint64_t line)
{
	uint64_t *entry = cache_find(t, line);

	if (entry)
		*entry |= CACHE_M;
}

/* Writes a line that the core has in this state. Returns the stall of a read before the write. */
static uint32_t acquire(struct cache_core *c, uint64_t line, unsigned state)
{
	if (state == CACHE_S) {
		cache_snoop_cores(c, line, true);
		cache_snoop_packages(c, line, true);
	}
	mark_written(&c->l2, line);
	mark_written(&c->package->llc, line);
	return state == CACHE_S ? c->geometry->invented->llc_cycles : 0;
}

/* ---------------------------------------------------------------------------- filling L1 */

/* Returns the line's entry in the last level, or NULL if it gets none. *found: the previous
 * entry, 0 if absent. */
static uint64_t *use_llc(struct caches *u, uint64_t line, uint64_t *found)
{
	const struct cache_tags *llc = &u->core->package->llc;
	uint64_t *entry;

	if (u->fills_last && u->observes_traffic)
		return cache_bus_use(u, llc, line, found);
	if (u->fills_last)
		return cache_use(llc, line, found);
	entry = cache_find(llc, line);
	*found = entry ? *entry : 0;
	return entry;
}

/* Fetches a line that this package does not have. Returns the state that the line gets. */
static unsigned ask_memory(struct caches *u, uint64_t line, enum cache_request request)
{
	bool is_shared;

	u->observed.was_fetched = true;
	if (u->observes_traffic)
		cache_count_bus(u, (enum cache_bus)request, 1);
	is_shared = cache_snoop_packages(u->core, line, request == CACHE_STORE);
	return request == CACHE_STORE ? CACHE_M : is_shared ? CACHE_S : CACHE_E;
}

/* Uses a line that the last level had in this state (0: absent). Returns its state afterwards. */
static unsigned use_outside(struct caches *u, uint64_t line, enum cache_request request,
                            unsigned state)
{
	bool is_taken = request == CACHE_STORE && state == CACHE_S;

	if (state == CACHE_I)
		return ask_memory(u, line, request);
	if (u->observes_traffic)
		return is_taken ? cache_bus_take(u, line, CACHE_BUS_INVAL) : state;
	/* No other package can have what this one has alone. */
	if (is_taken)
		cache_snoop_packages(u->core, line, true);
	return request == CACHE_STORE ? CACHE_M : state;
}

/* Fetches a line that all levels of this core missed. Returns the state that it gets there. */
static unsigned use_last_level(struct caches *u, uint64_t line, enum cache_request request,
                               uint32_t *cycles)
{
	const struct cache_invented *invented = u->core->geometry->invented;
	bool is_write = request == CACHE_STORE;
	uint64_t found, *entry = use_llc(u, line, &found);
	bool is_shared = cache_snoop_cores(u->core, line, is_write);
	unsigned state = cache_state(found);

	if (!u->core->l2.shape.ways)
		count_l2(u, request, state);
	u->pending.llc_references++;
	u->pending.llc_misses += !found;
	*cycles = found ? invented->llc_cycles : invented->memory_cycles;
	state = use_outside(u, line, request, state);
	if (entry)
		cache_set_state(entry, state);
	if (u->observes_traffic)
		cache_observe(u)->l2_m_lines_in += entry && !found && is_write;
	if (is_write)
		return CACHE_M;
	return is_shared || state == CACHE_S ? CACHE_S : CACHE_E;
}

unsigned cache_fill(struct caches *u, uint64_t line, enum cache_request request, uint32_t *cycles)
{
	struct cache_core *c = u->core;
	uint64_t found, *entry;
	unsigned state;

	if (!c->package->llc.shape.ways) {
		*cycles = c->geometry->invented->memory_cycles;
		return cache_snoop_cores(c, line, false) ? CACHE_S : ask_memory(u, line, request);
	}
	if (!c->l2.shape.ways)
		return use_last_level(u, line, request, cycles);
	entry = cache_use(&c->l2, line, &found);
	state = cache_state(found);
	count_l2(u, request, state);
	if (!found) {
		state = use_last_level(u, line, request, cycles);
	} else {
		*cycles = c->geometry->invented->l2_cycles;
		if (request == CACHE_STORE && state != CACHE_M) {
			*cycles += acquire(c, line, state);
			state = CACHE_M;
		}
	}
	cache_set_state(entry, state);
	return state;
}

/* ---------------------------------------------------------------------------- L1 */

/* Changes the states of lines that are present and written, but brings none in. */
static void pass_by(struct cache_core *c, uint64_t line, bool is_write)
{
	unsigned state = cache_state_at(cache_find(&c->l1d, line));

	if (state == CACHE_I)
		state = cache_state_at(cache_find(&c->l2, line));
	if (is_write) {
		acquire(c, line, state ? state : CACHE_S);
		mark_written(&c->l1d, line);
	} else if (state == CACHE_I) {
		cache_snoop_cores(c, line, false);
		cache_snoop_packages(c, line, false);
	}
}

/* Writes a line that L1D has in state S or E. Returns the stall of a read before the write. */
static uint32_t upgrade(struct caches *u, uint64_t line, unsigned state)
{
	if (state == CACHE_S)
		count_upgrade(u, line);
	if (!u->observes_traffic)
		return acquire(u->core, line, state);
	if (state != CACHE_S)
		return 0;
	cache_bus_take(u, line, CACHE_BUS_INVAL);
	return u->core->geometry->invented->llc_cycles;
}

uint32_t cache_use_data(struct caches *u, uint64_t line, unsigned kind)
{
	const struct cache_tags *l1d = &u->core->l1d;
	bool is_write = kind != REFPMU_READ;
	uint64_t found, *entry;
	unsigned state;
	uint32_t cycles = 0;

	if (!u->fills_core) {
		pass_by(u->core, line, is_write);
		return 0;
	}
	if (u->observes_traffic && u->core->geometry->writes_around)
		return cache_bus_use_around(u, line, kind);
	entry = u->observes_traffic ? cache_bus_use(u, l1d, line, &found)
	                         : cache_use(l1d, line, &found);
	state = cache_state(found);
	if (!found)
		state = cache_fill(u, line, is_write ? CACHE_STORE : CACHE_LOAD, &cycles);
	else if (is_write && state != CACHE_M)
		cycles = upgrade(u, line, state);
	if (u->observes_traffic)
		cache_bus_tell_data(u, found, kind, cycles);
	cache_set_state(entry, is_write ? CACHE_M : state);
	return cycles;
}

uint32_t cache_use_code(struct caches *u, uint64_t line)
{
	struct cache_core *c = u->core;
	uint64_t found, *entry;
	uint32_t cycles;

	c->fetch_line[u->thread] = line;
	if (!u->fills_core) {
		if (!cache_find(&c->l1i, line))
			pass_by(c, line, false);
		return 0;
	}
	entry = cache_use(&c->l1i, line, &found);
	if (found)
		return 0;
	if (u->observes_traffic)
		cache_observe(u)->l1i_misses++;
	cache_fill(u, line, CACHE_FETCH, &cycles);
	cache_set_state(entry, CACHE_S);
	return cycles;
}
