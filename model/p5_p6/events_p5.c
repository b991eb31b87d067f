/* SPDX-License-Identifier: MIT */
/*
 * The events of the Pentium and the Pentium MMX. Only the latter has those from 2AH on, which
 * differ by counter. Source: SDM 3B, table "Events That Can Be Counted with the Pentium Processor
 * Performance-Monitoring Counters".
 *
 * Not modelled, because a model that sees instructions retire cannot know it: stalls in the
 * pipeline and on full write buffers (19H, 1BH, 1FH, 32H to 33H, 38H, 3BH), whether results
 * saturated (2FH), the bus' arbitration between two processors and shared lines (2AH, 2CH), a BTB
 * that takes other instructions for branches (3AH).
 */
#include <model/state/event_rows.h>

#include <arch/regs/bits.h>
#include <model/refpmu.h>

enum { C0 = 1, C1 = 2, BOTH = 3 };

#define ALL MODEL_P5_ALL
#define MMX MODEL_P55C

#define ROW(event, on, in, ...) \
	{ .select = (event), .counters = (on), .models = (in), __VA_ARGS__ }
#define SIGNALS_OF(name)  .kind = EVENT_SIGNAL, .signal = SIGNAL_##name
#define ONE               .kind = EVENT_ONE
#define FIELDS(...)       .kind = EVENT_FIELDS, .field = { __VA_ARGS__ }
#define BUS(what)         .kind = EVENT_BUS, .bus = (what)
#define WHILE(what)       .kind = EVENT_CYCLES, .cycles = (what)
#define NOT_MODELLED      .kind = EVENT_NOT_MODELLED
#define IF(what)          .condition = (what)
#define WITH_ENTRIES      .entries = ENTRY_INTERRUPT | ENTRY_EXCEPTION
#define ALSO_MMX          .traits = REFPMU_TRAIT_MMX

#define IO       (1u << CACHE_BUS_IO_READ | 1u << CACHE_BUS_IO_WRITE)
#define BUS_BUSY (CYCLE_UNIT(UNIT_BUS_IN) | CYCLE_UNIT(UNIT_BUS_OUT))

const struct model_event model_events_p5[] = {
	ROW(0x00, BOTH, ALL, FIELDS(FIELD_OF(data_reads))),
	ROW(0x01, BOTH, ALL, FIELDS(FIELD_OF(data_writes))),
	ROW(0x02, BOTH, ALL, FIELDS(FIELD_OF(dtlb_misses))),
	ROW(0x03, BOTH, ALL, FIELDS(FIELD_OF(data_read_misses))),
	ROW(0x04, BOTH, ALL, FIELDS(FIELD_OF(data_write_misses))),
	ROW(0x05, BOTH, ALL, FIELDS(FIELD_OF(write_hits_m_e))),
	ROW(0x06, BOTH, ALL, FIELDS(FIELD_OF(l1d_m_lines_out))),
	ROW(0x07, BOTH, ALL, FIELDS(FIELD_OF(snoops))),
	ROW(0x08, BOTH, ALL, FIELDS(FIELD_OF(snoop_hits))),
	ROW(0x09, BOTH, ALL, ONE, IF(ARE_BOTH_MEMORY)),
	ROW(0x0a, BOTH, ALL, ONE, IF(IS_BANK_CONFLICT)),
	ROW(0x0b, BOTH, ALL, FIELDS(FIELD_OF(misaligned))),
	ROW(0x0c, BOTH, ALL, FIELDS(FIELD_OF(l1i_fetches))),
	ROW(0x0d, BOTH, ALL, FIELDS(FIELD_OF(itlb_misses))),
	ROW(0x0e, BOTH, ALL, FIELDS(FIELD_OF(l1i_misses))),
	ROW(0x0f, BOTH, ALL, .kind = EVENT_SEGMENTS, .counts_tables = true),
	ROW(0x12, BOTH, ALL, ONE, IF(IS_BRANCH_OR_SERIALIZING), WITH_ENTRIES),
	ROW(0x13, BOTH, ALL, ONE, IF(IS_BTB_HIT)),
	ROW(0x14, BOTH, ALL, ONE, IF(IS_TAKEN_OR_BTB_HIT)),
	ROW(0x15, BOTH, ALL, ONE, IF(IS_FLUSH), WITH_ENTRIES),
	ROW(0x16, BOTH, ALL, SIGNALS_OF(INSTRUCTIONS)),
	ROW(0x17, BOTH, ALL, ONE, IF(IS_IN_V_PIPE)),
	ROW(0x18, BOTH, ALL, WHILE(BUS_BUSY)),
	ROW(0x19, BOTH, ALL, NOT_MODELLED),
	ROW(0x1a, BOTH, ALL, WHILE(CYCLE_READ)),
	ROW(0x1b, BOTH, ALL, NOT_MODELLED),
	ROW(0x1c, BOTH, ALL, FIELDS(FIELD_OF(bus_locks))),
	ROW(0x1d, BOTH, ALL, BUS(IO)),
	ROW(0x1e, BOTH, ALL, BUS(1u << CACHE_BUS_UC_READ)),
	ROW(0x1f, BOTH, ALL, NOT_MODELLED),
	/* Chosen: integer multiplications, too, as the manual says */
	ROW(0x22, BOTH, ALL, ONE, .traits = REFPMU_TRAIT_FP | REFPMU_TRAIT_MUL),
	ROW(0x23, BOTH, ALL, ONE, IF(IS_BREAKPOINT_0)),
	ROW(0x24, BOTH, ALL, ONE, IF(IS_BREAKPOINT_1)),
	ROW(0x25, BOTH, ALL, ONE, IF(IS_BREAKPOINT_2)),
	ROW(0x26, BOTH, ALL, ONE, IF(IS_BREAKPOINT_3)),
	ROW(0x27, BOTH, ALL, .kind = EVENT_ENTRY, .entries = ENTRY_INTERRUPT),
	ROW(0x28, BOTH, ALL, FIELDS(FIELD_OF(data_reads), FIELD_OF(data_writes))),
	ROW(0x29, BOTH, ALL, FIELDS(FIELD_OF(data_read_misses), FIELD_OF(data_write_misses))),
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
	{ .counters = 0 }
};
