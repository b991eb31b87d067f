/* SPDX-License-Identifier: MIT */
/* The traffic of instructions of P5 and P6: accesses, I/O, fetches, pairs. */
#include <model/cache/caches_parts.h>

enum { BUS_BYTES = 8, IO_BYTES = 4, BANK_BYTES = 4, BANKS = 8 };

/* Returns whether the access reaches beyond an aligned block of this many bytes. */
static bool is_crossing(uint64_t address, unsigned size, unsigned bytes)
{
	return (address & (bytes - 1)) + size > bytes;
}

static void wait(struct caches *u, uint32_t *cause, uint32_t cycles)
{
	cache_add_cycles(cause, cycles);
	cache_wait(u, &u->pending.backend_cycles, cycles);
}

/* Notes the first access of an instruction for its pair. */
static void remember(struct cache_observed *observed, unsigned kind, uint64_t linear, unsigned size)
{
	if (observed->access_end == CACHE_NOWHERE)
		observed->bank = (uint8_t)(linear / BANK_BYTES % BANKS);
	observed->access_end = linear + size;
	observed->access_size = size;
	observed->access_kind = (uint8_t)kind;
}

/* Adds the load kept apart; called first by all functions that have more to add. */
static void pass_fast_read(struct caches *u)
{
	if (!u->observed.fast_size)
		return;
	cache_observe(u)->data_reads++;
	remember(&u->observed, REFPMU_READ, u->observed.fast_linear, u->observed.fast_size);
	u->observed.fast_size = 0;
}

/* ------------------------------------------------------------------------------ resetting */

static void forget_access(struct cache_observed *observed)
{
	observed->access_end = CACHE_NOWHERE;
	observed->locks = 0;
}

/* Other processors' transactions stay for the next instruction; its own are dropped. */
void cache_traffic_drop(struct caches *u)
{
	struct cache_observed *observed = &u->observed;

	pass_fast_read(u);
	if (!observed->is_pending)
		return;
	for (unsigned kind = 0; kind < CACHE_BUS_KINDS; kind++)
		observed->seen.count[kind] += observed->pending.bus[kind];
	observed->pending = (struct cache_traffic){ 0 };
	observed->is_pending = false;
	observed->may_pair = false;
	forget_access(observed);
}

void cache_traffic_forget(struct caches *u)
{
	struct cache_observed *observed = &u->observed;

	cache_empty(&observed->btb);
	observed->seen = u->core->package->machine->bus;
	u->core->snooped = (struct cache_snooped){ 0 };
	observed->may_pair = false;
	observed->fetch_block = CACHE_NOWHERE;
	forget_access(observed);
}

/* ------------------------------------------------------------------------------ data */

static bool is_misaligned(const struct cache_geometry *g, uint64_t address, unsigned size)
{
	unsigned bytes = size < BUS_BYTES ? size : BUS_BYTES;

	return is_crossing(address, bytes, g->aligns_by_size && size <= 4 ? 4 : 8);
}

/* Returns whether the access is the second piece of one that a page's end cut in two. */
static bool is_rest(const struct cache_observed *observed, unsigned kind, uint64_t linear,
                    unsigned size)
{
	unsigned sum = observed->access_size + size;

	return linear == observed->access_end && (linear & ((1u << CACHE_PAGE_BITS) - 1)) == 0 &&
	       kind == observed->access_kind && size != observed->access_size &&
	               (sum == 4 || sum == 8);
}

/* Returns whether the access spans lines, perhaps together with the piece before it. */
static bool count_reference(struct caches *u, unsigned kind, uint64_t linear, unsigned size)
{
	const struct cache_geometry *g = u->core->geometry;
	struct cache_traffic *t = cache_observe(u);
	bool is_second = is_rest(&u->observed, kind, linear, size);
	bool is_split = is_second || is_crossing(linear, size, g->line_bytes);
	uint32_t references = kind == REFPMU_READ_WRITE ? 2 : 1;

	t->data_reads += !is_second && kind != REFPMU_WRITE;
	t->data_writes += !is_second && kind != REFPMU_READ;
	t->data_updates += !is_second && kind == REFPMU_READ_WRITE;
	t->splits += is_split ? references : 0;
	t->misaligned += is_second || is_misaligned(g, linear, size) ? references : 0;
	remember(&u->observed, kind, linear, size);
	return is_split;
}

static void use_lines(struct caches *u, unsigned kind, uint64_t first, uint64_t last)
{
	for (uint64_t line = first; line <= last; line++) {
		uint32_t cycles = cache_use_data(u, line, kind);

		if (kind != REFPMU_WRITE)
			wait(u, &u->observed.pending.read_cycles, cycles);
	}
}

static void use_bus(struct caches *u, unsigned kind, uint64_t physical, unsigned size)
{
	uint32_t n = (uint32_t)((physical % BUS_BYTES + size + BUS_BYTES - 1) / BUS_BYTES);
	struct cache_traffic *t = cache_observe(u);

	u->observed.was_fetched = true;
	if (kind != REFPMU_WRITE) {
		t->data_read_misses++;
		cache_count_bus(u, CACHE_BUS_UC_READ, n);
		wait(u, &t->read_cycles, n * u->core->geometry->invented->memory_cycles);
	}
	if (kind != REFPMU_READ) {
		t->data_write_misses++;
		cache_count_bus(u, CACHE_BUS_UC_WRITE, n);
	}
}

/* The cost of a lock is known only when the instruction retires as a locked one. */
static void note_lock(struct caches *u, unsigned kind, bool is_split)
{
	struct cache_observed *observed = &u->observed;

	if (kind == REFPMU_WRITE)
		return;
	if (u->core->geometry->locks_always)
		observed->locks = is_split ? 2 : 1;
	else if (is_split || observed->was_fetched)
		observed->locks = 1;
}

void cache_traffic_access(struct caches *u, unsigned kind, uint64_t linear, uint64_t physical,
                          unsigned size, bool is_cacheable)
{
	uint32_t line_bits = u->core->line_bits, walk;
	bool is_split;

	pass_fast_read(u);
	is_split = count_reference(u, kind, linear, size);
	walk = cache_translate_data(u, linear >> CACHE_PAGE_BITS);
	u->observed.pending.dtlb_misses += walk != 0;
	wait(u, &u->observed.pending.dtlb_cycles, walk);
	u->observed.was_fetched = false;
	if (is_cacheable)
		use_lines(u, kind, physical >> line_bits, (physical + size - 1) >> line_bits);
	else
		use_bus(u, kind, physical, size);
	note_lock(u, kind, is_split);
}

void cache_io(struct caches *u, bool is_write, uint32_t port, unsigned size)
{
	bool is_two = is_crossing(port, size, IO_BYTES);

	if (!u->observes_traffic)
		return;
	pass_fast_read(u);
	cache_observe(u)->misaligned += is_two;
	cache_count_bus(u, is_write ? CACHE_BUS_IO_WRITE : CACHE_BUS_IO_READ, is_two ? 2 : 1);
	wait(u, &u->observed.pending.io_cycles,
	     (is_two ? 2u : 1u) * u->core->geometry->invented->memory_cycles);
}

/* ------------------------------------------------------------------------------ code */

static void fetch_block(struct caches *u, uint64_t block)
{
	if (block == u->observed.fetch_block)
		return;
	cache_observe(u)->l1i_fetches++;
	u->observed.fetch_block = block;
}

/* An instruction has 15 bytes at most, so it is in one block or in two. */
void cache_traffic_fetch(struct caches *u, const struct refpmu_insn *insn)
{
	uint64_t bytes = u->core->geometry->fetch_bytes, end = insn->ip + insn->length - 1;

	pass_fast_read(u);
	fetch_block(u, insn->ip & ~(bytes - 1));
	fetch_block(u, end & ~(bytes - 1));
	if (insn->next_ip != insn->ip + insn->length)
		u->observed.fetch_block = CACHE_NOWHERE;
}

/* ------------------------------------------------------------------------------ retiring */

static bool has_memory(const struct cache_observed *observed)
{
	return observed->access_end != CACHE_NOWHERE;
}

static void end_pair(struct caches *u)
{
	struct cache_observed *observed = &u->observed;
	struct cache_traffic *t = cache_observe(u);

	t->is_in_v_pipe = true;
	t->are_both_memory = observed->pair_has_memory && has_memory(observed);
	t->is_bank_conflict = t->are_both_memory && observed->pair_bank == observed->bank;
}

static void pair(struct caches *u, const struct refpmu_insn *insn, const struct cache_cost *cost)
{
	struct cache_observed *observed = &u->observed;
	bool waits = cost->frontend_cycles || cost->backend_cycles || cost->is_mispredicted ||
	             cost->is_alone;
	bool is_second = observed->may_pair && !waits && insn->ip == observed->next_ip &&
	                 (insn->traits & REFPMU_TRAIT_PAIRABLE_V);

	if (is_second)
		end_pair(u);
	observed->may_pair = !is_second && !waits && (insn->traits & REFPMU_TRAIT_PAIRABLE_U);
	observed->pair_has_memory = has_memory(observed);
	observed->pair_bank = observed->bank;
	observed->next_ip = insn->ip + insn->length;
}

static void lock(struct caches *u)
{
	struct cache_bus_sums *bus = &u->core->package->machine->bus;

	cache_observe(u)->bus_locks = u->observed.locks;
	bus->locks += u->observed.locks;
	bus->changes++;
}

/* Moves other processors' snoops of this core to the traffic of its next instruction. */
static void take_snoops(struct caches *u)
{
	struct cache_snooped *s = &u->core->snooped;
	struct cache_traffic *t = cache_observe(u);

	t->snoops = s->snoops;
	t->snoop_hits = s->hits;
	t->snoop_hitm = s->hitm;
	t->l1d_m_lines_out += s->l1d_m_lines_out;
	t->l2_lines_out += s->l2_lines_out;
	t->l2_m_lines_out += s->l2_m_lines_out;
	t->bus[CACHE_BUS_WB] += s->write_backs;
	*s = (struct cache_snooped){ 0 };
}

static void take_bus(struct caches *u)
{
	const struct cache_bus_sums *bus = &u->core->package->machine->bus;
	const struct cache_bus_sums *seen = &u->observed.seen;
	struct cache_traffic *t = cache_observe(u);

	for (unsigned kind = 0; kind < CACHE_BUS_KINDS; kind++)
		t->bus_any[kind] = (uint32_t)(bus->count[kind] - seen->count[kind]);
	t->bus_locks_any = (uint32_t)(bus->locks - seen->locks);
	u->observed.seen = *bus;
}

void cache_traffic_retire(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost)
{
	struct cache_observed *observed = &u->observed;

	if ((insn->traits & REFPMU_TRAIT_LOCKED) && observed->locks)
		lock(u);
	if (u->core->geometry->pairs)
		pair(u, insn, cost);
	if (u->core->snooped.snoops)
		take_snoops(u);
	if (u->core->package->machine->bus.changes != observed->seen.changes)
		take_bus(u);
	if (!observed->is_pending)
		return;
	observed->retired = observed->pending;
	cost->traffic = &observed->retired;
	observed->pending = (struct cache_traffic){ 0 };
	observed->is_pending = false;
	forget_access(observed);
}
