/* SPDX-License-Identifier: MIT */
/*
 * The table of NetBurst, and the fast path of its plain instructions, nine of ten in
 * most code: not a branch, of no kind that is counted, no memory except one aligned load that hits,
 * no new line of code, and nothing of other processors on the bus. Such an instruction counts the
 * same each time, so its counts are computed once. netburst_retire() has the same effects and is
 * only slower: tests compare both.
 */
#include <model/guests/vm_state.h>
#include <model/netburst/netburst_shared.h>
#include <model/sampling/records.h>

enum { CYCLES_OF_CLEAR = 10 };         /* invented */

/* Traits that only the Pentium needs. */
#define IGNORED (REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V)

/* -------------------------------------------------------------------------- plain instructions */

/* Fills in the instruction as netburst_retire() would. */
static void tell(const struct refpmu_cpu *m, struct netburst_retired *retired)
{
	retired->insns = 1;
	netburst_fill_uops(retired);
	netburst_tag(m, retired);
}

static void ask(struct refpmu_cpu *m, struct netburst_fast *fast, unsigned loads)
{
	const struct refpmu_insn insn = { .branch = REFPMU_NO_BRANCH };
	const struct cache_cost cost = { .is_alone = false };
	const struct cache_traffic traffic = { .data_reads = loads };
	struct netburst_retired retired = { .insn = &insn, .cost = &cost, .traffic = &traffic };

	tell(m, &retired);
	fast->counters[loads] = 0;
	fast->is_possible &= !retired.execution_tags && !netburst_of(m)->uops;
	FOR_EACH_COUNTING(m, i) {
		uint32_t n = netburst_events_of(m, i, &retired);

		fast->n[loads][i] = (uint8_t)n;
		fast->counters[loads] |= n ? BIT32(i) : 0;
		fast->is_possible &= n <= UINT8_MAX;
	}
}

/* Returns the counts for m's thread and ring. */
static const struct netburst_fast *fast_of(struct refpmu_cpu *m)
{
	struct netburst_fast *fast = &netburst_of(m)->fast[m->netburst.number][m->ring];

	if (!fast->is_known) {
		fast->is_known = fast->is_possible = true;
		ask(m, fast, 0);
		ask(m, fast, 1);
	}
	return fast;
}

static void count(struct refpmu_cpu *m, const struct netburst_fast *fast, unsigned loads)
{
	FOR_EACH_BIT(i, fast->counters[loads])
		netburst_input(m, i, fast->n[loads][i]);
}

static bool retire_fast(struct refpmu_cpu *m, const struct refpmu_insn *insn)
{
	const struct netburst_fast *fast;
	unsigned loads = cache_has_fast_read(&m->caches);

	if (insn->branch != REFPMU_NO_BRANCH || (insn->traits & ~IGNORED) ||
	    ring_of(m, insn->cpl) != m->ring || !m->is_active || m->netburst.is_inactive)
		return false;
	fast = fast_of(m);
	if (!fast->is_possible || !cache_retire_fast(&m->caches, insn))
		return false;
	netburst_take_slots(m, UOPS_DELIVERED, 1 + loads);
	count(m, fast, loads);
	netburst_end_instruction(m, insn, false);
	return true;
}

static bool has_room(const struct netburst *b, const struct netburst_fast *fast, uint64_t last)
{
	FOR_EACH_BIT(i, fast->counters[0] | fast->counters[1]) {
		const struct netburst_slot *s = &b->slot[i];

		if (s->is_due || (s->cccr & CCCR_FORCE_OVF) || s->value + RUN_ROOM > last)
			return false;
	}
	return true;
}

static bool may_gather(struct refpmu_cpu *m)
{
	const struct netburst *b = netburst_of(m);
	const struct netburst_fast *fast;

	if (!m->is_active || m->netburst.is_inactive || m->is_polling || m->records_branches ||
	    m->netburst.skid || b->compares || b->pebs || b->starts ||
	    (b->levels & b->counting[m->netburst.number][m->ring]))
		return false;
	fast = fast_of(m);
	return fast->is_possible && has_room(b, fast, NETBURST_COUNTER_VALUE);
}

/* Retires the run as retire_fast() would; units and transactions continue meanwhile. */
static void retire_run(struct refpmu_cpu *m)
{
	const struct netburst_fast *fast = fast_of(m);
	uint32_t width = rules_of(m)->counters.cycle_width;
	uint32_t insns = m->run.insns, reads = m->run.reads;
	uint32_t slots = m->now[SIGNAL_RETIRING] + insns + reads, cycles = slots / width;

	cache_retire_fast_run(&m->caches, m->run_end - m->run.bytes - 1, m->run.is_reading);
	m->now[SIGNAL_RETIRING] = slots % width;
	m->is_open = m->now[SIGNAL_RETIRING] != 0;
	FOR_EACH_BIT(i, fast->counters[0] | fast->counters[1]) {
		netburst_move(m, i, fast->n[0][i], insns - reads);
		netburst_move(m, i, fast->n[1][i], reads);
	}
	if (cycles)
		netburst_pass(m, cycles);
}

/* A load whose bytes a store under way may have cannot be plain. */
static void take_access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                        uint64_t physical, unsigned size, bool is_cacheable)
{
	if (m->run.insns && m->busy[UNIT_STORE_BUFFER])
		model_end_run(m);
	if (m->run.insns && !m->run.is_reading)
		cache_forget_fast_read(&m->caches);
	if (kind != REFPMU_READ || !is_cacheable || m->busy[UNIT_STORE_BUFFER] ||
	    !cache_read_fast(&m->caches, linear, physical, size)) {
		model_end_run(m);
		netburst_access_fully(m, kind, linear, physical, size, is_cacheable);
		return;
	}
	m->run.is_reading = 1;
	m->netburst.was_tagged = false;
}

/* ------------------------------------------------------------------------- starting, stopping */

static void start(struct refpmu_cpu *m)
{
	uint8_t number = m->netburst.number;
	bool is_inactive = m->netburst.is_inactive;

	__builtin_memset(m->busy, 0, sizeof(m->busy));
	m->netburst = (struct netburst_thread){ .number = number, .is_inactive = is_inactive };
}

/* The processor may be halted when the model follows it again: halt(). */
static void stop(struct refpmu_cpu *m)
{
	m->netburst.is_inactive = false;
}

static void halt(struct refpmu_cpu *m)
{
	m->netburst.is_inactive = true;
}

/* An interrupt or exception clears the pipeline. */
static void enter(struct refpmu_cpu *m, unsigned entry)
{
	(void)entry;
	netburst_wake(m);
	m->netburst.effects = (struct netburst_effects){ 0 };
	m->busy[UNIT_CLEAR] = CYCLES_OF_CLEAR;
}

const struct model_generation model_generation_netburst = {
	.msrs = { netburst_msrs, model_msrs_debug_store, model_msrs_debugctl, model_msrs_lbr_lip },
	MODEL_VMX,
	.ds_fault_shuts_down = true,
	.retire_fast = retire_fast,
	.may_gather = may_gather,
	.retire_run = retire_run,
	.barred_traits = ~IGNORED,
	.retire = netburst_retire,
	.access = take_access,
	.enter = enter,
	.write_pebs = netburst_pebs_write,
	.plan = netburst_plan,
	.close = netburst_close,
	.stall = netburst_stall,
	.finish = netburst_finish,
	.start = start,
	.stop = stop,
	.read_counter = netburst_read_counter,
	.reset = netburst_reset,
	.has_line = netburst_is_line,
	.halt = halt,
};
