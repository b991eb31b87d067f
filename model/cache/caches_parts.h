/* SPDX-License-Identifier: MIT */
/* Between the files of the microarchitecture; nobody else includes it. */
#ifndef MODEL_CACHE_CACHES_PARTS_H
#define MODEL_CACHE_CACHES_PARTS_H

#include <model/model.h>
#include <model/state/caches.h>

enum { UARCH_PAGE_BITS = 12 };

/*
 * Bits of a tag: 1-0 state, 47-2 number, 63-48 stamp. The number fits every line of a 52-bit
 * physical address and every page of a 57-bit canonical one. In TLBs the state is 0.
 */
enum { UARCH_STATE_BITS = 2, UARCH_NUMBER_BITS = 46 };
#define UARCH_STATE_MASK  UINT64_C(3)
#define UARCH_NUMBER_MASK ((UINT64_C(1) << UARCH_NUMBER_BITS) - 1)
#define UARCH_STAMP_LSB   (UINT64_C(1) << (UARCH_STATE_BITS + UARCH_NUMBER_BITS))
#define UARCH_NOWHERE     UINT64_MAX   /* no line and no page has this number */

/* Without a state. */
static inline uint64_t uarch_tag(uint64_t number, uint64_t stamp)
{
	return (number & UARCH_NUMBER_MASK) << UARCH_STATE_BITS | stamp;
}

static inline unsigned uarch_state(uint64_t tag)
{
	return (unsigned)(tag & UARCH_STATE_MASK);
}

static inline bool uarch_is_same(uint64_t a, uint64_t b)
{
	return (a ^ b) <= UARCH_STATE_MASK;
}

/* The set of a line or page: a mask where the number of sets is a power of two. */
static inline uint64_t *uarch_set(uint64_t *tags, const struct uarch_shape *shape, uint64_t number)
{
	uint32_t mask = shape->sets - 1;
	uint64_t set = shape->sets & mask ? number % shape->sets : number & mask;

	return tags + set * shape->ways;
}

/* The entry with this tag becomes the most recently used one of its set, or there is one now.
 * Returns it as it was, with its state; 0 if it was not there. */
uint64_t uarch_lookup_slowly(uint64_t *set, uint32_t ways, uint64_t tag);

static inline uint64_t uarch_lookup(uint64_t *set, uint32_t ways, uint64_t tag)
{
	return uarch_is_same(*set, tag) ? *set : uarch_lookup_slowly(set, ways, tag);
}

static inline bool uarch_has_page(uint64_t *tags, const struct uarch_shape *shape, uint64_t page,
                                  uint64_t stamp)
{
	return uarch_lookup(uarch_set(tags, shape, page), shape->ways, uarch_tag(page, stamp));
}

/* Empties what is tagged with *stamp. */
void uarch_new_stamp(uint64_t *stamp, uint64_t *tags, uint32_t count);

/* The line is used: is in L1 now, in state M if it was written. Return the stall. */
uint32_t uarch_use_code(struct uarch *u, uint64_t line);
uint32_t uarch_use_data(struct uarch *u, uint64_t line, bool is_write);

/*
 * All other cores of the package, or all other packages, share the line that this core reads, or
 * give it up as it writes it (coherence.c). Did one of them have it?
 */
bool uarch_snoop_cores(struct uarch_core *c, uint64_t line, bool is_write);
bool uarch_snoop_packages(struct uarch_core *c, uint64_t line, bool is_write);

/* The entry of a line, NULL if it is not there. Not a use. */
uint64_t *uarch_find(uint64_t *set, uint32_t ways, uint64_t tag);

/* The last level of this geometry. */
static inline const struct uarch_shape *uarch_last(const struct uarch_geometry *g)
{
	return g->l3.ways ? &g->l3 : &g->l2;
}

/* Return the stall: 0 if the page was there. */
uint32_t uarch_translate_code(struct uarch *u, uint64_t page);
uint32_t uarch_translate_data(struct uarch *u, uint64_t page);

/* A request that reached L2, by the state that the line had there. */
void uarch_count_l2(struct uarch *u, enum uarch_request request, unsigned state);

/* A store found its line shared in L1D: L2 is asked for it. */
void uarch_count_upgrade(struct uarch *u, uint64_t line);

void uarch_predictor_reset(struct uarch_predictor *p);

/* A branch retires: was it predicted wrong? Learns. */
bool uarch_predictor_retire(struct uarch *u, const struct model_insn *insn);

static inline bool uarch_is_far(unsigned branch)
{
	return branch >= MODEL_FAR_JMP;
}

/* --------------------------------------------------------------- with tells_traffic (P5, P6) */

/* What the public functions do there (traffic.c). */
void uarch_traffic_forget(struct uarch *u);
void uarch_traffic_drop(struct uarch *u);
void uarch_traffic_access(struct uarch *u, unsigned kind, uint64_t linear, uint64_t physical,
                          unsigned size, bool is_cacheable);
void uarch_traffic_fetch(struct uarch *u, const struct model_insn *insn);

/* The last step: cost is complete but for its traffic. */
void uarch_traffic_retire(struct uarch *u, const struct model_insn *insn, struct uarch_cost *cost);

/* The traffic of the instruction under way, to add to. */
static inline struct uarch_traffic *uarch_tell(struct uarch *u)
{
	u->told.is_pending = true;
	return &u->told.pending;
}

/* The bus has n more transactions, of this thread. */
void uarch_tell_bus(struct uarch *u, enum uarch_bus kind, uint32_t n);

/* Another package has a transaction of a line, which is a write or not: all cores of this one see
 * it. After uarch_tell_bus(), before their caches change. */
void uarch_tell_snoop(struct uarch_package *p, uint64_t line, bool is_write);

/* uarch_use_code() and uarch_use_data() with all that is told (bus.c). */
uint32_t uarch_bus_use_code(struct uarch *u, uint64_t line);
uint32_t uarch_bus_use_data(struct uarch *u, uint64_t line, bool is_read, bool is_write);

/* Like uarch_predictor_retire(), for branches that a target buffer has or not (btb.c). */
bool uarch_btb_retire(struct uarch *u, const struct model_insn *insn);

/* Nobody knows of this conditional branch but that it was taken just now. */
void uarch_predictor_expect_taken(struct uarch *u, uint64_t ip);

/* Sums stall for ever, however long a REP string instruction takes. */
static inline void uarch_add_cycles(uint32_t *sum, uint32_t cycles)
{
	*sum = cycles > UINT32_MAX - *sum ? UINT32_MAX : *sum + cycles;
}

#endif
