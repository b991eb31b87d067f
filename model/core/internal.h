/* SPDX-License-Identifier: MIT */
/*
 * What the generations share. The steps of one instruction: cycles are closed, counters move, then
 * model_settle() turns wraps into status, freezes and PMIs. Nothing here knows a generation: what
 * differs is called through its table.
 */
#ifndef MODEL_CORE_INTERNAL_H
#define MODEL_CORE_INTERNAL_H

#include <arch/regs/perfmon.h>
#include <model/core/generation.h>
#include <model/model.h>
#include <model/state/state.h>

static inline const struct model_rules *rules_of(const struct model *m)
{
	return &m->core->rules;
}

/* SDM 3B, "Pre-defined Architectural Performance Events", Branch Instruction Retired: all. */
#define ALL_BRANCHES ((1u << MODEL_BRANCHES) - 1 - (1u << MODEL_NO_BRANCH))

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

/* ----------------------------------------------------------------------- plan (lists.c) */

/* After every change of a control register: who runs now? */
static inline void model_make_plan(struct model *m)
{
	m->generation->plan(m);
}

/* Counter i goes by this event select register's CMASK, INV, E and INT. */
void model_set_up_compare(struct model *m, unsigned i, uint64_t sel);

/* is_on: it runs in these rings. */
void model_start_or_stop(struct model *m, struct model_counter *c, bool is_on, bool is_os,
                         bool is_usr);

/* Lists the counters that run, by what moves them, in an empty plan. */
void model_list_counters(struct model *m);

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
void model_tell_retire(struct model *m, unsigned signal, uint32_t n);
void model_tell_cycles(struct model *m, const struct model_stretch *s, uint32_t bus_phase);

/* Counters of m, and of who listens to it. */
static inline void model_count_told(struct model *m, unsigned signal, uint32_t n)
{
	model_count_signal(m, signal, n);
	if (m->listener)
		model_tell_retire(m, signal, n);
}

/* ------------------------------------------------------- overflow (overflow.c, raise_pmi.c) */

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

/* A PMI without a new overflow, where the rules know such: from now on it is looked for after each
 * instruction; it is looked for. */
void model_start_polling(struct model *m);
void model_poll(struct model *m);

/* ----------------------------------------------------------------------- cycles (cycles.c) */

/*
 * The current cycle ends, if one is open. The slots that it leaves empty are charged to cause:
 * SIGNAL_FRONTEND, SIGNAL_BAD_SPECULATION or SIGNAL_BACKEND.
 */
static inline void model_close(struct model *m, unsigned cause)
{
	if (m->is_open)
		m->generation->close(m, cause);
}

/* So many cycles go by in which nothing retires. The current one must be closed. */
static inline void model_stall(struct model *m, uint64_t cycles, unsigned cause)
{
	m->generation->stall(m, cycles, cause);
}

/* Time goes on; returns how many clocks of the bus ended. */
static inline uint64_t model_pass(struct model *m, uint64_t cycles)
{
	uint32_t ratio = rules_of(m)->bus_ratio;
	uint64_t phase = m->bus_phase + cycles, ticks = 0;

	if (phase >= ratio) {
		ticks = phase / ratio;
		phase %= ratio;
	}
	m->bus_phase = (uint32_t)phase;
	m->cycles += cycles;
	return ticks;
}

/* What every cycle has; the slots in which nothing retires are charged to cause. */
static inline void model_fill_in(const struct model *m, struct model_stretch *s, unsigned cause)
{
	uint32_t width = rules_of(m)->cycle_width;

	s->per_cycle[SIGNAL_CYCLES] = 1;
	s->per_cycle[SIGNAL_TSC_CYCLES] = 1;
	s->per_cycle[SIGNAL_SLOTS] = width;
	s->per_cycle[cause] = width - s->per_cycle[SIGNAL_RETIRING];
}

/* The open cycle is over: *s is what happened in it. */
static inline void model_end_cycle(struct model *m, struct model_stretch *s, unsigned cause)
{
	s->cycles = 1;
	for (unsigned i = 0; i < SIGNALS; i++) {
		s->per_cycle[i] = m->now[i];
		m->now[i] = 0;
	}
	m->is_open = false;
	model_fill_in(m, s, cause);
}

/* These cycles go by, and everybody's counters move. */
void model_count_stretch(struct model *m, struct model_stretch *s);

/* The counters in these lists, of m, move by these cycles. bus_phase: before them. */
void model_count_cycles(struct model *m, const struct model_lists *lists, unsigned ring,
                        const struct model_stretch *s, uint32_t bus_phase);

/* The last step of every instruction, after its cycle was closed if it is full. */
static inline void model_end_instruction(struct model *m, const struct model_insn *insn)
{
	if (m->pebs.due)
		m->generation->write_pebs(m, insn);
	if (m->is_polling)
		model_poll(m);
	if (is_pmi_due(m))
		model_flush_pmi(m);
}

/* As struct model_generation.pass_halted and until_overflow, by m->plan (halted.c). */
void model_pass_halted(struct model *m, uint64_t cycles);
uint64_t model_until_overflow(const struct model *m);

/* --------------------------------------------------------------------- metrics (metrics.c) */

/* So many cycles with these slots go by; is_stall: nothing retires in them. */
void model_metrics_add(struct model *m, const struct model_stretch *s, bool is_stall);

uint64_t model_metrics_get(const struct model *m);
void model_metrics_set(struct model *m, uint64_t value);

#endif
