/* SPDX-License-Identifier: MIT */
/*
 * The steps of an instruction of P6 or P5: it gives units work, waits, retires, then counts. A
 * cycle has three micro-operations on P6 and a pair of instructions on P5. Work that an instruction
 * started, a division or the way of a line over the bus, continues while others retire.
 *
 * P5 and P6 also differ in registers, and in how these set up counters: the tables at the end.
 */
#include <model/p5_p6/legacy.h>
#include <model/sampling/branch_records.h>

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

/* An instruction with more micro-operations than are left in the cycle continues in the next one,
 * and retires there. */
static void take_slots(struct refpmu_cpu *m, uint32_t uops)
{
	uint32_t width = rules_of(m)->counters.cycle_width;

	while (uops) {
		uint32_t n;

		if (m->now[SIGNAL_RETIRING] >= width)
			model_close_legacy(m, SIGNAL_BACKEND);
		n = width - m->now[SIGNAL_RETIRING];
		if (n > uops)
			n = uops;
		m->now[SIGNAL_RETIRING] += n;
		m->is_open = true;
		count_uops(m, n);
		uops -= n;
	}
}

static void count_events(struct refpmu_cpu *m, const struct model_told *told)
{
	model_count_signal(m, SIGNAL_INSTRUCTIONS, 1);
	if (told->insn->branch != REFPMU_NO_BRANCH)
		model_count_signal(m, SIGNAL_BRANCHES, 1);
	if (told->cost->is_mispredicted)
		model_count_signal(m, SIGNAL_BRANCH_MISSES, 1);
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (counts_here(m, i) && m->counter[i].event->kind != EVENT_UOPS)
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_count(m, &m->counter[i], told));
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
		model_close_legacy(m, SIGNAL_FRONTEND);
	m->conditions = conditions;
}

static void begin(struct refpmu_cpu *m, const struct model_told *told)
{
	note_flags(m, told->insn);
	if (model_is_division(told->insn))
		model_wait_for_divider(m);
	model_start_units(m, told);
	model_wait(m, told);
}

static void end(struct refpmu_cpu *m, const struct model_told *told)
{
	count_events(m, told);
	model_note_unit(m, told->insn);
	if (told->cost->is_alone || m->now[SIGNAL_RETIRING] >= rules_of(m)->counters.cycle_width)
		model_close_legacy(m, SIGNAL_BACKEND);
	model_end_instruction(m, told->insn);
}

static void retire_p6(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                      const struct cache_cost *cost)
{
	const struct model_told told = { insn, cost, model_traffic_of(cost) };

	begin(m, &told);
	take_slots(m, model_uops(&told));
	end(m, &told);
}

static void retire_p5(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                      const struct cache_cost *cost)
{
	const struct model_told told = { insn, cost, model_traffic_of(cost) };

	begin(m, &told);
	if (!told.traffic->is_in_v_pipe)
		model_close_legacy(m, SIGNAL_BACKEND);
	take_slots(m, 1);
	end(m, &told);
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

static void take_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                        uint64_t physical, unsigned size, bool is_cacheable)
{
	note_store(m, kind, linear, size);
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
}

/* A counter that compares takes the entry in the next cycle that ends. */
static void enter(struct refpmu_cpu *m, unsigned entry)
{
	if (entry == ENTRY_EXCEPTION)
		m->blocked_loads = 0;
	for (unsigned i = 0; i < rules_of(m)->counters.gp_count; i++)
		if (counts_here(m, i))
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_of_entry(&m->counter[i], entry));
	model_settle(m);
	model_flush_pmi(m);
}

static void start(struct refpmu_cpu *m)
{
	model_units_clear(m);
	m->last_unit = m->store_begin = m->store_end = 0;
	m->blocked_loads = 0;
}

static void reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	(void)kind;
	m->conditions = 0;
}

/* ---------------------------------------------------------------------------- the tables */

#define COMMON \
	.access = take_access, .enter = enter, .start = start, .reset = reset, \
	.close = model_close_legacy, .stall = model_stall_legacy, .finish = model_finish_legacy, \
	.read_counter = model_read_counter

static const struct model_msr_row *const msrs_p5[] = { model_msrs_p5, NULL };
static const struct model_msr_row *const msrs_p6[] = {
	model_msrs_p6, model_msrs_debugctl, model_msrs_lbr_pair, NULL
};

const struct model_generation model_generation_p5 = {
	COMMON, .msrs = msrs_p5, .plan = model_plan_p5, .retire = retire_p5,
};

const struct model_generation model_generation_p6 = {
	COMMON, .msrs = msrs_p6, .plan = model_plan_p6, .retire = retire_p6,
};
