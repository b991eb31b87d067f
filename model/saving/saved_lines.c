/* SPDX-License-Identifier: MIT */
/*
 * The arrays after the structs, whose size the geometry decides: tags of caches and TLBs, and the
 * predictor. Most of an array is empty, so its other elements are listed, each with its index.
 *
 * Only tags with the current stamp are present. Stamps are not saved, because only their equality
 * matters: tags that are read get the first one. An element's place in its set is its age.
 */
#include <model/saving/saving.h>

#include <model/cache/caches_parts.h>

enum { INDEX_BYTES = 4, TAG_BYTES = 6 };

struct list {
	void *elements;
	size_t count;
	unsigned bytes;                /* of an element in memory */
	bool is_tags;
	uint64_t stamp;                /* of tags */
	uint64_t empty;                /* the value of an element that is not listed */
	uint64_t most;                 /* the largest value of an element */
};

static unsigned char *element(const struct list *l, size_t i)
{
	return (unsigned char *)l->elements + i * l->bytes;
}

static bool is_listed(const struct list *l, size_t i)
{
	if (l->is_tags)
		return (((const uint64_t *)l->elements)[i] ^ l->stamp) < CACHE_STAMP_LSB;
	return saver_get(element(l, i), l->bytes) != l->empty;
}

static unsigned saved_bytes(const struct list *l)
{
	return l->is_tags ? TAG_BYTES : l->bytes;
}

/* The number of elements comes first: it is written when it is known. */
static void write_list(struct saver *s, const struct list *l)
{
	struct saver first = *s;
	size_t listed = 0;

	saver_pass(s, 0, INDEX_BYTES);
	for (size_t i = 0; i < l->count; i++) {
		if (!is_listed(l, i))
			continue;
		saver_pass(s, i, INDEX_BYTES);
		saver_pass(s, saver_get(element(l, i), l->bytes), saved_bytes(l));
		listed++;
	}
	saver_pass(&first, listed, INDEX_BYTES);
}

static void clear_list(const struct list *l)
{
	if (!l->empty)
		__builtin_memset(l->elements, 0, l->count * l->bytes);
	for (size_t i = 0; l->empty && i < l->count; i++)
		saver_put(element(l, i), l->bytes, l->empty);
}

/* Indices rise, so no index can come twice. */
static void read_list(struct saver *s, const struct list *l)
{
	uint64_t left = saver_pass(s, 0, INDEX_BYTES), next = 0;

	if (s->task == SAVER_READ)
		clear_list(l);
	for (; left && !s->is_damaged; left--) {
		uint64_t i = saver_pass(s, 0, INDEX_BYTES);
		uint64_t value = saver_pass(s, 0, saved_bytes(l));

		if (i < next || i >= l->count || value > l->most)
			s->is_damaged = true;
		else if (s->task == SAVER_READ)
			saver_put(element(l, (size_t)i), l->bytes, value | l->stamp);
		next = i + 1;
	}
}

static void pass_list(struct saver *s, const struct list *l)
{
	if (s->task == SAVER_WRITE)
		write_list(s, l);
	else
		read_list(s, l);
}

static void pass_tags(struct saver *s, struct cache_tags *t)
{
	const struct list list = {
		.elements = t->tags, .count = (size_t)t->shape.sets * t->shape.ways,
		.bytes = sizeof(*t->tags), .is_tags = true, .most = CACHE_STAMP_LSB - 1,
		.stamp = s->task == SAVER_WRITE ? t->stamp : CACHE_STAMP_LSB,
	};

	pass_list(s, &list);
	if (s->task == SAVER_READ)
		t->stamp = CACHE_STAMP_LSB;
}

static void pass_values(struct saver *s, void *elements, size_t count, unsigned bytes,
                        uint64_t empty, uint64_t most)
{
	const struct list list = { .elements = elements, .count = count, .bytes = bytes,
	                           .empty = empty, .most = most };

	pass_list(s, &list);
}

/* ---------------------------------------------------------------------------- owners of arrays */

void saver_package_lines(struct saver *s, struct cache_package *p)
{
	pass_tags(s, &p->llc);
}

void saver_core_lines(struct saver *s, struct cache_core *c)
{
	pass_tags(s, &c->l1i);
	pass_tags(s, &c->l1d);
	pass_tags(s, &c->l2);
}

/* Directions that were never used are 1: weakly not taken (predictor.c). */
static void pass_predictor(struct saver *s, struct cache_predictor *p,
                           const struct cache_invented *size)
{
	pass_values(s, p->direction, size->direction_entries, sizeof(*p->direction), 1, 3);
	pass_values(s, p->pattern, size->pattern_entries, sizeof(*p->pattern), 0, UINT16_MAX);
	pass_values(s, p->target_ip, size->target_entries, sizeof(uint64_t), 0, UINT64_MAX);
	pass_values(s, p->target, size->target_entries, sizeof(uint64_t), 0, UINT64_MAX);
	pass_values(s, p->returns, size->return_entries, sizeof(uint64_t), 0, UINT64_MAX);
	saver_number(s, &p->return_top, sizeof(p->return_top),
	             size->return_entries ? size->return_entries - 1u : 0);
}

void saver_thread_lines(struct saver *s, struct caches *u)
{
	pass_tags(s, &u->itlb);
	pass_tags(s, &u->dtlb);
	pass_tags(s, &u->observed.btb);
	pass_predictor(s, &u->predictor, u->core->geometry->invented);
}
