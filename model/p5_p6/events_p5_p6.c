/* SPDX-License-Identifier: MIT */
/*
 * The events of the Pentium, the Pentium MMX and the P6 family. Sources: SDM 3B, tables "Events
 * That Can Be Counted with the Pentium Processor Performance-Monitoring Counters", "Events That Can
 * Be Counted with the P6 Family Performance-Monitoring Counters", and the table of Pentium M's.
 *
 * Only the Pentium MMX has its family's events from 2AH on, which differ by counter. The unit mask
 * is ignored for events without one.
 *
 * Not modelled, because a model that sees instructions retire cannot know it: on the Pentium stalls
 * in the pipeline and on full write buffers (19H, 1BH, 1FH, 32H to 33H, 38H, 3BH), whether results
 * saturated (2FH), the bus' arbitration between two processors and shared lines (2AH, 2CH), a BTB
 * that takes other instructions for branches (3AH); on P6 stalls by dependences in the pipeline
 * (ILD_STALL, PARTIAL_RAT_STALLS, SEG_RENAME_STALLS), what a wrong path or fused operations do
 * (BR_BOGUS, EMON_SYNCH_UOPS, EMON_ESP_UOPS, EMON_FUSED_UOPS_RET, EMON_UNFUSION). These events of
 * P6 never happen here, so they count nothing: deferred transactions, BNR#, snoops that stall,
 * SpeedStep, thermal trips, hardware prefetches.
 */
#include <model/state/event_rows.h>

#include <arch/regs/bits.h>
#include <model/refpmu.h>

enum { C0 = 1, C1 = 2, BOTH = 3 };

#define P5      (MODEL_P54C | MODEL_P55C)
#define MMX     MODEL_P55C
#define P6      (MODEL_PPRO | MODEL_PII | MODEL_PIII | MODEL_PM)
#define FROM_P2 (MODEL_PII | MODEL_PIII | MODEL_PM)
#define FROM_P3 (MODEL_PIII | MODEL_PM)
#define OLD     (MODEL_PPRO | MODEL_PII | MODEL_PIII)  /* Pentium M defines these anew */

#define ROW(event, on, in, ...) \
	{ .select = (event), .counters = (on), .models = (in), __VA_ARGS__ }
#define SIGNALS_OF(name)  .kind = EVENT_SIGNAL, .signal = SIGNAL_##name
#define ONE               .kind = EVENT_ONE
#define FIELDS(...)       .kind = EVENT_FIELDS, .field = { __VA_ARGS__ }
#define WHILE(what)       .kind = EVENT_CYCLES, .cycles = (what)
#define NOT_MODELLED      .kind = EVENT_NOT_MODELLED
#define IF(what)          .condition = (what)
#define WITH_ENTRIES      .entries = ENTRY_INTERRUPT | ENTRY_EXCEPTION
#define ALSO_MMX          .traits = REFPMU_TRAIT_MMX
#define UMASK(value)      .umask_bits = 0xff, .umask = (value)
#define AGENT(value)      UMASK_IN(0x20, value)
#define UMASK_IN(bits, value) .umask_bits = (bits), .umask = (value)
#define REQUESTS(what)    .kind = EVENT_L2, .requests = (what)
#define BUS(what)         .kind = EVENT_BUS, .bus = (what)
#define BRANCH(what)      .branches = 1u << REFPMU_##what
#define TRAITS(what)      .traits = (what)
#define WITHOUT(what)     .without = (what)

/* Kinds of bus transactions. */
#define BRD     (1u << CACHE_BUS_BRD)
#define RFO     (1u << CACHE_BUS_RFO)
#define IFETCH  (1u << CACHE_BUS_IFETCH)
#define WB      (1u << CACHE_BUS_WB)
#define INVAL   (1u << CACHE_BUS_INVAL)
#define PWR     (1u << CACHE_BUS_UC_WRITE)
#define PARTIAL (PWR | 1u << CACHE_BUS_UC_READ)
#define IO      (1u << CACHE_BUS_IO_READ | 1u << CACHE_BUS_IO_WRITE)
#define BURST   (BRD | RFO | IFETCH | WB)
#define MEM     (BURST | INVAL | PARTIAL)

#define BUS_BUSY (CYCLE_UNIT(UNIT_BUS_IN) | CYCLE_UNIT(UNIT_BUS_OUT))

#define FETCH (1u << CACHE_FETCH)
#define LOAD  (1u << CACHE_LOAD)
#define STORE (1u << CACHE_STORE)

/* x87 operations, integer multiplications and divisions. */
#define COMPUTES (REFPMU_TRAIT_FP | REFPMU_TRAIT_MUL | REFPMU_TRAIT_DIV)
#define HINT(n)  REFPMU_TRAIT_SSE_HINT(n)
#define SSE      REFPMU_TRAIT_SSE
#define SSE2     REFPMU_TRAIT_SSE2
#define SCALAR   REFPMU_TRAIT_SSE_SCALAR
#define SSE_COMPUTES REFPMU_TRAIT_SSE_COMPUTES

/* Streaming instructions by their hint. There is one row for each unit mask. */
#define STREAMS(event, hint, without_hint, ...) \
	ROW(event, BOTH, FROM_P3, UMASK(hint), ONE, TRAITS(REFPMU_TRAIT_SSE_STREAM), \
	    WITHOUT(without_hint), __VA_ARGS__)

const struct model_event model_events[] = {
	/* The Pentium */
	ROW(0x00, BOTH, P5, FIELDS(FIELD_OF(data_reads))),
	ROW(0x01, BOTH, P5, FIELDS(FIELD_OF(data_writes))),
	ROW(0x02, BOTH, P5, FIELDS(FIELD_OF(dtlb_misses))),
	ROW(0x03, BOTH, P5, FIELDS(FIELD_OF(data_read_misses))),
	ROW(0x04, BOTH, P5, FIELDS(FIELD_OF(data_write_misses))),
	ROW(0x05, BOTH, P5, FIELDS(FIELD_OF(write_hits_m_e))),
	ROW(0x06, BOTH, P5, FIELDS(FIELD_OF(l1d_m_lines_out))),
	ROW(0x07, BOTH, P5, FIELDS(FIELD_OF(snoops))),
	ROW(0x08, BOTH, P5, FIELDS(FIELD_OF(snoop_hits))),
	ROW(0x09, BOTH, P5, ONE, IF(ARE_BOTH_MEMORY)),
	ROW(0x0a, BOTH, P5, ONE, IF(IS_BANK_CONFLICT)),
	ROW(0x0b, BOTH, P5, FIELDS(FIELD_OF(misaligned))),
	ROW(0x0c, BOTH, P5, FIELDS(FIELD_OF(l1i_fetches))),
	ROW(0x0d, BOTH, P5, FIELDS(FIELD_OF(itlb_misses))),
	ROW(0x0e, BOTH, P5, FIELDS(FIELD_OF(l1i_misses))),
	ROW(0x0f, BOTH, P5, .kind = EVENT_SEGMENTS, .counts_tables = true),
	ROW(0x12, BOTH, P5, ONE, IF(IS_BRANCH_OR_SERIALIZING), WITH_ENTRIES),
	ROW(0x13, BOTH, P5, ONE, IF(IS_BTB_HIT)),
	ROW(0x14, BOTH, P5, ONE, IF(IS_TAKEN_OR_BTB_HIT)),
	ROW(0x15, BOTH, P5, ONE, IF(IS_FLUSH), WITH_ENTRIES),
	ROW(0x16, BOTH, P5, SIGNALS_OF(INSTRUCTIONS)),
	ROW(0x17, BOTH, P5, ONE, IF(IS_IN_V_PIPE)),
	ROW(0x18, BOTH, P5, WHILE(BUS_BUSY)),
	ROW(0x19, BOTH, P5, NOT_MODELLED),
	ROW(0x1a, BOTH, P5, WHILE(CYCLE_READ)),
	ROW(0x1b, BOTH, P5, NOT_MODELLED),
	ROW(0x1c, BOTH, P5, FIELDS(FIELD_OF(bus_locks))),
	ROW(0x1d, BOTH, P5, BUS(IO)),
	ROW(0x1e, BOTH, P5, BUS(1u << CACHE_BUS_UC_READ)),
	ROW(0x1f, BOTH, P5, NOT_MODELLED),
	/* Chosen: integer multiplications, too, as the manual says */
	ROW(0x22, BOTH, P5, ONE, .traits = REFPMU_TRAIT_FP | REFPMU_TRAIT_MUL),
	ROW(0x23, BOTH, P5, ONE, IF(IS_BREAKPOINT_0)),
	ROW(0x24, BOTH, P5, ONE, IF(IS_BREAKPOINT_1)),
	ROW(0x25, BOTH, P5, ONE, IF(IS_BREAKPOINT_2)),
	ROW(0x26, BOTH, P5, ONE, IF(IS_BREAKPOINT_3)),
	ROW(0x27, BOTH, P5, .kind = EVENT_ENTRY, .entries = ENTRY_INTERRUPT),
	ROW(0x28, BOTH, P5, FIELDS(FIELD_OF(data_reads), FIELD_OF(data_writes))),
	ROW(0x29, BOTH, P5, FIELDS(FIELD_OF(data_read_misses), FIELD_OF(data_write_misses))),
	ROW(0x2a, BOTH, MMX, NOT_MODELLED),
	ROW(0x2b, C0, MMX, ONE, ALSO_MMX, IF(IS_IN_U_PIPE)),
	ROW(0x2b, C1, MMX, ONE, ALSO_MMX, IF(IS_IN_V_PIPE)),
	ROW(0x2c, C0, MMX, FIELDS(FIELD_OF(snoop_hitm))),
	ROW(0x2c, C1, MMX, NOT_MODELLED),
	ROW(0x2d, C0, MMX, ONE, .traits = REFPMU_TRAIT_EMMS),
	ROW(0x2d, C1, MMX, ONE, IF(IS_TO_FP_OR_MMX)),
	ROW(0x2e, C0, MMX, WHILE(BUS_BUSY)),
	ROW(0x2e, C1, MMX, BUS(1u << CACHE_BUS_UC_WRITE | 1u << CACHE_BUS_IO_WRITE)),
	ROW(0x2f, C0, MMX, ONE, .traits = REFPMU_TRAIT_MMX_SATURATING),
	ROW(0x2f, C1, MMX, NOT_MODELLED),
	ROW(0x30, C0, MMX, SIGNALS_OF(CYCLES)),
	ROW(0x30, C1, MMX, WHILE(CYCLE_DTLB)),
	ROW(0x31, C0, MMX, FIELDS(FIELD_OF(data_reads)), ALSO_MMX),
	ROW(0x31, C1, MMX, FIELDS(FIELD_OF(data_read_misses)), ALSO_MMX),
	ROW(0x32, C0, MMX, NOT_MODELLED),
	ROW(0x32, C1, MMX, ONE, IF(IS_TAKEN)),
	ROW(0x33, BOTH, MMX, NOT_MODELLED),
	ROW(0x34, C0, MMX, FIELDS(FIELD_OF(data_writes)), ALSO_MMX),
	ROW(0x34, C1, MMX, FIELDS(FIELD_OF(data_write_misses)), ALSO_MMX),
	/* Invented: the last stage of the V pipe detects mispredictions there */
	ROW(0x35, C0, MMX, ONE, IF(IS_MISSED)),
	ROW(0x35, C1, MMX, ONE, IF(IS_MISSED_IN_V_PIPE)),
	ROW(0x36, C0, MMX, FIELDS(FIELD_OF(misaligned)), ALSO_MMX),
	ROW(0x36, C1, MMX, WHILE(CYCLE_MMX_READ)),
	ROW(0x37, C0, MMX, ONE, IF(IS_MISSED_OR_BTB_MISS), .branches = 1u << REFPMU_RET),
	ROW(0x37, C1, MMX, ONE, IF(IS_BTB_HIT), .branches = 1u << REFPMU_RET),
	ROW(0x38, BOTH, MMX, NOT_MODELLED),
	ROW(0x39, C0, MMX, ONE, .branches = 1u << REFPMU_RET),
	ROW(0x3a, C0, MMX, NOT_MODELLED),
	ROW(0x3a, C1, MMX, ONE, IF(IS_WRONGLY_TAKEN)),
	ROW(0x3b, BOTH, MMX, NOT_MODELLED),
	/* P6: data cache unit */
	ROW(0x43, BOTH, P6, FIELDS(FIELD_OF(data_reads), FIELD_OF(data_writes), FIELD_OF(splits))),
	ROW(0x45, BOTH, P6, FIELDS(FIELD_OF(l1d_lines_in))),
	ROW(0x46, BOTH, P6, FIELDS(FIELD_OF(l1d_m_lines_in))),
	ROW(0x47, BOTH, P6, FIELDS(FIELD_OF(l1d_m_lines_out))),
	ROW(0x48, BOTH, P6, WHILE(CYCLE_UNIT(UNIT_L1_MISS))),
	/* Instruction fetch unit */
	ROW(0x80, BOTH, P6, FIELDS(FIELD_OF(l1i_fetches))),
	ROW(0x81, BOTH, P6, FIELDS(FIELD_OF(l1i_misses))),
	ROW(0x85, BOTH, P6, FIELDS(FIELD_OF(itlb_misses))),
	ROW(0x86, BOTH, P6, WHILE(CYCLE_ITLB | CYCLE_FETCH)),
	ROW(0x87, BOTH, P6, NOT_MODELLED),                            /* ILD_STALL */
	/* L2. Invented: an address strobe for each request and each line that comes in */
	ROW(0x28, BOTH, P6, REQUESTS(FETCH)),
	ROW(0x29, BOTH, OLD, REQUESTS(LOAD)),
	ROW(0x2a, BOTH, P6, REQUESTS(STORE)),
	ROW(0x24, BOTH, OLD, FIELDS(FIELD_OF(l2_lines_in))),
	ROW(0x26, BOTH, OLD, FIELDS(FIELD_OF(l2_lines_out))),
	ROW(0x25, BOTH, P6, FIELDS(FIELD_OF(l2_m_lines_in))),
	ROW(0x27, BOTH, OLD, FIELDS(FIELD_OF(l2_m_lines_out))),
	ROW(0x2e, BOTH, P6, REQUESTS(FETCH | LOAD | STORE)),
	ROW(0x21, BOTH, P6, .kind = EVENT_L2_STROBES, .requests = FETCH | LOAD | STORE),
	ROW(0x22, BOTH, P6, WHILE(CYCLE_UNIT(UNIT_L2_READ) | CYCLE_UNIT(UNIT_L2_WRITE))),
	ROW(0x23, BOTH, P6, WHILE(CYCLE_UNIT(UNIT_L2_READ))),
	/* The bus. HIT# and HITM# are driven for two clocks: SDM 3A, "Snoop Phase" is silent, and
	 * so this is invented */
	ROW(0x62, BOTH, P6, AGENT(0x00), WHILE(CYCLE_UNIT(UNIT_BUS_OUT)), .is_bus_clock = true),
	ROW(0x62, BOTH, P6, AGENT(0x20), WHILE(CYCLE_UNIT(UNIT_BUS_ANY))),
	ROW(0x63, BOTH, P6, AGENT(0x00), WHILE(CYCLE_UNIT(UNIT_LOCK))),
	ROW(0x63, BOTH, P6, AGENT(0x20), WHILE(CYCLE_UNIT(UNIT_LOCK_ANY))),
	ROW(0x60, BOTH, P6, WHILE(CYCLE_UNIT(UNIT_BUS_REQUEST))),
	ROW(0x65, BOTH, P6, BUS(BRD)),
	ROW(0x66, BOTH, P6, BUS(RFO)),
	ROW(0x67, BOTH, P6, BUS(WB)),
	ROW(0x68, BOTH, P6, BUS(IFETCH)),
	ROW(0x69, BOTH, P6, BUS(INVAL)),
	ROW(0x6a, BOTH, P6, BUS(PWR)),
	ROW(0x6b, BOTH, P6, BUS(PARTIAL)),
	ROW(0x6c, BOTH, P6, BUS(IO)),
	ROW(0x6d, BOTH, P6, NOT_MODELLED),                            /* BUS_TRAN_DEF */
	ROW(0x6e, BOTH, P6, BUS(BURST)),
	ROW(0x70, BOTH, P6, BUS(MEM | IO)),
	ROW(0x6f, BOTH, P6, BUS(MEM)),
	ROW(0x64, BOTH, P6, WHILE(CYCLE_UNIT(UNIT_BUS_IN)), .is_bus_clock = true),
	ROW(0x61, BOTH, P6, NOT_MODELLED),                            /* BUS_BNR_DRV */
	ROW(0x7a, BOTH, P6, FIELDS(FIELD_OF(snoop_hits)), .weight = 2),
	ROW(0x7b, BOTH, P6, FIELDS(FIELD_OF(snoop_hitm)), .weight = 2),
	ROW(0x7e, BOTH, P6, NOT_MODELLED),                            /* BUS_SNOOP_STALL */
	/* Floating point and integer multiplication and division */
	ROW(0xc1, C0, P6, ONE, TRAITS(REFPMU_TRAIT_FP), WITHOUT(REFPMU_TRAIT_FP_ASSIST)),
	ROW(0x10, C0, P6, ONE, TRAITS(COMPUTES)),
	ROW(0x11, C1, P6, ONE, TRAITS(REFPMU_TRAIT_FP_ASSIST)),
	ROW(0x12, C1, P6, ONE, TRAITS(REFPMU_TRAIT_MUL | REFPMU_TRAIT_FP_MUL)),
	ROW(0x13, C1, P6, ONE, TRAITS(REFPMU_TRAIT_DIV | REFPMU_TRAIT_FP_DIV)),
	ROW(0x14, C0, P6, WHILE(CYCLE_UNIT(UNIT_DIVIDER))),
	/* Memory ordering */
	ROW(0x03, BOTH, P6, .kind = EVENT_BLOCKED_LOADS),
	ROW(0x04, BOTH, P6, WHILE(CYCLE_STORE_DRAIN)),
	ROW(0x05, BOTH, P6, FIELDS(FIELD_OF(misaligned))),
	STREAMS(0x07, REFPMU_SSE_NTA,  HINT(3)),
	STREAMS(0x07, REFPMU_SSE_T0,   HINT(2), .also = HINT(1)),
	STREAMS(0x07, REFPMU_SSE_T2,   HINT(1), .also = HINT(2)),
	STREAMS(0x07, REFPMU_SSE_STORE, 0,      .also = HINT(3)),
	STREAMS(0x4b, REFPMU_SSE_NTA,  HINT(3), IF(MISSED_ALL_CACHES)),
	STREAMS(0x4b, REFPMU_SSE_T0,   HINT(2), .also = HINT(1), IF(MISSED_ALL_CACHES)),
	STREAMS(0x4b, REFPMU_SSE_T2,   HINT(1), .also = HINT(2), IF(MISSED_ALL_CACHES)),
	STREAMS(0x4b, REFPMU_SSE_STORE, 0,      .also = HINT(3), IF(MISSED_ALL_CACHES)),
	/* Decoding and retiring. Decoded instructions are those that retire */
	ROW(0xc0, BOTH, P6, SIGNALS_OF(INSTRUCTIONS)),
	ROW(0xc2, BOTH, P6, .kind = EVENT_UOPS),
	ROW(0xd0, BOTH, P6, SIGNALS_OF(INSTRUCTIONS)),
	ROW(0xd8, BOTH, MODEL_PIII, UMASK(0), ONE, TRAITS(SSE)),
	ROW(0xd8, BOTH, MODEL_PIII, UMASK(1), ONE, TRAITS(SCALAR)),
	ROW(0xd9, BOTH, MODEL_PIII, UMASK(0), ONE, TRAITS(SSE_COMPUTES)),
	ROW(0xd9, BOTH, MODEL_PIII, UMASK(1), ONE, TRAITS(SSE_COMPUTES), .also = SCALAR),
	/* Interrupts */
	ROW(0xc8, BOTH, P6, .kind = EVENT_ENTRY, .entries = ENTRY_INTERRUPT),
	ROW(0xc6, BOTH, P6, WHILE(CYCLE_IF_CLEAR)),
	ROW(0xc7, BOTH, P6, WHILE(CYCLE_PENDING)),
	/* Branches. The decoder corrects the fetcher if the BTB does not have the branch */
	ROW(0xc4, BOTH, P6, SIGNALS_OF(BRANCHES)),
	ROW(0xc5, BOTH, P6, SIGNALS_OF(BRANCH_MISSES)),
	ROW(0xc9, BOTH, P6, ONE, IF(IS_TAKEN)),
	ROW(0xca, BOTH, P6, ONE, IF(IS_TAKEN_AND_MISSED)),
	ROW(0xe0, BOTH, P6, SIGNALS_OF(BRANCHES)),
	ROW(0xe2, BOTH, P6, ONE, IF(IS_BTB_MISS)),
	ROW(0xe4, BOTH, P6, NOT_MODELLED),                            /* BR_BOGUS */
	ROW(0xe6, BOTH, P6, ONE, IF(IS_BTB_MISS)),
	/* Stalls, segments, the clock */
	ROW(0xa2, BOTH, P6, WHILE(CYCLE_MISPREDICT | CYCLE_DRAIN)),
	ROW(0xd2, BOTH, P6, NOT_MODELLED),                            /* PARTIAL_RAT_STALLS */
	ROW(0x06, BOTH, P6, .kind = EVENT_SEGMENTS),
	ROW(0x79, BOTH, P6, SIGNALS_OF(CYCLES)),
	/* MMX. Each is one micro-operation, those with memory more, as other instructions */
	ROW(0xb0, BOTH, MODEL_PII, ONE, TRAITS(REFPMU_TRAIT_MMX), WITHOUT(REFPMU_TRAIT_MMX_STORE)),
	ROW(0xb1, BOTH, FROM_P2, ONE, TRAITS(REFPMU_TRAIT_MMX_SATURATING)),
	ROW(0xb2, BOTH, FROM_P2, UMASK(0x0f), .kind = EVENT_ALL_UOPS, TRAITS(REFPMU_TRAIT_MMX)),
	ROW(0xb3, BOTH, FROM_P2, .kind = EVENT_MMX_TYPE),
	ROW(0xcc, BOTH, FROM_P2, UMASK(0), ONE, IF(IS_TO_FP)),
	ROW(0xcc, BOTH, FROM_P2, UMASK(1), ONE, IF(IS_TO_MMX)),
	ROW(0xcd, BOTH, FROM_P2, ONE, TRAITS(REFPMU_TRAIT_EMMS)),
	ROW(0xce, BOTH, MODEL_PII | MODEL_PM, ONE, TRAITS(REFPMU_TRAIT_MMX)),
	/* Renaming of segment registers. Invented: each load renames */
	ROW(0xd4, BOTH, FROM_P2, NOT_MODELLED),                        /* SEG_RENAME_STALLS */
	ROW(0xd5, BOTH, FROM_P2, .kind = EVENT_SEGMENTS_BY_UMASK),
	ROW(0xd6, BOTH, FROM_P2, .kind = EVENT_SEGMENTS_RENAMED),
	/* Pentium M: lines are counted without their states; with bits 5:4 of the unit mask = 01
	 * only hardware prefetches count: none */
	ROW(0x24, BOTH, MODEL_PM, UMASK_IN(0x2f, 0x2f), FIELDS(FIELD_OF(l2_lines_in))),
	ROW(0x24, BOTH, MODEL_PM, UMASK_IN(0x3f, 0x0f), FIELDS(FIELD_OF(l2_lines_in))),
	ROW(0x26, BOTH, MODEL_PM, UMASK_IN(0x2f, 0x2f), FIELDS(FIELD_OF(l2_lines_out))),
	ROW(0x26, BOTH, MODEL_PM, UMASK_IN(0x3f, 0x0f), FIELDS(FIELD_OF(l2_lines_out))),
	ROW(0x27, BOTH, MODEL_PM, UMASK_IN(0x20, 0x20), FIELDS(FIELD_OF(l2_m_lines_out))),
	ROW(0x27, BOTH, MODEL_PM, UMASK_IN(0x30, 0), FIELDS(FIELD_OF(l2_m_lines_out))),
	ROW(0x29, BOTH, MODEL_PM, UMASK_IN(0x20, 0x20), REQUESTS(LOAD)),
	ROW(0x29, BOTH, MODEL_PM, UMASK_IN(0x30, 0), REQUESTS(LOAD)),
	ROW(0x58, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_EST_TRANS */
	ROW(0x59, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_THERMAL_TRIP */
	/* Pentium M: executed branches are those that retire; the front end is not modelled */
	ROW(0x88, BOTH, MODEL_PM, SIGNALS_OF(BRANCHES)),
	ROW(0x89, BOTH, MODEL_PM, SIGNALS_OF(BRANCH_MISSES)),
	ROW(0x8a, BOTH, MODEL_PM, NOT_MODELLED),                       /* BR_BAC_MISSP_EXEC */
	ROW(0x8b, BOTH, MODEL_PM, ONE, BRANCH(JCC)),
	ROW(0x8c, BOTH, MODEL_PM, ONE, BRANCH(JCC), IF(IS_MISSED)),
	ROW(0x8d, BOTH, MODEL_PM, ONE, BRANCH(JMP_INDIRECT)),
	ROW(0x8e, BOTH, MODEL_PM, ONE, BRANCH(JMP_INDIRECT), IF(IS_MISSED)),
	ROW(0x8f, BOTH, MODEL_PM, ONE, BRANCH(RET)),
	ROW(0x90, BOTH, MODEL_PM, ONE, BRANCH(RET), IF(IS_MISSED)),
	ROW(0x91, BOTH, MODEL_PM, NOT_MODELLED),                       /* BR_RET_BAC_MISSP_EXEC */
	ROW(0x92, BOTH, MODEL_PM, ONE, .branches = 1u << REFPMU_CALL | 1u << REFPMU_CALL_INDIRECT),
	ROW(0x93, BOTH, MODEL_PM, ONE, IF(IS_MISSED),
	    .branches = 1u << REFPMU_CALL | 1u << REFPMU_CALL_INDIRECT),
	ROW(0x94, BOTH, MODEL_PM, ONE, BRANCH(CALL_INDIRECT)),
	ROW(0xd3, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_SYNCH_UOPS */
	ROW(0xd7, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_ESP_UOPS */
	ROW(0xd8, BOTH, MODEL_PM, UMASK(0), ONE, TRAITS(SSE), WITHOUT(SSE2)),
	ROW(0xd8, BOTH, MODEL_PM, UMASK(1), ONE, TRAITS(SCALAR), WITHOUT(SSE2)),
	ROW(0xd8, BOTH, MODEL_PM, UMASK(2), ONE, TRAITS(SSE2), WITHOUT(SCALAR)),
	ROW(0xd8, BOTH, MODEL_PM, UMASK(3), ONE, TRAITS(SSE2), .also = SCALAR),
	ROW(0xd9, BOTH, MODEL_PM, UMASK(0), ONE, TRAITS(SSE_COMPUTES), WITHOUT(SSE2 | SCALAR)),
	ROW(0xd9, BOTH, MODEL_PM, UMASK(1), ONE, TRAITS(SSE_COMPUTES),
	    WITHOUT(SSE2), .also = SCALAR),
	ROW(0xd9, BOTH, MODEL_PM, UMASK(2), ONE, TRAITS(SSE_COMPUTES),
	    WITHOUT(SCALAR), .also = SSE2),
	ROW(0xd9, BOTH, MODEL_PM, UMASK(3), ONE, TRAITS(SSE_COMPUTES), .also = SSE2 | SCALAR),
	ROW(0xda, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_FUSED_UOPS_RET */
	ROW(0xdb, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_UNFUSION */
	ROW(0xf0, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_PREF_RQSTS_UP */
	ROW(0xf8, BOTH, MODEL_PM, NOT_MODELLED),                       /* EMON_PREF_RQSTS_DN */
	{ .counters = 0 }
};
