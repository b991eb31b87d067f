/* SPDX-License-Identifier: MIT */
/* How many of an event of NetBurst an instruction is, and which level a cycle has. */
#include <model/netburst/netburst_events.h>

enum { LEVEL_MAX = 15 };               /* four lines */

/* DD, DB, DI, BD, BB, BI, ID, IB, by bit of TC_deliver_mode's event mask. */
enum { DELIVERS, BUILDS, INACTIVE };

static unsigned model_number(const struct model_rules *r)
{
	return r->cpuid_1_eax >> 4 & 0xf;
}

static bool is_in_unit(const struct netburst_row *row, uint32_t msr)
{
	return row->escr[0] == msr || (row->escr[1] && row->escr[1] == msr);
}

const struct netburst_row *netburst_row_find(const struct model_rules *r, unsigned escr,
                                             uint32_t select)
{
	uint32_t msr = netburst_escr_rows[escr].msr;

	if (!select)
		return NULL;           /* no event has it; most ESCRs do */
	if (r->select_from && select == r->select_from)
		select = r->select_to;
	for (const struct netburst_row *row = netburst_rows; row->escr[0]; row++)
		if (row->select == select && is_in_unit(row, msr) &&
		    (!row->models || (row->models >> model_number(r) & 1)))
			return row;
	return NULL;
}

bool netburst_row_is_level(const struct netburst_row *row)
{
	return row->kind >= NETBURST_FIRST_LEVEL;
}

bool netburst_row_is_uops(const struct netburst_row *row)
{
	return row->kind == NETBURST_UOPS;
}

bool netburst_row_is_any(const struct model_rules *r, const struct netburst_row *row)
{
	return row->is_any && !r->any_is_one_thread;
}

/* One that has rules of its own, as no processor has. */
static bool is_odd(const struct model_rules *r, const struct netburst_row *row)
{
	return row && r->odd_escr && row->escr[0] == r->odd_escr && row->select == r->odd_select;
}

static uint16_t flip_numbers(uint16_t bits, unsigned flip)
{
	unsigned flipped = 0;

	for (unsigned n = 0; n < 16; n++)
		flipped |= ((unsigned)bits >> n & 1) << (n ^ flip);
	return (uint16_t)flipped;
}

uint16_t netburst_row_mask(const struct model_rules *r, const struct netburst_row *row,
                           uint32_t escr)
{
	uint16_t mask = (uint16_t)FIELD_GET(ESCR_EVENT_MASK, escr);

	if (r->mask_is_late)
		mask >>= 1;
	if (!is_odd(r, row))
		return mask;
	mask = flip_numbers(mask, r->mask_flip);
	return (uint16_t)(r->mask_also_shift ? mask | mask << r->mask_also_shift : mask);
}

/* ---------------------------------------------------------------------------- by instruction */

static bool has_outcome(const struct netburst_told *told, unsigned outcome)
{
	bool is_taken = told->insn->is_taken, is_missed = told->cost->is_mispredicted;

	return !((outcome & NETBURST_TAKEN) && !is_taken) &&
	       !((outcome & NETBURST_NOT_TAKEN) && is_taken) &&
	       !((outcome & NETBURST_MISSED) && !is_missed) &&
	       !((outcome & NETBURST_PREDICTED) && is_missed);
}

static uint32_t field_at(const void *object, uint16_t offset_plus_1)
{
	uint32_t field;

	__builtin_memcpy(&field, (const char *)object + offset_plus_1 - 1, sizeof(field));
	return field;
}

static uint32_t quantity(const struct netburst_term *t, const struct netburst_told *told,
                         uint64_t odd_traits)
{
	uint32_t n = 1;

	if (t->traits && !(told->insn->traits & (t->traits | odd_traits)))
		return 0;
	if (t->branches && !(t->branches >> told->insn->branch & 1))
		return 0;
	if (!has_outcome(told, t->outcome))
		return 0;
	if (t->traffic)
		n = field_at(told->traffic, t->traffic);
	else if (t->told)
		n = field_at(told, t->told);
	return t->weight ? n * t->weight : n;
}

uint32_t netburst_sum_of(const struct model_rules *r, const struct netburst_row *row, uint16_t mask,
                         const struct netburst_told *told)
{
	uint64_t odd_traits = is_odd(r, row) ? r->odd_traits : 0;
	uint32_t sum = 0;

	for (const struct netburst_term *t = row->term;
	     t < row->term + NETBURST_TERMS_MAX && t->bits; t++)
		if (t->bits & mask)
			sum += quantity(t, told, odd_traits);
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

static uint32_t sum_of_transactions(const struct model *m, const struct netburst_slot *slot,
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

uint32_t netburst_events_of(const struct model *m, unsigned i, const struct netburst_told *told)
{
	const struct netburst_slot *slot = &netburst_of(m)->slot[i];
	const struct model_rules *r = rules_of(m);

	if (!slot->row)
		return 0;
	switch (slot->row->kind) {
	case NETBURST_SUM:
		return netburst_sum_of(r, slot->row, slot->mask, told);
	case NETBURST_ONCE:
		return netburst_sum_of(r, slot->row, slot->mask, told) &&
		       !(r->typed_branches_lost >> told->insn->branch & 1);
	case NETBURST_TAGS: return r->tags_count ? told->tagged_uops : 0;
	case NETBURST_L2:   return sum_of_l2(slot->mask, told->cost->l2);
	case NETBURST_IOQ:
	case NETBURST_BSQ:  return sum_of_transactions(m, slot, told->traffic);
	default:            return 0;
	}
}

uint32_t netburst_uops_of(const struct model *m, unsigned i, enum netburst_class class, uint32_t n)
{
	const struct netburst_slot *slot = &netburst_of(m)->slot[i];

	if (!slot->row || slot->row->kind != NETBURST_UOPS)
		return 0;
	for (const struct netburst_term *t = slot->row->term;
	     t < slot->row->term + NETBURST_TERMS_MAX && t->bits; t++)
		if ((t->bits & slot->mask) && (t->classes >> class & 1))
			return n;
	return 0;
}

/* ---------------------------------------------------------------------------- by cycle */

uint32_t netburst_conditions(const struct model *m)
{
	uint32_t own = CYCLE_UNIT(UNIT_BUS_IN) | CYCLE_UNIT(UNIT_BUS_OUT);
	uint32_t units = model_busy_units(m);

	if ((units & CYCLE_UNIT(UNIT_BUS_ANY)) && !(units & own))
		units |= CYCLE_OTHERS_ON_BUS;
	return units | m->stall | (m->netburst.is_finishing ? 0 : CYCLE_RUNNING);
}

static bool is_so(const struct netburst_slot *slot, uint32_t conditions)
{
	for (const struct netburst_term *t = slot->row->term;
	     t < slot->row->term + NETBURST_TERMS_MAX && t->bits; t++)
		if ((t->bits & slot->mask) && (t->cycles & conditions))
			return true;
	return false;
}

/* While the trace cache waits for code it builds. */
static unsigned mode_of(const struct model *m)
{
	if (!m || m->netburst.is_inactive)
		return INACTIVE;
	return m->stall & (CYCLE_ITLB | CYCLE_FETCH) ? BUILDS : DELIVERS;
}

/* Of thread 0 and thread 1; both inactive has no bit. */
static bool is_in_mode(const struct model *m, uint16_t mask)
{
	static const uint8_t bits[3][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 16 } };
	unsigned own = mode_of(m), other = mode_of(m->other);
	unsigned bit = m->netburst.number ? bits[other][own] : bits[own][other];

	return (uint32_t)mask >> bit & 1;
}

static uint32_t entries_in(const struct model *m, const struct netburst_slot *slot)
{
	const struct netburst_thread *t = &m->netburst;
	uint32_t n = 0;

	for (unsigned i = 0; i < t->entry_count; i++)
		n += slot->row->kind == NETBURST_IOQ_ENTRIES ?
		     netburst_is_in_ioq_mask(rules_of(m), slot->mask, t->entry[i].kind) :
		     netburst_is_in_bsq_mask(slot->mask, t->entry[i].kind);
	return n < LEVEL_MAX ? n : LEVEL_MAX;
}

uint32_t netburst_level(const struct model *m, unsigned i)
{
	const struct netburst_slot *slot = &netburst_of(m)->slot[i];

	if (!slot->row)
		return 0;
	switch (slot->row->kind) {
	case NETBURST_WHILE:        return is_so(slot, netburst_conditions(m));
	case NETBURST_DELIVER_MODE:
		return !m->netburst.is_finishing && is_in_mode(m, slot->mask);
	case NETBURST_IOQ_ENTRIES:
	case NETBURST_BSQ_ENTRIES:  return entries_in(m, slot);
	default:                    return 0;
	}
}
