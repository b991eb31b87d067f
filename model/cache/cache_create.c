/* SPDX-License-Identifier: MIT */
/* The memory of the caches, and their creation. */
#include <model/cache/caches_parts.h>

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
