/* SPDX-License-Identifier: MIT */
/* Sets in order of use. */
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
