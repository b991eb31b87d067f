/* SPDX-License-Identifier: MIT */
/* Brings a line of two cores into every possible state, for the tests of coherence. */
#ifndef TESTS_UNIT_MODEL_CACHE_CACHES_LINES_H
#define TESTS_UNIT_MODEL_CACHE_CACHES_LINES_H

#include <arch/regs/table.h>
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

/* Brings core 0 and core 1 into these states of the line. Both cores' caches are empty before. */
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
	check_states("states at the start", own, other);
}

/* Lists the states that two cores can be in, and the states after a read by the first one. */
static const struct row {
	const char *what;
	unsigned own, other;
	unsigned own_read, other_read;         /* after a read; after a write it is always M, I */
} rows[] = {
	{ "own I, other I", I, I, E, I },
	{ "own I, other E", I, E, S, S },
	{ "own I, other M", I, M, S, S },
	{ "own I, other S", I, S, S, S },
	{ "own S, other S", S, S, S, S },
	{ "own S, other I", S, I, S, I },
	{ "own E, other I", E, I, E, I },
	{ "own M, other I", M, I, M, I },
};
enum { ROWS = COUNT_OF(rows) };

/* Evicts LINE_A from L1D, but not from L2, which has 8 sets of 2 ways instead of 4. */
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
