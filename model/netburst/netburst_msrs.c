/* SPDX-License-Identifier: MIT */
/*
 * NetBurst's registers, one set for the threads of a core. Sources: SDM 3B, "ESCR MSRs",
 * "Performance Counters", "CCCR MSRs"; SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors".
 *
 * Chosen, where these are silent: reserved bits are dropped; OVF takes a 1 that is written;
 * MSR_TC_PRECISE_EVENT keeps what is written, and no event looks at it.
 */
#include <model/netburst/netburst_shared.h>
#include <model/sampling/records.h>

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

/* Without Hyper-Threading ACTIVE_THREAD is kept, and has no effect. */
static uint32_t cccr_bits(const struct model_rules *r, unsigned i)
{
	uint32_t bits = (uint32_t)(CCCR_ENABLE | CCCR_ESCR_SELECT | CCCR_ACTIVE_THREAD |
	                           CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD | CCCR_EDGE |
	                           CCCR_FORCE_OVF | CCCR_OVF_PMI_T0 | CCCR_CASCADE | CCCR_OVF);

	if (r->netburst.has_threads)
		bits |= CCCR_OVF_PMI_T1;
	if (r->netburst.has_extended_cascading && netburst_extended_from[i])
		bits |= CCCR_CASCNT_INTO;
	return bits;
}

static enum refpmu_status cccr_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	*value = netburst_of(m)->slot[n].cccr;
	return REFPMU_OK;
}

/*
 * OVF is sticky: a write with bit 31 = 0 clears it. The write also drops the PMI of an overflow
 * that waits for the next count; with FORCE_OVF that next count is an overflow again.
 */
static enum refpmu_status cccr_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	struct netburst_slot *s = &netburst_of(m)->slot[n];

	netburst_skid_end_of(m->core, BIT32(n));
	s->cccr = (uint32_t)value & cccr_bits(rules_of(m), n);
	if (!(s->cccr & (CCCR_OVF | CCCR_FORCE_OVF)))
		s->is_due = false;
	netburst_drop_line(s);
	model_make_plan(m);
	return REFPMU_OK;
}

static uint32_t escr_bits(const struct model_rules *r)
{
	uint32_t t1 = (uint32_t)(ESCR_T1_USR | ESCR_T1_OS);

	return (uint32_t)FIELD(30, 2) | (r->netburst.has_threads ? t1 : 0);
}

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
	netburst_of(m)->escr[i] = (uint32_t)value & escr_bits(r);
	model_make_plan(m);
	return REFPMU_OK;
}

/* By number from MSR_TC_PRECISE_EVENT on. */
enum { PRECISE_EVENT, ENABLE, MATRIX_VERT, TAGGING_MSRS };

static enum refpmu_status tagging_read(struct refpmu_cpu *m, unsigned n, uint64_t *value)
{
	const struct netburst *b = netburst_of(m);
	const uint64_t values[] = {
		[PRECISE_EVENT] = b->tc_precise_event,
		[ENABLE] = netburst_pebs_enable(m, b->pebs_enable),
		[MATRIX_VERT] = b->pebs_matrix_vert
	};

	*value = values[n];
	return REFPMU_OK;
}

/* Bits 15 and 16 of MSR_PEBS_ENABLE are those of the manual's metric Tagged_mispred_branch. */
static enum refpmu_status tagging_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	struct netburst *b = netburst_of(m);
	uint64_t enable = PEBS_ENABLE_METRICS | FIELD(16, 15) | PEBS_ENABLE_UOP_TAG |
	                  PEBS_ENABLE_MY_THR;
	uint64_t matrix = PEBS_MATRIX_VERT_LOADS | PEBS_MATRIX_VERT_STORES |
	                  PEBS_MATRIX_VERT_BRANCHES;

	if (rules_of(m)->netburst.has_threads)
		enable |= PEBS_ENABLE_OTH_THR;
	if (n == PRECISE_EVENT)
		b->tc_precise_event = value;
	else if (n == ENABLE)
		b->pebs_enable = netburst_pebs_enable(m, (uint32_t)(value & enable));
	else
		b->pebs_matrix_vert = (uint32_t)(value & matrix);
	model_make_plan(m);
	return REFPMU_OK;
}

/* Both threads share the register. */
static enum refpmu_status misc_enable_of_core_write(struct refpmu_cpu *m, unsigned n,
                                                    uint64_t value)
{
	enum refpmu_status status = misc_enable_write(m, n, value);

	if (m->other)
		m->other->misc_enable = m->misc_enable;
	return status;
}

/* Some ESCRs in the row do not exist: escr_read() and escr_write() check. */
const struct model_msr_row netburst_msrs[] = {
	{ MSR_COUNTER(0), 18, 1, NULL, counter_read, counter_write },
	{ MSR_CCCR(0), 18, 1, NULL, cccr_read, cccr_write },
	{ MSR_ESCR_BLOCK0, 66, 1, NULL, escr_read, escr_write },
	{ MSR_TC_PRECISE_EVENT, TAGGING_MSRS, 1, NULL, tagging_read, tagging_write },
	{ IA32_MISC_ENABLE, 1, 1, NULL, misc_enable_read, misc_enable_of_core_write },
	{ .count = 0 }
};

bool netburst_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value)
{
	if (ecx >= NETBURST_COUNTERS)
		return false;
	*value = netburst_of(m)->slot[ecx].value;
	return true;
}

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
	if (kind == REFPMU_RESET_INIT)         /* SDM 3B, "BTS and DS Save Area": INIT ends PEBS */
		netburst_of(m)->pebs_enable &= ~netburst_pebs_enable(m, PEBS_ENABLE_MY_THR);
	else
		clear(m);
	m->netburst.is_inactive = false;
}
