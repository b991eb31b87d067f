/* SPDX-License-Identifier: MIT */
/* The work of units and its duration; the waits of instructions. */
#include <model/units/units.h>

/* Invented, except the width of the bus: a burst moves a line, others take one clock. */
enum {
	BUS_BYTES = 8,
	CLOCKS_OF_LOCK = 8,            /* of the bus, the others of the core */
	CYCLES_OF_DIVISION = 37, CYCLES_OF_L2_LINE = 4,
	CYCLES_OF_DRAIN = 3
};

#define BURST_READS (1u << CACHE_BUS_BRD | 1u << CACHE_BUS_RFO | 1u << CACHE_BUS_IFETCH)
#define SINGLE_READS (1u << CACHE_BUS_UC_READ | 1u << CACHE_BUS_IO_READ)
#define SINGLE_WRITES (1u << CACHE_BUS_WRITE_THROUGH | 1u << CACHE_BUS_UC_WRITE | \
                       1u << CACHE_BUS_IO_WRITE)

const struct cache_traffic *model_traffic_of(const struct cache_cost *cost)
{
	static const struct cache_traffic no_traffic;

	return cost->traffic ? cost->traffic : &no_traffic;
}

uint32_t model_sum_of_bus(uint32_t kinds, const uint32_t *bus)
{
	uint32_t sum = 0;

	FOR_EACH_BIT(i, kinds)
		sum += bus[i];
	return sum;
}

/* Returns the number of clocks of the bus in which data moves. */
static uint32_t clocks_in(const struct model_rules *r, const uint32_t *bus)
{
	return r->caches.line_bytes / BUS_BYTES * model_sum_of_bus(BURST_READS, bus) +
	       model_sum_of_bus(SINGLE_READS, bus);
}

static uint32_t clocks_out(const struct model_rules *r, const uint32_t *bus)
{
	return r->caches.line_bytes / BUS_BYTES * bus[CACHE_BUS_WB] +
	       model_sum_of_bus(SINGLE_WRITES, bus);
}

/* Starts L2 of P6, which has a bus of its own. */
static void start_l2(struct refpmu_cpu *m, const struct model_retired *retired)
{
	const struct cache_traffic *t = retired->traffic;

	m->busy[UNIT_L2_READ] += CYCLES_OF_L2_LINE * cache_sum_of(retired->cost->l2, ~0u, ~0u);
	m->busy[UNIT_L2_WRITE] += CYCLES_OF_L2_LINE * (t->l1d_m_lines_out + t->l2_lines_in);
}

static void start_bus(struct refpmu_cpu *m, const struct cache_traffic *t)
{
	const struct model_rules *r = rules_of(m);
	uint32_t ratio = r->counters.bus_ratio, line_cycles = r->caches.invented->memory_cycles;

	m->busy[UNIT_BUS_REQUEST] += line_cycles * model_sum_of_bus(BURST_READS, t->bus);
	m->busy[UNIT_BUS_IN] += ratio * clocks_in(r, t->bus);
	m->busy[UNIT_BUS_OUT] += ratio * clocks_out(r, t->bus);
	m->busy[UNIT_BUS_ANY] += ratio * (clocks_in(r, t->bus_any) + clocks_out(r, t->bus_any));
	m->busy[UNIT_LOCK] += ratio * CLOCKS_OF_LOCK * t->bus_locks;
	m->busy[UNIT_LOCK_ANY] += ratio * CLOCKS_OF_LOCK * t->bus_locks_any;
}

bool model_is_division(const struct refpmu_insn *insn)
{
	return insn->traits & (REFPMU_TRAIT_DIV | REFPMU_TRAIT_FP_DIV);
}

void model_start_units(struct refpmu_cpu *m, const struct model_retired *retired)
{
	if (model_is_division(retired->insn))
		m->busy[UNIT_DIVIDER] += CYCLES_OF_DIVISION;
	m->busy[UNIT_STORE_BUFFER] += CYCLES_OF_STORE * retired->traffic->data_writes;
	m->busy[UNIT_L1_MISS] += retired->traffic->miss_cycles;
	start_l2(m, retired);
	start_bus(m, retired->traffic);
}

/* The most frequent case; without a condition compilers generate few instructions for it. */
static void work_once(struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		m->busy[i] = m->busy[i] - (m->busy[i] != 0);
}

void model_work(struct refpmu_cpu *m, uint64_t cycles)
{
	if (cycles == 1) {
		work_once(m);
		return;
	}
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		m->busy[i] = m->busy[i] < cycles ? 0 : m->busy[i] - (uint32_t)cycles;
}

uint32_t model_busy_units(const struct refpmu_cpu *m)
{
	uint32_t units = 0;

	for (unsigned i = 0; i < MODEL_UNITS; i++)
		units |= m->busy[i] ? CYCLE_UNIT(i) : 0;
	return units;
}

void model_cut_at_work(const struct refpmu_cpu *m, struct model_equal_cycles *s)
{
	for (unsigned i = 0; i < MODEL_UNITS; i++)
		if (m->busy[i] && m->busy[i] < s->cycles)
			s->cycles = m->busy[i];
}

/* ---------------------------------------------------------------------------- waiting */

void model_wait_cycles(struct refpmu_cpu *m, uint32_t cycles, unsigned cause, uint32_t why)
{
	if (!cycles)
		return;
	model_close(m, cause);
	m->stall = why;
	model_stall(m, cycles, cause);
	m->stall = 0;
}

static void drain_stores(struct refpmu_cpu *m)
{
	model_wait_cycles(m, m->busy[UNIT_STORE_BUFFER] + CYCLES_OF_DRAIN, SIGNAL_BACKEND,
	                  CYCLE_DRAIN | CYCLE_STORE_DRAIN);
}

/* The cycle that ends here is one cycle less to wait. */
void model_wait_for_divider(struct refpmu_cpu *m)
{
	if (m->busy[UNIT_DIVIDER])
		model_close(m, SIGNAL_BACKEND);
	model_wait_cycles(m, m->busy[UNIT_DIVIDER], SIGNAL_BACKEND, CYCLE_DRAIN);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

void model_wait(struct refpmu_cpu *m, const struct model_retired *retired)
{
	const struct cache_cost *cost = retired->cost;
	const struct cache_traffic *t = retired->traffic;
	uint32_t itlb = least(t->itlb_cycles, cost->frontend_cycles);
	uint32_t dtlb = least(t->dtlb_cycles, cost->backend_cycles);
	uint32_t read = least(t->read_cycles, cost->backend_cycles - dtlb);
	uint32_t mmx = retired->insn->traits & REFPMU_TRAIT_MMX ? CYCLE_MMX_READ : 0;

	model_wait_cycles(m, itlb, SIGNAL_FRONTEND, CYCLE_ITLB);
	model_wait_cycles(m, cost->frontend_cycles - itlb, SIGNAL_FRONTEND, CYCLE_FETCH);
	model_wait_cycles(m, cost->bad_speculation_cycles, SIGNAL_BAD_SPECULATION,
	                  CYCLE_MISPREDICT);
	model_wait_cycles(m, dtlb, SIGNAL_BACKEND, CYCLE_DTLB);
	model_wait_cycles(m, read, SIGNAL_BACKEND, CYCLE_READ | mmx);
	model_wait_cycles(m, cost->backend_cycles - dtlb - read, SIGNAL_BACKEND, 0);
	if (cost->is_alone)
		model_close(m, SIGNAL_BACKEND);
	if (cost->is_alone || (retired->insn->traits & REFPMU_TRAIT_LOCKED))
		drain_stores(m);
	if (cost->is_alone)
		model_wait_for_divider(m);
}
