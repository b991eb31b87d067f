/* SPDX-License-Identifier: MIT */
/* Between the files of the microarchitecture; nobody else includes it. */
#ifndef MODEL_UARCH_PARTS_H
#define MODEL_UARCH_PARTS_H

#include <model/uarch.h>

enum { UARCH_PAGE_BITS = 12 };

/* Fits every line of a 52-bit physical address and every page of a 57-bit canonical one. */
enum { UARCH_NUMBER_BITS = 46 };
#define UARCH_NUMBER_MASK ((UINT64_C(1) << UARCH_NUMBER_BITS) - 1)
#define UARCH_STAMP_LSB   (UINT64_C(1) << UARCH_NUMBER_BITS)
#define UARCH_NOWHERE     UINT64_MAX   /* no line and no page has this number */

static inline uint64_t uarch_tag(uint64_t number, uint64_t stamp)
{
	return (number & UARCH_NUMBER_MASK) | stamp;
}

/* The set of a line or page: a mask where the number of sets is a power of two. */
static inline uint64_t *uarch_set(uint64_t *tags, const struct uarch_shape *shape, uint64_t number)
{
	uint32_t mask = shape->sets - 1;
	uint64_t set = shape->sets & mask ? number % shape->sets : number & mask;

	return tags + set * shape->ways;
}

/* Was it there? Now it is, as the most recently used one of its set. */
bool uarch_lookup_slowly(uint64_t *set, uint32_t ways, uint64_t tag);

static inline bool uarch_lookup(uint64_t *tags, const struct uarch_shape *shape, uint64_t number,
                                uint64_t stamp)
{
	uint64_t *set = uarch_set(tags, shape, number);
	uint64_t tag = uarch_tag(number, stamp);

	return *set == tag || uarch_lookup_slowly(set, shape->ways, tag);
}

/* Empties what is tagged with *stamp. */
void uarch_new_stamp(uint64_t *stamp, uint64_t *tags, uint32_t count);

/* An L1 missed: looks through L2 and the last level, counts references. Returns the stall. */
uint32_t uarch_fill_line(struct uarch *u, struct uarch_shared *s, uint64_t line);

void uarch_caches_reset(struct uarch *u, struct uarch_shared *s);

/* Return the stall: 0 if the page was there. */
uint32_t uarch_translate_code(struct uarch *u, uint64_t page);
uint32_t uarch_translate_data(struct uarch *u, uint64_t page);

void uarch_predictor_reset(struct uarch_predictor *p);

/* A branch retires: was it predicted wrong? Learns. */
bool uarch_predictor_retire(struct uarch *u, const struct model_insn *insn);

/* Sums stall for ever, however long a REP string instruction takes. */
static inline void uarch_add_cycles(uint32_t *sum, uint32_t cycles)
{
	*sum = cycles > UINT32_MAX - *sum ? UINT32_MAX : *sum + cycles;
}

#endif
