/* SPDX-License-Identifier: MIT */
/*
 * The way of a line through the caches of P5 and P6, with its traffic: modified lines, replaced
 * lines, and transactions of the bus. The last level is L2, or there is none.
 *
 * Source: SDM 3A, "Methods of Caching Available", "Cache Control Protocol"; for the Pentium's
 * writes to shared lines Intel's Pentium Processor Family Developer's Manual, "Cache Consistency
 * Protocol".
 */
#include <model/cache/caches_parts.h>

#include <stddef.h>

static uint64_t line_of(uint64_t entry)
{
	return entry >> CACHE_STATE_BITS & CACHE_NUMBER_MASK;
}

/* Returns the entry that leaves the set if this line comes in, or 0. */
static uint64_t oldest(const struct cache_tags *t, uint64_t line)
{
	uint64_t last = cache_set(t, line)[t->shape.ways - 1];

	return (last ^ t->stamp) < CACHE_STAMP_LSB ? last : 0;
}

/* ------------------------------------------------------------------------------ the bus */

void cache_tell_bus(struct caches *u, enum cache_bus kind, uint32_t n)
{
	struct cache_bus_sums *bus = &u->core->package->machine->bus;

	cache_tell(u)->bus[kind] += n;
	bus->count[kind] += n;
	bus->changes++;
}

void cache_tell_snoop(struct cache_package *p, uint64_t line, bool is_write)
{
	unsigned l2 = cache_state_at(cache_find(&p->llc, line));
	bool has_l2 = p->llc.shape.ways;

	for (struct cache_core *c = p->cores; c; c = c->next) {
		struct cache_snooped *s = &c->snooped;
		unsigned l1d = cache_state_at(cache_find(&c->l1d, line));

		s->snoops++;
		s->hits += l1d || l2;
		s->hitm += l1d == CACHE_M || l2 == CACHE_M;
		s->l1d_m_lines_out += l1d == CACHE_M;
		s->l2_lines_out += l2 && is_write;
		s->l2_m_lines_out += l2 == CACHE_M && is_write;
		s->write_backs += l1d == CACHE_M && !has_l2;
		p->machine->bus.count[CACHE_BUS_WB] += l1d == CACHE_M && !has_l2;
	}
}

unsigned cache_bus_take(struct caches *u, uint64_t line, enum cache_bus kind)
{
	uint64_t *l2 = cache_find(&u->core->package->llc, line);

	cache_tell_bus(u, kind, 1);
	cache_snoop_cores(u->core, line, true);
	cache_snoop_packages(u->core, line, true);
	if (cache_state_at(l2) == CACHE_S)
		cache_set_state(l2, CACHE_E);
	return cache_state_at(l2);
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
		uint64_t *l1d = cache_find(&c->l1d, line_of(entry));

		if (cache_state_at(l1d) == CACHE_M)
			cache_set_state(l1d, CACHE_E);
	}
}

uint64_t *cache_bus_use_l2(struct caches *u, uint64_t line, uint64_t *found)
{
	const struct cache_tags *l2 = &u->core->package->llc;
	uint64_t last = oldest(l2, line), *entry = cache_use(l2, line, found);

	if (*found)
		return entry;
	cache_tell(u)->l2_lines_in++;
	if (last)
		replace_in_l2(u, last);
	return entry;
}

/* ------------------------------------------------------------------------------ L1 */

static void replace_in_l1d(struct caches *u, uint64_t entry)
{
	uint64_t *l2 = cache_find(&u->core->package->llc, line_of(entry));

	cache_tell(u)->l1d_m_lines_out++;
	if (!l2) {
		cache_tell_bus(u, CACHE_BUS_WB, 1);
	} else if (cache_state(*l2) != CACHE_M) {
		u->told.pending.l2_m_lines_in++;
		cache_set_state(l2, CACHE_M);
	}
}

/* Makes the line the most recently used one of its set. *found: the previous entry, 0 if absent. */
static uint64_t *use_l1d(struct caches *u, uint64_t line, uint64_t *found)
{
	const struct cache_tags *l1d = &u->core->l1d;
	uint64_t last = oldest(l1d, line), *entry = cache_use(l1d, line, found);

	if (*found)
		return entry;
	cache_tell(u)->l1d_lines_in++;
	if (cache_state(last) == CACHE_M)
		replace_in_l1d(u, last);
	return entry;
}

/* Brings the line into L1D. Returns its state. */
static unsigned fill(struct caches *u, uint64_t line, enum cache_request request, uint32_t *cycles)
{
	unsigned state = cache_fill(u, line, request, cycles);

	cache_add_cycles(&u->told.pending.miss_cycles, *cycles);
	return state;
}

/* Uses a line of P6: a store that misses takes the line, one to a shared line invalidates
 * others. */
static uint32_t use_inside(struct caches *u, uint64_t line, bool is_read, bool is_write)
{
	struct cache_traffic *t = cache_tell(u);
	uint64_t found, *entry = use_l1d(u, line, &found);
	unsigned state = cache_state(found);
	uint32_t cycles = 0;

	if (!found) {
		*(is_read ? &t->data_read_misses : &t->data_write_misses) += 1;
		t->l1d_m_lines_in += is_write;
		state = fill(u, line, is_write ? CACHE_STORE : CACHE_LOAD, &cycles);
	} else if (is_write && state == CACHE_S) {
		cache_count_upgrade(u, line);
		cache_bus_take(u, line, CACHE_BUS_INVAL);
		cycles = u->core->geometry->invented->llc_cycles;
	} else {
		t->write_hits_m_e += is_write;
	}
	cache_set_state(entry, is_write ? CACHE_M : state);
	return cycles;
}

static void write_around(struct caches *u, uint64_t line)
{
	struct cache_traffic *t = cache_tell(u);
	uint64_t *l1d = cache_find(&u->core->l1d, line);

	if (cache_state_at(l1d) >= CACHE_E) {
		t->write_hits_m_e++;
		cache_set_state(l1d, CACHE_M);
		return;
	}
	t->data_write_misses += !l1d;
	cache_bus_take(u, line, CACHE_BUS_WRITE_THROUGH);
	if (l1d)
		cache_set_state(l1d, CACHE_E);
}

/* Uses a line of P5: only reads bring lines; a write in the same access finds the line there. */
static uint32_t use_around(struct caches *u, uint64_t line, bool is_read, bool is_write)
{
	struct cache_traffic *t = cache_tell(u);
	uint64_t found = 1, *entry = NULL;
	uint32_t cycles = 0;

	if (is_read || cache_find(&u->core->l1d, line))
		entry = use_l1d(u, line, &found);
	if (!found) {
		t->data_read_misses++;
		cache_set_state(entry, fill(u, line, CACHE_LOAD, &cycles));
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
