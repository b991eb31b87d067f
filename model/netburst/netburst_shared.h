/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the model's files about NetBurst share. netburst_events.c and
 * netburst_pipeline.c compute the number of events; netburst_count.c, netburst_wrap.c and
 * netburst_msrs.c are the counters that count them, and their registers.
 */
#ifndef MODEL_NETBURST_NETBURST_SHARED_H
#define MODEL_NETBURST_NETBURST_SHARED_H

#include <model/core/msrs.h>
#include <model/units/units.h>

extern const struct model_rules model_rules_netburst[];
extern const struct model_generation model_generation_netburst;

static inline struct netburst *netburst_of(const struct refpmu_cpu *m)
{
	return &m->core->netburst;
}

/* ------------------------------------------------------- tables (netburst_tables.c) */

struct netburst_escr_row {
	uint32_t msr;
	uint8_t select;                /* its number in CCCRs */
	uint32_t counters;             /* bit per counter that it reaches */
	uint8_t models;                /* bit n: model n of family 0FH has it */
};
extern const struct netburst_escr_row netburst_escr_rows[NETBURST_ESCRS];

/* The rows of ESCRs that tag, which all models have; the next row is the twin of each. */
enum { FIRM_ESCR0 = 4, MOB_ESCR0 = 10, SAAT_ESCR0 = 14, RAT_ESCR0 = 28 };

/* Cascades, by CASCADE and by bit 11: for each counter, a bit per counter that starts it. */
extern const uint32_t netburst_cascades_from[NETBURST_COUNTERS];
extern const uint32_t netburst_extended_from[NETBURST_COUNTERS];

/* Returns the index of the ESCR at this MSR address, or NETBURST_NO_ESCR if it does not exist. */
unsigned netburst_escr_at(const struct model_rules *r, uint32_t msr);

/* Returns the index of the ESCR that a counter's CCCR selects by this number, or
 * NETBURST_NO_ESCR. */
unsigned netburst_escr_of(const struct model_rules *r, unsigned counter, unsigned select);

/* ------------------------------------------------------- counting (netburst_count.c) */

/* Makes the plan; called after each change of a register, of halting, and when a cascade starts. */
void netburst_plan(struct refpmu_cpu *m);

/*
 * Adds n events of counter i in m's open cycle. The caller has checked that the counter counts m
 * here (netburst.counting). Without COMPARE the counter moves at once.
 */
void netburst_input(struct refpmu_cpu *m, unsigned i, uint32_t n);

/* Ends this many equal cycles of m: compares, and counts levels. If is_open, the events in now[]
 * happened in the first of them. */
void netburst_look_at_cycles(struct refpmu_cpu *m, uint64_t cycles);

static inline void netburst_end_cycles(struct refpmu_cpu *m, uint64_t cycles)
{
	const struct netburst *b = netburst_of(m);

	if (b->compares | (b->levels & b->counting[m->netburst.number][m->ring]))
		netburst_look_at_cycles(m, cycles);
}

/* Moves a counter by n, times times one after the other: handles wraps, FORCE_OVF, and PMIs that
 * become due (netburst_wrap.c). */
void netburst_move(struct refpmu_cpu *m, unsigned i, uint32_t n, uint64_t times);

/* Deasserts the counter's lines to threads if its CCCR says so. */
void netburst_drop_line(struct netburst_slot *s);

/* Ends a stretch where a counter overflows for which another one waits. */
void netburst_cut_at_cascade(const struct refpmu_cpu *m, struct model_stretch *s);

/* Returns whether a PMI's line to this logical processor is asserted. */
bool netburst_is_line(const struct refpmu_cpu *m);

/* Wakes a processor that was halted. */
void netburst_wake(struct refpmu_cpu *m);

/* ------------------------------------------------------- registers (netburst_msrs.c) */

extern const struct model_msr_row netburst_msrs[];
bool netburst_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);
void netburst_reset(struct refpmu_cpu *m, enum refpmu_reset kind);

/* Make late PMIs due now: those by m's instructions; those of these counters, of all threads. */
void netburst_skid_end(struct refpmu_cpu *m);
void netburst_skid_end_of(struct refpmu_core *c, uint32_t counters);

/* ------------------------------------------------------- PEBS (netburst_pebs.c) */

/* Returns whether the row, which may be NULL, is that of replay_event. */
bool netburst_row_is_replay(const struct netburst_row *row);

/* Finds the counters that record: a part of netburst_plan(). */
void netburst_plan_pebs(struct refpmu_core *c);

/* Converts MSR_PEBS_ENABLE between m's view and netburst.pebs_enable, in either direction. */
uint32_t netburst_pebs_enable(const struct refpmu_cpu *m, uint32_t value);
void netburst_init_pebs(struct refpmu_cpu *m);

/* Adds this many events to a counter that records. */
void netburst_pebs_move(struct refpmu_cpu *m, unsigned i, uint64_t events);

/* Writes the record that is due. */
void netburst_pebs_write(struct refpmu_cpu *m, const struct refpmu_insn *insn);

/* ------------------------------------------------------- events (netburst_events.c) */

/* A retired instruction: netburst_events.h. */
struct netburst_told;

/* Returns the row for this ESCR's unit and event select on this processor, or NULL if there is
 * none. */
const struct netburst_row *netburst_row_find(const struct model_rules *r, unsigned escr,
                                             uint32_t select);

/* Returns how many events of counter i the instruction is. i has a row, and its input is no
 * level. */
uint32_t netburst_events_of(const struct refpmu_cpu *m, unsigned i,
                            const struct netburst_told *told);

/* Returns the level of counter i, whose input is one, in m's ending cycle, or each of a stretch. */
uint32_t netburst_level(const struct refpmu_cpu *m, unsigned i);

/* ------------------------------------------------------- pipeline (netburst_pipeline.c) */

void netburst_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                     const struct cache_cost *cost);
void netburst_access_fully(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                           uint64_t physical, unsigned size, bool is_cacheable);

/* ------------------------------------------------------- cycles (netburst_cycles.c) */

/* Passes this many equal cycles. */
void netburst_pass(struct refpmu_cpu *m, uint64_t cycles);
void netburst_close(struct refpmu_cpu *m, unsigned cause);
void netburst_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);
void netburst_finish(struct refpmu_cpu *m, enum model_finish before);

#endif
