/* SPDX-License-Identifier: MIT */
/*
 * What NetBurst's counters make of events: which of them count which thread in which ring, the
 * filter that compares, and cascades. Sources: SDM 3B, "CCCR MSRs", "Filtering Events", "Cascading
 * Counters", "EXTENDED CASCADING", "Performance Monitoring and Intel Hyper-Threading Technology in
 * Processors Based on Intel NetBurst Microarchitecture", "Non-Sleep Clockticks".
 *
 * A cycle belongs to the thread that spent it. The filter's input is what is left after the
 * event mask, thread and CPL: in a cycle of nobody who is counted it is 0, and COMPLEMENT lets
 * that pass; hence threshold 15 with COMPLEMENT counts every cycle of the core.
 */
#include <model/netburst/netburst_shared.h>

/* ---------------------------------------------------------------------------- plan */

static uint32_t cccr_of(const struct model *m, const struct netburst_slot *s)
{
	const struct model_rules *r = rules_of(m);

	return (s->cccr | r->cccr_forced) & ~r->cccr_ignored;
}

static uint32_t overflown(const struct netburst *b)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if (b->slot[i].cccr & CCCR_OVF)
			counters |= BIT32(i);
	return counters;
}

/* Bits of counters at numbers of which some bits are inverted. */
static uint32_t flip_numbers(uint32_t counters, unsigned flip)
{
	uint32_t flipped = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		if ((counters >> i & 1) && (i ^ flip) < NETBURST_COUNTERS)
			flipped |= BIT32(i ^ flip);
	return flipped;
}

/* The counters of which an overflow starts counter i, as its CCCR is. */
static uint32_t who_starts(const struct model *m, unsigned i, uint32_t cccr)
{
	const struct model_rules *r = rules_of(m);
	uint32_t from = 0;

	if ((cccr & CCCR_CASCADE) || r->cascade_needs_no_flag)
		from |= flip_numbers(netburst_cascades_from[i], r->cascade_flip);
	if (from && i == r->cascade_more_to)
		from |= r->cascade_more_from;
	if (cccr & CCCR_CASCNT_INTO)
		from |= flip_numbers(netburst_extended_from[i], r->extended_flip);
	return from;
}

/* Does it run, and by whose overflow? */
static void start_or_stop(struct model *m, unsigned i, uint32_t over)
{
	const struct model_rules *r = rules_of(m);
	struct netburst_slot *s = &netburst_of(m)->slot[i];
	uint32_t cccr = cccr_of(m, s), from = who_starts(m, i, cccr);
	bool is_enabled = cccr & CCCR_ENABLE, was_on = s->is_on;
	bool is_started = (from & over) || (s->is_cascaded && from && r->cascade_keeps_going);

	if (from && r->cascade_is_early)
		is_started = true;
	if (r->cascade_is_never)
		is_started = false;
	if (r->pebs_needs_no_cccr && netburst_pebs_is_on(m, i))
		is_enabled = true;
	if (from && r->cascade_stops_enabled)
		is_enabled = false;
	s->is_cascaded = is_started && !is_enabled;
	s->is_on = is_enabled || is_started;
	if (s->is_on && (cccr & CCCR_OVF) && r->ovf_stops_counter)
		s->is_on = false;
	if (!is_enabled)
		netburst_of(m)->starts |= from;
	if (s->is_on && !was_on) {
		s->was_asserted = false;
		for (unsigned t = 0; t < m->core->threads; t++)
			m->core->thread[t]->netburst.now[i] = 0;
	}
}

static void set_up_filter(struct model *m, struct netburst_slot *s)
{
	const struct model_rules *r = rules_of(m);
	uint32_t cccr = cccr_of(m, s);
	bool is_edge = cccr & CCCR_EDGE;

	s->has_compare = (cccr & CCCR_COMPARE) || (is_edge && r->edge_needs_no_compare) ||
	                 (r->compare_is_implied && (cccr & (CCCR_COMPLEMENT | CCCR_THRESHOLD)));
	s->is_complement = (bool)(cccr & CCCR_COMPLEMENT) != r->complement_is_inverted;
	s->threshold = (uint8_t)(FIELD_GET(CCCR_THRESHOLD, cccr) & r->threshold_bits);
	s->is_edge = is_edge;
}

/* ACTIVE_THREAD: how many threads are neither halted nor waiting for a SIPI. */
static bool is_time(const struct model *m, uint32_t cccr)
{
	const struct model_rules *r = rules_of(m);
	const struct model_core *c = m->core;
	unsigned active = 0;

	for (unsigned t = 0; t < c->threads; t++)
		active += !c->thread[t]->netburst.is_inactive || r->halted_is_active;
	if (!r->has_threads)
		return true;
	return r->active_threads[FIELD_GET(CCCR_ACTIVE_THREAD, cccr)] >> active & 1;
}

/* An ESCR's bits for a ring of a thread. */
static bool is_qualified(const struct model *m, const struct netburst_slot *s, uint32_t escr,
                         unsigned thread, unsigned ring)
{
	static const uint32_t bits[NETBURST_THREADS][NETBURST_RINGS] = {
		{ [RING_OS] = (uint32_t)ESCR_T0_OS, [RING_USR] = (uint32_t)ESCR_T0_USR },
		{ [RING_OS] = (uint32_t)ESCR_T1_OS, [RING_USR] = (uint32_t)ESCR_T1_USR },
	};
	const struct model_rules *r = rules_of(m);

	if (r->escr_rings_are_swapped)
		ring = !ring;
	if (r->threads_are_swapped)
		thread = !thread;
	if (!(escr & 0xf) && r->no_ring_is_both)
		return true;
	if (netburst_row_is_any(r, s->row) || r->threads_are_one)
		return escr & (bits[0][ring] | bits[1][ring]);
	return escr & bits[thread][ring];
}

static void qualify(struct model *m, unsigned i, uint32_t escr)
{
	struct netburst *b = netburst_of(m);
	struct netburst_slot *s = &b->slot[i];

	if (netburst_row_is_level(s->row))
		b->levels |= BIT32(i);
	if (netburst_row_is_uops(s->row))
		b->uops |= BIT32(i);
	for (unsigned t = 0; t < NETBURST_THREADS; t++)
		for (unsigned ring = 0; ring < NETBURST_RINGS; ring++)
			if (is_qualified(m, s, escr, t, ring))
				b->counting[t][ring] |= BIT32(i);
}

/* What the counter's ESCR says; 0: nothing. */
static uint32_t escr_of(const struct model *m, const struct netburst_slot *s)
{
	const struct model_rules *r = rules_of(m);
	const struct netburst *b = netburst_of(m);
	uint32_t escr = b->escr[s->escr];
	unsigned even = netburst_escr_at(r, netburst_escr_rows[s->escr].msr & ~1u);

	if (!escr && r->escr_feeds_odd)
		escr = b->escr[even];
	return (escr | r->escr_forced) & ~r->escr_ignored;
}

/* An ESCR without an event select has no power. SDM 3B, "Operating System Implications". */
static void choose(struct model *m, unsigned i)
{
	struct netburst *b = netburst_of(m);
	struct netburst_slot *s = &b->slot[i];
	uint32_t cccr = cccr_of(m, s), escr, select;

	s->row = NULL;
	s->mask = 0;
	s->escr = (uint8_t)netburst_escr_of(rules_of(m), i,
	                                    (unsigned)FIELD_GET(CCCR_ESCR_SELECT, cccr));
	if (s->escr == NETBURST_NO_ESCR)
		return;
	escr = escr_of(m, s);
	select = (uint32_t)FIELD_GET(ESCR_EVENT_SELECT, escr);
	s->row = netburst_row_find(rules_of(m), s->escr, select);
	s->mask = netburst_row_mask(rules_of(m), s->row, escr);
	if (!s->is_on || !select)
		return;
	b->running |= BIT32(i);
	if (!is_time(m, cccr))
		return;
	if (s->has_compare)
		b->compares |= BIT32(i);
	if (s->row)
		qualify(m, i, escr);
}

void netburst_plan(struct model_core *c)
{
	struct netburst *b = &c->netburst;
	struct model *m = c->thread[0];
	uint32_t over = overflown(b);

	b->levels = b->uops = b->compares = b->starts = b->running = 0;
	__builtin_memset(b->counting, 0, sizeof(b->counting));
	for (unsigned t = 0; t < NETBURST_THREADS; t++)
		for (unsigned ring = 0; ring < NETBURST_RINGS; ring++)
			b->plain[t][ring].is_known = false;
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		start_or_stop(m, i, over);
		set_up_filter(m, &b->slot[i]);
		choose(m, i);
	}
	b->starts &= ~over;
	netburst_plan_pebs(c);
	netburst_skid_end_of(c, ~b->running);
	for (unsigned t = 0; t < c->threads; t++) {
		c->thread[t]->plan.has_own = b->running != 0;
		c->thread[t]->is_polling |= netburst_is_line(c->thread[t]);
	}
	model_update_activity(m);
}

void netburst_wake(struct model *m)
{
	if (!m->netburst.is_inactive)
		return;
	m->netburst.is_inactive = false;
	netburst_plan(m->core);
}

/* ---------------------------------------------------------------------------- counting */

void netburst_input(struct model *m, unsigned i, uint32_t n)
{
	if (netburst_of(m)->slot[i].has_compare)
		m->netburst.now[i] = (uint16_t)(m->netburst.now[i] + n);
	else
		netburst_move(m, i, n, 1);
}

/* The input has four lines, of 0 to 15. */
static bool passes(const struct model_rules *r, const struct netburst_slot *s, uint32_t input)
{
	uint32_t n = input < 15 ? input : 15;
	bool is_above = r->threshold_is_at_least ? n >= s->threshold : n > s->threshold;

	return is_above != s->is_complement;
}

/* So many cycles with this input, for a counter that compares. */
static void compare(struct model *m, unsigned i, uint32_t input, uint64_t cycles)
{
	const struct model_rules *r = rules_of(m);
	struct netburst_slot *s = &netburst_of(m)->slot[i];
	bool level = passes(r, s, input), was = s->was_asserted;

	if (!cycles)
		return;
	s->was_asserted = level;
	if (s->is_edge) {
		if (level != was && (level || r->edge_is_both))
			netburst_move(m, i, 1, 1);
	} else if (level) {
		netburst_move(m, i, r->compare_adds_input ? input : 1, cycles);
	}
}

void netburst_look_at_cycles(struct model *m, uint64_t cycles)
{
	const struct model_rules *r = rules_of(m);
	const struct netburst *b = netburst_of(m);
	uint32_t here = b->counting[m->netburst.number][m->ring];
	uint32_t levels = b->levels & here;
	uint32_t compares = b->compares & (r->compare_needs_qualified ? here : UINT32_MAX);

	for (unsigned i = 0; i < NETBURST_COUNTERS && (levels | compares) >> i; i++) {
		uint32_t level = levels >> i & 1 ? netburst_level(m, i) : 0;
		uint32_t input = m->netburst.now[i] + level;

		m->netburst.now[i] = 0;
		if (compares >> i & 1) {
			compare(m, i, input, 1);
			compare(m, i, level, cycles - 1);
		} else if (level) {
			netburst_move(m, i, level, cycles);
		}
	}
}

/* So that the other one counts from the next cycle on. */
void netburst_cut_at_cascade(const struct model *m, struct model_stretch *s)
{
	const struct netburst *b = netburst_of(m);
	uint32_t here = b->counting[m->netburst.number][m->ring];
	uint32_t movers = (b->compares | (b->levels & here)) & b->starts;

	for (unsigned i = 0; i < NETBURST_COUNTERS && movers >> i; i++) {
		uint64_t left = ones(rules_of(m)->gp_width) - b->slot[i].value;
		uint32_t level = b->levels >> i & 1 ? netburst_level(m, i) : 1;
		uint32_t step = b->slot[i].has_compare || !level ? 1 : level;

		if (!(movers >> i & 1))
			continue;
		if (left / step < s->cycles)
			s->cycles = left / step + 1;
	}
}
