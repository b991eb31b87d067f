/* SPDX-License-Identifier: MIT */
/* Sets in order of use, and their memory. */
#include <model/cache/caches_parts.h>

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

uint64_t *cache_find(const struct cache_tags *t, uint64_t number)
{
	uint64_t *set = cache_set(t, number), tag = cache_tag(t, number);

	for (uint32_t way = 0; way < t->shape.ways; way++)
		if (cache_is_same(set[way], tag))
			return &set[way];
	return NULL;
}

/* Stamp 0 is that of zero bytes and never in use. When stamps wrap, old tags have to be cleared. */
void cache_empty(struct cache_tags *t)
{
	t->stamp += CACHE_STAMP_LSB;
	if (t->stamp)
		return;
	for (uint32_t i = 0; i < t->shape.sets * t->shape.ways; i++)
		t->tags[i] = 0;
	t->stamp = CACHE_STAMP_LSB;
}

void cache_empty_package(struct cache_package *p)
{
	cache_empty(&p->llc);
}

void cache_empty_core(struct cache_core *c)
{
	cache_empty(&c->l1i);
	cache_empty(&c->l1d);
	cache_empty(&c->l2);
	for (unsigned i = 0; i < CACHE_THREADS; i++)
		c->fetch_line[i] = CACHE_NOWHERE;
}

/* The last line fetched is dropped, too, so that the next fetch looks its page up. */
void cache_tlb_flush(struct caches *u)
{
	cache_empty(&u->itlb);
	cache_empty(&u->dtlb);
	u->core->fetch_line[u->thread] = CACHE_NOWHERE;
	u->data_page = CACHE_NOWHERE;
}

static size_t bytes_of(const struct cache_shape *shape)
{
	return (size_t)shape->sets * shape->ways * sizeof(uint64_t);
}

/* Takes the cache's own part of the memory and leaves the rest for the next one. */
static void place(struct cache_tags *t, const struct cache_shape *shape, uint64_t **memory)
{
	t->shape = *shape;
	t->tags = *memory;
	*memory += shape->sets * shape->ways;
}

size_t cache_package_bytes(const struct cache_geometry *g)
{
	return bytes_of(&g->llc);
}

size_t cache_core_bytes(const struct cache_geometry *g)
{
	return bytes_of(&g->l1i) + bytes_of(&g->l1d) + bytes_of(&g->l2);
}

size_t cache_thread_bytes(const struct cache_geometry *g)
{
	return bytes_of(&g->itlb) + bytes_of(&g->dtlb) + bytes_of(&g->btb);
}

/* ---------------------------------------------------------------------------- creation */

void cache_package_create(struct cache_package *p, struct cache_machine *machine,
                          const struct cache_geometry *geometry, void *memory)
{
	uint64_t *rest = memory;

	p->geometry = geometry;
	place(&p->llc, &geometry->llc, &rest);
	p->cores = NULL;
	p->machine = machine;
	p->next = machine->packages;
	machine->packages = p;
	cache_empty_package(p);
}

void cache_core_create(struct cache_core *c, struct cache_package *p,
                       const struct cache_geometry *geometry, void *memory)
{
	uint64_t *rest = memory;

	c->geometry = geometry;
	place(&c->l1i, &geometry->l1i, &rest);
	place(&c->l1d, &geometry->l1d, &rest);
	place(&c->l2, &geometry->l2, &rest);
	c->line_bits = 0;
	while (1u << c->line_bits < geometry->line_bytes)
		c->line_bits++;
	c->package = p;
	c->next = p->cores;
	p->cores = c;
	cache_empty_core(c);
}

void cache_create(struct caches *u, struct cache_core *c, unsigned thread, void *memory)
{
	const struct cache_geometry *g = c->geometry;
	uint64_t *rest = memory;

	u->core = c;
	u->thread = thread;
	place(&u->itlb, &g->itlb, &rest);
	place(&u->dtlb, &g->dtlb, &rest);
	place(&u->observed.btb, &g->btb, &rest);
	u->fills_core = u->fills_last = true;
	u->observes_traffic = g->observes_traffic;
	cache_forget(u);
}
