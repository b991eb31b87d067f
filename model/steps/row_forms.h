/* SPDX-License-Identifier: MIT */
/* Defines short forms for the rows of event_rows.h. */
#ifndef MODEL_STEPS_ROW_FORMS_H
#define MODEL_STEPS_ROW_FORMS_H

#include <model/state/event_rows.h>

/* The counters of a row that adds to one before it, which has the event's. */
#define ALL_COUNTERS 0xffff

#define ROW(event, on, in, ...) \
	{ .select = (event), .counters = (on), .models = (in), __VA_ARGS__ }
/* The first of several rows that add up, which counts nothing by itself, and the rows. */
#define SUM(event, on, in) ROW(event, on, in, .kind = EVENT_NOTHING)
#define BIT_OF(bit, ...) \
	{ .counters = ALL_COUNTERS, .adds = true, .umask_bits = (bit), .umask = (bit), __VA_ARGS__ }
#define ALSO(...) { .counters = ALL_COUNTERS, .adds = true, __VA_ARGS__ }

#define ONE               .kind = EVENT_ONE
#define FIELDS(...)       .kind = EVENT_FIELDS, .field = { __VA_ARGS__ }
#define WHILE(what)       .kind = EVENT_CYCLES, .cycles = (what)
#define IF(what)          .condition = (what)
#define TRAITS(what)      .traits = (what)
#define WITHOUT(what)     .without = (what)
#define BRANCH(what)      .branches = (what)
#define ENTRIES(interrupt) \
	.entries = ENTRY_INTERRUPT | ENTRY_EXCEPTION, .interrupt_weight = (interrupt)
#define BUS(what)         .kind = EVENT_BUS, .bus = (what)
#define VALUE_OF(bits, number, ...) \
	{ .counters = ALL_COUNTERS, .adds = true, .umask_bits = (bits), .umask = (number), \
	  ONE, __VA_ARGS__ }
#define L2_OF(what, which) .kind = EVENT_L2, .requests = (what), .states = (which)

#define KIND(branch)  (1u << REFPMU_##branch)
#define EVERY (~KIND(NO_BRANCH))
#define FAR   (KIND(FAR_JMP) | KIND(FAR_CALL) | KIND(FAR_RET) | KIND(INT) | KIND(IRET) | \
               KIND(SYSCALL) | KIND(SYSRET) | KIND(SYSENTER) | KIND(SYSEXIT))
#define INDIRECT (KIND(JMP_INDIRECT) | KIND(CALL_INDIRECT))

#define UNCONDITIONAL (INDIRECT | KIND(JMP) | KIND(CALL) | KIND(RET))

#define FETCH (1u << CACHE_FETCH)
#define DATA  (1u << CACHE_LOAD | 1u << CACHE_STORE)
#define MISS  (1u << CACHE_I)
#define HIT   (1u << CACHE_S | 1u << CACHE_E | 1u << CACHE_M)
#define SSE    REFPMU_TRAIT_SSE
#define SCALAR REFPMU_TRAIT_SSE_SCALAR

/* Prefetches by their hint: NTA is 0, a store 3. */
#define HINT(n) REFPMU_TRAIT_SSE_HINT(n)

#endif
