/* SPDX-License-Identifier: MIT */
/*
 * The registers of NetBurst: the counters that each ESCR reaches, and the cascades of counters.
 * Sources: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
 * table "Performance Counter MSRs and Associated CCCR and ESCR MSRs"; "Cascading Counters";
 * "EXTENDED CASCADING", table "CCR Names and Bit Positions".
 */
#include <model/netburst/netburst_shared.h>

#include <arch/regs/table.h>

/* The counters of a block that even and odd ESCRs reach. */
#define BPU_EVEN   (BIT32(0) | BIT32(1))
#define BPU_ODD    (BIT32(2) | BIT32(3))
#define MS_EVEN    (BIT32(4) | BIT32(5))
#define MS_ODD     (BIT32(6) | BIT32(7))
#define FLAME_EVEN (BIT32(8) | BIT32(9))
#define FLAME_ODD  (BIT32(10) | BIT32(11))
#define IQ_EVEN    (BIT32(12) | BIT32(13) | BIT32(16))
#define IQ_ODD     (BIT32(14) | BIT32(15) | BIT32(17))

/* Models of family 0FH. The table's footnote gives the models that have IQ_ESCR0 and 1. */
#define ALL         0x5f
#define MODELS_1_2  0x06

/* A pair of equal ESCRs, an even and an odd one. */
#define PAIR(unit, even, odd, number, block, in) \
	{ MSR_##unit##_ESCR##even, number, block##_EVEN, in }, \
	{ MSR_##unit##_ESCR##odd, number, block##_ODD, in }

const struct netburst_escr_row netburst_escr_rows[NETBURST_ESCRS] = {
	PAIR(BSU, 0, 1, 7, BPU, ALL),
	PAIR(FSB, 0, 1, 6, BPU, ALL),
	[FIRM_ESCR0] = PAIR(FIRM, 0, 1, 1, FLAME, ALL),
	PAIR(FLAME, 0, 1, 0, FLAME, ALL),
	PAIR(DAC, 0, 1, 5, FLAME, ALL),
	[MOB_ESCR0] = PAIR(MOB, 0, 1, 2, BPU, ALL),
	PAIR(PMH, 0, 1, 4, BPU, ALL),
	[SAAT_ESCR0] = PAIR(SAAT, 0, 1, 2, FLAME, ALL),
	PAIR(U2L, 0, 1, 3, FLAME, ALL),
	PAIR(BPU, 0, 1, 0, BPU, ALL),
	PAIR(IS, 0, 1, 1, BPU, ALL),
	PAIR(ITLB, 0, 1, 3, BPU, ALL),
	PAIR(CRU, 0, 1, 4, IQ, ALL),
	PAIR(IQ, 0, 1, 0, IQ, MODELS_1_2),
	[RAT_ESCR0] = PAIR(RAT, 0, 1, 2, IQ, ALL),
	{ MSR_SSU_ESCR0, 3, IQ_EVEN, ALL },
	PAIR(MS, 0, 1, 0, MS, ALL),
	PAIR(TBPU, 0, 1, 2, MS, ALL),
	PAIR(TC, 0, 1, 1, MS, ALL),
	PAIR(IX, 0, 1, 5, BPU, ALL),
	PAIR(ALF, 0, 1, 1, IQ, ALL),
	PAIR(CRU, 2, 3, 5, IQ, ALL),
	PAIR(CRU, 4, 5, 6, IQ, ALL),
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

/* The rows are in the order of their MSRs, in four blocks. */
unsigned netburst_escr_at(const struct model_rules *r, uint32_t msr)
{
	static const struct { uint32_t first, end, index; } blocks[] = {
		{ MSR_ESCR_BLOCK0, MSR_SSU_ESCR0 + 1, 0 },
		{ MSR_ESCR_BLOCK1, MSR_TC_ESCR1 + 1, 31 },
		{ MSR_ESCR_BLOCK2, MSR_CRU_ESCR3 + 1, 37 },
		{ MSR_ESCR_BLOCK3, MSR_CRU_ESCR5 + 1, 43 },
	};

	for (unsigned i = 0; i < COUNT_OF(blocks); i++)
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
