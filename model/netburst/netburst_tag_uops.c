/* SPDX-License-Identifier: MIT */
/*
 * Tagging: upstream ESCRs mark micro-operations, and events at retirement count the marked ones.
 * Source: SDM 3B, "At-Retirement Counting", "Tagging Mechanism for
 * Front_end_event", "... Execution_event", "... Replay_event"; "Operating System Implications": an
 * ESCR does nothing while no counter that it or its twin reaches is enabled.
 *
 * Chosen, where these are silent: front-end tagging needs no tag enable; load_port_replay tags
 * by SAAT_ESCR1 alone, as its note says, store_port_replay by both; without UOP_TAG nothing
 * is tagged for replay. Bits 15 and 16 of MSR_PEBS_ENABLE, reserved in the MSR's table, do nothing.
 */
#include <model/netburst/netburst_shared.h>

enum { BOGUS_SHIFT = 4 };              /* BOGUS0 of execution_event is bit 4 */
enum { UOP_TYPE = 0x02, TAGLOADS = 1 << 1, TAGSTORES = 1 << 2 };
enum { MOB_LOAD_REPLAY = 0x03, PARTIAL_DATA = 1 << 4, UNALGN_ADDR = 1 << 5 };
enum { LOAD_PORT_REPLAY = 0x04, STORE_PORT_REPLAY = 0x05, SPLIT = 1 << 1 };

/* Bits of MSR_PEBS_ENABLE. */
enum { ON_L1_MISS = 1 << 0, ON_L2_MISS = 1 << 1, ON_DTLB_MISS = 1 << 2, ON_MOB = 1 << 9,
       ON_SPLIT = 1 << 10 };

static bool has_power(const struct refpmu_cpu *m, unsigned i)
{
	return netburst_of(m)->running & (netburst_escr_rows[i & ~1u].counters |
	                                  netburst_escr_rows[i | 1].counters);
}

/* Returns the event mask of an upstream ESCR; 0 if it has no such event, or does not see m. */
static uint16_t mask_of(const struct refpmu_cpu *m, unsigned i, const struct netburst_row *row)
{
	uint32_t escr = netburst_of(m)->escr[i];

	if (!row || !netburst_is_qualified(row, escr, m->netburst.number, m->ring) ||
	    !has_power(m, i))
		return 0;
	return (uint16_t)FIELD_GET(ESCR_EVENT_MASK, escr);
}

static uint16_t mask_at(const struct refpmu_cpu *m, unsigned i, uint32_t select)
{
	if (FIELD_GET(ESCR_EVENT_SELECT, netburst_of(m)->escr[i]) != select)
		return 0;
	return mask_of(m, i, netburst_row_find(rules_of(m), i, select));
}

static void tag_front_end(const struct refpmu_cpu *m, struct netburst_retired *retired)
{
	uint16_t mask = mask_at(m, RAT_ESCR0, UOP_TYPE) | mask_at(m, RAT_ESCR0 + 1, UOP_TYPE);
	uint32_t bogus = !!retired->bogus_insns;

	retired->tagged_uops = (mask & TAGLOADS ? retired->traffic->data_reads : 0) +
	                    (mask & TAGSTORES ? retired->traffic->data_writes : 0);
	retired->bogus_tagged_uops = (mask & TAGLOADS ? bogus : 0) + (mask & TAGSTORES ? bogus : 0);
	retired->tagged_insns = retired->tagged_uops != 0;
	retired->insns -= retired->tagged_insns;
	retired->bogus_tagged_insns = retired->bogus_tagged_uops;
	retired->bogus_insns -= retired->bogus_tagged_insns;
}

/* Returns the tag that an ESCR gives, or 0. */
static uint8_t tag_in(uint32_t escr)
{
	return escr & ESCR_TAG_ENABLE ? (uint8_t)FIELD_GET(ESCR_TAG_VALUE, escr) : 0;
}

static uint8_t execution_tags(const struct refpmu_cpu *m, unsigned i,
                              const struct netburst_retired *retired)
{
	uint32_t escr = netburst_of(m)->escr[i];
	const struct netburst_row *row;
	uint8_t tag = tag_in(escr), tags = 0;
	uint16_t mask;

	if (!tag)
		return 0;
	row = netburst_row_find(rules_of(m), i, (uint32_t)FIELD_GET(ESCR_EVENT_SELECT, escr));
	mask = mask_of(m, i, row);
	if (!mask || !row->tags_execution)
		return 0;
	if (netburst_sum_of(row, mask, retired))
		tags |= tag;
	if (retired->uops[UOPS_BOGUS])
		tags |= (uint8_t)(tag << BOGUS_SHIFT);
	return tags;
}

void netburst_tag(const struct refpmu_cpu *m, struct netburst_retired *retired)
{
	tag_front_end(m, retired);
	retired->execution_tags = execution_tags(m, FIRM_ESCR0, retired) |
	                       execution_tags(m, FIRM_ESCR0 + 1, retired);
}

static bool is_blocked(const struct refpmu_cpu *m, const struct netburst_effect *effect)
{
	uint16_t mask = mask_at(m, MOB_ESCR0, MOB_LOAD_REPLAY) |
	                mask_at(m, MOB_ESCR0 + 1, MOB_LOAD_REPLAY);

	return ((mask & PARTIAL_DATA) && effect->is_partial) ||
	       ((mask & UNALGN_ADDR) && effect->is_unaligned);
}

static bool is_split(const struct refpmu_cpu *m, const struct netburst_effect *effect, bool is_load)
{
	uint16_t mask = is_load ? mask_at(m, SAAT_ESCR0 + 1, LOAD_PORT_REPLAY) :
	                mask_at(m, SAAT_ESCR0, STORE_PORT_REPLAY) |
	                mask_at(m, SAAT_ESCR0 + 1, STORE_PORT_REPLAY);

	return effect->is_split && (mask & SPLIT);
}

/* A read-write access misses when it reads. */
static bool is_replayed(const struct refpmu_cpu *m, const struct netburst_effect *effect,
                        bool is_load, bool is_first)
{
	uint32_t on = netburst_of(m)->pebs_enable;

	return ((on & ON_L1_MISS) && is_load && effect->is_l1_miss) ||
	       ((on & ON_L2_MISS) && is_load && effect->is_l2_miss) ||
	       ((on & ON_DTLB_MISS) && is_first && effect->is_dtlb_miss) ||
	       ((on & ON_MOB) && is_load && is_blocked(m, effect)) ||
	       ((on & ON_SPLIT) && is_split(m, effect, is_load));
}

uint32_t netburst_replay_tags(const struct refpmu_cpu *m, const struct netburst_effect *effect)
{
	const struct netburst *n = netburst_of(m);
	uint32_t kinds = n->pebs_matrix_vert, tags = 0;

	if (!(n->pebs_enable & PEBS_ENABLE_UOP_TAG))
		return 0;
	if (effect->is_load && (kinds & PEBS_MATRIX_VERT_LOADS))
		tags += is_replayed(m, effect, true, true);
	if (effect->is_store && (kinds & PEBS_MATRIX_VERT_STORES))
		tags += is_replayed(m, effect, false, !effect->is_load);
	return tags;
}
