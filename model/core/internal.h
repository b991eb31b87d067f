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
#include <model/refpmu.h>
#include <model/state/state.h>

static inline const struct model_rules *rules_of(const struct refpmu_cpu *m)
{
	return &m->core->rules;
}

static inline uint64_t ones(unsigned n)
{
	return n >= 64 ? ~UINT64_C(0) : BIT(n) - 1;
}

/* Fixed counter i. */
static inline struct model_counter *fixed_counter(struct refpmu_cpu *m, unsigned i)
{
	return &m->counter[MODEL_GP_MAX + i];
}

/* ------------------------------------------------------------------- what was gathered */

/* More than a run moves a counter by. */
enum { RUN_ROOM = 1 << 12, RUN_INSNS = 1 << 9 };

/* What was gathered is forgotten, and no more is gathered. */
static inline void model_drop_run(struct refpmu_cpu *m)
{
	m->run.bytes = m->run.insns = m->run.reads = m->run.is_reading = 0;
	m->is_gathering = false;
}

/* What was gathered retires, and no more is: the first step of whatever looks at the processor. */
static inline void model_end_run(struct refpmu_cpu *m)
{
	if (m->run.insns)
		m->generation->retire_run(m);
	model_drop_run(m);
}

/* ------------------------------------------------------------------- counters (counters.c) */

/* Sets up the counters' widths; all else as after power-up. */
void model_counters_create(struct refpmu_cpu *m);

/* A counter passes its limit: it wraps, and has overflowed, or is armed; an armed one counts. */
void model_count_beyond(struct refpmu_cpu *m, unsigned index, uint64_t n);

/* Counter index moves by n. */
static inline void model_count(struct refpmu_cpu *m, unsigned index, uint64_t n)
{
	struct model_counter *c = &m->counter[index];

	if (c->value + n > c->limit)
		model_count_beyond(m, index, n);
	else
		c->value += n;
}

/* These move by n. */
static inline void model_count_list(struct refpmu_cpu *m, const struct model_list *plain,
                                    uint64_t n)
{
	for (unsigned i = 0; i < plain->count; i++)
		model_count(m, plain->index[i], n);
}

/* Plain counters of m move at once; the cycle's sums are for those that compare. */
static inline void model_count_signal(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	model_count_list(m, &m->plan.own.on_retire[m->ring][signal], n);
	m->now[signal] += n;
}

/* By how much it can move before it passes its limit. */
static inline uint64_t headroom(const struct model_counter *c)
{
	return c->limit - c->value;
}

/* After a change of is_pebs: a counter that does not record is not armed. */
void model_counter_disarm(struct model_counter *c);

/* A counter is written; value is cut to its width. */
void model_counter_set(struct model_counter *c, uint64_t value);

/* After every change of a control register: who runs now? */
static inline void model_make_plan(struct refpmu_cpu *m)
{
	m->generation->plan(m);
}

/* Counter i goes by this event select register's CMASK, INV, E and INT. */
void model_set_up_compare(struct refpmu_cpu *m, unsigned i, uint64_t sel);

/* is_on: it runs in these rings. */
void model_start_or_stop(struct model_counter *c, bool is_on, bool is_os, bool is_usr);

/* Lists the counters that run, by what moves them, in an empty plan. */
void model_list_counters(struct refpmu_cpu *m);

/* -------------------------------------------------------------------- activity (activity.c) */

/* After a change of who counts what this processor does. */
void model_update_activity(struct refpmu_cpu *m);

/* After a change of who counts or records branches: is_watched of all. */
void model_update_watch(struct refpmu_machine *machine);

/* n events of a signal, of this processor: m->listener counts them. Its overflows become status
 * bits and a PMI that is due. */
void model_tell_retire(struct refpmu_cpu *m, unsigned signal, uint32_t n);

/* Counters of m, and of who listens to it. */
static inline void model_count_told(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	model_count_signal(m, signal, n);
	if (m->listener)
		model_tell_retire(m, signal, n);
}

/* ------------------------------------------------------------------- overflow (overflow.c) */

/* Overflows since the last call become status bits, a freeze and a PMI that is due. */
void model_settle(struct refpmu_cpu *m);

/* Something other than a counter asks for a PMI: it is due, freezes as any PMI does, and sets these
 * bits of the status register, if there is one. */
void model_request_pmi(struct refpmu_cpu *m, uint64_t status);

/* Raises the PMIs that are due, this processor's and that of the other one that may count what it
 * does. The last step of a call: the emulator acts on it at once. */
void model_flush_pmi(struct refpmu_cpu *m);

static inline bool is_pmi_due(const struct refpmu_cpu *m)
{
	return m->is_pmi_due || (m->other && m->other->is_pmi_due);
}

/* While m->is_polling, after each instruction: raises the PMI that something asks for as long as it
 * lasts; ends polling if nothing does. */
void model_poll(struct refpmu_cpu *m);

/* ----------------------------------------------------------------------- cycles (cycles.c) */

/*
 * The current cycle ends, if one is open. The slots that it leaves empty are charged to cause:
 * SIGNAL_FRONTEND, SIGNAL_BAD_SPECULATION or SIGNAL_BACKEND.
 */
static inline void model_close(struct refpmu_cpu *m, unsigned cause)
{
	if (m->is_open)
		m->generation->close(m, cause);
}

/* So many cycles go by in which nothing retires. The current one must be closed. */
static inline void model_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	m->generation->stall(m, cycles, cause);
}

/* Time goes on; returns how many clocks of the bus ended. */
static inline uint64_t model_pass(struct refpmu_cpu *m, uint64_t cycles)
{
	uint32_t ratio = rules_of(m)->counters.bus_ratio;
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
static inline void model_fill_in(const struct refpmu_cpu *m, struct model_stretch *s,
                                 unsigned cause)
{
	uint32_t width = rules_of(m)->counters.cycle_width;

	s->per_cycle[SIGNAL_CYCLES] = 1;
	s->per_cycle[SIGNAL_TSC_CYCLES] = 1;
	s->per_cycle[SIGNAL_SLOTS] = width;
	s->per_cycle[cause] = width - s->per_cycle[SIGNAL_RETIRING];
}

/* The open cycle is over: *s is what happened in it. */
static inline void model_end_cycle(struct refpmu_cpu *m, struct model_stretch *s, unsigned cause)
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
void model_count_stretch(struct refpmu_cpu *m, struct model_stretch *s);

/* The counters in these lists, of m, move by these cycles. bus_phase: before them. */
void model_count_cycles(struct refpmu_cpu *m, const struct model_lists *lists, unsigned ring,
                        const struct model_stretch *s, uint32_t bus_phase);

/* The last step of every instruction, after its cycle was closed if it is full. */
static inline void model_end_instruction(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	if (m->pebs.due)
		m->generation->write_pebs(m, insn);
	if (m->is_polling)
		model_poll(m);
	if (is_pmi_due(m))
		model_flush_pmi(m);
}

/* --------------------------------------------------------------------- metrics (metrics.c) */

/* So many cycles with these slots go by; is_stall: nothing retires in them. */
void model_metrics_add(struct refpmu_cpu *m, const struct model_stretch *s, bool is_stall);

uint64_t model_metrics_get(const struct refpmu_cpu *m);
void model_metrics_set(struct refpmu_cpu *m, uint64_t value);

#endif
