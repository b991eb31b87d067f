/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of events_arch.c, besides those of steps/row_forms.h. */
#ifndef MODEL_ARCH_ROW_FORMS_ARCH_H
#define MODEL_ARCH_ROW_FORMS_ARCH_H

#include <arch/regs/table.h>
#include <model/arch/arch.h>
#include <model/steps/row_forms.h>

enum {
	C2 = MODEL_CORE2, BN = MODEL_BONNELL, NH = MODEL_NEHALEM, WM = MODEL_WESTMERE,
	SB = MODEL_SANDY_BRIDGE, IB = MODEL_IVY_BRIDGE, HW = MODEL_HASWELL, BW = MODEL_BROADWELL,
	SK = MODEL_SKYLAKE, IC = MODEL_ICE_LAKE, TG = MODEL_TIGER_LAKE,
	SP = MODEL_SAPPHIRE_RAPIDS | MODEL_GOLDEN_COVE, LC = MODEL_LION_COVE,
	NW = NH | WM, UOPS = MODEL_UOPS, IT = IC | TG, PL = SP | LC, SINCE_IC = IT | PL,
	SINCE_SK = SK | SINCE_IC, SINCE_SB = UOPS | SINCE_SK,
	GM = MODEL_GRACEMONT, SM = MODEL_SKYMONT, EC = GM | SM
};

/* Counters: all; the first ones. */
enum { ALL = 0xffff, P0 = 1, P1 = 2, P0_1 = 3 };

#define UMASK(n)          .umask_bits = 0xff, .umask = (n)
#define EVENT_OF(event, mask, in, ...)  ROW(event, ALL, in, UMASK(mask), __VA_ARGS__)
#define SIGNAL(name)      .kind = EVENT_SIGNAL, .signal = SIGNAL_##name
#define READS             FIELDS(FIELD_OF(data_reads))
#define WRITES            FIELDS(FIELD_OF(data_writes))
#define READ_WALKS        FIELDS(FIELD_OF(dtlb_read_misses))
#define WRITE_WALKS       FIELDS(FIELD_OF(dtlb_write_misses))
#define DATA_WALKS        FIELDS(FIELD_OF(dtlb_misses))
#define CODE_WALKS        FIELDS(FIELD_OF(itlb_misses))
#define L1D_LINES         FIELDS(FIELD_OF(l1d_lines_in))
#define L1I_LINES         FIELDS(FIELD_OF(l1i_misses))
#define L2_LINES          FIELDS(FIELD_OF(l2_lines_in))
#define SPLIT_READS       FIELDS(FIELD_OF(split_reads))
#define SPLIT_WRITES      FIELDS(FIELD_OF(split_writes))
#define INTERRUPT         .kind = EVENT_ENTRY, .entries = ENTRY_INTERRUPT

#define LOADS   (1u << CACHE_LOAD)
#define STORES  (1u << CACHE_STORE)
#define EVERYTHING (DATA | FETCH)
#define ANY_STATE (MISS | HIT)
#define CALLS   (KIND(CALL) | KIND(CALL_INDIRECT))
#define NEAR    (KIND(JCC) | UNCONDITIONAL)

/* Kinds of branches as the bits 0 to 5 of a unit mask; with other bits that must be set, too. */
#define EACH_KIND(more, ...) \
	BIT_OF(0x01 | (more), ONE, BRANCH(KIND(JCC)), __VA_ARGS__), \
	BIT_OF(0x02 | (more), ONE, BRANCH(KIND(JMP)), __VA_ARGS__), \
	BIT_OF(0x04 | (more), ONE, BRANCH(KIND(JMP_INDIRECT)), __VA_ARGS__), \
	BIT_OF(0x08 | (more), ONE, BRANCH(KIND(RET)), __VA_ARGS__), \
	BIT_OF(0x10 | (more), ONE, BRANCH(KIND(CALL)), __VA_ARGS__), \
	BIT_OF(0x20 | (more), ONE, BRANCH(KIND(CALL_INDIRECT)), __VA_ARGS__)

/* Instructions of SSE by the kind of their operands: packed or scalar, single or double. */
#define SSE_KINDS(more) \
	BIT_OF(1, ONE, TRAITS(SSE), WITHOUT(SCALAR | REFPMU_TRAIT_SSE2), .also = (more)), \
	BIT_OF(2, ONE, TRAITS(SSE), WITHOUT(REFPMU_TRAIT_SSE2), .also = SCALAR | (more)), \
	BIT_OF(4, ONE, TRAITS(SSE), WITHOUT(SCALAR), .also = REFPMU_TRAIT_SSE2 | (more)), \
	BIT_OF(8, ONE, TRAITS(SSE), .also = SCALAR | REFPMU_TRAIT_SSE2 | (more))

/* Operations that compute; one that multiplies and adds counts twice. */
#define ARITHMETIC \
	(REFPMU_TRAIT_FLOP_ADD | REFPMU_TRAIT_FLOP_MUL | REFPMU_TRAIT_FLOP_DIV | \
	 REFPMU_TRAIT_FLOP_MAC)
#define FP_BIT(bit, is, isnt)  BIT_OF(bit, ONE, TRAITS(ARITHMETIC), .also = (is), WITHOUT(isnt))
#define FLOP_BIT(bit, is, isnt) \
	FP_BIT(bit, is, isnt), \
	BIT_OF(bit, ONE, TRAITS(REFPMU_TRAIT_FLOP_MAC), .also = (is), WITHOUT(isnt))
#define PS REFPMU_TRAIT_UOP_PACKED_SP
#define PD REFPMU_TRAIT_UOP_PACKED_DP
#define SS REFPMU_TRAIT_UOP_SCALAR_SP
#define SD REFPMU_TRAIT_UOP_SCALAR_DP
#define WIDE REFPMU_TRAIT_VECTOR_256

/* PREFETCHh by its hint. */
#define PREFETCH_NTA  TRAITS(REFPMU_TRAIT_SSE_STREAM), WITHOUT(HINT(REFPMU_SSE_STORE))
#define PREFETCH_T0   TRAITS(REFPMU_TRAIT_SSE_STREAM), .also = HINT(REFPMU_SSE_T0), \
                      WITHOUT(HINT(REFPMU_SSE_T2))
#define PREFETCH_T2   TRAITS(REFPMU_TRAIT_SSE_STREAM), .also = HINT(REFPMU_SSE_T2), \
                      WITHOUT(HINT(REFPMU_SSE_T0))
#define PREFETCHES_ROWS \
	BIT_OF(1, ONE, PREFETCH_NTA), BIT_OF(2, ONE, PREFETCH_T0), BIT_OF(4, ONE, PREFETCH_T2)

/* Requests to L2, hit or missed: bits that must be set together with that of the kind. */
#define L2_BITS(kind, hit, missed, what) \
	BIT_OF((kind) | (hit), L2_OF(what, HIT)), BIT_OF((kind) | (missed), L2_OF(what, MISS))

#endif
