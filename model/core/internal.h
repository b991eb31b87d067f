/* SPDX-License-Identifier: MIT */
/*
 * Declares functions that the generations share. Each instruction takes these steps: cycles close,
 * counters move, then model_settle() turns wraps into status, freezes and PMIs. Nothing here knows
 * a generation: code that differs is called through its table.
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

/* Returns the ring of a CPL: RING_OS or RING_USR. */
static inline unsigned ring_of(const struct refpmu_cpu *m, unsigned cpl)
{
	return rules_of(m)->counters.usr_cpls >> cpl & 1 ? RING_USR : RING_OS;
}

/* Runs for each bit i of a uint32_t that is set, from the lowest one on. */
#define FOR_EACH_BIT(i, bits) \
	for (uint32_t left_of_##i = (bits), i; \
	     left_of_##i && (i = (uint32_t)__builtin_ctz(left_of_##i), true); \
	     left_of_##i &= left_of_##i - 1)

/* Returns fixed counter i. */
static inline struct model_counter *fixed_counter(struct refpmu_cpu *m, unsigned i)
{
	return &m->counter[MODEL_GP_MAX + i];
}

/* ----------------------------------------------------------------- gathered instructions */

/* A run moves a counter by less than RUN_ROOM. */
enum { RUN_ROOM = 1 << 12, RUN_INSNS = 1 << 9 };

/* Drops the gathered instructions and stops gathering. */
static inline void model_drop_run(struct refpmu_cpu *m)
{
	m->run.bytes = m->run.insns = m->run.reads = m->run.is_reading = 0;
	m->is_gathering = false;
}

/* Retires the gathered instructions: the first step of each call that looks at the processor. */
static inline void model_end_run(struct refpmu_cpu *m)
{
	if (m->run.insns)
		m->generation->retire_run(m);
	model_drop_run(m);
}

/* ------------------------------------------------------------------- counters (counters.c) */

/* Sets the counters' widths, and everything else as after power-up. */
void model_counters_create(struct refpmu_cpu *m);

/* Moves a counter beyond its limit: it overflows, or becomes armed, or is armed and counts. */
void model_count_beyond(struct refpmu_cpu *m, unsigned index, uint64_t n);

/* Moves counter index by n. */
static inline void model_count(struct refpmu_cpu *m, unsigned index, uint64_t n)
{
	struct model_counter *c = &m->counter[index];

	if (c->value + n > c->limit)
		model_count_beyond(m, index, n);
	else
		c->value += n;
}

/* Moves these counters by n. */
static inline void model_count_all(struct refpmu_cpu *m, uint32_t counters, uint64_t n)
{
	FOR_EACH_BIT(i, counters)
		model_count(m, i, n);
}

/* Moves plain counters of m at once, and adds to the cycle's sums for those that compare. */
static inline void model_count_signal(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	model_count_all(m, m->plan.own.on_retire[m->ring][signal], n);
	m->now[signal] += n;
}

/* Returns by how much the counter can move before it passes its limit. */
static inline uint64_t headroom(const struct model_counter *c)
{
	return c->limit - c->value;
}

/* Disarms a counter that does not record; called after a change of is_pebs. */
void model_counter_disarm(struct model_counter *c);

/* Writes a counter; value is cut to its width. */
void model_counter_set(struct model_counter *c, uint64_t value);

/* Makes the plan of running counters; called after every change of a control register. */
static inline void model_make_plan(struct refpmu_cpu *m)
{
	m->generation->plan(m);
}

/* Returns whether a counter with this enable of its own, and this bit of GLOBAL_CTRL, runs. */
bool model_is_enabled(const struct refpmu_cpu *m, bool is_own, unsigned global_bit);

/* Returns the bits of IA32_PERF_GLOBAL_CTRL: those that its status has for counters and metrics. */
uint64_t model_global_bits(const struct model_rules *r);

/* Sets counter i up by the CMASK, INV, E and INT of this event select register. */
void model_set_up_compare(struct refpmu_cpu *m, unsigned i, uint64_t sel);

/* Starts the counter in these rings if is_on, else stops it. */
void model_start_or_stop(struct model_counter *c, bool is_on, bool is_os, bool is_usr);

/* Lists the running counters, by the events that move them, in an empty plan. */
void model_list_counters(struct refpmu_cpu *m);

/* -------------------------------------------------------------------- activity (activity.c) */

/* Updates is_active; called after a change of the counters for this processor's events. */
void model_update_activity(struct refpmu_cpu *m);

/* Updates is_watched of all processors; called after one starts or stops counting or recording. */
void model_update_watch(struct refpmu_machine *machine);

/* Counts n events of a signal of this processor on m->sibling, whose overflows become status bits
 * and a PMI that is due. */
void model_count_for_sibling(struct refpmu_cpu *m, unsigned signal, uint32_t n);

/* Counts on m and on its sibling. */
static inline void model_count_shared(struct refpmu_cpu *m, unsigned signal, uint32_t n)
{
	model_count_signal(m, signal, n);
	if (m->sibling)
		model_count_for_sibling(m, signal, n);
}

/* ------------------------------------------------------------------- overflow (counters.c) */

/* Turns overflows since the last call into status bits, a freeze and a PMI that is due. */
void model_settle(struct refpmu_cpu *m);

/* Makes a PMI due that no counter asks for; it freezes as any PMI does, and sets these bits of the
 * status register, if there is one. */
void model_request_pmi(struct refpmu_cpu *m, uint64_t status);

/* Raises the PMIs that are due, of this processor and of its sibling. It is the last step of a
 * call, because the emulator acts on a PMI at once. */
void model_flush_pmi(struct refpmu_cpu *m);

static inline bool is_pmi_due(const struct refpmu_cpu *m)
{
	return m->is_pmi_due || (m->other && m->other->is_pmi_due);
}

/* Raises the PMI of an asserted request; called after each instruction while m->is_polling. Ends
 * polling if nothing asserts one. */
void model_poll(struct refpmu_cpu *m);

/* ----------------------------------------------------------------------- cycles (cycles.c) */

/*
 * Ends the current cycle, if one is open. Its empty slots are charged to cause:
 * SIGNAL_FRONTEND, SIGNAL_BAD_SPECULATION or SIGNAL_BACKEND.
 */
static inline void model_close(struct refpmu_cpu *m, unsigned cause)
{
	if (m->is_open)
		m->generation->close(m, cause);
}

static inline bool is_cycle_full(const struct refpmu_cpu *m)
{
	return m->now[SIGNAL_RETIRING] >= rules_of(m)->counters.cycle_width;
}

/* Puts some of these micro-operations, as many as fit, into the cycle. Returns their number. */
static inline uint32_t model_take_slots(struct refpmu_cpu *m, uint32_t uops)
{
	uint32_t free = rules_of(m)->counters.cycle_width - m->now[SIGNAL_RETIRING];
	uint32_t n = uops < free ? uops : free;

	m->now[SIGNAL_RETIRING] += n;
	m->is_open = true;
	return n;
}

/* Passes this many cycles in which nothing retires. The current cycle must be closed. */
static inline void model_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	m->generation->stall(m, cycles, cause);
}

/* Advances time; returns the number of bus clocks that ended. */
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

/* Ends the cycle, if it belongs to the other ring. */
static inline void model_enter_ring(struct refpmu_cpu *m, unsigned ring)
{
	if (ring == m->ring)
		return;
	model_close(m, SIGNAL_FRONTEND);
	m->ring = (uint8_t)ring;
}

/* Fills in what every cycle has; slots in which nothing retires are charged to cause. */
static inline void model_fill_in(const struct refpmu_cpu *m, struct model_equal_cycles *s,
                                 unsigned cause)
{
	uint32_t width = rules_of(m)->counters.cycle_width;

	s->per_cycle[SIGNAL_CYCLES] = 1;
	s->per_cycle[SIGNAL_TSC_CYCLES] = 1;
	s->per_cycle[SIGNAL_SLOTS] = width;
	s->per_cycle[cause] = width - s->per_cycle[SIGNAL_RETIRING];
}

/* Ends the open cycle; writes what happened in it to *s. */
static inline void model_end_cycle(struct refpmu_cpu *m, struct model_equal_cycles *s,
                                   unsigned cause)
{
	s->cycles = 1;
	__builtin_memcpy(s->per_cycle, m->now, sizeof(m->now));
	__builtin_memset(m->now, 0, sizeof(m->now));
	m->is_open = false;
	model_fill_in(m, s, cause);
}

/* Passes these cycles, and moves all counters that count them. */
void model_count_equal_cycles(struct refpmu_cpu *m, struct model_equal_cycles *s);

/* Ends a run of equal cycles where a freeze would stop the counters: when one overflows. */
void model_cut_at_freeze(const struct refpmu_cpu *m, const struct model_lists *lists, unsigned ring,
                         struct model_equal_cycles *s);

/* Moves the counters of m in these lists by these cycles. bus_phase is the phase before them. */
void model_count_cycles(struct refpmu_cpu *m, const struct model_lists *lists, unsigned ring,
                        const struct model_equal_cycles *s, uint32_t bus_phase);

/* Ends an instruction, after its cycle was closed if it was full. */
static inline void model_end_instruction(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	if (m->pebs.due)
		m->generation->write_pebs(m, insn);
	if (m->is_polling)
		model_poll(m);
	if (is_pmi_due(m))
		model_flush_pmi(m);
}

/* --------------------------------------------------------------------- metrics (cycles.c) */

/* Adds cycles with these slots to the metrics; is_stall: nothing retires in them. */
void model_metrics_add(struct refpmu_cpu *m, const struct model_equal_cycles *s, bool is_stall);

uint64_t model_metrics_get(const struct refpmu_cpu *m);
void model_metrics_set(struct refpmu_cpu *m, uint64_t value);

#endif
