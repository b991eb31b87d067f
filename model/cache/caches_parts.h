/* SPDX-License-Identifier: MIT */
/* Declares what the files of the microarchitecture share; no other file includes this one. */
#ifndef MODEL_CACHE_CACHES_PARTS_H
#define MODEL_CACHE_CACHES_PARTS_H

#include <model/refpmu.h>
#include <model/state/caches.h>

enum { CACHE_PAGE_BITS = 12 };

/*
 * A tag has these bits: 1-0 state, 47-2 number, 63-48 stamp. The number fits any line of a 52-bit
 * physical address and every page of a 57-bit canonical one. In TLBs the state is 0.
 */
enum { CACHE_STATE_BITS = 2, CACHE_NUMBER_BITS = 46 };
#define CACHE_STATE_MASK  UINT64_C(3)
#define CACHE_NUMBER_MASK ((UINT64_C(1) << CACHE_NUMBER_BITS) - 1)
#define CACHE_STAMP_LSB   (UINT64_C(1) << (CACHE_STATE_BITS + CACHE_NUMBER_BITS))
#define CACHE_NOWHERE     UINT64_MAX   /* no line and no page has this number */

/* Returns the tag of a line or page, without a state. */
static inline uint64_t cache_tag(const struct cache_tags *t, uint64_t number)
{
	return (number & CACHE_NUMBER_MASK) << CACHE_STATE_BITS | t->stamp;
}

static inline unsigned cache_state(uint64_t tag)
{
	return (unsigned)(tag & CACHE_STATE_MASK);
}

/* Returns the state of an entry, CACHE_I if entry is NULL. */
static inline unsigned cache_state_at(const uint64_t *entry)
{
	return entry ? cache_state(*entry) : CACHE_I;
}

static inline void cache_set_state(uint64_t *entry, unsigned state)
{
	*entry = (*entry & ~CACHE_STATE_MASK) | state;
}

static inline bool cache_is_same(uint64_t a, uint64_t b)
{
	return (a ^ b) <= CACHE_STATE_MASK;
}

/* Returns the set of a line or page, by a mask if the number of sets is a power of two. */
static inline uint64_t *cache_set(const struct cache_tags *t, uint64_t number)
{
	uint32_t sets = t->shape.sets, mask = sets - 1;
	uint64_t set = sets & mask ? number % sets : number & mask;

	return t->tags + set * t->shape.ways;
}

/* Returns the entry of a line or page, or NULL if it is absent. Does not count as a use. */
uint64_t *cache_find(const struct cache_tags *t, uint64_t number);

/* Makes the entry with this tag the most recently used one of its set, and adds it if it is absent.
 * Returns the previous entry with its state, or 0 if it was absent. */
uint64_t cache_lookup_slowly(uint64_t *set, uint32_t ways, uint64_t tag);

/* Returns the entry of a line or page, now the most recently used one of its set. *found becomes
 * the previous entry, or 0 if it was absent. */
static inline uint64_t *cache_use(const struct cache_tags *t, uint64_t number, uint64_t *found)
{
	uint64_t *set = cache_set(t, number), tag = cache_tag(t, number);

	*found = cache_is_same(*set, tag) ? *set : cache_lookup_slowly(set, t->shape.ways, tag);
	return set;
}

/* Uses a page. Returns the stall, 0 if the page was present. */
static inline uint32_t cache_translate(const struct caches *u, const struct cache_tags *tlb,
                                       uint64_t page)
{
	uint64_t found;

	cache_use(tlb, page, &found);
	return found ? 0 : u->core->geometry->invented->walk_cycles;
}

/* Does the same with a page of data; the last page used hits again. */
static inline uint32_t cache_translate_data(struct caches *u, uint64_t page)
{
	if (page == u->data_page)
		return 0;
	u->data_page = page;
	return cache_translate(u, &u->dtlb, page);
}

void cache_empty(struct cache_tags *t);

/* Use a line, which is in L1 afterwards, in state M if it was written; kind is enum refpmu_access.
 * Return the stall. */
uint32_t cache_use_code(struct caches *u, uint64_t line);
uint32_t cache_use_data(struct caches *u, uint64_t line, unsigned kind);

/*
 * Make all other cores of the package, or all other packages, share the line that this core reads,
 * or drop the line that it writes (cache_levels.c). Return whether one of them had it.
 */
bool cache_snoop_cores(struct cache_core *c, uint64_t line, bool is_write);
bool cache_snoop_packages(struct cache_core *c, uint64_t line, bool is_write);

/* Fetches a line that missed L1. Returns the state that the line gets there. */
unsigned cache_fill(struct caches *u, uint64_t line, enum cache_request request, uint32_t *cycles);

void cache_predictor_reset(struct cache_predictor *p);

/* Retires a branch, and learns from it. Returns whether it was mispredicted. */
bool cache_predictor_retire(struct caches *u, const struct refpmu_insn *insn);

static inline bool cache_is_far(unsigned branch)
{
	return branch >= REFPMU_FAR_JMP;
}

/* --------------------------------------------------------------- with observes_traffic (P5, P6) */

/* The parts of the public functions (traffic.c); fetching comes before lines are looked up. */
void cache_traffic_forget(struct caches *u);
void cache_traffic_drop(struct caches *u);
void cache_traffic_access(struct caches *u, unsigned kind, uint64_t linear, uint64_t physical,
                          unsigned size, bool is_cacheable);
void cache_traffic_fetch(struct caches *u, const struct refpmu_insn *insn);

/* Retires an instruction, as the last step: cost is complete except for its traffic. */
void cache_traffic_retire(struct caches *u, const struct refpmu_insn *insn,
                          struct cache_cost *cost);

/* Returns the traffic of the instruction under way, to add to. */
static inline struct cache_traffic *cache_observe(struct caches *u)
{
	u->observed.is_pending = true;
	return &u->observed.pending;
}

/* Adds n transactions of this thread to the bus. */
void cache_count_bus(struct caches *u, enum cache_bus kind, uint32_t n);

/* Reports another package's transaction of a line, a write or not, to all cores of this package.
 * Called after cache_count_bus(), before their caches change. */
void cache_count_snoop(struct cache_package *p, uint64_t line, bool is_write);

/* Takes a shared line from the others, because it will be written. Returns its state in L2,
 * where it is not written yet. */
unsigned cache_bus_take(struct caches *u, uint64_t line, enum cache_bus kind);

/* cache_use() of L1D or L2, with traffic (bus.c). */
uint64_t *cache_bus_use(struct caches *u, const struct cache_tags *t, uint64_t line,
                        uint64_t *found);

/* Tells of a line that L1D had in state found, and of the cycles of a miss. */
void cache_bus_tell_data(struct caches *u, uint64_t found, unsigned kind, uint32_t cycles);

/* Uses a line of P5: only reads bring lines; a write in the same access finds the line there. */
uint32_t cache_bus_use_around(struct caches *u, uint64_t line, unsigned kind);

/* Does the same as cache_predictor_retire(), with a branch target buffer. */
bool cache_btb_retire(struct caches *u, const struct refpmu_insn *insn);

/* Adds cycles to a sum, which stays at its maximum, however long a REP string instruction takes. */
static inline void cache_add_cycles(uint32_t *sum, uint32_t cycles)
{
	*sum = cycles > UINT32_MAX - *sum ? UINT32_MAX : *sum + cycles;
}

/* Adds cycles that the instruction under way waits, unless it does not wait. */
static inline void cache_wait(struct caches *u, uint32_t *sum, uint32_t cycles)
{
	u->is_pending |= cycles != 0;
	cache_add_cycles(sum, cycles);
}

#endif
