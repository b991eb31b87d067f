/* SPDX-License-Identifier: MIT */
/*
 * What the files of the model share. The steps of one instruction, as pipeline.c takes them:
 * cycles are closed, counters move, then model_settle() turns wraps into status, freezes and PMIs.
 */
#ifndef MODEL_CORE_INTERNAL_H
#define MODEL_CORE_INTERNAL_H

#include <arch/regs/perfmon.h>
#include <model/model.h>
#include <model/state/state.h>

static inline const struct model_rules *rules_of(const struct model *m)
{
	return &m->core->rules;
}

static inline uint64_t ones(unsigned n)
{
	return n >= 64 ? ~UINT64_C(0) : BIT(n) - 1;
}

/* Fixed counter i. */
static inline struct model_counter *fixed_counter(struct model *m, unsigned i)
{
	return &m->counter[MODEL_GP_MAX + i];
}

/* ------------------------------------------------------------------- counters (counters.c) */

/* Sets up the counters' widths; all else as after power-up. */
void model_counters_create(struct model *m);

/* A wrap, or whatever else the limit was set for. */
void model_count_beyond(struct model *m, unsigned index, uint64_t n);

/* Counter index moves by n. */
static inline void model_count(struct model *m, unsigned index, uint64_t n)
{
	struct model_counter *c = &m->counter[index];

	if (c->value + n > c->limit)
		model_count_beyond(m, index, n);
	else
		c->value += n;
}

/* Plain counters of m move at once; the cycle's sums are for those that compare. */
static inline void model_count_signal(struct model *m, unsigned signal, uint32_t n)
{
	const struct model_list *plain = &m->plan.own.on_retire[m->ring][signal];

	for (unsigned i = 0; i < plain->count; i++)
		model_count(m, plain->index[i], n);
	m->now[signal] += n;
}

/* By how much it can move before it needs a closer look. */
static inline uint64_t headroom(const struct model_counter *c)
{
	return c->limit > c->value ? c->limit - c->value : 0;
}

/* After a change of is_pebs: a counter that does not record is not armed. */
void model_counter_disarm(struct model *m, struct model_counter *c);

/* A counter is written; value is cut to its width. */
void model_counter_set(struct model *m, struct model_counter *c, uint64_t value);

/* What a read returns. extension: enum model_extension. */
uint64_t model_counter_get(const struct model_counter *c, unsigned extension);

/* ----------------------------------------------------------------------- plan (plan.c) */

/* After every change of a control register: who runs now? */
void model_make_plan(struct model *m);

/* Counter i goes by this event select register's CMASK, INV, E and INT. */
void model_set_up_compare(struct model *m, unsigned i, uint64_t sel);

/* is_on: it runs in these rings. */
void model_start_or_stop(struct model *m, struct model_counter *c, bool is_on, bool is_os,
                         bool is_usr);

/* ------------------------------------------------------------- P5 and P6 (plan_legacy.c, ...) */

void model_set_up_legacy(struct model *m, unsigned i);

/* An instruction retires; its ring is m->ring already. */
void model_retire_legacy(struct model *m, const struct model_insn *insn,
                         const struct cache_cost *cost);

/* As model_access(). */
void model_access_legacy(struct model *m, enum model_access kind, uint64_t linear,
                         uint64_t physical, unsigned size, bool is_cacheable);

/* An interrupt or exception is delivered: ENTRY_ */
void model_enter_legacy(struct model *m, unsigned entry);

/* Lets units finish what instructions started, before the processor halts or counters change. */
void model_finish(struct model *m);

/* A stretch: cut where a unit's work ends; what the counters' events are in it; the units work. */
struct model_stretch;
void model_cut_at_work(const struct model *m, struct model_stretch *s);
void model_fill_durations(const struct model *m, struct model_stretch *s);
void model_work(struct model *m, uint64_t cycles);

/* -------------------------------------------------------------------- activity (activity.c) */

/* After a change of who counts what this processor does. */
void model_update_activity(struct model *m);

/* After a change of who counts or records branches: is_watched of all. */
void model_update_watch(struct model_machine *machine);

/* ------------------------------------------------------------------------- others (listen.c) */

/*
 * This processor did something, and m->listener counts it: n events of a signal, or a number of
 * equal cycles. Its overflows become status bits and a PMI that is due.
 */
struct model_stretch;
void model_tell_retire(struct model *m, unsigned signal, uint32_t n);
void model_tell_cycles(struct model *m, const struct model_stretch *s, uint32_t bus_phase);

/* Counters of m, and of who listens to it. */
static inline void model_count_told(struct model *m, unsigned signal, uint32_t n)
{
	model_count_signal(m, signal, n);
	if (m->listener)
		model_tell_retire(m, signal, n);
}

/* ---------------------------------------------------------------------- overflow (overflow.c) */

/* Overflows since the last call become status bits, a freeze and a PMI that is due. */
void model_settle(struct model *m);

/* Something other than a counter asks for a PMI: it is due, freezes as any PMI does, and sets these
 * bits of the status register, if there is one. */
void model_request_pmi(struct model *m, uint64_t status);

/* Raises the PMIs that are due, this processor's and that of the other one that may count what it
 * does. The last step of a call: the emulator acts on it at once. */
void model_flush_pmi(struct model *m);

static inline bool is_pmi_due(const struct model *m)
{
	return m->is_pmi_due || (m->other && m->other->is_pmi_due);
}

/* A PMI without a new overflow, where the rules know such. */
void model_poll(struct model *m);

/* ----------------------------------------------------------------------- cycles (cycles.c) */

/* A number of equal cycles. */
struct model_stretch {
	uint64_t cycles;
	uint64_t bus_ticks;            /* in all of them */
	uint32_t per_cycle[SIGNALS];
};

/* The counters in these lists, of m, move by these cycles. bus_phase: before them. */
void model_count_cycles(struct model *m, const struct model_lists *lists, unsigned ring,
                        const struct model_stretch *s, uint32_t bus_phase);

/*
 * The current cycle ends, if one is open. The slots that it leaves empty are charged to cause:
 * SIGNAL_FRONTEND, SIGNAL_BAD_SPECULATION or SIGNAL_BACKEND.
 */
void model_close(struct model *m, unsigned cause);

/* So many cycles go by in which nothing retires. The current one must be closed. */
void model_stall(struct model *m, uint64_t cycles, unsigned cause);

/* ------------------------------------------------------------------------ PEBS (pipeline.c) */

/* The instruction retired with m->pebs.due: its records are written, counters are reloaded, the
 * threshold may make a PMI due. */
void model_pebs_write(struct model *m, const struct model_insn *insn);

/* The last step of every instruction. is_alone: no other one retires in its cycle. */
static inline void model_end_instruction(struct model *m, const struct model_insn *insn,
                                         bool is_alone)
{
	if (is_alone || m->now[SIGNAL_RETIRING] >= rules_of(m)->cycle_width)
		model_close(m, SIGNAL_BACKEND);
	if (m->pebs.due)
		model_pebs_write(m, insn);
	if (m->is_polling)
		model_poll(m);
	if (is_pmi_due(m))
		model_flush_pmi(m);
}

/* The same of processors with architectural monitoring (pebs_assist.c). */
void model_pebs_write_arch(struct model *m, const struct model_insn *insn);

/* Does the general counter i, with this event selected, record? Does fixed counter i? */
bool model_pebs_is_on(const struct model *m, unsigned i, uint64_t sel);
bool model_pebs_is_fixed_on(const struct model *m, unsigned i);

/* What IA32_PERF_CAPABILITIES says of it. */
uint64_t model_pebs_capabilities(const struct model_rules *r);

/* --------------------------------------------------------------------- metrics (metrics.c) */

uint64_t model_metrics_get(const struct model *m);
void model_metrics_set(struct model *m, uint64_t value);

#endif
