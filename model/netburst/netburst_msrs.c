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

/* ---------------------------------------------------------------------------- counters */

static enum refpmu_status counter_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	*value = netburst_of(m)->slot[n].value;
	return REFPMU_OK;
}

static enum refpmu_status counter_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	netburst_of(m)->slot[n].value = value & NETBURST_COUNTER_VALUE;
	netburst_of(m)->pebs_armed &= ~BIT32(n);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- CCCRs */

static enum refpmu_status cccr_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	*value = netburst_of(m)->slot[n].cccr;
	return REFPMU_OK;
}

/*
 * OVF is sticky: a write with bit 31 = 0 clears it. An overflow whose PMI is still to come with the
 * next count is forgotten with it; not with FORCE_OVF, whose next count is an overflow, too.
 */
static enum refpmu_status cccr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	struct netburst_slot *s = &netburst_of(m)->slot[n];

	netburst_skid_end_of(m->core, BIT32(n));
	s->cccr = (uint32_t)value & netburst_cccr_bits(rules_of(m), n);
	if (!(s->cccr & (CCCR_OVF | CCCR_FORCE_OVF)))
		s->is_due = false;
	netburst_drop_line(s);
	model_make_plan(m);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- ESCRs */

static enum refpmu_status escr_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	unsigned i = netburst_escr_at(rules_of(m), MSR_ESCR_BLOCK0 + n);

	if (i == NETBURST_NO_ESCR)
		return REFPMU_GP;
	*value = netburst_of(m)->escr[i];
	return REFPMU_OK;
}

static enum refpmu_status escr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	unsigned i = netburst_escr_at(r, MSR_ESCR_BLOCK0 + n);

	if (i == NETBURST_NO_ESCR)
		return REFPMU_GP;
	netburst_of(m)->escr[i] = (uint32_t)value & netburst_escr_bits(r);
	model_make_plan(m);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- tagging */

static enum refpmu_status precise_event_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = netburst_of(m)->tc_precise_event;
	return REFPMU_OK;
}

static enum refpmu_status precise_event_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	netburst_of(m)->tc_precise_event = value;
	return REFPMU_OK;
}

static enum refpmu_status pebs_enable_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = netburst_pebs_enable(m, netburst_of(m)->pebs_enable);
	return REFPMU_OK;
}

/* Bits 15 and 16 are those of the manual's metric Tagged_mispred_branch. */
static enum refpmu_status pebs_enable_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	uint32_t bits = (uint32_t)(PEBS_ENABLE_METRICS | FIELD(16, 15) | PEBS_ENABLE_UOP_TAG |
	                           PEBS_ENABLE_MY_THR);

	(void)n;
	if (rules_of(m)->netburst.has_threads)
		bits |= PEBS_ENABLE_OTH_THR;
	netburst_of(m)->pebs_enable = netburst_pebs_enable(m, (uint32_t)value & bits);
	model_make_plan(m);
	return REFPMU_OK;
}

static enum refpmu_status matrix_vert_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	(void)n;
	*value = netburst_of(m)->pebs_matrix_vert;
	return REFPMU_OK;
}

static enum refpmu_status matrix_vert_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	netburst_of(m)->pebs_matrix_vert =
		(uint32_t)(value & (PEBS_MATRIX_VERT_LOADS | PEBS_MATRIX_VERT_STORES |
		                    PEBS_MATRIX_VERT_BRANCHES));
	model_make_plan(m);
	return REFPMU_OK;
}

/* One register for both threads. */
static enum refpmu_status misc_enable_of_core_write(struct refpmu_cpu *m, unsigned n,
                                                    uint64_t value)
{
	enum refpmu_status status = misc_enable_write(m, n, value);

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

bool netburst_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value)
{
	if (ecx >= NETBURST_COUNTERS)
		return false;
	*value = netburst_of(m)->slot[ecx].value;
	return true;
}

/* ---------------------------------------------------------------------------- reset */

/* SDM 3B, "ESCR MSRs" and "CCCR MSRs": both are all zeros after RESET. Chosen: counters, too. */
static void clear(struct refpmu_cpu *m)
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
}

void netburst_reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	if (kind == REFPMU_RESET_INIT)
		netburst_init_pebs(m);
	else
		clear(m);
	m->netburst.is_inactive = false;
}
