/* SPDX-License-Identifier: MIT */
/* Two cores, one line, and every state that they can bring it into: for the tests of coherence. */
#ifndef TESTS_UNIT_MODEL_CACHE_CACHES_LINES_H
#define TESTS_UNIT_MODEL_CACHE_CACHES_LINES_H

#include <tests/unit/model/cache/caches_cores.h>

enum { LINE_A = 0x10000, I = CACHE_I, S = CACHE_S, E = CACHE_E, M = CACHE_M };

static const struct cache_invented price = {
	.l2_cycles = 1, .llc_cycles = 10, .memory_cycles = 100, .walk_cycles = 0,
	.mispredict_cycles = 1000, .history_bits = 4, .direction_entries = 16,
	.pattern_entries = 16, .target_entries = 16, .return_entries = 2
};
static const struct cache_geometry three_levels = {
	.line_bytes = 64, .l1i = { 4, 2 }, .l1d = { 4, 2 }, .l2 = { 8, 2 }, .llc = { 64, 4 },
	.itlb = { 1, 1 }, .dtlb = { 1, 1 }, .invented = &price
};
static const struct cache_geometry two_levels = {
	.line_bytes = 64, .l1i = { 4, 2 }, .l1d = { 4, 2 }, .llc = { 64, 4 },
	.itlb = { 1, 1 }, .dtlb = { 1, 1 }, .invented = &price
};

static struct cores cores;

static inline void check_states(const char *what, unsigned first, unsigned second)
{
	check_eq_u64(what, state_of(&cores, 0, LINE_A), first);
	check_eq_u64(what, state_of(&cores, 1, LINE_A), second);
	check_true(what, is_coherent(&cores, LINE_A));
}

/* Brings core 0 and core 1 into these states of the line; both caches empty before. */
static inline void bring(const struct cache_geometry *geometry, unsigned packages, unsigned own,
                  unsigned other)
{
	cores_create(&cores, geometry, packages, 2 / packages);
	if (own == S || other == S) {
		do_access(&cores, 0, REFPMU_READ, LINE_A);
		do_access(&cores, 2, REFPMU_READ, LINE_A);
		if (own == I)
			cache_empty_core(&cores.core[0]);
		if (other == I)
			cache_empty_core(&cores.core[1]);
	} else if (own != I) {
		do_access(&cores, 0, own == M ? REFPMU_WRITE : REFPMU_READ, LINE_A);
	} else if (other != I) {
		do_access(&cores, 2, other == M ? REFPMU_WRITE : REFPMU_READ, LINE_A);
	}
	check_states("the start", own, other);
}

/* Every state that two cores can be in, and what a read of the first one makes of it. */
static const struct row {
	const char *what;
	unsigned own, other;
	unsigned own_read, other_read;         /* after a read; after a write it is always M, I */
} rows[] = {
	{ "nobody has it",         I, I, E, I },
	{ "the other one alone",   I, E, S, S },
	{ "the other one wrote",   I, M, S, S },
	{ "the other one shares",  I, S, S, S },
	{ "both share",            S, S, S, S },
	{ "shared, other is gone", S, I, S, I },
	{ "alone",                 E, I, E, I },
	{ "written",               M, I, M, I },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* L1D forgets a line that L2 keeps: 4 sets of 2 ways against 8 of 2. */
static inline void push_out_of_l1d(unsigned thread)
{
	do_access(&cores, thread, REFPMU_READ, LINE_A + 4 * 64);
	do_access(&cores, thread, REFPMU_READ, LINE_A + 12 * 64);
}

static inline void check_cost(const char *what, struct cache_cost cost, uint32_t references,
                       uint32_t misses, uint32_t cycles)
{
	check_eq_u64(what, cost.llc_references, references);
	check_eq_u64(what, cost.llc_misses, misses);
	check_eq_u64(what, cost.backend_cycles, cycles);
}

#endif
