/* SPDX-License-Identifier: MIT */
/*
 * The steps of an instruction: it gives units work, waits, retires, then counts. Work that an
 * instruction started, a division or the way of a line over the bus, continues while others retire.
 *
 * Events with a duration are a condition of the cycle, or a busy unit.
 */
#include <model/steps/steps.h>

/* Returns whether an event of bus clocks counts in this core cycle, the last one of a bus clock.
 * Its unit works for whole bus clocks. */
static bool is_tick(const struct refpmu_cpu *m, const struct model_event *e)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		if ((e->cycles & CYCLE_UNIT(i)) && m->busy[i] &&
		    (m->busy[i] - 1) % rules_of(m)->counters.bus_ratio == 0)
			return true;
	return false;
}

static void cut_at_durations(const struct refpmu_cpu *m, struct model_equal_cycles *s)
{
	model_cut_at_work(m, s);
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++) {
		const struct model_event *e = m->counter[i].event;

		if (e && e->is_bus_clock && (e->cycles & model_busy_units(m)))
			s->cycles = 1;
	}
}

static void fill_durations(const struct refpmu_cpu *m, struct model_equal_cycles *s)
{
	uint32_t conditions = m->conditions | m->stall | model_busy_units(m);

	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++) {
		const struct model_event *e = m->counter[i].event;
		bool is_so = e && (e->cycles & conditions);

		if (is_so && e->is_bus_clock)
			is_so = is_tick(m, e);
		s->per_cycle[SIGNAL_DURATION_0 + i] = is_so;
	}
}

void model_steps_close(struct refpmu_cpu *m, unsigned cause)
{
	struct model_equal_cycles s;

	if (!m->is_open)
		return;
	model_end_cycle(m, &s, cause);
	if (m->plan.has_durations)
		fill_durations(m, &s);
	model_work(m, s.cycles);
	model_count_equal_cycles(m, &s);
}

void model_steps_stall(struct refpmu_cpu *m, uint64_t cycles, unsigned cause)
{
	struct model_equal_cycles s = { .cycles = cycles };

	model_fill_in(m, &s, cause);
	while (cycles) {
		s.cycles = cycles;
		model_cut_at_freeze(m, &m->plan.own, m->ring, &s);
		if (m->plan.has_durations) {
			cut_at_durations(m, &s);
			fill_durations(m, &s);
		}
		cycles -= s.cycles;
		model_work(m, s.cycles);
		model_count_equal_cycles(m, &s);
	}
}

/* While the caches and the bus finish, no cycles of the processor pass: only durations count. */
void model_steps_finish(struct refpmu_cpu *m, enum model_finish before)
{
	struct model_lists durations = m->plan.own;
	struct model_equal_cycles s = { .cycles = 0 };

	(void)before;
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (m->counter[i].signal < SIGNAL_DURATION_0) {
			durations.on_cycle[m->ring] &= ~BIT32(i);
			durations.on_compare[m->ring] &= ~BIT32(i);
		}
	model_steps_close(m, SIGNAL_BACKEND);
	model_wait_for_divider(m);
	while (model_busy_units(m)) {
		s.cycles = UINT64_MAX;
		cut_at_durations(m, &s);
		fill_durations(m, &s);
		model_count_cycles(m, &durations, m->ring, &s, m->bus_phase);
		model_work(m, s.cycles);
	}
	if (m->overflowed)
		model_settle(m);
}

/* ---------------------------------------------------------------------------- instructions */

/* Returns whether this counter runs here and counts by its own event. */
static bool counts_here(const struct refpmu_cpu *m, unsigned i)
{
	const struct model_counter *c = &m->counter[i];

	return c->event && c->signal == SIGNAL_EVENT_0 + i && (c->rings >> m->ring & 1);
}

static void count_uops(struct refpmu_cpu *m, uint32_t n)
{
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (counts_here(m, i) && m->counter[i].event->kind == EVENT_UOPS)
			model_count_signal(m, SIGNAL_EVENT_0 + i, n);
}

/* An instruction that does not fit into the cycle continues in the next one, and retires there. */
void model_steps_take_slots(struct refpmu_cpu *m, uint32_t uops)
{
	for (uint32_t n; uops; uops -= n) {
		if (is_cycle_full(m))
			model_steps_close(m, SIGNAL_BACKEND);
		n = model_take_slots(m, uops);
		count_uops(m, n);
	}
}

/* Returns the instruction's amount of the counter's event, as far as the counter takes it. */
static uint32_t amount_of(const struct refpmu_cpu *m, unsigned i,
                          const struct model_retired *retired)
{
	const struct model_counter *c = &m->counter[i];
	uint32_t amount = model_event_count(m, c, retired), room = c->most - m->now[c->signal];

	return c->most && amount > room ? room : amount;
}

static void count_events(struct refpmu_cpu *m, const struct model_retired *retired)
{
	model_count_signal(m, SIGNAL_INSTRUCTIONS, 1);
	if (retired->insn->branch != REFPMU_NO_BRANCH)
		model_count_signal(m, SIGNAL_BRANCHES, 1);
	if (retired->cost->is_mispredicted)
		model_count_signal(m, SIGNAL_BRANCH_MISSES, 1);
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (counts_here(m, i) && m->counter[i].event->kind != EVENT_UOPS)
			model_count_signal(m, SIGNAL_EVENT_0 + i, amount_of(m, i, retired));
	m->blocked_loads = 0;
	if (m->overflowed)
		model_settle(m);
}

/* A cycle in which EFLAGS.IF changes belongs to the instruction that ends it. */
static void note_flags(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	uint32_t conditions = 0;

	if (insn->is_if_clear)
		conditions = CYCLE_IF_CLEAR | (insn->is_interrupt_pending ? CYCLE_PENDING : 0);
	if (conditions != m->conditions)
		model_steps_close(m, SIGNAL_FRONTEND);
	m->conditions = conditions;
}

void model_steps_begin(struct refpmu_cpu *m, const struct model_retired *retired)
{
	note_flags(m, retired->insn);
	if (model_is_division(retired->insn))
		model_wait_for_divider(m);
	model_start_units(m, retired);
	model_wait(m, retired);
}

void model_steps_end(struct refpmu_cpu *m, const struct model_retired *retired)
{
	count_events(m, retired);
	model_note_unit(m, retired->insn);
	if (retired->cost->is_alone || is_cycle_full(m))
		model_steps_close(m, SIGNAL_BACKEND);
	model_end_instruction(m, retired->insn);
}

void model_steps_retire_uops(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                             const struct cache_cost *cost)
{
	const struct model_retired retired = { insn, cost, model_traffic_of(cost) };

	model_steps_begin(m, &retired);
	model_steps_take_slots(m, model_uops(&retired));
	model_steps_end(m, &retired);
}

/*
 * Invented: only the last store may block a load, until it has left the store buffer, and only if
 * it has some of the load's bytes but not all.
 */
static void note_store(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                       unsigned size)
{
	uint64_t end = linear + size;
	bool is_inside = linear >= m->store_begin && end <= m->store_end;
	bool is_outside = end <= m->store_begin || linear >= m->store_end;

	if (kind != REFPMU_WRITE && m->busy[UNIT_STORE_BUFFER] && !is_inside && !is_outside)
		m->blocked_loads++;
	if (kind != REFPMU_READ) {
		m->store_begin = linear;
		m->store_end = end;
	}
}

void model_steps_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                        uint64_t physical, unsigned size, bool is_cacheable)
{
	note_store(m, kind, linear, size);
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
}

/* A counter that compares takes the entry in the next cycle that ends. */
void model_steps_enter(struct refpmu_cpu *m, unsigned entry)
{
	if (entry == ENTRY_EXCEPTION)
		m->blocked_loads = 0;
	model_count_all(m, m->plan.own.on_retire[m->ring][rules_of(m)->events.entry_signal], 1);
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (counts_here(m, i))
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_of_entry(&m->counter[i], entry));
	model_settle(m);
	model_flush_pmi(m);
}

void model_steps_start(struct refpmu_cpu *m)
{
	__builtin_memset(m->busy, 0, sizeof(m->busy));
	m->last_unit = m->store_begin = m->store_end = 0;
	m->blocked_loads = 0;
}

void model_steps_reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	(void)kind;
	m->conditions = 0;
}
