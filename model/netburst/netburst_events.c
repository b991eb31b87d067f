/* SPDX-License-Identifier: MIT */
/* How many events of NetBurst an instruction is, and the level of a cycle. */
#include <model/netburst/netburst_shared.h>

/* DD, DB, DI, BD, BB, BI, ID, IB, by bit of TC_deliver_mode's event mask. */
enum { DELIVERS, BUILDS, INACTIVE };

const struct netburst_row *netburst_row_find(const struct model_rules *r, unsigned escr,
                                             uint32_t select)
{
	uint32_t msr = netburst_escr_rows[escr].msr;

	if (!select)
		return NULL;
	for (const struct netburst_row *row = netburst_rows; row->escr[0]; row++)
		if (row->select == select && (row->escr[0] == msr || row->escr[1] == msr) &&
		    (!row->models || (row->models & r->events.model)))
			return row;
	return NULL;
}

/* Runs for each term in the event mask. */
#define FOR_EACH_TERM(t, row, mask) \
	for (const struct netburst_term *t = (row)->term; \
	     t < (row)->term + NETBURST_TERMS_MAX && t->bits; t++) \
		if (t->bits & (mask))

/* ---------------------------------------------------------------------------- by instruction */

static bool has_outcome(const struct netburst_retired *retired, unsigned outcome)
{
	bool is_taken = retired->insn->is_taken, is_missed = retired->cost->is_mispredicted;

	return !((outcome & NETBURST_TAKEN) && !is_taken) &&
	       !((outcome & NETBURST_NOT_TAKEN) && is_taken) &&
	       !((outcome & NETBURST_MISSED) && !is_missed) &&
	       !((outcome & NETBURST_PREDICTED) && is_missed);
}

static uint32_t quantity(const struct netburst_term *t, const struct netburst_retired *retired)
{
	uint32_t n = 1;

	if (t->traits && !(retired->insn->traits & t->traits))
		return 0;
	if (t->branches && !(t->branches >> retired->insn->branch & 1))
		return 0;
	if (!has_outcome(retired, t->outcome))
		return 0;
	if (t->traffic)
		n = model_field_at(retired->traffic, t->traffic);
	else if (t->retired)
		n = model_field_at(retired, t->retired);
	return t->weight ? n * t->weight : n;
}

uint32_t netburst_sum_of(const struct netburst_row *row, uint16_t mask,
                         const struct netburst_retired *retired)
{
	uint32_t sum = 0;

	FOR_EACH_TERM(t, row, mask)
		sum += quantity(t, retired);
	return sum;
}

/* RD_2ndL_HITS, HITE, HITM are bits 0 to 2, RD_2ndL_MISS bit 8; loads and reads for ownership. */
static uint32_t sum_of_l2(uint16_t mask, const struct cache_l2 *l2)
{
	static const uint16_t bits[CACHE_STATES] = {
		[CACHE_S] = 1 << 0, [CACHE_E] = 1 << 1, [CACHE_M] = 1 << 2, [CACHE_I] = 1 << 8
	};
	uint32_t sum = 0;

	for (unsigned s = 0; l2 && s < CACHE_STATES; s++)
		if (bits[s] & mask)
			sum += l2->count[CACHE_LOAD][s] + l2->count[CACHE_STORE][s];
	return sum;
}

static uint32_t sum_of_transactions(const struct refpmu_cpu *m, const struct netburst_slot *slot,
                                    const struct cache_traffic *traffic)
{
	bool is_ioq = slot->row->kind == NETBURST_IOQ;
	uint32_t sum = 0;

	for (unsigned kind = 0; kind < CACHE_BUS_KINDS; kind++) {
		uint32_t own = traffic->bus[kind], any = traffic->bus_any[kind];

		if (is_ioq ? netburst_is_in_ioq_mask(rules_of(m), slot->mask, kind) :
		             netburst_is_in_bsq_mask(slot->mask, kind))
			sum += own;
		if (is_ioq && any > own &&
		    netburst_is_in_ioq_mask(rules_of(m), slot->mask, kind + NETBURST_OF_OTHERS))
			sum += any - own;
	}
	return sum;
}

uint32_t netburst_events_of(const struct refpmu_cpu *m, unsigned i,
                            const struct netburst_retired *retired)
{
	const struct netburst_slot *slot = &netburst_of(m)->slot[i];

	switch (slot->row->kind) {
	case NETBURST_SUM:  return netburst_sum_of(slot->row, slot->mask, retired);
	case NETBURST_ONCE: return netburst_sum_of(slot->row, slot->mask, retired) != 0;
	case NETBURST_L2:   return sum_of_l2(slot->mask, retired->cost->l2);
	case NETBURST_IOQ:
	case NETBURST_BSQ:  return sum_of_transactions(m, slot, retired->traffic);
	default:            return 0;
	}
}

uint32_t netburst_uops_of(const struct refpmu_cpu *m, unsigned i, enum netburst_class class,
                          uint32_t n)
{
	const struct netburst_slot *slot = &netburst_of(m)->slot[i];

	if (slot->row->kind != NETBURST_UOPS)
		return 0;
	FOR_EACH_TERM(t, slot->row, slot->mask)
		if (t->classes >> class & 1)
			return n;
	return 0;
}

/* ---------------------------------------------------------------------------- by cycle */

/* Returns the CYCLE_ bits of m's cycle. */
static uint32_t conditions_of(const struct refpmu_cpu *m)
{
	uint32_t own = CYCLE_UNIT(UNIT_BUS_IN) | CYCLE_UNIT(UNIT_BUS_OUT);
	uint32_t units = model_busy_units(m);

	if ((units & CYCLE_UNIT(UNIT_BUS_ANY)) && !(units & own))
		units |= CYCLE_OTHERS_ON_BUS;
	return units | m->stall | (m->netburst.is_finishing ? 0 : CYCLE_RUNNING);
}

static bool is_so(const struct netburst_slot *slot, uint32_t conditions)
{
	FOR_EACH_TERM(t, slot->row, slot->mask)
		if (t->cycles & conditions)
			return true;
	return false;
}

/* Returns the trace cache's mode: it builds while it waits for code. */
static unsigned mode_of(const struct refpmu_cpu *m)
{
	if (!m || m->netburst.is_inactive)
		return INACTIVE;
	return m->stall & (CYCLE_ITLB | CYCLE_FETCH) ? BUILDS : DELIVERS;
}

/* Looks at the modes of thread 0 and thread 1; the mask has no bit for both inactive. */
static bool is_in_mode(const struct refpmu_cpu *m, uint16_t mask)
{
	static const uint8_t bits[3][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 16 } };
	unsigned own = mode_of(m), other = mode_of(m->other);
	unsigned bit = m->netburst.number ? bits[other][own] : bits[own][other];

	return (uint32_t)mask >> bit & 1;
}

static uint32_t entries_in(const struct refpmu_cpu *m, const struct netburst_slot *slot)
{
	const struct netburst_thread *t = &m->netburst;
	uint32_t n = 0;

	for (unsigned i = 0; i < t->entry_count; i++)
		n += slot->row->kind == NETBURST_IOQ_ENTRIES ?
		     netburst_is_in_ioq_mask(rules_of(m), slot->mask, t->entry[i].kind) :
		     netburst_is_in_bsq_mask(slot->mask, t->entry[i].kind);
	return n < NETBURST_LEVEL_MAX ? n : NETBURST_LEVEL_MAX;
}

uint32_t netburst_level(const struct refpmu_cpu *m, unsigned i)
{
	const struct netburst_slot *slot = &netburst_of(m)->slot[i];

	switch (slot->row->kind) {
	case NETBURST_WHILE:        return is_so(slot, conditions_of(m));
	case NETBURST_DELIVER_MODE: return !m->netburst.is_finishing && is_in_mode(m, slot->mask);
	default:                    return entries_in(m, slot);
	}
}
