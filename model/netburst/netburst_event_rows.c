/* SPDX-License-Identifier: MIT */
/*
 * The events of NetBurst. Sources: SDM 3B, tables "Performance Monitoring Events Supported by Intel
 * NetBurst Microarchitecture for Non-Retirement Counting" and "... for At-Retirement Counting",
 * "Intel NetBurst Microarchitecture Model-Specific Performance Monitoring Events", "List of Metrics
 * Available for Front_end Tagging", "... Execution Tagging", "... Replay Tagging", and "Event Mask
 * Qualification for Logical Processors" for TS and TI.
 *
 * Mask bits that only the last of these tables names are not counted.
 *
 * These events never happen here, so they count nothing: loads whose store has no address or no
 * data yet, uncacheable code, a third-level cache, write-backs that miss L2, prefetches by
 * hardware, machine clears for memory ordering and for self-modifying code. It is not published
 * what the events with no mask names but BITn count (b2b_cycles, bnr, snoop, response). FLAME, U2L,
 * IS, IX, SSU, IQ ESCRs and CRU_ESCR4 and 5 have no event.
 */
#include <model/netburst/netburst_shared.h>

#define SELECTED_BY(unit, even, odd, number, of) \
	.escr = { MSR_##unit##_ESCR##even, MSR_##unit##_ESCR##odd }, .select = (number), \
	.kind = NETBURST_##of
#define ROW(unit, number, of, ...) \
	{ SELECTED_BY(unit, 0, 1, number, of), .term = { __VA_ARGS__ } }
#define TI_ROW(unit, number, of, ...) \
	{ SELECTED_BY(unit, 0, 1, number, of), .is_any = true, .term = { __VA_ARGS__ } }
#define FIRM(number, ...) \
	{ SELECTED_BY(FIRM, 0, 1, number, SUM), .is_any = true, .tags_execution = true, \
	  .term = { __VA_ARGS__ } }
/* The ESCRs of the at-retirement events: CRU_ESCR0 and 1, or 2 and 3. */
#define CRU0(number, of, ...) ROW(CRU, number, of, __VA_ARGS__)
#define CRU2(number, of, ...) { SELECTED_BY(CRU, 2, 3, number, of), .term = { __VA_ARGS__ } }

#define AT(...)        { __VA_ARGS__ }
#define BIT_(n)        .bits = 1u << (n)
#define TRAFFIC(name)  .traffic = FIELD_OF(name)
#define INSN(name)     .retired = offsetof(struct netburst_retired, name) + 1
#define WHILE(what)    .cycles = (what)
#define TRAITS(what)   .traits = REFPMU_TRAIT_##what
#define CLASSES(what)  .classes = (what)
#define ALL_           .bits = 0x8000

#define ANY_BRANCH  (((1u << REFPMU_BRANCHES) - 1) & ~(1u << REFPMU_NO_BRANCH))
#define CONDITIONAL (1u << REFPMU_JCC)
#define CALLS       (1u << REFPMU_CALL | 1u << REFPMU_CALL_INDIRECT | 1u << REFPMU_FAR_CALL)
#define RETURNS     (1u << REFPMU_RET | 1u << REFPMU_FAR_RET)
#define INDIRECT    (1u << REFPMU_RET | 1u << REFPMU_CALL_INDIRECT | 1u << REFPMU_JMP_INDIRECT)

#define BRANCHES(how) .branches = ANY_BRANCH, .outcome = (how)

/* Conditional branches, calls, returns, indirect branches. */
#define BRANCH_TYPES(how) \
	AT(BIT_(1), .branches = CONDITIONAL, .outcome = (how)), \
	AT(BIT_(2), .branches = CALLS, .outcome = (how)), \
	AT(BIT_(3), .branches = RETURNS, .outcome = (how)), \
	AT(BIT_(4), .branches = INDIRECT, .outcome = (how))

#define BUILT     (1u << UOPS_BUILT)
#define DELIVERED (1u << UOPS_DELIVERED)
#define OF_ROM    (1u << UOPS_OF_ROM)
#define BOGUS     (1u << UOPS_BOGUS)

const struct netburst_row netburst_rows[] = {
	/* Fetching. TC_misc counts each twice */
	TI_ROW(TC, 0x01, DELIVER_MODE),
	ROW(TC, 0x06, SUM, AT(BIT_(4), TRAITS(INVALIDATES), .weight = 2)),
	ROW(BPU, 0x03, SUM, AT(BIT_(0), TRAFFIC(l1i_misses))),
	ROW(ITLB, 0x18, SUM, AT(BIT_(0), INSN(itlb_hits)), AT(BIT_(1), TRAFFIC(itlb_misses))),
	ROW(MS, 0x05, SUM, AT(BIT_(0), INSN(rom_starts))),
	ROW(MS, 0x09, UOPS, AT(BIT_(0), CLASSES(BUILT)), AT(BIT_(1), CLASSES(DELIVERED | BOGUS)),
	    AT(BIT_(2), CLASSES(OF_ROM))),
	/* Memory */
	ROW(DAC, 0x02, SUM, AT(BIT_(2), INSN(full_stores)), AT(BIT_(3), INSN(effects.alias_loads))),
	TI_ROW(DAC, 0x05, SUM, AT(BIT_(0), INSN(wc_evicts)), AT(BIT_(1), INSN(wc_full_evicts))),
	ROW(SAAT, 0x08, SUM, AT(BIT_(0), INSN(effects.split_loads)),
	    AT(BIT_(1), INSN(effects.split_stores))),
	ROW(SAAT, 0x04, SUM, AT(BIT_(1), INSN(effects.split_loads))),
	ROW(SAAT, 0x05, SUM, AT(BIT_(1), INSN(effects.split_stores))),
	ROW(MOB, 0x03, SUM, AT(BIT_(4), INSN(effects.partial_loads)),
	    AT(BIT_(5), INSN(effects.unaligned_loads))),
	TI_ROW(PMH, 0x01, SUM, AT(BIT_(0), TRAFFIC(dtlb_misses)),
	       AT(BIT_(1), TRAFFIC(itlb_misses))),
	ROW(ALF, 0x01, WHILE, AT(BIT_(5), WHILE(CYCLE_STORE_FULL))),
	/* Caches and the bus */
	ROW(BSU, 0x0c, L2),
	{ .escr = { MSR_BSU_ESCR0 }, .select = 0x05, .kind = NETBURST_BSQ },
	{ .escr = { MSR_BSU_ESCR1 }, .select = 0x06, .kind = NETBURST_BSQ_ENTRIES },
	ROW(FSB, 0x03, IOQ),
	{ .escr = { MSR_FSB_ESCR1 }, .select = 0x1a, .kind = NETBURST_IOQ_ENTRIES },
	TI_ROW(FSB, 0x17, WHILE,
	       AT(.bits = 1 << 0 | 1 << 3, WHILE(CYCLE_UNIT(UNIT_BUS_OUT))),
	       AT(.bits = 1 << 1 | 1 << 4, WHILE(CYCLE_UNIT(UNIT_BUS_IN))),
	       AT(.bits = 1 << 2 | 1 << 5, WHILE(CYCLE_OTHERS_ON_BUS))),
	ROW(FSB, 0x13, WHILE, AT(BIT_(0), WHILE(CYCLE_RUNNING))),
	TI_ROW(FSB, 0x16, NOTHING),                                    /* b2b_cycles */
	TI_ROW(FSB, 0x08, NOTHING),                                    /* bnr */
	TI_ROW(FSB, 0x06, NOTHING),                                    /* snoop */
	TI_ROW(FSB, 0x04, NOTHING),                                    /* response */
	/* Kinds of micro-operations */
	TI_ROW(FIRM, 0x34, SUM, AT(ALL_, TRAITS(SSE_ASSIST))),
	FIRM(0x08, AT(ALL_, TRAITS(UOP_PACKED_SP)),
	     AT(ALL_, TRAITS(REP_MOVS), TRAFFIC(data_reads))),
	FIRM(0x0c, AT(ALL_, TRAITS(UOP_PACKED_DP))),
	FIRM(0x0a, AT(ALL_, TRAITS(UOP_SCALAR_SP))),
	FIRM(0x0e, AT(ALL_, TRAITS(UOP_SCALAR_DP))),
	FIRM(0x02, AT(ALL_, TRAITS(UOP_MMX_64))),
	FIRM(0x1a, AT(ALL_, TRAITS(UOP_MMX_128))),
	FIRM(0x04, AT(ALL_, TRAITS(UOP_X87))),
	FIRM(0x2e, AT(BIT_(3), TRAITS(UOP_MOVE)), AT(BIT_(4), TRAITS(UOP_LOAD))),
	/* Branches */
	ROW(TBPU, 0x05, ONCE, BRANCH_TYPES(NETBURST_MISSED)),
	ROW(TBPU, 0x04, ONCE, BRANCH_TYPES(0)),
	CRU2(0x06, SUM,
	     AT(BIT_(0), BRANCHES(NETBURST_NOT_TAKEN | NETBURST_PREDICTED)),
	     AT(BIT_(1), BRANCHES(NETBURST_NOT_TAKEN | NETBURST_MISSED)),
	     AT(BIT_(2), BRANCHES(NETBURST_TAKEN | NETBURST_PREDICTED)),
	     AT(BIT_(3), BRANCHES(NETBURST_TAKEN | NETBURST_MISSED))),
	CRU0(0x03, SUM, AT(BIT_(0), BRANCHES(NETBURST_MISSED))),
	/* Retirement. uop_type only tags */
	CRU0(0x02, SUM, AT(BIT_(0), INSN(insns)), AT(BIT_(1), INSN(tagged_insns)),
	     AT(BIT_(2), INSN(bogus_insns)), AT(BIT_(3), INSN(bogus_tagged_insns))),
	{ SELECTED_BY(CRU, 0, 1, 0x07, SUM), .models = 1 << 3 | 1 << 4 | 1 << 6,
	  .term = { AT(BIT_(0)),
	            AT(BIT_(1), INSN(bogus_insns)), AT(BIT_(1), INSN(bogus_tagged_insns)) } },
	CRU0(0x01, UOPS, AT(BIT_(0), CLASSES(BUILT | DELIVERED | OF_ROM)),
	     AT(BIT_(1), CLASSES(BOGUS))),
	ROW(RAT, 0x02, TAGS),
	CRU2(0x08, SUM, AT(BIT_(0), INSN(tagged_uops)), AT(BIT_(1), INSN(bogus_tagged_uops))),
	CRU2(0x0c, EXECUTION),
	CRU2(0x09, SUM, AT(BIT_(0), INSN(effects.replayed_uops))),
	CRU2(0x03, SUM, AT(BIT_(0), TRAITS(FP_STACK_UNDERFLOW)),
	     AT(BIT_(1), TRAITS(FP_STACK_OVERFLOW)), AT(BIT_(2), TRAITS(FP_OVERFLOW)),
	     AT(BIT_(3), TRAITS(FP_UNDERFLOW)), AT(BIT_(4), TRAITS(FP_DENORMAL))),
	CRU2(0x02, WHILE, AT(BIT_(0), WHILE(CYCLE_UNIT(UNIT_CLEAR)))),
	{ .kind = NETBURST_NOTHING }
};
