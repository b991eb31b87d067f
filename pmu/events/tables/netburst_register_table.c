/* SPDX-License-Identifier: MIT */
/*
 * Lists NetBurst's counters and ESCRs. Source: SDM 3B, "Performance Monitoring (Processors Based on
 * Intel NetBurst Microarchitecture)": its table of counters, CCCRs and ESCRs, "CCCR MSRs",
 * "Extended Cascading"; SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors".
 */
#include <pmu/events/netburst_pmu.h>

#include <stddef.h>

/* A counter's parity is that of the numbers of the ESCRs that reach it. */
#define COUNTER(unit, number, index, parity_, from, ...) \
	{ .name = "MSR_" #unit "_COUNTER" #number, .cccr_name = "MSR_" #unit "_CCCR" #number, \
	  .msr = MSR_COUNTER(index), .cccr = MSR_CCCR(index), .block = NETBURST_##unit, \
	  .pair = (index) / 2, .parity = parity_, .cascades_from = from, __VA_ARGS__ }
#define EXTENDED(from, name_) .extended_from = from, .extended_name = name_

const struct netburst_counter netburst_counters[NETBURST_COUNTERS] = {
	COUNTER(BPU, 0, 0, 0, BIT32(2)),
	COUNTER(BPU, 1, 1, 0, BIT32(3)),
	COUNTER(BPU, 2, 2, 1, BIT32(0)),
	COUNTER(BPU, 3, 3, 1, BIT32(1)),
	COUNTER(MS, 0, 4, 0, BIT32(6)),
	COUNTER(MS, 1, 5, 0, BIT32(7)),
	COUNTER(MS, 2, 6, 1, BIT32(4)),
	COUNTER(MS, 3, 7, 1, BIT32(5)),
	COUNTER(FLAME, 0, 8, 0, BIT32(10)),
	COUNTER(FLAME, 1, 9, 0, BIT32(11)),
	COUNTER(FLAME, 2, 10, 1, BIT32(8)),
	COUNTER(FLAME, 3, 11, 1, BIT32(9)),
	COUNTER(IQ, 0, 12, 0, BIT32(14), EXTENDED(BIT32(16), "CASCNT4INTO0")),
	COUNTER(IQ, 1, 13, 0, BIT32(15)),
	COUNTER(IQ, 2, 14, 1, BIT32(12)),
	COUNTER(IQ, 3, 15, 1, BIT32(13), EXTENDED(BIT32(17), "CASCNT5INTO3")),
	COUNTER(IQ, 4, 16, 0, BIT32(14), EXTENDED(BIT32(17), "CASCNT5INTO4")),
	COUNTER(IQ, 5, 17, 1, BIT32(15), EXTENDED(BIT32(16), "CASCNT4INTO5")),
};

#define EVERY_MODEL   NETBURST_ALL_MODELS, 0
#define MODELS_1_2    (BIT32(1) | BIT32(2)), BIT32(0)   /* the manual's tables differ on 0 */
#define NO_EVENT      "the manual names no event that it selects"
#define NO_EVENT_SSU  "the manual names no event that it selects, and it has no odd twin"

/* The counters that ESCRs with even and with odd numbers reach. */
#define BPU_EVEN    (BIT32(0) | BIT32(1))
#define BPU_ODD     (BIT32(2) | BIT32(3))
#define MS_EVEN     (BIT32(4) | BIT32(5))
#define MS_ODD      (BIT32(6) | BIT32(7))
#define FLAME_EVEN  (BIT32(8) | BIT32(9))
#define FLAME_ODD   (BIT32(10) | BIT32(11))
#define IQ_EVEN     (BIT32(12) | BIT32(13) | BIT32(16))
#define IQ_ODD      (BIT32(14) | BIT32(15) | BIT32(17))

#define ESCR(name, select, block, parity, models, why) \
	[NETBURST_##name] = { "MSR_" #name, MSR_##name, select, NETBURST_##block, \
	                      block##_##parity, models, why }

const struct netburst_escr netburst_escrs[NETBURST_ESCRS] = {
	ESCR(BSU_ESCR0, 7, BPU, EVEN, EVERY_MODEL, NULL),
	ESCR(BSU_ESCR1, 7, BPU, ODD, EVERY_MODEL, NULL),
	ESCR(FSB_ESCR0, 6, BPU, EVEN, EVERY_MODEL, NULL),
	ESCR(FSB_ESCR1, 6, BPU, ODD, EVERY_MODEL, NULL),
	ESCR(FIRM_ESCR0, 1, FLAME, EVEN, EVERY_MODEL, NULL),
	ESCR(FIRM_ESCR1, 1, FLAME, ODD, EVERY_MODEL, NULL),
	ESCR(FLAME_ESCR0, 0, FLAME, EVEN, EVERY_MODEL, NO_EVENT),
	ESCR(FLAME_ESCR1, 0, FLAME, ODD, EVERY_MODEL, NO_EVENT),
	ESCR(DAC_ESCR0, 5, FLAME, EVEN, EVERY_MODEL, NULL),
	ESCR(DAC_ESCR1, 5, FLAME, ODD, EVERY_MODEL, NULL),
	ESCR(MOB_ESCR0, 2, BPU, EVEN, EVERY_MODEL, NULL),
	ESCR(MOB_ESCR1, 2, BPU, ODD, EVERY_MODEL, NULL),
	ESCR(PMH_ESCR0, 4, BPU, EVEN, EVERY_MODEL, NULL),
	ESCR(PMH_ESCR1, 4, BPU, ODD, EVERY_MODEL, NULL),
	ESCR(SAAT_ESCR0, 2, FLAME, EVEN, EVERY_MODEL, NULL),
	ESCR(SAAT_ESCR1, 2, FLAME, ODD, EVERY_MODEL, NULL),
	ESCR(U2L_ESCR0, 3, FLAME, EVEN, EVERY_MODEL, NO_EVENT),
	ESCR(U2L_ESCR1, 3, FLAME, ODD, EVERY_MODEL, NO_EVENT),
	ESCR(BPU_ESCR0, 0, BPU, EVEN, EVERY_MODEL, NULL),
	ESCR(BPU_ESCR1, 0, BPU, ODD, EVERY_MODEL, NULL),
	ESCR(IS_ESCR0, 1, BPU, EVEN, EVERY_MODEL, NO_EVENT),
	ESCR(IS_ESCR1, 1, BPU, ODD, EVERY_MODEL, NO_EVENT),
	ESCR(ITLB_ESCR0, 3, BPU, EVEN, EVERY_MODEL, NULL),
	ESCR(ITLB_ESCR1, 3, BPU, ODD, EVERY_MODEL, NULL),
	ESCR(CRU_ESCR0, 4, IQ, EVEN, EVERY_MODEL, NULL),
	ESCR(CRU_ESCR1, 4, IQ, ODD, EVERY_MODEL, NULL),
	ESCR(IQ_ESCR0, 0, IQ, EVEN, MODELS_1_2, NO_EVENT),
	ESCR(IQ_ESCR1, 0, IQ, ODD, MODELS_1_2, NO_EVENT),
	ESCR(RAT_ESCR0, 2, IQ, EVEN, EVERY_MODEL, NULL),
	ESCR(RAT_ESCR1, 2, IQ, ODD, EVERY_MODEL, NULL),
	ESCR(SSU_ESCR0, 3, IQ, EVEN, EVERY_MODEL, NO_EVENT_SSU),
	ESCR(MS_ESCR0, 0, MS, EVEN, EVERY_MODEL, NULL),
	ESCR(MS_ESCR1, 0, MS, ODD, EVERY_MODEL, NULL),
	ESCR(TBPU_ESCR0, 2, MS, EVEN, EVERY_MODEL, NULL),
	ESCR(TBPU_ESCR1, 2, MS, ODD, EVERY_MODEL, NULL),
	ESCR(TC_ESCR0, 1, MS, EVEN, EVERY_MODEL, NULL),
	ESCR(TC_ESCR1, 1, MS, ODD, EVERY_MODEL, NULL),
	ESCR(IX_ESCR0, 5, BPU, EVEN, EVERY_MODEL, NO_EVENT),
	ESCR(IX_ESCR1, 5, BPU, ODD, EVERY_MODEL, NO_EVENT),
	ESCR(ALF_ESCR0, 1, IQ, EVEN, EVERY_MODEL, NULL),
	ESCR(ALF_ESCR1, 1, IQ, ODD, EVERY_MODEL, NULL),
	ESCR(CRU_ESCR2, 5, IQ, EVEN, EVERY_MODEL, NULL),
	ESCR(CRU_ESCR3, 5, IQ, ODD, EVERY_MODEL, NULL),
	ESCR(CRU_ESCR4, 6, IQ, EVEN, EVERY_MODEL, NO_EVENT),
	ESCR(CRU_ESCR5, 6, IQ, ODD, EVERY_MODEL, NO_EVENT),
};
