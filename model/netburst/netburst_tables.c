/* SPDX-License-Identifier: MIT */
/*
 * The registers of NetBurst: which ESCR reaches which counters, and which counter starts which.
 * Sources: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
 * table "Performance Counter MSRs and Associated CCCR and ESCR MSRs"; "Cascading Counters";
 * "EXTENDED CASCADING", table "CCR Names and Bit Positions".
 */
#include <model/netburst/netburst_shared.h>

/* Counters, by their block and their numbers there. */
#define BPU_01   (BIT32(0) | BIT32(1))
#define BPU_23   (BIT32(2) | BIT32(3))
#define MS_01    (BIT32(4) | BIT32(5))
#define MS_23    (BIT32(6) | BIT32(7))
#define FLAME_01 (BIT32(8) | BIT32(9))
#define FLAME_23 (BIT32(10) | BIT32(11))
#define IQ_014   (BIT32(12) | BIT32(13) | BIT32(16))
#define IQ_235   (BIT32(14) | BIT32(15) | BIT32(17))

/* Models of family 0FH. Which models have IQ_ESCR0 and 1 is what the table's footnote says. */
#define ALL         0x5f
#define MODELS_1_2  0x06

const struct netburst_escr_row netburst_escr_rows[NETBURST_ESCRS] = {
	{ MSR_BSU_ESCR0,   7, BPU_01,   ALL },
	{ MSR_BSU_ESCR1,   7, BPU_23,   ALL },
	{ MSR_FSB_ESCR0,   6, BPU_01,   ALL },
	{ MSR_FSB_ESCR1,   6, BPU_23,   ALL },
	{ MSR_FIRM_ESCR0,  1, FLAME_01, ALL },
	{ MSR_FIRM_ESCR1,  1, FLAME_23, ALL },
	{ MSR_FLAME_ESCR0, 0, FLAME_01, ALL },
	{ MSR_FLAME_ESCR1, 0, FLAME_23, ALL },
	{ MSR_DAC_ESCR0,   5, FLAME_01, ALL },
	{ MSR_DAC_ESCR1,   5, FLAME_23, ALL },
	{ MSR_MOB_ESCR0,   2, BPU_01,   ALL },
	{ MSR_MOB_ESCR1,   2, BPU_23,   ALL },
	{ MSR_PMH_ESCR0,   4, BPU_01,   ALL },
	{ MSR_PMH_ESCR1,   4, BPU_23,   ALL },
	{ MSR_SAAT_ESCR0,  2, FLAME_01, ALL },
	{ MSR_SAAT_ESCR1,  2, FLAME_23, ALL },
	{ MSR_U2L_ESCR0,   3, FLAME_01, ALL },
	{ MSR_U2L_ESCR1,   3, FLAME_23, ALL },
	{ MSR_BPU_ESCR0,   0, BPU_01,   ALL },
	{ MSR_BPU_ESCR1,   0, BPU_23,   ALL },
	{ MSR_IS_ESCR0,    1, BPU_01,   ALL },
	{ MSR_IS_ESCR1,    1, BPU_23,   ALL },
	{ MSR_ITLB_ESCR0,  3, BPU_01,   ALL },
	{ MSR_ITLB_ESCR1,  3, BPU_23,   ALL },
	{ MSR_CRU_ESCR0,   4, IQ_014,   ALL },
	{ MSR_CRU_ESCR1,   4, IQ_235,   ALL },
	{ MSR_IQ_ESCR0,    0, IQ_014,   MODELS_1_2 },
	{ MSR_IQ_ESCR1,    0, IQ_235,   MODELS_1_2 },
	{ MSR_RAT_ESCR0,   2, IQ_014,   ALL },
	{ MSR_RAT_ESCR1,   2, IQ_235,   ALL },
	{ MSR_SSU_ESCR0,   3, IQ_014,   ALL },
	{ MSR_MS_ESCR0,    0, MS_01,    ALL },
	{ MSR_MS_ESCR1,    0, MS_23,    ALL },
	{ MSR_TBPU_ESCR0,  2, MS_01,    ALL },
	{ MSR_TBPU_ESCR1,  2, MS_23,    ALL },
	{ MSR_TC_ESCR0,    1, MS_01,    ALL },
	{ MSR_TC_ESCR1,    1, MS_23,    ALL },
	{ MSR_IX_ESCR0,    5, BPU_01,   ALL },
	{ MSR_IX_ESCR1,    5, BPU_23,   ALL },
	{ MSR_ALF_ESCR0,   1, IQ_014,   ALL },
	{ MSR_ALF_ESCR1,   1, IQ_235,   ALL },
	{ MSR_CRU_ESCR2,   5, IQ_014,   ALL },
	{ MSR_CRU_ESCR3,   5, IQ_235,   ALL },
	{ MSR_CRU_ESCR4,   6, IQ_014,   ALL },
	{ MSR_CRU_ESCR5,   6, IQ_235,   ALL },
};

const uint32_t netburst_cascades_from[NETBURST_COUNTERS] = {
	[0] = BIT32(2), [1] = BIT32(3), [2] = BIT32(0), [3] = BIT32(1),
	[4] = BIT32(6), [5] = BIT32(7), [6] = BIT32(4), [7] = BIT32(5),
	[8] = BIT32(10), [9] = BIT32(11), [10] = BIT32(8), [11] = BIT32(9),
	[12] = BIT32(14), [13] = BIT32(15), [14] = BIT32(12), [15] = BIT32(13),
	[16] = BIT32(14), [17] = BIT32(15),
};

/* Bit 11: CASCNT4INTO0, CASCNT5INTO3, CASCNT5INTO4, CASCNT4INTO5; the numbers are IQ's. */
const uint32_t netburst_extended_from[NETBURST_COUNTERS] = {
	[12] = BIT32(16), [15] = BIT32(17), [16] = BIT32(17), [17] = BIT32(16),
};

static bool is_there(const struct model_rules *r, unsigned escr)
{
	return netburst_escr_rows[escr].models & r->events.model;
}

/* The rows are in the order of their MSRs, in four blocks. This is asked with each instruction. */
unsigned netburst_escr_at(const struct model_rules *r, uint32_t msr)
{
	static const struct { uint32_t first, end, index; } blocks[] = {
		{ MSR_ESCR_BLOCK0, MSR_SSU_ESCR0 + 1, 0 },
		{ MSR_ESCR_BLOCK1, MSR_TC_ESCR1 + 1, 31 },
		{ MSR_ESCR_BLOCK2, MSR_CRU_ESCR3 + 1, 37 },
		{ MSR_ESCR_BLOCK3, MSR_CRU_ESCR5 + 1, 43 },
	};

	for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (msr >= blocks[i].first && msr < blocks[i].end) {
			unsigned escr = msr - blocks[i].first + blocks[i].index;

			return is_there(r, escr) ? escr : NETBURST_NO_ESCR;
		}
	return NETBURST_NO_ESCR;
}

unsigned netburst_escr_of(const struct model_rules *r, unsigned counter, unsigned select)
{
	for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
		const struct netburst_escr_row *row = &netburst_escr_rows[i];

		if (row->select == select && (row->counters >> counter & 1) && is_there(r, i))
			return i;
	}
	return NETBURST_NO_ESCR;
}

/* Chosen, as the manual only asks for zeros: reserved bits are dropped. */
uint32_t netburst_escr_bits(const struct model_rules *r)
{
	uint32_t t1 = (uint32_t)(ESCR_T1_USR | ESCR_T1_OS);

	return (uint32_t)FIELD(30, 2) | (r->netburst.has_threads ? t1 : 0);
}

/* Without Hyper-Threading ACTIVE_THREAD is kept, and has no effect. */
uint32_t netburst_cccr_bits(const struct model_rules *r, unsigned i)
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
