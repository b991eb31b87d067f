/* SPDX-License-Identifier: MIT */
/*
 * What the model's files about NetBurst share. netburst_events.c and netburst_pipeline.c say how
 * much of an event there is; netburst_count.c, netburst_wrap.c and netburst_msrs.c are the
 * registers and what counters make of it.
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
	uint32_t counters;             /* that it reaches */
	uint8_t models;                /* bit n: model n of family 0FH has it */
};
extern const struct netburst_escr_row netburst_escr_rows[NETBURST_ESCRS];

/* The rows of those that tag, which all models have; the next one is the twin. */
enum { FIRM_ESCR0 = 4, MOB_ESCR0 = 10, SAAT_ESCR0 = 14, RAT_ESCR0 = 28 };

/* Who starts whom by CASCADE, and by bit 11: a bit per counter that is the source. */
extern const uint32_t netburst_cascades_from[NETBURST_COUNTERS];
extern const uint32_t netburst_extended_from[NETBURST_COUNTERS];

/* Index of the ESCR with this MSR address; NETBURST_NO_ESCR: this processor has none. */
unsigned netburst_escr_at(const struct model_rules *r, uint32_t msr);

/* Index of the ESCR that a counter's CCCR selects by this number; NETBURST_NO_ESCR. */
unsigned netburst_escr_of(const struct model_rules *r, unsigned counter, unsigned select);

/* ------------------------------------------------------- counting (netburst_count.c) */

/* After each change of a register, of halting, of an overflow that starts a cascade. */
void netburst_plan(struct refpmu_cpu *m);

/*
 * n more of what counter i counts happened, in m's open cycle; the caller has looked whether the
 * counter counts m here (netburst.counting). Without COMPARE it moves at once.
 */
void netburst_input(struct refpmu_cpu *m, unsigned i, uint32_t n);

/* So many cycles of m end, all alike: what compares is compared, levels are counted. In the first
 * of them happened what is in now[], if is_open. */
void netburst_look_at_cycles(struct refpmu_cpu *m, uint64_t cycles);

static inline void netburst_end_cycles(struct refpmu_cpu *m, uint64_t cycles)
{
	const struct netburst *b = netburst_of(m);

	if (b->compares | (b->levels & b->counting[m->netburst.number][m->ring]))
		netburst_look_at_cycles(m, cycles);
}

/* A counter moves by n so many times, one after the other: wraps, FORCE_OVF, PMIs that are due
 * (netburst_wrap.c). */
void netburst_move(struct refpmu_cpu *m, unsigned i, uint32_t n, uint64_t times);

/* Its CCCR may say that its lines to threads are not asserted any more. */
void netburst_drop_line(struct netburst_slot *s);

/* A stretch ends where a counter overflows for which another one waits. */
void netburst_cut_at_cascade(const struct refpmu_cpu *m, struct model_stretch *s);

/* The counter's lines to the threads that its CCCR names are asserted: their PMIs are due. */
void netburst_assert_lines(struct refpmu_cpu *m, struct netburst_slot *s);

/* Is a PMI's line to this logical processor asserted? */
bool netburst_is_line(const struct refpmu_cpu *m);

/* A processor that was halted goes on. */
void netburst_wake(struct refpmu_cpu *m);

/* ------------------------------------------------------- registers (netburst_msrs.c) */

extern const struct model_msr_row netburst_msrs[];
bool netburst_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);
void netburst_reset(struct refpmu_cpu *m, enum refpmu_reset kind);

/* ------------------------------------------------------- late PMIs (netburst_skid.c) */

/* The PMI of a counter is raised by m's instruction under way. */
void netburst_skid_start(struct refpmu_cpu *m, unsigned counter);

/* What is on its way by m's instructions is due now; so of all threads, for these counters. */
void netburst_skid_end(struct refpmu_cpu *m);
void netburst_skid_end_of(struct refpmu_core *c, uint32_t counters);

/* ------------------------------------------------------- PEBS (netburst_pebs.c) */

/* Is it replay_event? row: or NULL. */
bool netburst_row_is_replay(const struct netburst_row *row);

/* Which counters record: a part of netburst_plan(). */
void netburst_plan_pebs(struct refpmu_core *c);

/* What m writes or reads of MSR_PEBS_ENABLE, from or to what netburst.pebs_enable holds. */
uint32_t netburst_pebs_enable(const struct refpmu_cpu *m, uint32_t value);
void netburst_init_pebs(struct refpmu_cpu *m);

/* So many events of a counter that records. */
void netburst_pebs_move(struct refpmu_cpu *m, unsigned i, uint64_t events);

/* Writes the record that is due. */
void netburst_pebs_write(struct refpmu_cpu *m, const struct refpmu_insn *insn);

/* ------------------------------------------------------- events (netburst_events.c) */

/* What a retired instruction is known by: netburst_events.h. */
struct netburst_told;

/* The row for this ESCR's unit and event select on this processor; NULL: nobody's event. */
const struct netburst_row *netburst_row_find(const struct model_rules *r, unsigned escr,
                                             uint32_t select);

/* How many events of counter i, which has a row, the instruction is; not for levels. */
uint32_t netburst_events_of(const struct refpmu_cpu *m, unsigned i,
                            const struct netburst_told *told);

/* The level of counter i, whose input is one, in m's cycle that ends, or in each of a stretch. */
uint32_t netburst_level(const struct refpmu_cpu *m, unsigned i);

/* ------------------------------------------------------- pipeline (netburst_pipeline.c) */

void netburst_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                     const struct cache_cost *cost);
void netburst_access_fully(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                           uint64_t physical, unsigned size, bool is_cacheable);

/*
 * An instruction that does nothing but retire, or a load of it that does nothing but hit, costs
 * nothing and is counted alike each time: the short way. False: it is not one, and nothing happened
 * yet (netburst_plain.c).
 */
bool netburst_retire_plain(struct refpmu_cpu *m, const struct refpmu_insn *insn);
bool netburst_may_gather(struct refpmu_cpu *m);
void netburst_retire_run(struct refpmu_cpu *m);
void netburst_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                     uint64_t physical, unsigned size, bool is_cacheable);

/* An interrupt or exception is delivered: ENTRY_ */
void netburst_enter(struct refpmu_cpu *m, unsigned entry);

/* When the model begins to follow a processor: nothing is under way. */
void netburst_start(struct refpmu_cpu *m);
void netburst_stop(struct refpmu_cpu *m);

/* ------------------------------------------------------- cycles (netburst_cycles.c) */

/* So many equal cycles go by. */
void netburst_pass(struct refpmu_cpu *m, uint64_t cycles);
void netburst_close(struct refpmu_cpu *m, unsigned cause);
void netburst_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);
void netburst_finish(struct refpmu_cpu *m, enum model_finish before);

void netburst_halt(struct refpmu_cpu *m);

#endif
