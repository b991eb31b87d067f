/* SPDX-License-Identifier: MIT */
/* Sets in order of use, and the levels behind the first caches. */
#include <model/uarch_parts.h>

bool uarch_lookup_slowly(uint64_t *set, uint32_t ways, uint64_t tag)
{
	uint64_t moving = set[0];
	bool is_hit = false;

	set[0] = tag;
	for (uint32_t way = 1; way < ways && !is_hit; way++) {
		uint64_t next = set[way];

		set[way] = moving;
		moving = next;
		is_hit = next == tag;
	}
	return is_hit;
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

static bool is_in_llc(struct uarch *u, struct uarch_shared *s, const struct uarch_shape *shape,
                      uint64_t line)
{
	bool is_hit = uarch_lookup(s->llc, shape, line, s->stamp);

	u->pending.llc_references++;
	u->pending.llc_misses += !is_hit;
	return is_hit;
}

uint32_t uarch_fill_line(struct uarch *u, struct uarch_shared *s, uint64_t line)
{
	const struct uarch_geometry *g = u->geometry;
	bool has_l3 = g->l3.ways != 0;

	if (has_l3 && uarch_lookup(u->l2, &g->l2, line, u->stamp))
		return g->invented->l2_cycles;
	if (is_in_llc(u, s, has_l3 ? &g->l3 : &g->l2, line))
		return g->invented->llc_cycles;
	return g->invented->memory_cycles;
}

/* L1I, L1D and L2 share a stamp: all three are cleared when it comes round. */
void uarch_caches_reset(struct uarch *u, struct uarch_shared *s)
{
	uint64_t stamp = u->stamp;

	uarch_new_stamp(&stamp, u->l1i, UARCH_L1_LINES);
	stamp = u->stamp;
	uarch_new_stamp(&stamp, u->l1d, UARCH_L1_LINES);
	uarch_new_stamp(&u->stamp, u->l2, UARCH_L2_LINES);
	uarch_new_stamp(&s->stamp, s->llc, UARCH_LLC_LINES);
	u->fetch_line = UARCH_NOWHERE;
	u->data_line = UARCH_NOWHERE;
}
