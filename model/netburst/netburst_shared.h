/* SPDX-License-Identifier: MIT */
/*
 * Declares what the model's files about NetBurst share. netburst_events.c and
 * netburst_pipeline.c compute the number of events; netburst_count.c, netburst_wrap.c and
 * netburst_msrs.c are the counters that count them, and their registers. Events are data: a row for
 * each, by the unit of its ESCRs and the event select, which netburst_events.c interprets.
 *
 * Invented, as the emulator shows no micro-operations and follows no wrong path:
 *  - An instruction has one micro-operation, one more for each load and each store, and three more,
 *    from the microcode ROM, if it serialises or branches far. Three retire in a cycle. They enter
 *    the queue in the cycle in which they retire: from the trace cache, or from the decoder (build)
 *    if their line missed it.
 *  - After each mispredicted branch the processor was on a wrong path for four instructions with
 *    six micro-operations: a load, a store, and one of each kind that execution tagging may tag.
 *    Only events that say bogus see them, and the queue.
 *  - A tag is on a micro-operation: a computing one has that of execution tagging, a load or a
 *    store those of front-end and replay tagging. An instruction is tagged by the front end if one
 *    of its loads or stores is.
 *  - Execution_event adds one in a cycle in which something with a tag of its mask retires,
 *    whatever the number of such tags.
 *  - A transaction is in the bus' queue, and in that of the caches, for as long as memory takes.
 */
#ifndef MODEL_NETBURST_NETBURST_SHARED_H
#define MODEL_NETBURST_NETBURST_SHARED_H

#include <model/core/msrs.h>
#include <model/state/event_rows.h>
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

/* Numbers the rows of ESCRs that tag, which all models have; each one's twin is the next row. */
enum { FIRM_ESCR0 = 4, MOB_ESCR0 = 10, SAAT_ESCR0 = 14, RAT_ESCR0 = 28 };

/* Have, for CASCADE and for bit 11, a bit for each counter that starts this counter. */
extern const uint32_t netburst_cascades_from[NETBURST_COUNTERS];
extern const uint32_t netburst_extended_from[NETBURST_COUNTERS];

/* Returns the index of the ESCR at this MSR address, or NETBURST_NO_ESCR if it does not exist. */
unsigned netburst_escr_at(const struct model_rules *r, uint32_t msr);

/* Returns the index of the ESCR that a counter's CCCR selects, or NETBURST_NO_ESCR. */
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

/* Moves a counter by n, times times one after the other: handles wraps, FORCE_OVF, and PMIs that
 * become due. */
void netburst_move(struct refpmu_cpu *m, unsigned i, uint32_t n, uint64_t times);

/* Ends a run of equal cycles where a counter overflows for which another one waits. */
void netburst_cut_at_cascade(const struct refpmu_cpu *m, struct model_equal_cycles *s);

/* Returns whether an ESCR's bits select a ring of a thread. */
bool netburst_is_qualified(const struct netburst_row *row, uint32_t escr, unsigned thread,
                           unsigned ring);

/* Wakes a processor that was halted. */
void netburst_wake(struct refpmu_cpu *m);

/* ------------------------------------------------------- PMIs (netburst_wrap.c) */

/* Asserts the counter's lines, at once or, for a PMI that comes late, after its instructions. */
void netburst_raise(struct refpmu_cpu *m, struct netburst_slot *s);

/* Deasserts the counter's lines to threads if its CCCR says so. */
void netburst_drop_line(struct netburst_slot *s);

/* Returns whether a PMI's line to this logical processor is asserted. */
bool netburst_is_line(const struct refpmu_cpu *m);

/* Make late PMIs due now: those by m's instructions; those of these counters, of all threads. */
void netburst_skid_end(struct refpmu_cpu *m);
void netburst_skid_end_of(struct refpmu_core *c, uint32_t counters);

/* ------------------------------------------------------- registers (netburst_msrs.c) */

extern const struct model_msr_row netburst_msrs[];
bool netburst_read_counter(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);
void netburst_reset(struct refpmu_cpu *m, enum refpmu_reset kind);

/* ------------------------------------------------------- cycles (netburst_cycles.c) */

/* Lets equal cycles pass, whose events are in now[]; ends the open cycle, if there is one. */
void netburst_pass(struct refpmu_cpu *m, uint64_t cycles);
void netburst_close(struct refpmu_cpu *m, unsigned cause);

/* Are stall() and finish() of the generation. */
void netburst_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);
void netburst_finish(struct refpmu_cpu *m, enum model_finish before);

/* ------------------------------------------------------- PEBS (netburst_pebs.c) */

/* Finds the counters that record: a part of netburst_plan(). */
void netburst_plan_pebs(struct refpmu_core *c);

/* Converts MSR_PEBS_ENABLE between m's view and netburst.pebs_enable, in either direction. */
uint32_t netburst_pebs_enable(const struct refpmu_cpu *m, uint32_t value);

/* Adds this many events to a counter that records. */
void netburst_pebs_move(struct refpmu_cpu *m, unsigned i, uint64_t events);

/* Writes the record that is due. */
void netburst_pebs_write(struct refpmu_cpu *m, const struct refpmu_insn *insn);

/* ------------------------------------------------------- events (netburst_events.c) */

struct netburst_retired;               /* a retired instruction: below */

/* Returns this processor's row for the ESCR's unit and event select, or NULL. */
const struct netburst_row *netburst_row_find(const struct model_rules *r, unsigned escr,
                                             uint32_t select);

/* Returns how many events of counter i, which has a row, the instruction is; 0 for levels. */
uint32_t netburst_events_of(const struct refpmu_cpu *m, unsigned i,
                            const struct netburst_retired *retired);

/* Returns the level of counter i, whose input is one, in m's ending cycle or run of cycles. */
uint32_t netburst_level(const struct refpmu_cpu *m, unsigned i);

/* ------------------------------------------------------- pipeline (netburst_pipeline.c) */

void netburst_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                     const struct cache_cost *cost);
void netburst_access_fully(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                           uint64_t physical, unsigned size, bool is_cacheable);

/* ------------------------------------------------------- rows of events */

enum netburst_kind {
	NETBURST_NOTHING,              /* never happens here: the table gives the reason */
	NETBURST_TAGS,                 /* tags micro-operations for other events */
	/* The following count instructions. */
	NETBURST_SUM,                  /* the sum of the terms in the event mask */
	NETBURST_ONCE,                 /* one, if one of these terms is not 0 */
	NETBURST_UOPS,                 /* micro-operations of the terms' classes, by their cycle */
	NETBURST_EXECUTION,            /* cycles in which a tag of the event mask retires */
	NETBURST_L2,                   /* data requests, by the state of their line */
	NETBURST_IOQ,                  /* transactions that begin */
	NETBURST_BSQ,
	/* The following count cycles. */
	NETBURST_FIRST_LEVEL,
	NETBURST_WHILE = NETBURST_FIRST_LEVEL, /* one of the terms' conditions holds */
	NETBURST_DELIVER_MODE,
	NETBURST_IOQ_ENTRIES,          /* transactions that are under way */
	NETBURST_BSQ_ENTRIES
};

enum { NETBURST_LEVEL_MAX = 15 };      /* four lines */

/* Classes of micro-operations, by their source. */
enum netburst_class { UOPS_BUILT, UOPS_DELIVERED, UOPS_OF_ROM, UOPS_BOGUS, UOPS_CLASSES };

/* Outcomes of a branch; all bits that are set must match. */
enum { NETBURST_TAKEN = 1 << 0, NETBURST_NOT_TAKEN = 1 << 1, NETBURST_MISSED = 1 << 2,
       NETBURST_PREDICTED = 1 << 3 };

/* One bit of the event mask, or several that mean the same. */
struct netburst_term {
	uint16_t bits;
	uint8_t classes;               /* NETBURST_UOPS: bit per enum netburst_class */
	uint8_t outcome;               /* NETBURST_TAKEN, ... */
	uint8_t weight;                /* counts for each; 0: one */
	uint16_t traffic, retired;     /* a field plus 1; neither: one */
	uint32_t branches;             /* bit per enum refpmu_branch; 0: any instruction */
	uint32_t cycles;               /* NETBURST_WHILE: CYCLE_ */
	uint64_t traits;               /* one of these is set, unless 0 */
};

enum { NETBURST_TERMS_MAX = 6 };

struct netburst_row {
	uint16_t escr[2];              /* MSRs; the second is 0 if there is only one */
	uint8_t select;
	uint8_t models;                /* bit n: model n of family 0FH; 0: all */
	uint8_t kind;                  /* enum netburst_kind */
	bool is_any;                   /* T0 and T1 bits select any thread (TI) */
	bool tags_execution;           /* its ESCR may tag its micro-operations */
	struct netburst_term term[NETBURST_TERMS_MAX];
};

extern const struct netburst_row netburst_rows[];      /* the last one has no ESCR */

/* Event selects of CRU_ESCR2: those that PEBS records. */
enum { FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };

/* A retired instruction. The table names the fields after traffic. */
struct netburst_retired {
	const struct refpmu_insn *insn;
	const struct cache_cost *cost;
	const struct cache_traffic *traffic;   /* never NULL */
	struct netburst_effects effects;
	uint32_t uops[UOPS_CLASSES];
	/* Tagged by the front end, or not. The four together are all instructions. */
	uint32_t insns, tagged_insns, bogus_insns, bogus_tagged_insns;
	uint32_t tagged_uops, bogus_tagged_uops;
	uint32_t rom_starts;           /* times that the microcode ROM takes over */
	uint32_t itlb_hits;            /* of fetches that missed the trace cache */
	uint32_t full_stores;          /* stores that found the store buffer full */
	uint32_t wc_evicts, wc_full_evicts;
	uint8_t execution_tags;        /* of what it computes; from bit 4 on, of the wrong path */
};

/* Returns the sum of the terms in the event mask. */
uint32_t netburst_sum_of(const struct netburst_row *row, uint16_t mask,
                         const struct netburst_retired *retired);

/* Fills in the micro-operations of an instruction, except those of the wrong path. */
void netburst_fill_uops(struct netburst_retired *retired);

/* Put micro-operations into the open cycle: some of them, or all that fit; and end the instruction.
 * netburst_retire() and retire_fast() share these steps. */
void netburst_take_slots(struct refpmu_cpu *m, enum netburst_class class, uint32_t uops);

static inline void netburst_end_instruction(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                                            bool is_alone)
{
	if (m->netburst.skid && !--m->netburst.skid)
		netburst_skid_end(m);
	if (is_alone || is_cycle_full(m))
		netburst_close(m, SIGNAL_BACKEND);
	model_end_instruction(m, insn);
}

/* Runs for each counter i that counts m now. */
#define FOR_EACH_COUNTING(m, i) \
	FOR_EACH_BIT(i, netburst_of(m)->counting[(m)->netburst.number][(m)->ring])

/* Returns how many of these micro-operations counter i counts. */
uint32_t netburst_uops_of(const struct refpmu_cpu *m, unsigned i, enum netburst_class class,
                          uint32_t n);

/* ------------------------------------------------------- tagging (netburst_tag_uops.c) */

/* Computes the tags that upstream ESCRs give an instruction, and the wrong path before it. */
void netburst_tag(const struct refpmu_cpu *m, struct netburst_retired *retired);

/* Effects of the access under way: the change of cache_traffic, and why it waited for a store. */
struct netburst_effect {
	bool is_load, is_store;
	bool is_split, is_l1_miss, is_l2_miss, is_dtlb_miss;
	bool is_partial, is_unaligned;
};

/* Returns how many of the access's micro-operations, a load and a store, replay tagging tags. */
uint32_t netburst_replay_tags(const struct refpmu_cpu *m, const struct netburst_effect *effect);

/* ------------------------------------------------------- transactions (netburst_bus.c) */

/* Kinds are those of enum cache_bus; plus this for those of other processors. */
enum { NETBURST_OF_OTHERS = CACHE_BUS_KINDS };

/* Returns whether the event mask of IOQ_allocation or BSQ_allocation selects this kind. */
bool netburst_is_in_ioq_mask(const struct model_rules *r, uint16_t mask, unsigned kind);
bool netburst_is_in_bsq_mask(uint16_t mask, unsigned kind);

/* Compute what leaves the write-combining buffers: after a streaming store, or all of it. */
void netburst_combine(struct refpmu_cpu *m, struct netburst_retired *retired);
void netburst_flush_combined(struct refpmu_cpu *m, struct netburst_retired *retired);

/* Begins the instruction's transactions. May stall, because the queue is of limited length. */
void netburst_start_transactions(struct refpmu_cpu *m, const struct cache_traffic *traffic);
void netburst_work_transactions(struct refpmu_cpu *m, uint64_t cycles);

#endif
