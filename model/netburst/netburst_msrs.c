/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's registers, one set for the threads of a core. Sources: SDM 3B, "ESCR MSRs",
 * "Performance Counters", "CCCR MSRs"; SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors".
 *
 * Chosen, where these are silent: reserved bits are dropped; OVF takes a 1 that is written;
 * MSR_TC_PRECISE_EVENT keeps what is written, and no event looks at it.
 */
#include <model/netburst/netburst_shared.h>
#include <model/sampling/debug_store.h>

static const uint64_t upper_half = UINT64_C(1) << 32;

/* With a quirk other accesses than a write of the CCCR do it, too. */
static void clear_ovf(struct model *m, struct netburst_slot *s)
{
	s->cccr &= ~(uint32_t)CCCR_OVF;
	netburst_drop_lines(m->core);
	model_make_plan(m);
}

/* ---------------------------------------------------------------------------- counters */

static uint64_t counter_get(struct model *m, unsigned i)
{
	struct netburst_slot *s = &netburst_of(m)->slot[i];

	if (rules_of(m)->ovf_clears_on_counter_read)
		clear_ovf(m, s);
	return s->value & ~rules_of(m)->read_clears;
}

static enum model_status counter_read(struct model *m, unsigned n, uint64_t *value)
{
	*value = counter_get(m, n);
	return MODEL_OK;
}

/* An erratum: the low half is stored, what the counter is to count comes in, and carries. */
static bool is_carrying(const struct netburst_slot *s, uint64_t value)
{
	return s->row && (value & UINT32_MAX) >= 0xfffffff0;
}

static enum model_status counter_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	struct netburst_slot *s = &netburst_of(m)->slot[n];

	if (r->write_carries && is_carrying(s, value))
		value += upper_half;
	if (r->write_extends_sign)
		value = (uint64_t)(int64_t)(int32_t)value;
	s->value = s->preset = value & ones(r->gp_width);
	netburst_of(m)->pebs_armed &= ~BIT32(n);
	if (r->ovf_clears_on_counter_write)
		clear_ovf(m, s);
	return MODEL_OK;
}

/* ---------------------------------------------------------------------------- CCCRs */

static enum model_status cccr_read(struct model *m, unsigned n, uint64_t *value)
{
	struct netburst_slot *s = &netburst_of(m)->slot[n];

	*value = s->cccr;
	if (rules_of(m)->ovf_clears_on_read)
		clear_ovf(m, s);
	return MODEL_OK;
}

/* The carry out of the low half did not long ago reach the high one: it is lost. */
static void lose_carry(struct netburst_slot *s)
{
	static const uint64_t not_long = 0x10000;

	if (s->value >> 32 != s->preset >> 32 && (s->value & UINT32_MAX) < not_long)
		s->value -= upper_half;
}

/*
 * OVF is sticky: a write with bit 31 = 0 clears it. An overflow whose PMI is still to come with the
 * next count is forgotten with it; not with FORCE_OVF, whose next count is an overflow, too.
 */
static enum model_status cccr_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	struct netburst_slot *s = &netburst_of(m)->slot[n];
	uint32_t before = s->cccr;

	netburst_skid_end_of(m->core, BIT32(n));
	s->cccr = (uint32_t)value & netburst_cccr_bits(r, n);
	if (r->ovf_stays)
		s->cccr |= before & (uint32_t)CCCR_OVF;
	if (!(s->cccr & CCCR_FORCE_OVF) || !(before & CCCR_FORCE_OVF))
		s->has_forced = false;
	if (!(s->cccr & (CCCR_OVF | CCCR_FORCE_OVF)))
		s->is_due = false;
	if (r->ovf_clears_with_pair && !(s->cccr & CCCR_OVF))
		netburst_of(m)->slot[n ^ 1].cccr &= ~(uint32_t)CCCR_OVF;
	if (r->stop_loses_carry && (before & ~s->cccr & CCCR_ENABLE))
		lose_carry(s);
	netburst_drop_lines(m->core);
	model_make_plan(m);
	return MODEL_OK;
}

/* ---------------------------------------------------------------------------- ESCRs */

static unsigned find_escr(const struct model *m, unsigned n)
{
	return netburst_escr_at(rules_of(m), MSR_ESCR_BLOCK0 + n);
}

/* Where a thread finds it: one set for both, but for a quirk. */
static uint32_t *escr_of(struct model *m, unsigned i)
{
	struct netburst *b = netburst_of(m);
	bool is_private = rules_of(m)->escrs_are_private && m->netburst.number;

	return is_private ? &b->private_escr[i] : &b->escr[i];
}

static enum model_status escr_read(struct model *m, unsigned n, uint64_t *value)
{
	unsigned i = find_escr(m, n);

	if (i == NETBURST_NO_ESCR)
		return MODEL_GP;
	*value = *escr_of(m, i);
	return MODEL_OK;
}

static enum model_status escr_write(struct model *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	unsigned i = find_escr(m, n), even = find_escr(m, n & ~1u);

	if (i == NETBURST_NO_ESCR)
		return MODEL_GP;
	*escr_of(m, i) = (uint32_t)value & netburst_escr_bits(r);
	if (r->escr_writes_reach_even)
		netburst_of(m)->escr[even] = *escr_of(m, i);
	for (unsigned c = 0; r->ovf_clears_on_escr_write && c < NETBURST_COUNTERS; c++)
		if (netburst_of(m)->slot[c].escr == i)
			clear_ovf(m, &netburst_of(m)->slot[c]);
	model_make_plan(m);
	return MODEL_OK;
}

/* ---------------------------------------------------------------------------- tagging */

static enum model_status precise_event_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = netburst_of(m)->tc_precise_event;
	return MODEL_OK;
}

static enum model_status precise_event_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	netburst_of(m)->tc_precise_event = value;
	return MODEL_OK;
}

static enum model_status pebs_enable_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = netburst_pebs_enable(m, netburst_of(m)->pebs_enable);
	return MODEL_OK;
}

/* Bits 15 and 16 are those of the manual's metric Tagged_mispred_branch. */
static enum model_status pebs_enable_write(struct model *m, unsigned n, uint64_t value)
{
	uint32_t bits = (uint32_t)(PEBS_ENABLE_METRICS | FIELD(16, 15) | PEBS_ENABLE_UOP_TAG |
	                           PEBS_ENABLE_MY_THR);

	(void)n;
	if (rules_of(m)->has_threads)
		bits |= PEBS_ENABLE_OTH_THR;
	netburst_of(m)->pebs_enable = netburst_pebs_enable(m, (uint32_t)value & bits);
	model_make_plan(m);
	return MODEL_OK;
}

static enum model_status matrix_vert_read(struct model *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = netburst_of(m)->pebs_matrix_vert;
	return MODEL_OK;
}

static enum model_status matrix_vert_write(struct model *m, unsigned n, uint64_t value)
{
	(void)n;
	netburst_of(m)->pebs_matrix_vert =
		(uint32_t)(value & (PEBS_MATRIX_VERT_LOADS | PEBS_MATRIX_VERT_STORES |
		                    PEBS_MATRIX_VERT_BRANCHES));
	model_make_plan(m);
	return MODEL_OK;
}

/* One register for both threads. */
static enum model_status misc_enable_of_core_write(struct model *m, unsigned n, uint64_t value)
{
	enum model_status status = misc_enable_write(m, n, value);

	if (m->other)
		m->other->misc_enable = m->misc_enable;
	return status;
}

/* ---------------------------------------------------------------------------- rows */

/* Of the ESCRs' row some are nobody's: escr_read() and escr_write() know which. */
const struct model_msr_row netburst_msrs[] = {
	{ MSR_COUNTER(0),       18, 1, NULL, counter_read,       counter_write },
	{ MSR_CCCR(0),          18, 1, NULL, cccr_read,          cccr_write },
	{ MSR_ESCR_BLOCK0,      66, 1, NULL, escr_read,          escr_write },
	{ MSR_TC_PRECISE_EVENT,  1, 1, NULL, precise_event_read, precise_event_write },
	{ MSR_PEBS_ENABLE,       1, 1, NULL, pebs_enable_read,   pebs_enable_write },
	{ MSR_PEBS_MATRIX_VERT,  1, 1, NULL, matrix_vert_read,   matrix_vert_write },
	{ IA32_MISC_ENABLE,      1, 1, NULL, misc_enable_read,   misc_enable_of_core_write },
	{ .count = 0 }
};

bool netburst_read_counter(struct model *m, uint32_t ecx, unsigned cpl, uint64_t *value)
{
	(void)cpl;
	if (ecx >= NETBURST_COUNTERS)
		return false;
	*value = counter_get(m, netburst_swapped(rules_of(m)->rdpmc_swap, ecx));
	return true;
}

/* ---------------------------------------------------------------------------- reset */

/* SDM 3B, "ESCR MSRs" and "CCCR MSRs": both are all zeros after RESET. Chosen: counters, too. */
static void clear(struct model *m)
{
	struct netburst *b = netburst_of(m);

	__builtin_memset(b, 0, sizeof(*b));
	for (unsigned t = 0; t < m->core->threads; t++) {
		m->core->thread[t]->netburst.number = (uint8_t)t;
		m->core->thread[t]->netburst.skid = 0;
		m->core->thread[t]->netburst.skidding = 0;
		m->core->thread[t]->pebs.due = 0;
	}
	b->tc_precise_event = 0xfc00;          /* seen by drivers */
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		b->slot[i].cccr = rules_of(m)->reset_cccr;
}

void netburst_reset(struct model *m, enum model_reset kind)
{
	if (kind == MODEL_RESET_INIT)
		netburst_init_pebs(m);
	if (kind != MODEL_RESET_INIT || rules_of(m)->init_clears_controls)
		clear(m);
	m->netburst.is_inactive = false;
}
