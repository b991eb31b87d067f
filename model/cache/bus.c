/* SPDX-License-Identifier: MIT */
/*
 * A line's way through the caches of P5 and P6, with all that is told of it: what is modified,
 * what is replaced, what goes over the bus. The last level is L2, or there is none.
 *
 * Source: SDM 3A, "Methods of Caching Available", "Cache Control Protocol"; for the Pentium's
 * writes to shared lines Intel's Pentium Processor Family Developer's Manual, "Cache Consistency
 * Protocol".
 */
#include <model/cache/caches_parts.h>

static bool is_present(uint64_t entry, uint64_t stamp)
{
	return (entry ^ stamp) < CACHE_STAMP_LSB;
}

static uint64_t line_of(uint64_t entry)
{
	return entry >> CACHE_STATE_BITS & CACHE_NUMBER_MASK;
}

static uint64_t with_state(uint64_t entry, unsigned state)
{
	return (entry & ~CACHE_STATE_MASK) | state;
}

static uint64_t *find_l1d(struct cache_core *c, uint64_t line)
{
	const struct cache_shape *shape = &c->geometry->l1d;

	return cache_find(cache_set(c->l1d, shape, line), shape->ways, cache_tag(line, c->stamp));
}

static uint64_t *find_l2(struct cache_package *p, uint64_t line)
{
	const struct cache_shape *shape = &p->geometry->l2;

	return cache_find(cache_set(p->llc, shape, line), shape->ways, cache_tag(line, p->stamp));
}

/* ------------------------------------------------------------------------------ the bus */

static uint32_t count(uint64_t *sum, uint32_t n)
{
	*sum += n;
	return n;
}

void cache_tell_bus(struct caches *u, enum cache_bus kind, uint32_t n)
{
	struct cache_machine *machine = u->core->package->machine;

	cache_tell(u)->bus[kind] += count(&machine->bus[kind], n);
	machine->bus_changes++;
}

void cache_tell_snoop(struct cache_package *p, uint64_t line, bool is_write)
{
	const uint64_t *l2 = find_l2(p, line);
	bool is_l2_m = l2 && cache_state(*l2) == CACHE_M;

	for (struct cache_core *c = p->cores; c; c = c->next) {
		struct cache_snooped *s = &c->snooped;
		const uint64_t *l1d = find_l1d(c, line);
		bool is_l1d_m = l1d && cache_state(*l1d) == CACHE_M;

		s->snoops++;
		s->hits += l1d || l2;
		s->hitm += is_l1d_m || is_l2_m;
		s->l1d_m_lines_out += is_l1d_m;
		s->l2_lines_out += l2 && is_write;
		s->l2_m_lines_out += is_l2_m && is_write;
		if (is_l1d_m && !p->geometry->l2.ways)
			s->write_backs += count(&p->machine->bus[CACHE_BUS_WB], 1);
	}
}

/* Memory is asked. Returns the state of the line. */
static unsigned ask_memory(struct caches *u, uint64_t line, enum cache_request request)
{
	static const enum cache_bus kinds[CACHE_REQUESTS] = {
		[CACHE_LOAD] = CACHE_BUS_BRD, [CACHE_STORE] = CACHE_BUS_RFO,
		[CACHE_FETCH] = CACHE_BUS_IFETCH
	};
	bool is_write = request == CACHE_STORE;

	u->told.was_fetched = true;
	cache_tell_bus(u, kinds[request], 1);
	if (cache_snoop_packages(u->core, line, is_write))
		return is_write ? CACHE_M : CACHE_S;
	return is_write ? CACHE_M : CACHE_E;
}

/* The line is shared, and will be written: the others lose it. */
static void take(struct caches *u, uint64_t line, enum cache_bus kind)
{
	uint64_t *l2 = find_l2(u->core->package, line);

	cache_tell_bus(u, kind, 1);
	cache_snoop_cores(u->core, line, true);
	cache_snoop_packages(u->core, line, true);
	if (l2 && cache_state(*l2) == CACHE_S)
		*l2 = with_state(*l2, CACHE_E);
}

/* ------------------------------------------------------------------------------ L2 */

static void replace_in_l2(struct caches *u, uint64_t entry)
{
	struct cache_traffic *t = cache_tell(u);

	t->l2_lines_out++;
	if (cache_state(entry) != CACHE_M)
		return;
	t->l2_m_lines_out++;
	cache_tell_bus(u, CACHE_BUS_WB, 1);
	for (struct cache_core *c = u->core->package->cores; c; c = c->next) {
		uint64_t *l1d = find_l1d(c, line_of(entry));

		if (l1d && cache_state(*l1d) == CACHE_M)
			*l1d = with_state(*l1d, CACHE_E);
	}
}

/* The line's entry, NULL if it gets none. found: as it was, 0 if it was not there. */
static uint64_t *use_l2(struct caches *u, uint64_t line, uint64_t *found)
{
	struct cache_package *p = u->core->package;
	const struct cache_shape *shape = &p->geometry->l2;
	uint64_t *set = cache_set(p->llc, shape, line);
	uint64_t last = set[shape->ways - 1];

	if (!u->fills_last) {
		uint64_t *entry = find_l2(p, line);

		*found = entry ? *entry : 0;
		return entry;
	}
	*found = cache_lookup(set, shape->ways, cache_tag(line, p->stamp));
	if (*found)
		return set;
	cache_tell(u)->l2_lines_in++;
	if (is_present(last, p->stamp))
		replace_in_l2(u, last);
	return set;
}

/* L1 missed. Returns the state that the line gets there. */
static unsigned fill_from_l2(struct caches *u, uint64_t line, enum cache_request request)
{
	struct cache_core *c = u->core;
	uint64_t found, *entry = use_l2(u, line, &found);
	bool is_write = request == CACHE_STORE;
	bool is_shared = cache_snoop_cores(c, line, is_write);
	unsigned state = cache_state(found);

	cache_count_l2(u, request, state);
	u->pending.llc_references++;
	u->pending.llc_misses += !found;
	if (!found) {
		state = ask_memory(u, line, request);
		if (entry)
			*entry = cache_tag(line, c->package->stamp) | state;
		cache_tell(u)->l2_m_lines_in += entry && is_write;
	} else if (is_write && state == CACHE_S) {
		take(u, line, CACHE_BUS_INVAL);
	}
	if (is_write)
		return CACHE_M;
	return is_shared || state == CACHE_S ? CACHE_S : CACHE_E;
}

/* The same, with or without L2. */
static unsigned fill(struct caches *u, uint64_t line, enum cache_request request, uint32_t *cycles)
{
	const struct cache_geometry *g = u->core->geometry;
	uint32_t misses = u->pending.llc_misses;
	unsigned state;

	*cycles = g->invented->memory_cycles;
	if (!g->l2.ways)
		return cache_snoop_cores(u->core, line, false) ? CACHE_S :
		       ask_memory(u, line, request);
	state = fill_from_l2(u, line, request);
	if (u->pending.llc_misses == misses)
		*cycles = g->invented->llc_cycles;
	return state;
}

/* ------------------------------------------------------------------------------ L1 */

static void replace_in_l1d(struct caches *u, uint64_t entry)
{
	uint64_t *l2;

	if (!is_present(entry, u->core->stamp) || cache_state(entry) != CACHE_M)
		return;
	cache_tell(u)->l1d_m_lines_out++;
	l2 = find_l2(u->core->package, line_of(entry));
	if (!l2) {
		cache_tell_bus(u, CACHE_BUS_WB, 1);
	} else if (cache_state(*l2) != CACHE_M) {
		u->told.pending.l2_m_lines_in++;
		*l2 = with_state(*l2, CACHE_M);
	}
}

/* The line is the most recently used one of its set now. Returns it as it was, 0 if new. */
static uint64_t use_l1d(struct caches *u, uint64_t *set, uint64_t tag)
{
	uint32_t ways = u->core->geometry->l1d.ways;
	uint64_t last = set[ways - 1], found = cache_lookup(set, ways, tag);

	if (found)
		return found;
	cache_tell(u)->l1d_lines_in++;
	replace_in_l1d(u, last);
	return 0;
}

/* A store that misses takes the line; one to a shared line invalidates it elsewhere. */
static uint32_t use_inside(struct caches *u, uint64_t line, bool is_read, bool is_write)
{
	struct cache_core *c = u->core;
	struct cache_traffic *t = cache_tell(u);
	uint64_t *set = cache_set(c->l1d, &c->geometry->l1d, line);
	uint64_t tag = cache_tag(line, c->stamp), found = use_l1d(u, set, tag);
	unsigned state = cache_state(found);
	uint32_t cycles = 0;

	if (!found) {
		*(is_read ? &t->data_read_misses : &t->data_write_misses) += 1;
		t->l1d_m_lines_in += is_write;
		state = fill(u, line, is_write ? CACHE_STORE : CACHE_LOAD, &cycles);
		cache_add_cycles(&t->miss_cycles, cycles);
	} else if (is_write && state == CACHE_S) {
		cache_count_upgrade(u, line);
		take(u, line, CACHE_BUS_INVAL);
		cycles = c->geometry->invented->llc_cycles;
	} else {
		t->write_hits_m_e += is_write;
	}
	*set = tag | (is_write ? CACHE_M : state);
	return cycles;
}

static void write_around(struct caches *u, uint64_t line)
{
	struct cache_traffic *t = cache_tell(u);
	uint64_t *l1d = find_l1d(u->core, line);

	if (l1d && cache_state(*l1d) >= CACHE_E) {
		t->write_hits_m_e++;
		*l1d = with_state(*l1d, CACHE_M);
		return;
	}
	t->data_write_misses += !l1d;
	take(u, line, CACHE_BUS_WRITE_THROUGH);
	if (l1d)
		*l1d = with_state(*l1d, CACHE_E);
}

/* Only reads bring lines; a write that follows in the same access finds the line there. */
static uint32_t use_around(struct caches *u, uint64_t line, bool is_read, bool is_write)
{
	struct cache_core *c = u->core;
	struct cache_traffic *t = cache_tell(u);
	uint64_t *set = cache_set(c->l1d, &c->geometry->l1d, line);
	uint64_t tag = cache_tag(line, c->stamp);
	uint32_t cycles = 0;

	if ((is_read || find_l1d(c, line)) && !use_l1d(u, set, tag)) {
		t->data_read_misses++;
		*set = tag | fill(u, line, CACHE_LOAD, &cycles);
		cache_add_cycles(&t->miss_cycles, cycles);
	}
	if (is_write)
		write_around(u, line);
	return cycles;
}

uint32_t cache_bus_use_data(struct caches *u, uint64_t line, bool is_read, bool is_write)
{
	if (!u->fills_core)
		return cache_use_data(u, line, is_write);
	if (u->core->geometry->writes_around)
		return use_around(u, line, is_read, is_write);
	return use_inside(u, line, is_read, is_write);
}

uint32_t cache_bus_use_code(struct caches *u, uint64_t line)
{
	struct cache_core *c = u->core;
	const struct cache_shape *shape = &c->geometry->l1i;
	uint64_t *set = cache_set(c->l1i, shape, line);
	uint64_t tag = cache_tag(line, c->stamp);
	uint32_t cycles;

	if (!u->fills_core)
		return cache_use_code(u, line);
	c->fetch_line[u->thread] = line;
	if (cache_lookup(set, shape->ways, tag))
		return 0;
	cache_tell(u)->l1i_misses++;
	fill(u, line, CACHE_FETCH, &cycles);
	*set = tag | CACHE_S;
	return cycles;
}
