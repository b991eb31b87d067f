/* SPDX-License-Identifier: MIT */
/*
 * The traffic of a line on its way through the caches of P5 and P6: modified lines, replaced lines,
 * and transactions of the bus. The last level is L2, or there is none.
 *
 * Source: SDM 3A, "Methods of Caching Available", "Cache Control Protocol"; for the Pentium's
 * writes to shared lines Intel's Pentium Processor Family Developer's Manual, "Cache Consistency
 * Protocol".
 */
#include <model/cache/caches_parts.h>

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

void cache_count_bus(struct caches *u, enum cache_bus kind, uint32_t n)
{
	struct cache_bus_sums *bus = &u->core->package->machine->bus;

	cache_observe(u)->bus[kind] += n;
	bus->count[kind] += n;
	bus->changes++;
}

void cache_count_snoop(struct cache_package *p, uint64_t line, bool is_write)
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

	cache_count_bus(u, kind, 1);
	cache_snoop_cores(u->core, line, true);
	cache_snoop_packages(u->core, line, true);
	if (cache_state_at(l2) == CACHE_S)
		cache_set_state(l2, CACHE_E);
	return cache_state_at(l2);
}

/* ------------------------------------------------------------------------------ L2 */

static void replace_in_l2(struct caches *u, uint64_t entry)
{
	struct cache_traffic *t = cache_observe(u);

	t->l2_lines_out++;
	if (cache_state(entry) != CACHE_M)
		return;
	t->l2_m_lines_out++;
	cache_count_bus(u, CACHE_BUS_WB, 1);
	for (struct cache_core *c = u->core->package->cores; c; c = c->next) {
		uint64_t *l1d = cache_find(&c->l1d, line_of(entry));

		if (cache_state_at(l1d) == CACHE_M)
			cache_set_state(l1d, CACHE_E);
	}
}

/* ------------------------------------------------------------------------------ L1 */

static void replace_in_l1d(struct caches *u, uint64_t entry)
{
	uint64_t *l2 = cache_find(&u->core->package->llc, line_of(entry));

	if (cache_state(entry) != CACHE_M)
		return;
	cache_observe(u)->l1d_m_lines_out++;
	if (!l2) {
		cache_count_bus(u, CACHE_BUS_WB, 1);
	} else if (cache_state(*l2) != CACHE_M) {
		u->observed.pending.l2_m_lines_in++;
		cache_set_state(l2, CACHE_M);
	}
}

uint64_t *cache_bus_use(struct caches *u, const struct cache_tags *t, uint64_t line,
                        uint64_t *found)
{
	bool is_l1d = t == &u->core->l1d;
	uint64_t last = oldest(t, line), *entry = cache_use(t, line, found);

	if (*found)
		return entry;
	*(is_l1d ? &cache_observe(u)->l1d_lines_in : &cache_observe(u)->l2_lines_in) += 1;
	if (last)
		(is_l1d ? replace_in_l1d : replace_in_l2)(u, last);
	return entry;
}

void cache_bus_tell_data(struct caches *u, uint64_t found, unsigned kind, uint32_t cycles)
{
	struct cache_traffic *t = cache_observe(u);

	if (found) {
		t->write_hits_m_e += kind != REFPMU_READ && cache_state(found) != CACHE_S;
		return;
	}
	*(kind == REFPMU_WRITE ? &t->data_write_misses : &t->data_read_misses) += 1;
	t->l1d_m_lines_in += kind != REFPMU_READ;
	cache_add_cycles(&t->miss_cycles, cycles);
}

static void write_around(struct caches *u, uint64_t line)
{
	struct cache_traffic *t = cache_observe(u);
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

uint32_t cache_bus_use_around(struct caches *u, uint64_t line, unsigned kind)
{
	const struct cache_tags *l1d = &u->core->l1d;
	uint64_t found = 1, *entry = NULL;
	uint32_t cycles = 0;

	if (kind != REFPMU_WRITE || cache_find(l1d, line))
		entry = cache_bus_use(u, l1d, line, &found);
	if (!found) {
		cache_set_state(entry, cache_fill(u, line, CACHE_LOAD, &cycles));
		cache_bus_tell_data(u, 0, REFPMU_READ, cycles);
	}
	if (kind != REFPMU_READ)
		write_around(u, line);
	return cycles;
}
