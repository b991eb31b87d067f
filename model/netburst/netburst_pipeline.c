/* SPDX-License-Identifier: MIT */
/*
 * The steps of an instruction of NetBurst. It gives units work, waits, puts its micro-operations
 * into cycles, and counts; counters that compare see each micro-operation in its own cycle.
 *
 * Invented: how long these steps take, and how many stores the buffer holds. netburst_shared.h
 * lists what else is invented.
 */
#include <model/netburst/netburst_shared.h>

enum { STORES = 24, STORES_BUSY = (STORES - 1) * CYCLES_OF_STORE };     /* one more fits in */

/* On the wrong path. */
enum { BOGUS_INSNS = 4, BOGUS_UOPS = 6 };

/* ---------------------------------------------------------------------------- counting */

/* In the open cycle. */
static void count_uops(struct refpmu_cpu *m, enum netburst_class class, uint32_t uops)
{
	if (!netburst_of(m)->uops)
		return;
	FOR_EACH_COUNTING(m, i)
		netburst_input(m, i, netburst_uops_of(m, i, class, uops));
}

/* NBOGUSn of the event mask is tag n, BOGUSn the tag on the wrong path. */
static void count_execution(struct refpmu_cpu *m, uint8_t tags)
{
	FOR_EACH_COUNTING(m, i) {
		const struct netburst_slot *slot = &netburst_of(m)->slot[i];

		if (slot->row->kind != NETBURST_EXECUTION || !(slot->mask & tags) ||
		    (m->netburst.executed >> i & 1))
			continue;
		m->netburst.executed |= BIT32(i);
		netburst_input(m, i, 1);
	}
}

static void count_events(struct refpmu_cpu *m, const struct netburst_retired *retired)
{
	if (retired->execution_tags)
		count_execution(m, retired->execution_tags);
	FOR_EACH_COUNTING(m, i)
		netburst_input(m, i, netburst_events_of(m, i, retired));
}

/* Up to cycle_width in a cycle; the last one stays open. */
void netburst_take_slots(struct refpmu_cpu *m, enum netburst_class class, uint32_t uops)
{
	for (uint32_t n; uops; uops -= n) {
		if (is_cycle_full(m))
			netburst_close(m, SIGNAL_BACKEND);
		n = model_take_slots(m, uops);
		count_uops(m, class, n);
	}
}

/* ---------------------------------------------------------------------------- telling */

void netburst_fill_uops(struct netburst_retired *retired)
{
	const struct cache_traffic *t = retired->traffic;

	retired->uops[t->l1i_misses ? UOPS_BUILT : UOPS_DELIVERED] =
		1 + t->data_reads + t->data_writes;
	if (!retired->cost->is_alone)
		return;
	retired->uops[UOPS_OF_ROM] = UOPS_OF_MICROCODE;
	retired->rom_starts = 1;
}

static void tell_stores(struct refpmu_cpu *m, struct netburst_retired *retired)
{
	uint32_t stores = retired->traffic->data_writes;

	if (stores && m->busy[UNIT_STORE_BUFFER] > STORES_BUSY)
		retired->full_stores = stores;
	if (stores && (retired->insn->traits & REFPMU_TRAIT_SSE_STREAM))
		netburst_combine(m, retired);
	if (retired->cost->is_alone || (retired->insn->traits & REFPMU_TRAIT_LOCKED))
		netburst_flush_combined(m, retired);
}

static void tell(struct refpmu_cpu *m, struct netburst_retired *retired)
{
	const struct cache_traffic *t = retired->traffic;

	retired->effects = m->netburst.effects;
	m->netburst.effects = (struct netburst_effects){ 0 };
	retired->insns = 1;
	if (retired->cost->is_mispredicted) {
		retired->bogus_insns = BOGUS_INSNS;
		retired->uops[UOPS_BOGUS] = BOGUS_UOPS;
	}
	retired->itlb_hits = t->l1i_misses > t->itlb_misses ? t->l1i_misses - t->itlb_misses : 0;
	netburst_fill_uops(retired);
	tell_stores(m, retired);
	netburst_tag(m, retired);
}

/* ---------------------------------------------------------------------------- retiring */

/* The cycles of the wrong path are the first ones of the misprediction's cost. */
static void retire_bogus(struct refpmu_cpu *m, const struct netburst_retired *retired,
                         struct cache_cost *cost)
{
	uint32_t width = rules_of(m)->counters.cycle_width;
	uint32_t cycles = (retired->uops[UOPS_BOGUS] + width - 1) / width;

	if (!cycles)
		return;
	netburst_close(m, SIGNAL_BACKEND);
	netburst_take_slots(m, UOPS_BOGUS, retired->uops[UOPS_BOGUS]);
	netburst_close(m, SIGNAL_BAD_SPECULATION);
	cost->bad_speculation_cycles -= cycles < cost->bad_speculation_cycles ?
	                                cycles : cost->bad_speculation_cycles;
}

static void wait_for_store_buffer(struct refpmu_cpu *m, uint32_t stores)
{
	if (stores && m->busy[UNIT_STORE_BUFFER] > STORES_BUSY)
		model_wait_cycles(m, m->busy[UNIT_STORE_BUFFER] - STORES_BUSY, SIGNAL_BACKEND,
		                  CYCLE_STORE_FULL);
}

/* Keeps the store in the buffer when it retires, however long the instruction waited. */
static void keep_store(struct refpmu_cpu *m, uint32_t stores)
{
	if (stores && m->busy[UNIT_STORE_BUFFER] < CYCLES_OF_STORE)
		m->busy[UNIT_STORE_BUFFER] = CYCLES_OF_STORE;
}

void netburst_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                     const struct cache_cost *cost)
{
	struct cache_cost rest = *cost;
	struct netburst_retired retired = {
		.insn = insn, .cost = cost, .traffic = model_traffic_of(cost)
	};
	const struct model_retired known = { insn, &rest, retired.traffic };

	netburst_wake(m);
	if (model_is_division(insn))
		model_wait_for_divider(m);
	tell(m, &retired);
	wait_for_store_buffer(m, retired.traffic->data_writes);
	model_start_units(m, &known);
	netburst_start_transactions(m, retired.traffic);
	retire_bogus(m, &retired, &rest);
	model_wait(m, &known);
	for (unsigned class = 0; class < UOPS_BOGUS; class++)
		netburst_take_slots(m, class, retired.uops[class]);
	keep_store(m, retired.traffic->data_writes);
	count_events(m, &retired);
	netburst_end_instruction(m, insn, cost->is_alone);
}

/* ---------------------------------------------------------------------------- memory */

/*
 * Invented: only the last store may block a load, until it has left the store buffer: if it has
 * some of the load's bytes but not all, or has all but begins elsewhere. With the same bits 15:6 of
 * another address it blocks the load as an alias.
 */
static void compare_with_store(struct refpmu_cpu *m, uint64_t linear, unsigned size,
                               struct netburst_effect *effect)
{
	struct netburst_thread *t = &m->netburst;
	uint64_t end = linear + size;
	bool is_inside = linear >= t->store_begin && end <= t->store_end;
	bool is_outside = end <= t->store_begin || linear >= t->store_end;

	if (!m->busy[UNIT_STORE_BUFFER])
		return;
	effect->is_partial = !is_inside && !is_outside;
	effect->is_unaligned = is_inside && linear != t->store_begin;
	t->effects.alias_loads += ((linear ^ t->store_begin) >> 6 & 0x3ff) == 0 &&
	                        (linear ^ t->store_begin) >> 16 != 0;
}

static void note_effect(struct refpmu_cpu *m, const struct netburst_effect *effect, bool is_second)
{
	struct netburst_thread *t = &m->netburst;
	uint32_t tags = netburst_replay_tags(m, effect);

	t->effects.split_loads += effect->is_split && effect->is_load;
	t->effects.split_stores += effect->is_split && effect->is_store;
	t->effects.partial_loads += effect->is_partial;
	t->effects.unaligned_loads += effect->is_unaligned;
	if (!(is_second && t->was_tagged))
		t->effects.replayed_uops += tags;
	t->was_tagged = tags != 0;
}

void netburst_access_fully(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                           uint64_t physical, unsigned size, bool is_cacheable)
{
	const struct cache_traffic *t = &m->caches.observed.pending;
	uint32_t splits = t->splits, l1_misses = t->data_read_misses;
	uint32_t dtlb_misses = t->dtlb_misses, reads = t->data_reads, writes = t->data_writes;
	uint32_t l2_misses = m->caches.pending_l2.count[CACHE_LOAD][CACHE_I];
	struct netburst_effect effect = {
		.is_load = kind != REFPMU_WRITE, .is_store = kind != REFPMU_READ
	};

	if (effect.is_load)
		compare_with_store(m, linear, size, &effect);
	cache_access(&m->caches, kind, linear, physical, size, is_cacheable);
	effect.is_split = t->splits != splits;
	effect.is_l1_miss = t->data_read_misses != l1_misses;
	effect.is_l2_miss = m->caches.pending_l2.count[CACHE_LOAD][CACHE_I] != l2_misses;
	effect.is_dtlb_miss = t->dtlb_misses != dtlb_misses;
	note_effect(m, &effect, t->data_reads == reads && t->data_writes == writes);
	if (!effect.is_store)
		return;
	m->netburst.store_begin = m->netburst.effects.last_write = linear;
	m->netburst.store_end = linear + size;
	m->netburst.effects.last_size = size;
}
