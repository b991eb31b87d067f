/* SPDX-License-Identifier: MIT */
/*
 * The events of AMD's processors that the model counts, by family. Sources: AMD's BIOS and kernel
 * developer's guides and processor programming references as Linux, libpfm4, oprofile and LIKWID
 * list them; of K7, AMD Athlon Processor x86 Code Optimization Guide, "Event and Unit Mask
 * Encodings"; what V. Weaver measured of interrupts and exceptions ("deterministic events").
 *
 * A bit of a unit mask adds what its row counts. Without a bit such an event counts nothing.
 * Family 15H counts each event on some counters only (Linux, events/amd/core.c); chosen: on the
 * others the event counts nothing.
 *
 * Chosen: the entry of an exception or interrupt counts at the level that it leaves; on family 15H
 * an interrupt is two far transfers, so that C4H less C6H is what rr takes it for; INT n counts as
 * one instruction; a locked instruction of Zen is SPEC_LOCK_MAP_COMMIT. Of 14H
 * and 16H misses of the data TLB are loads' on both levels. Not modelled: what is
 * not in this table counts nothing; so do second-level TLBs, prefetchers, wrong paths and the
 * pipeline between decoding and retiring.
 */
#include <model/amd/amd_shared.h>
#include <model/steps/row_forms.h>

#define OLD   (AMD_K7 | AMD_K8 | AMD_10H | AMD_11H | AMD_12H | AMD_14H | AMD_15H | AMD_16H)
#define ZEN   (AMD_ZEN | AMD_ZEN2 | AMD_ZEN3 | AMD_ZEN4 | AMD_ZEN5)
#define ALL   (OLD | ZEN)
#define F15   AMD_15H
#define NOT_15H (ALL & ~F15)

/* Counters: all that exist; 0 to 2; 3. */
enum { C = 0x3f, C0_2 = 0x07, C3 = 0x08 };

#define READS_MISSED FIELD_OF(data_read_misses)
#define WRITES_MISSED FIELD_OF(data_write_misses)

#define X87_ADDS  TRAITS(REFPMU_TRAIT_FP), WITHOUT(REFPMU_TRAIT_FP_MUL | REFPMU_TRAIT_FP_DIV)
#define X87_BY_CLASS \
	BIT_OF(1, ONE, X87_ADDS), BIT_OF(2, ONE, TRAITS(REFPMU_TRAIT_FP_MUL)), \
	BIT_OF(4, ONE, TRAITS(REFPMU_TRAIT_FP_DIV))

/* Operands of single and of double precision. */
#define SP (REFPMU_TRAIT_UOP_PACKED_SP | REFPMU_TRAIT_UOP_SCALAR_SP)
#define DP (REFPMU_TRAIT_UOP_PACKED_DP | REFPMU_TRAIT_UOP_SCALAR_DP)
#define FLOPS(bit, operands, what) \
	BIT_OF(bit, .kind = EVENT_FLOPS, TRAITS(operands), .also = REFPMU_TRAIT_FLOP_##what)
#define OPS_OR_FLOPS(bit, operands, what) \
	ALSO(.umask_bits = (bit) | 0x40, .umask = (bit), ONE, TRAITS(operands), \
	     .also = REFPMU_TRAIT_FLOP_##what), \
	FLOPS((bit) | 0x40, operands, what)
#define FLOPS_BY_PRECISION \
	FLOPS(0x01, SP, ADD), FLOPS(0x02, SP, MUL), FLOPS(0x04, SP, DIV), FLOPS(0x08, SP, MAC), \
	FLOPS(0x10, DP, ADD), FLOPS(0x20, DP, MUL), FLOPS(0x40, DP, DIV), FLOPS(0x80, DP, MAC)

/* From L2, from the last level, from memory. */
#define FILLS_BY_SOURCE(requests, ...) \
	BIT_OF(1, L2_OF(requests, HIT), __VA_ARGS__), \
	BIT_OF(2, L2_OF(requests, MISS), IF(HIT_A_CACHE), __VA_ARGS__), \
	BIT_OF(8, L2_OF(requests, MISS), IF(MISSED_ALL_CACHES), __VA_ARGS__)

#define PREFETCHES \
	BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_SSE_STREAM), .also = HINT(REFPMU_SSE_T0), \
	       WITHOUT(HINT(REFPMU_SSE_T2))), \
	BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_SSE_STREAM), .also = HINT(REFPMU_SSE_T2), \
	       WITHOUT(HINT(REFPMU_SSE_T0))), \
	BIT_OF(4, ONE, TRAITS(REFPMU_TRAIT_SSE_STREAM), WITHOUT(HINT(REFPMU_SSE_STORE)))

/* Types of operations, as numbers in each half of the unit mask. Chosen: subtractions are counted
 * as additions, square roots as divisions. */
#define PACKED    (REFPMU_TRAIT_UOP_PACKED_SP | REFPMU_TRAIT_UOP_PACKED_DP)
#define SCALAR_OP (REFPMU_TRAIT_UOP_SCALAR_SP | REFPMU_TRAIT_UOP_SCALAR_DP)
#define TYPES_OF(bits, unit, ...) \
	VALUE_OF(bits, 1 * (unit), .also = REFPMU_TRAIT_FLOP_ADD, __VA_ARGS__), \
	VALUE_OF(bits, 3 * (unit), .also = REFPMU_TRAIT_FLOP_MUL, __VA_ARGS__), \
	VALUE_OF(bits, 4 * (unit), .also = REFPMU_TRAIT_FLOP_MAC, __VA_ARGS__), \
	VALUE_OF(bits, 5 * (unit), .also = REFPMU_TRAIT_FLOP_DIV, __VA_ARGS__)

const struct model_event model_events_amd[] = {
	/* Retired. Family 15H counts an interrupt twice, 16H as two instructions */
	ROW(0xc0, C, ALL & ~(F15 | AMD_16H), ONE, ENTRIES(1)),
	ROW(0xc0, C, F15 | AMD_16H, ONE, ENTRIES(2)),
	ROW(0xc1, C, ALL, .kind = EVENT_UOPS),
	ROW(0xc2, C, NOT_15H, ONE, BRANCH(EVERY), ENTRIES(1)),
	ROW(0xc2, C, F15, ONE, BRANCH(EVERY), ENTRIES(2)),
	ROW(0xc3, C, OLD, ONE, IF(IS_MISSED)),
	SUM(0xc3, C, ZEN),
		ALSO(ONE, IF(IS_MISSED)),
		ALSO(ONE, BRANCH(FAR), ENTRIES(1)),
	ROW(0xc4, C, NOT_15H, ONE, IF(IS_TAKEN), ENTRIES(1)),
	ROW(0xc4, C, F15, ONE, IF(IS_TAKEN), ENTRIES(2)),
	ROW(0xc5, C, ALL, ONE, IF(IS_TAKEN_AND_MISSED)),
	ROW(0xc6, C, NOT_15H, ONE, BRANCH(FAR), ENTRIES(1)),
	ROW(0xc6, C, F15, ONE, BRANCH(FAR), ENTRIES(2)),
	ROW(0xc8, C, ALL, ONE, BRANCH(KIND(RET))),
	ROW(0xc9, C, ALL, ONE, BRANCH(KIND(RET)), IF(IS_MISSED)),
	ROW(0xca, C, ALL, ONE, BRANCH(INDIRECT), IF(IS_MISSED)),
	ROW(0x88, C, OLD & ~F15, ONE, BRANCH(KIND(RET)), IF(IS_PREDICTED)),
	ROW(0x88, C0_2, F15, ONE, BRANCH(KIND(RET)), IF(IS_PREDICTED)),
	ROW(0xcc, C, AMD_ZEN3 | AMD_ZEN4 | AMD_ZEN5, ONE, BRANCH(INDIRECT)),
	ROW(0xd1, C, ZEN, ONE, BRANCH(KIND(JCC))),
	ROW(0xd2, C, AMD_ZEN, ONE, BRANCH(KIND(JCC)), IF(IS_MISSED)),
	ROW(0x1c7, C, ZEN & ~AMD_ZEN, ONE, BRANCH(KIND(JCC)), IF(IS_MISSED)),
	ROW(0x1c8, C, AMD_ZEN4 | AMD_ZEN5, ONE, BRANCH(INDIRECT), IF(IS_MISSED)),
	ROW(0x1c9, C, AMD_ZEN4 | AMD_ZEN5, ONE, BRANCH(UNCONDITIONAL)),
	SUM(0x19a, C, AMD_16H),
		BIT_OF(1, ONE, BRANCH(INDIRECT)),
		BIT_OF(2, ONE, BRANCH(INDIRECT), IF(IS_MISSED)),
	/* Media instructions by class */
	SUM(0xcb, C, AMD_K8 | AMD_11H | AMD_10H),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_X87)),
		BIT_OF(2, ONE, TRAITS(REFPMU_TRAIT_MMX)),
		BIT_OF(4, ONE, TRAITS(SSE), WITHOUT(SCALAR)),
		BIT_OF(8, ONE, TRAITS(SSE), .also = SCALAR),
	SUM(0xcb, C, AMD_12H | F15 | ZEN),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_X87)),
		BIT_OF(2, ONE, TRAITS(REFPMU_TRAIT_MMX)),
		BIT_OF(4, ONE, TRAITS(SSE)),
	SUM(0xcb, C, AMD_14H | AMD_16H),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_X87 | REFPMU_TRAIT_MMX)),
		BIT_OF(2, ONE, TRAITS(SSE)),
	/* Floating point. Bit 6 of family 10H's unit mask selects operations, not instructions */
	SUM(0x03, C, AMD_10H | AMD_12H | AMD_14H),
		OPS_OR_FLOPS(0x01, SP, ADD), OPS_OR_FLOPS(0x02, SP, MUL),
		OPS_OR_FLOPS(0x04, SP, DIV), OPS_OR_FLOPS(0x08, DP, ADD),
		OPS_OR_FLOPS(0x10, DP, MUL), OPS_OR_FLOPS(0x20, DP, DIV),
	SUM(0x03, C, AMD_16H),
		FLOPS(0x01, SP, ADD), FLOPS(0x02, SP, MUL), FLOPS(0x04, SP, DIV),
		FLOPS(0x10, DP, ADD), FLOPS(0x20, DP, MUL), FLOPS(0x40, DP, DIV),
	SUM(0x03, C3, F15),
		FLOPS_BY_PRECISION,
	SUM(0x03, C, AMD_ZEN),
		FLOPS_BY_PRECISION,
	SUM(0x03, C, ZEN & ~AMD_ZEN),
		FLOPS(0x01, SP | DP, ADD), FLOPS(0x02, SP | DP, MUL),
		FLOPS(0x04, SP | DP, DIV), FLOPS(0x08, SP | DP, MAC),
	SUM(0x02, C, AMD_ZEN | AMD_ZEN4 | AMD_ZEN5),
		X87_BY_CLASS,
	SUM(0x11, C, AMD_14H | AMD_16H),
		X87_BY_CLASS,
	SUM(0x1c0, C, AMD_10H | AMD_12H),
		X87_BY_CLASS,
	SUM(0x08, C, AMD_ZEN4 | AMD_ZEN5),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_X87)),
		BIT_OF(2, ONE, TRAITS(REFPMU_TRAIT_MMX)),
		BIT_OF(4, ONE, TRAITS(SCALAR_OP)),
		BIT_OF(8, ONE, TRAITS(PACKED), WITHOUT(REFPMU_TRAIT_VECTOR_256)),
		BIT_OF(0x10, ONE, TRAITS(PACKED), .also = REFPMU_TRAIT_VECTOR_256),
	SUM(0x0a, C, AMD_ZEN4 | AMD_ZEN5),
		TYPES_OF(0x0f, 1, TRAITS(SCALAR_OP)),
		TYPES_OF(0xf0, 0x10, TRAITS(PACKED)),
	SUM(0x0c, C, AMD_ZEN4 | AMD_ZEN5),
		TYPES_OF(0x0f, 1, TRAITS(PACKED), WITHOUT(REFPMU_TRAIT_VECTOR_256)),
		TYPES_OF(0xf0, 0x10, TRAITS(REFPMU_TRAIT_VECTOR_256)),
	ROW(0xd3, C, ZEN, WHILE(CYCLE_UNIT(UNIT_DIVIDER))),
	ROW(0xd4, C, ZEN, ONE, TRAITS(REFPMU_TRAIT_DIV)),
	/* Clocks and interrupts */
	ROW(0x76, C, NOT_15H, .kind = EVENT_SIGNAL, .signal = SIGNAL_CYCLES),
	ROW(0x76, C0_2, F15, .kind = EVENT_SIGNAL, .signal = SIGNAL_CYCLES),
	ROW(0x120, C, AMD_ZEN4 | AMD_ZEN5, .umask_bits = 1, .umask = 1, .kind = EVENT_SIGNAL,
	    .signal = SIGNAL_TSC_CYCLES),
	ROW(0xcd, C, OLD, WHILE(CYCLE_IF_CLEAR)),
	ROW(0xce, C, OLD, WHILE(CYCLE_PENDING)),
	ROW(0xcf, C, OLD, .kind = EVENT_ENTRY, .entries = ENTRY_INTERRUPT),
	ROW(0x2c, C, ZEN, .kind = EVENT_ENTRY, .entries = ENTRY_INTERRUPT),
	/* System instructions */
	ROW(0x20, C, OLD, .kind = EVENT_SEGMENTS_BY_NUMBER),
	SUM(0x24, C, OLD & ~AMD_K7),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_LOCKED)),
	SUM(AMD_EVENT_LOCKS, C, ZEN),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_LOCKED), IF(IS_SPLIT)),
		BIT_OF(AMD_LOCKS_SPEC_LOCK_MAP, ONE, TRAITS(REFPMU_TRAIT_LOCKED), IF(IS_NOT_SPLIT)),
	ROW(0x26, C, ALL & ~AMD_K7, ONE, TRAITS(REFPMU_TRAIT_CLFLUSH)),
	ROW(0x30, C, F15, ONE, TRAITS(REFPMU_TRAIT_CLFLUSH)),
	ROW(0x27, C, ALL & ~AMD_K7, ONE, TRAITS(REFPMU_TRAIT_CPUID)),
	ROW(0x1d3, C, AMD_10H | AMD_12H, ONE, TRAITS(REFPMU_TRAIT_LFENCE)),
	ROW(0x1d4, C, AMD_10H | AMD_12H, ONE, TRAITS(REFPMU_TRAIT_SFENCE)),
	ROW(0x1d5, C, AMD_10H | AMD_12H, ONE, TRAITS(REFPMU_TRAIT_MFENCE)),
	/* Data */
	SUM(0x29, C, F15 | AMD_16H | ZEN),
		BIT_OF(1, FIELDS(FIELD_OF(data_reads)), IF(IS_NO_UPDATE)),
		BIT_OF(2, FIELDS(FIELD_OF(data_writes)), IF(IS_NO_UPDATE)),
		BIT_OF(4, FIELDS(FIELD_OF(data_updates))),
	ROW(0x40, C, ALL, FIELDS(FIELD_OF(data_reads), FIELD_OF(data_writes))),
	ROW(0x41, C, OLD & ~F15, FIELDS(READS_MISSED, WRITES_MISSED)),
	SUM(0x41, C, F15),
		BIT_OF(1, FIELDS(READS_MISSED, WRITES_MISSED)),
	SUM(0x41, C, ZEN),
		BIT_OF(1, FIELDS(READS_MISSED)),
		BIT_OF(2, FIELDS(WRITES_MISSED)),
	SUM(0x42, C, OLD & ~(F15 | AMD_K7)),
		BIT_OF(1, L2_OF(DATA, MISS)),
		BIT_OF(2, L2_OF(DATA, 1u << CACHE_S)),
		BIT_OF(4, L2_OF(DATA, 1u << CACHE_E)),
		BIT_OF(0x10, L2_OF(DATA, 1u << CACHE_M)),
	SUM(0x43, C, AMD_K7 | AMD_K8 | AMD_10H | AMD_11H | AMD_12H | AMD_14H | AMD_16H),
		BIT_OF(4, L2_OF(1u << CACHE_LOAD, MISS)),
		BIT_OF(0x10, L2_OF(1u << CACHE_STORE, MISS)),
	ROW(0x43, C0_2, F15, L2_OF(DATA, MISS)),
	ROW(0x43, C, AMD_ZEN, FIELDS(FIELD_OF(l1d_lines_in))),
	SUM(0x43, C, ZEN & ~AMD_ZEN),
		FILLS_BY_SOURCE(DATA, WITHOUT(REFPMU_TRAIT_SSE_STREAM)),
	SUM(0x44, C, AMD_ZEN3 | AMD_ZEN4 | AMD_ZEN5),
		FILLS_BY_SOURCE(DATA, .weight = 1),
	SUM(0x59, C, ZEN),
		FILLS_BY_SOURCE(1u << CACHE_LOAD, TRAITS(REFPMU_TRAIT_SSE_STREAM)),
	SUM(0x44, C, AMD_K7 | AMD_K8 | AMD_10H | AMD_11H | AMD_12H | AMD_14H | AMD_16H),
		BIT_OF(0x10, FIELDS(FIELD_OF(l1d_m_lines_out))),
	SUM(0x52, C, AMD_10H | AMD_12H | AMD_14H | F15 | AMD_16H | ZEN),
		BIT_OF(1, ONE, TRAITS(REFPMU_TRAIT_SSE_STREAM), IF(BRINGS_NO_LINE)),
	SUM(0x2a, C, AMD_10H | AMD_12H | AMD_14H | AMD_16H),
		BIT_OF(2, .kind = EVENT_BLOCKED_LOADS),
	SUM(0x2a, C, F15),
		BIT_OF(1, .kind = EVENT_BLOCKED_LOADS),
	SUM(0x24, C, ZEN & ~AMD_ZEN),
		BIT_OF(2, .kind = EVENT_BLOCKED_LOADS),
	SUM(0x4b, C, ALL & ~AMD_K7),
		PREFETCHES,
	SUM(0x65, C, OLD & ~(F15 | AMD_K7)),
		BIT_OF(1, BUS(1u << CACHE_BUS_UC_READ | 1u << CACHE_BUS_UC_WRITE)),
	SUM(0x65, C0_2, F15),
		BIT_OF(1, BUS(1u << CACHE_BUS_UC_READ | 1u << CACHE_BUS_UC_WRITE)),
	ROW(0x46, C, AMD_K7 | AMD_K8 | AMD_11H, FIELDS(FIELD_OF(dtlb_misses))),
	SUM(0x46, C, AMD_10H | AMD_12H),
		BIT_OF(1, FIELDS(FIELD_OF(dtlb_misses))),
	SUM(0x46, C, AMD_14H | AMD_16H),
		BIT_OF(2, FIELDS(FIELD_OF(dtlb_misses))),
		BIT_OF(8, FIELDS(FIELD_OF(dtlb_misses))),
	SUM(0x46, C0_2, F15),
		BIT_OF(1, FIELDS(FIELD_OF(dtlb_misses))),
		BIT_OF(0x10, FIELDS(FIELD_OF(itlb_misses))),
	SUM(0x45, C, ZEN),
		BIT_OF(0x10, FIELDS(FIELD_OF(dtlb_misses))),
	ROW(0x47, C, OLD | AMD_ZEN | AMD_ZEN2, FIELDS(FIELD_OF(misaligned))),
	/* L2 */
	SUM(0x7f, C, AMD_K8 | AMD_10H | AMD_11H | AMD_12H | AMD_14H),
		BIT_OF(1, FIELDS(FIELD_OF(l2_lines_in))),
		BIT_OF(2, FIELDS(FIELD_OF(l2_m_lines_out))),
	SUM(0x7f, C0_2, F15),
		BIT_OF(1, FIELDS(FIELD_OF(l2_lines_in))),
		BIT_OF(2, FIELDS(FIELD_OF(l2_m_lines_out))),
	SUM(0x7d, C, (OLD & ~(F15 | AMD_K7))),
		BIT_OF(1, L2_OF(FETCH, MISS | HIT)),
		BIT_OF(2, L2_OF(DATA, MISS | HIT)),
	SUM(0x7d, C0_2, F15),
		BIT_OF(1, L2_OF(FETCH, MISS | HIT)),
		BIT_OF(2, L2_OF(DATA, MISS | HIT)),
	SUM(0x7e, C, (OLD & ~(F15 | AMD_K7))),
		BIT_OF(1, L2_OF(FETCH, MISS)),
		BIT_OF(2, L2_OF(DATA, MISS)),
	SUM(0x7e, C0_2, F15),
		BIT_OF(1, L2_OF(FETCH, MISS)),
		BIT_OF(2, L2_OF(DATA, MISS)),
	SUM(0x60, C, ZEN),
		BIT_OF(0x10, L2_OF(FETCH, MISS | HIT)),
		BIT_OF(0x40, L2_OF(1u << CACHE_STORE, MISS | HIT)),
		BIT_OF(0x80, L2_OF(1u << CACHE_LOAD, MISS | HIT)),
	SUM(0x64, C, ZEN),
		BIT_OF(0x01, L2_OF(FETCH, MISS)),
		BIT_OF(0x02, L2_OF(FETCH, 1u << CACHE_S)),
		BIT_OF(0x04, L2_OF(FETCH, 1u << CACHE_E | 1u << CACHE_M)),
		BIT_OF(0x08, L2_OF(DATA, MISS)),
		BIT_OF(0x10, L2_OF(1u << CACHE_STORE, HIT)),
		BIT_OF(0x20, L2_OF(1u << CACHE_LOAD, 1u << CACHE_S)),
		BIT_OF(0x40, L2_OF(1u << CACHE_LOAD, 1u << CACHE_E | 1u << CACHE_M)),
	/* Code */
	ROW(0x80, C, NOT_15H & ~(AMD_ZEN4 | AMD_ZEN5), FIELDS(FIELD_OF(l1i_fetches))),
	ROW(0x80, C0_2, F15, FIELDS(FIELD_OF(l1i_fetches))),
	ROW(0x81, C, NOT_15H & ~(AMD_ZEN4 | AMD_ZEN5), FIELDS(FIELD_OF(l1i_misses))),
	ROW(0x81, C0_2, F15, FIELDS(FIELD_OF(l1i_misses))),
	ROW(0x82, C, NOT_15H, L2_OF(FETCH, HIT)),
	ROW(0x82, C0_2, F15, L2_OF(FETCH, HIT)),
	ROW(0x83, C, NOT_15H, L2_OF(FETCH, MISS)),
	ROW(0x83, C0_2, F15, L2_OF(FETCH, MISS)),
	ROW(0x85, C, AMD_K7 | AMD_K8 | AMD_11H, FIELDS(FIELD_OF(itlb_misses))),
	SUM(0x85, C, NOT_15H & ~(AMD_K7 | AMD_K8 | AMD_11H)),
		BIT_OF(1, FIELDS(FIELD_OF(itlb_misses))),
	SUM(0x85, C0_2, F15),
		BIT_OF(1, FIELDS(FIELD_OF(itlb_misses))),
	ROW(0x99, C, AMD_10H | AMD_12H | AMD_14H | AMD_16H | AMD_ZEN | AMD_ZEN3,
	    FIELDS(FIELD_OF(itlb_misses))),
	ROW(0x99, C0_2, F15, FIELDS(FIELD_OF(itlb_misses))),
	ROW(0x87, C, OLD & ~F15, WHILE(CYCLE_ITLB | CYCLE_FETCH)),
	ROW(0x87, C0_2, F15, WHILE(CYCLE_ITLB | CYCLE_FETCH)),
	/* Breakpoints */
	ROW(0xdc, C, OLD, ONE, IF(IS_BREAKPOINT_0)),
	ROW(0xdd, C, OLD, ONE, IF(IS_BREAKPOINT_1)),
	ROW(0xde, C, OLD, ONE, IF(IS_BREAKPOINT_2)),
	ROW(0xdf, C, OLD, ONE, IF(IS_BREAKPOINT_3)),
	{ .counters = 0 }
};
