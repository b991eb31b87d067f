/* SPDX-License-Identifier: MIT */
/* Creation: what each geometry takes of the memory that the creator gives, and where it stands. */
#include <model/cache/caches_parts.h>

#include <stddef.h>

static size_t bytes_of(const struct cache_shape *shape)
{
	return (size_t)shape->sets * shape->ways * sizeof(uint64_t);
}

/* So many bytes of the memory; the next ones are for the next call. */
static void *take(unsigned char **memory, size_t bytes)
{
	void *taken = *memory;

	*memory += bytes;
	return taken;
}

static uint64_t *take_tags(unsigned char **memory, const struct cache_shape *shape)
{
	return take(memory, bytes_of(shape));
}

/* ---------------------------------------------------------------------------- a package */

size_t cache_package_bytes(const struct cache_geometry *g)
{
	return bytes_of(cache_last(g));
}

void cache_package_create(struct cache_package *p, struct cache_machine *machine,
                          const struct cache_geometry *geometry, void *memory)
{
	p->geometry = geometry;
	p->llc = memory;
	p->cores = NULL;
	p->machine = machine;
	p->next = machine->packages;
	machine->packages = p;
	cache_empty_package(p);
}

/* ---------------------------------------------------------------------------- a core */

size_t cache_core_bytes(const struct cache_geometry *g)
{
	return bytes_of(&g->l1i) + bytes_of(&g->l1d) + bytes_of(cache_own_l2(g));
}

void cache_core_create(struct cache_core *c, struct cache_package *p,
                       const struct cache_geometry *geometry, void *memory)
{
	unsigned char *rest = memory;

	c->geometry = geometry;
	c->l1i = take_tags(&rest, &geometry->l1i);
	c->l1d = take_tags(&rest, &geometry->l1d);
	c->l2 = take_tags(&rest, cache_own_l2(geometry));
	c->line_bits = 0;
	while (1u << c->line_bits < geometry->line_bytes)
		c->line_bits++;
	c->package = p;
	c->next = p->cores;
	p->cores = c;
	cache_empty_core(c);
}

/* ---------------------------------------------------------------------------- a thread */

static size_t predictor_bytes(const struct cache_invented *size)
{
	return (2u * size->target_entries + size->return_entries) * sizeof(uint64_t) +
	       size->pattern_entries * sizeof(uint16_t) + size->direction_entries;
}

size_t cache_thread_bytes(const struct cache_geometry *g)
{
	size_t bytes = bytes_of(&g->itlb) + bytes_of(&g->dtlb) + bytes_of(&g->btb) +
	               predictor_bytes(g->invented);

	return (bytes + 7) & ~(size_t)7;
}

/* The larger its parts, the sooner they come: so each is aligned. */
static void place_predictor(struct cache_predictor *p, const struct cache_invented *size,
                            unsigned char *rest)
{
	p->target_ip = take(&rest, size->target_entries * sizeof(uint64_t));
	p->target = take(&rest, size->target_entries * sizeof(uint64_t));
	p->returns = take(&rest, size->return_entries * sizeof(uint64_t));
	p->pattern = take(&rest, size->pattern_entries * sizeof(uint16_t));
	p->direction = take(&rest, size->direction_entries);
}

void cache_create(struct caches *u, struct cache_core *c, unsigned thread, void *memory)
{
	const struct cache_geometry *g = c->geometry;
	unsigned char *rest = memory;

	u->core = c;
	u->thread = thread;
	u->itlb = take_tags(&rest, &g->itlb);
	u->dtlb = take_tags(&rest, &g->dtlb);
	u->told.btb = take_tags(&rest, &g->btb);
	place_predictor(&u->predictor, g->invented, rest);
	u->fills_core = u->fills_last = true;
	u->tells_traffic = g->tells_traffic;
	cache_forget(u);
}
