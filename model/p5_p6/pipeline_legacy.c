/* SPDX-License-Identifier: MIT */
/*
 * One instruction of P6 or P5. As in pipeline.c it waits, then retires, then counts; but a
 * cycle of P6 has three micro-operations and one of P5 a pair, and what an instruction started,
 * a division or a line's way over the bus, goes on while others retire.
 *
 * Invented: how long each of that takes (below); that a unit does one thing after the other, and
 * that nobody waits for it but the next division for the divider, a locked instruction for the
 * store buffer, and a serialising one for both.
 */
#include <model/p5_p6/legacy.h>

/* Invented, but for the width of the bus: a burst moves a line, others take one clock. */
enum {
	BUS_BYTES = 8,
	CLOCKS_OF_LOCK = 8,            /* of the bus, the others of the core */
	CYCLES_OF_DIVISION = 37, CYCLES_OF_STORE = 2, CYCLES_OF_DRAIN = 3, CYCLES_OF_L2_LINE = 4
};

#define BURST_READS (1u << CACHE_BUS_BRD | 1u << CACHE_BUS_RFO | 1u << CACHE_BUS_IFETCH)
#define SINGLE_READS (1u << CACHE_BUS_UC_READ | 1u << CACHE_BUS_IO_READ)
#define SINGLE_WRITES (1u << CACHE_BUS_WRITE_THROUGH | 1u << CACHE_BUS_UC_WRITE | \
                       1u << CACHE_BUS_IO_WRITE)

static const struct cache_traffic no_traffic;

/* ---------------------------------------------------------------------------- units */

static uint32_t sum_of(uint32_t kinds, const uint32_t *bus)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < CACHE_BUS_KINDS; i++)
		sum += kinds >> i & 1 ? bus[i] : 0;
	return sum;
}

/* Clocks of the bus in which data moves. */
static uint32_t clocks_in(const struct model_rules *r, const uint32_t *bus)
{
	return r->caches.line_bytes / BUS_BYTES * sum_of(BURST_READS, bus) +
	       sum_of(SINGLE_READS, bus);
}

static uint32_t clocks_out(const struct model_rules *r, const uint32_t *bus)
{
	return r->caches.line_bytes / BUS_BYTES * bus[CACHE_BUS_WB] + sum_of(SINGLE_WRITES, bus);
}

/* L2 of P6, which has a bus of its own. */
static void start_l2(struct model *m, const struct model_told *told)
{
	const struct cache_traffic *t = told->traffic;
	const struct cache_l2 *l2 = told->cost->l2;

	for (unsigned i = 0; l2 && i < CACHE_REQUESTS; i++)
		for (unsigned s = 0; s < CACHE_STATES; s++)
			m->busy[UNIT_L2_READ] += CYCLES_OF_L2_LINE * l2->count[i][s];
	m->busy[UNIT_L2_WRITE] += CYCLES_OF_L2_LINE * (t->l1d_m_lines_out + t->l2_lines_in);
}

static void start_bus(struct model *m, const struct cache_traffic *t)
{
	const struct model_rules *r = rules_of(m);
	uint32_t ratio = r->bus_ratio, line_cycles = r->caches.invented->memory_cycles;

	m->busy[UNIT_BUS_REQUEST] += line_cycles * sum_of(BURST_READS, t->bus);
	m->busy[UNIT_BUS_IN] += ratio * clocks_in(r, t->bus);
	m->busy[UNIT_BUS_OUT] += ratio * clocks_out(r, t->bus);
	m->busy[UNIT_BUS_ANY] += ratio * (clocks_in(r, t->bus_any) + clocks_out(r, t->bus_any));
	m->busy[UNIT_LOCK] += ratio * CLOCKS_OF_LOCK * t->bus_locks;
	m->busy[UNIT_LOCK_ANY] += ratio * CLOCKS_OF_LOCK * t->bus_locks_any;
}

bool model_is_division(const struct model_insn *insn)
{
	return insn->traits & (MODEL_TRAIT_DIV | MODEL_TRAIT_FP_DIV);
}

void model_start_units(struct model *m, const struct model_told *told)
{
	if (model_is_division(told->insn))
		m->busy[UNIT_DIVIDER] += CYCLES_OF_DIVISION;
	m->busy[UNIT_STORE_BUFFER] += CYCLES_OF_STORE * told->traffic->data_writes;
	m->busy[UNIT_L1_MISS] += told->traffic->miss_cycles;
	start_l2(m, told);
	start_bus(m, told->traffic);
}

/* Most often; without a condition compilers make few instructions of it. */
static void work_once(struct model *m)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		m->busy[i] = m->busy[i] - (m->busy[i] != 0);
}

void model_work(struct model *m, uint64_t cycles)
{
	if (cycles == 1) {
		work_once(m);
		return;
	}
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		m->busy[i] = m->busy[i] < cycles ? 0 : m->busy[i] - (uint32_t)cycles;
}

uint32_t model_busy_units(const struct model *m)
{
	uint32_t units = 0;

	for (unsigned i = 0; i < MODEL_UNITS; i++)
		units |= m->busy[i] ? CYCLE_UNIT(i) : 0;
	return units;
}

uint32_t model_longest_work(const struct model *m)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < MODEL_UNITS; i++)
		if (m->busy[i] > most)
			most = m->busy[i];
	return most;
}

/* ---------------------------------------------------------------------------- durations */

/* Of an event that goes by the bus clock: the last core cycle of one. Its unit works whole ones. */
static bool is_tick(const struct model *m, const struct model_event *e)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		if ((e->cycles & CYCLE_UNIT(i)) && m->busy[i] &&
		    (m->busy[i] - 1) % rules_of(m)->bus_ratio == 0)
			return true;
	return false;
}

void model_cut_at_work(const struct model *m, struct model_stretch *s)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		if (m->busy[i] && m->busy[i] < s->cycles)
			s->cycles = m->busy[i];
	for (unsigned i = 0; i < rules_of(m)->gp_count; i++) {
		const struct model_event *e = m->counter[i].event;

		if (e && e->is_bus_clock && (e->cycles & model_busy_units(m)))
			s->cycles = 1;
	}
}

void model_fill_durations(const struct model *m, struct model_stretch *s)
{
	uint32_t conditions = m->conditions | m->stall | model_busy_units(m);

	for (unsigned i = 0; i < rules_of(m)->gp_count; i++) {
		const struct model_event *e = m->counter[i].event;
		bool is_so = e && (e->cycles & conditions);

		if (is_so && e->is_bus_clock)
			is_so = is_tick(m, e);
		s->per_cycle[SIGNAL_DURATION_0 + i] = is_so;
	}
}

/* ---------------------------------------------------------------------------- waiting */

void model_wait_cycles(struct model *m, uint32_t cycles, unsigned cause, uint32_t why)
{
	if (!cycles)
		return;
	model_close(m, cause);
	m->stall = why;
	model_stall(m, cycles, cause);
	m->stall = 0;
}

static void drain_stores(struct model *m)
{
	model_wait_cycles(m, m->busy[UNIT_STORE_BUFFER] + CYCLES_OF_DRAIN, SIGNAL_BACKEND,
	                  CYCLE_DRAIN | CYCLE_STORE_DRAIN);
}

/* The counters of a list whose event is a duration. */
static struct model_list durations_of(const struct model *m, const struct model_list *list)
{
	struct model_list durations = { .count = 0 };

	for (unsigned i = 0; i < list->count; i++)
		if (m->counter[list->index[i]].signal >= SIGNAL_DURATION_0)
			durations.index[durations.count++] = list->index[i];
	return durations;
}

/* The cycle that ends here is one less to wait. */
void model_wait_for_divider(struct model *m)
{
	if (m->busy[UNIT_DIVIDER])
		model_close(m, SIGNAL_BACKEND);
	model_wait_cycles(m, m->busy[UNIT_DIVIDER], SIGNAL_BACKEND, CYCLE_DRAIN);
}

/* While the caches and the bus do no cycles of the processor go by: only durations count. */
void model_finish(struct model *m)
{
	struct model_lists durations = { .on_cycle[0].count = 0 };
	struct model_stretch s = { .cycles = 0 };

	durations.on_cycle[m->ring] = durations_of(m, &m->plan.own.on_cycle[m->ring]);
	durations.on_compare[m->ring] = durations_of(m, &m->plan.own.on_compare[m->ring]);
	model_close(m, SIGNAL_BACKEND);
	model_wait_for_divider(m);
	while (model_busy_units(m)) {
		s.cycles = model_longest_work(m);
		model_cut_at_work(m, &s);
		model_fill_durations(m, &s);
		model_count_cycles(m, &durations, m->ring, &s, m->bus_phase);
		model_work(m, s.cycles);
	}
	if (m->overflowed)
		model_settle(m);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

void model_wait(struct model *m, const struct model_told *told)
{
	const struct cache_cost *cost = told->cost;
	const struct cache_traffic *t = told->traffic;
	uint32_t itlb = least(t->itlb_cycles, cost->frontend_cycles);
	uint32_t dtlb = least(t->dtlb_cycles, cost->backend_cycles);
	uint32_t read = least(t->read_cycles, cost->backend_cycles - dtlb);
	uint32_t mmx = told->insn->traits & MODEL_TRAIT_MMX ? CYCLE_MMX_READ : 0;

	model_wait_cycles(m, itlb, SIGNAL_FRONTEND, CYCLE_ITLB);
	model_wait_cycles(m, cost->frontend_cycles - itlb, SIGNAL_FRONTEND, CYCLE_FETCH);
	model_wait_cycles(m, cost->bad_speculation_cycles, SIGNAL_BAD_SPECULATION,
	                  CYCLE_MISPREDICT);
	model_wait_cycles(m, dtlb, SIGNAL_BACKEND, CYCLE_DTLB);
	model_wait_cycles(m, read, SIGNAL_BACKEND, CYCLE_READ | mmx);
	model_wait_cycles(m, cost->backend_cycles - dtlb - read, SIGNAL_BACKEND, 0);
	if (cost->is_alone)
		model_close(m, SIGNAL_BACKEND);
	if (cost->is_alone || (told->insn->traits & MODEL_TRAIT_LOCKED))
		drain_stores(m);
	if (cost->is_alone)
		model_wait_for_divider(m);
}

/* ---------------------------------------------------------------------------- retiring */

/* Does this counter run here, and take what its own event counts? */
static bool counts_here(const struct model *m, unsigned i)
{
	const struct model_counter *c = &m->counter[i];

	return c->event && c->signal == SIGNAL_EVENT_0 + i && (c->rings >> m->ring & 1);
}

static void count_uops(struct model *m, uint32_t n)
{
	for (unsigned i = 0; i < rules_of(m)->gp_count; i++)
		if (counts_here(m, i) && m->counter[i].event->kind == EVENT_UOPS)
			model_count_signal(m, SIGNAL_EVENT_0 + i, n);
}

/* An instruction with more micro-operations than are left in the cycle goes on in the next one,
 * and retires there. */
static void take_slots(struct model *m, uint32_t uops)
{
	uint32_t width = rules_of(m)->cycle_width;

	while (uops) {
		uint32_t n;

		if (m->now[SIGNAL_RETIRING] >= width)
			model_close(m, SIGNAL_BACKEND);
		n = least(uops, width - m->now[SIGNAL_RETIRING]);
		m->now[SIGNAL_RETIRING] += n;
		m->is_open = true;
		count_uops(m, n);
		uops -= n;
	}
}

static void take_place(struct model *m, const struct model_told *told)
{
	if (rules_of(m)->generation == GENERATION_P6) {
		take_slots(m, model_uops(told));
	} else {
		if (!told->traffic->is_in_v_pipe)
			model_close(m, SIGNAL_BACKEND);
		take_slots(m, 1);
	}
}

static void count_events(struct model *m, const struct model_told *told)
{
	bool is_branch = rules_of(m)->branches >> told->insn->branch & 1;

	model_count_signal(m, SIGNAL_INSTRUCTIONS, 1);
	if (is_branch)
		model_count_signal(m, SIGNAL_BRANCHES, 1);
	if (told->cost->is_mispredicted)
		model_count_signal(m, SIGNAL_BRANCH_MISSES, 1);
	for (unsigned i = 0; i < rules_of(m)->gp_count; i++)
		if (counts_here(m, i) && m->counter[i].event->kind != EVENT_UOPS)
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_count(m, &m->counter[i], told));
	m->accesses = m->blocked_loads = 0;
	if (m->overflowed)
		model_settle(m);
}

/* A cycle in which EFLAGS.IF changes belongs to the instruction that ends it. */
static void note_flags(struct model *m, const struct model_insn *insn)
{
	uint32_t conditions = 0;

	if (insn->is_if_clear)
		conditions = CYCLE_IF_CLEAR | (insn->is_interrupt_pending ? CYCLE_PENDING : 0);
	if (conditions != m->conditions)
		model_close(m, SIGNAL_FRONTEND);
	m->conditions = conditions;
}

void model_retire_legacy(struct model *m, const struct model_insn *insn,
                         const struct cache_cost *cost)
{
	const struct model_told told = {
		insn, cost, cost->traffic ? cost->traffic : &no_traffic
	};

	note_flags(m, insn);
	if (model_is_division(insn))
		model_wait_for_divider(m);
	model_start_units(m, &told);
	model_wait(m, &told);
	take_place(m, &told);
	count_events(m, &told);
	model_note_unit(m, insn);
	model_end_instruction(m, insn, cost->is_alone);
}

/*
 * Invented: of all stores the last one alone may block a load, until it has left the store buffer,
 * and only by giving some of its bytes but not all.
 */
static void note_store(struct model *m, enum model_access kind, uint64_t linear, unsigned size)
{
	uint64_t end = linear + size;
	bool is_inside = linear >= m->store_begin && end <= m->store_end;
	bool is_outside = end <= m->store_begin || linear >= m->store_end;

	if (kind != MODEL_WRITE && m->busy[UNIT_STORE_BUFFER] && !is_inside && !is_outside)
		m->blocked_loads++;
	if (kind != MODEL_READ) {
		m->store_begin = linear;
		m->store_end = end;
	}
}

void model_access_legacy(struct model *m, enum model_access kind, uint64_t linear,
                         uint64_t physical, unsigned size, bool is_cacheable)
{
	note_store(m, kind, linear, size);
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
}

/* A counter that compares sees it in the next cycle that ends. */
void model_enter_legacy(struct model *m, unsigned entry)
{
	for (unsigned i = 0; i < rules_of(m)->gp_count; i++)
		if (counts_here(m, i))
			model_count_signal(m, SIGNAL_EVENT_0 + i,
			                   model_event_of_entry(m, &m->counter[i], entry));
	model_settle(m);
	model_flush_pmi(m);
}
