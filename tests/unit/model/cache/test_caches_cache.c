/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Caches: what fits hits, what does not misses, and who counts as a reference. */
#include <tests/unit/model/cache/caches_machine.h>

/* Cycles that differ in every digit, so that a sum shows its parts; and sets that are no 2^n. */
static const struct cache_invented price = {
	.l2_cycles = 1, .llc_cycles = 10, .memory_cycles = 100, .walk_cycles = 0,
	.mispredict_cycles = 1000, .history_bits = 4, .direction_entries = 16,
	.pattern_entries = 16, .target_entries = 16, .return_entries = 2
};
static const struct cache_geometry tiny = {
	.line_bytes = 64, .l1i = { 1, 1 }, .l1d = { 1, 1 }, .l2 = { 1, 2 }, .llc = { 3, 2 },
	.itlb = { 1, 1 }, .dtlb = { 1, 1 }, .invented = &price
};

UNIT_TEST(what_fits_the_first_level_misses_once)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = walk(0, LINE, 512);

	check_llc("32 KB, cold", cost, 512, 512);
	check_eq_u64("512 lines from memory, 8 pages", cost.backend_cycles,
	             512u * g->invented->memory_cycles + 8u * g->invented->walk_cycles);
	check_free("32 KB, again", walk(0, LINE, 512));
}

/* With LRU a walk over one line more than a set has ways finds none of them, ever. */
UNIT_TEST(a_line_too_many_in_a_set_always_misses)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	check_llc("9 lines, cold", walk(0, 64 * LINE, 9), 9, 9);
	for (unsigned round = 0; round < 3; round++) {
		cost = walk(0, 64 * LINE, 9);
		check_llc("9 lines of one set of 8: L2 has them", cost, 0, 0);
		check_eq_u64("stall", cost.backend_cycles, 9u * g->invented->l2_cycles);
	}
	walk(0, 64 * LINE, 8);
	check_free("8 lines of it", walk(0, 64 * LINE, 8));
}

UNIT_TEST(the_least_recently_used_line_leaves)
{
	static const struct cache_geometry two_ways = {
		.line_bytes = 64, .l1i = { 1, 1 }, .l1d = { 1, 2 }, .llc = { 4, 2 },
		.itlb = { 1, 1 }, .dtlb = { 1, 1 }, .invented = &price
	};

	start_with(&two_ways);
	walk(0, LINE, 2);
	read4(0);                       /* 0 is now younger than 1 */
	read4(2 * LINE);                /* replaces 1 */
	check_free("line 0", read4(0));
	check_eq_u64("line 1", read4(LINE).llc_references, 1);
}

/* L1 holds one line, L2 two, L3 two in each of three sets: lines 0, 3, 6 share a set. */
UNIT_TEST(each_level_answers_for_its_own)
{
	start_with(&tiny);
	check_eq_u64("line 0: memory", read4(0).backend_cycles, 100);
	check_eq_u64("line 3: memory", read4(3 * LINE).backend_cycles, 100);
	check_eq_u64("line 0: L2", read4(0).backend_cycles, 1);
	check_eq_u64("line 0: L1", read4(0).backend_cycles, 0);
	check_eq_u64("line 1: memory", read4(LINE).backend_cycles, 100);
	check_llc("line 3: left L2, in L3", read4(3 * LINE), 1, 0);
	check_eq_u64("line 0: left L2, in L3", read4(0).backend_cycles, 10);
	check_llc("line 6: memory", read4(6 * LINE), 1, 1);
	check_llc("line 1: another set of L3", read4(LINE), 1, 0);
	check_llc("line 3: left L3 for line 6", read4(3 * LINE), 1, 1);
}

/* 17 lines of one set of an L2 with 16 ways: never in L2. In L3 they have 17 sets, or one of 15. */
UNIT_TEST(sets_may_be_no_power_of_two)
{
	const uint64_t l2_stride = 2048 * LINE, l3_stride = UINT64_C(90112) * LINE;

	start(SAPPHIRE_RAPIDS);
	check_llc("17 sets, cold", walk(0, l2_stride, 17), 17, 17);
	check_llc("17 sets, again", walk(0, l2_stride, 17), 17, 0);
	start(SAPPHIRE_RAPIDS);
	check_llc("one set, cold", walk(0, l3_stride, 17), 17, 17);
	check_llc("one set, again", walk(0, l3_stride, 17), 17, 17);
	check_llc("its last set", read4((90112 - 1) * LINE), 1, 1);
}

UNIT_TEST(without_l3_the_l2_is_the_last_level)
{
	const struct cache_geometry *g = start(PENRYN);
	struct cache_cost cost;

	check_llc("64 KB, cold", walk(0, LINE, 1024), 1024, 1024);
	cost = walk(0, LINE, 1024);
	check_llc("64 KB, again", cost, 1024, 0);
	check_eq_u64("stall", cost.backend_cycles, 1024u * g->invented->llc_cycles);
	check_llc("25 lines of one set of 24, line 0 still there",
	          walk(0, 4096 * LINE, 25), 25, 24);
	check_llc("25 lines, again", walk(0, 4096 * LINE, 25), 25, 25);
}

UNIT_TEST(the_last_level_is_full_when_it_is_full)
{
	const unsigned lines = 8192 * 16;

	start(HASWELL);
	create(cache_geometry_find(HASWELL));
	for (unsigned i = 0; i < lines; i++)
		touch(REFPMU_READ, (uint64_t)i * LINE, 4);
	cache_drop(&thread);
	for (unsigned i = 0; i < lines; i++)
		touch(REFPMU_READ, (uint64_t)i * LINE, 4);
	check_llc("8 MB, again: too much for L2, not for L3; and CODE", retire(CODE, 1),
	          lines + 1, 1);
}

UNIT_TEST(stores_allocate_and_do_not_wait)
{
	start_with(&tiny);
	touch(REFPMU_WRITE, 0, 4);
	check_eq_u64("stall of a store", thread.pending.backend_cycles, 0);
	check_llc("a store", retire(CODE, 1), 1, 1);
	check_free("reading what was written", read4(0));
	touch(REFPMU_READ_WRITE, LINE, 4);
	check_eq_u64("stall of a read that is written", retire(CODE, 1).backend_cycles, 100);
}

UNIT_TEST(an_access_may_span_lines)
{
	static const struct {
		const char *what;
		uint64_t offset;
		unsigned size, lines;
	} rows[] = {
		{ "the last bytes of a line",    60,   4, 1 },
		{ "a byte into the next line",   61,   4, 2 },
		{ "a whole line",                 0,  64, 1 },
		{ "a line's size, misaligned",    1,  64, 2 },
		{ "512 bytes, aligned",           0, 512, 8 },
		{ "512 bytes, misaligned",       16, 512, 9 },
		{ "no byte at all",               0,   0, 0 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start(HASWELL);
		touch(REFPMU_READ, rows[i].offset, rows[i].size);
		check_llc(rows[i].what, retire(CODE, 1), rows[i].lines, rows[i].lines);
	}
}

UNIT_TEST(the_line_just_used_counts_for_its_own_bytes_only)
{
	start(HASWELL);
	read4(0);
	check_free("another byte of it", read4(8));
	check_llc("across its end", read4(62), 1, 1);
	check_free("back, across its end", read4(62));
	check_free("the end's other side", read4(LINE));
}

UNIT_TEST(code_and_data_meet_in_the_second_level)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = read4(CODE);

	check_llc("reading the line just executed", cost, 0, 0);
	check_eq_u64("stall", cost.backend_cycles,
	             (unsigned)g->invented->l2_cycles + g->invented->walk_cycles);
	read4(0);
	cost = retire(0, 1);
	check_llc("executing the line just read", cost, 0, 0);
	check_eq_u64("stall", cost.frontend_cycles,
	             (unsigned)g->invented->l2_cycles + g->invented->walk_cycles);
}

UNIT_TEST(instructions_are_fetched_by_the_line)
{
	start_with(&tiny);
	check_free("in the line just fetched", retire(CODE + 60, 4));
	check_llc("into the next line", retire(CODE + 63, 2), 1, 1);
	check_free("which then is the line to stay in", retire(CODE + 65, 5));
	check_llc("two new lines", retire(LINE - 1, 15), 2, 2);
	check_eq_u64("back: L2 has only two", retire(CODE, 1).frontend_cycles, 10);
	check_eq_u64("L1I holds but one", retire(LINE, 1).frontend_cycles, 1);
}

/* An L1I of 64 sets and 8 ways, jumped through. */
UNIT_TEST(code_that_fits_the_first_level_misses_once)
{
	uint32_t references = 0;

	create(cache_geometry_find(HASWELL));
	for (unsigned i = 0; i < 1024; i++)
		references += retire((i % 512) * LINE, 3).llc_references;
	check_eq_u64("32 KB of code, twice", references, 512);
}

UNIT_TEST(addresses_of_52_bits_are_told_apart)
{
	start_with(&tiny);
	read4(0);
	cache_access(&thread, REFPMU_READ, 0, UINT64_C(1) << 51, 4, true);
	check_eq_u64("bit 51 differs", retire(CODE, 1).llc_misses, 1);
	check_llc("the first one", read4(0), 0, 0);
}

UNIT_TEST(cores_share_the_last_level)
{
	static struct caches other;
	static struct cache_core other_core;
	static uint64_t other_memory[2048], other_core_memory[1 << 16];
	struct cache_cost cost;
	struct refpmu_insn insn = { .ip = CODE, .length = 1 };

	start(HASWELL);
	cache_core_create(&other_core, &package, package.geometry, other_core_memory);
	cache_create(&other, &other_core, 0, other_memory);
	read4(0);
	cache_access(&other, REFPMU_READ, 0, 0, 4, true);
	cache_retire(&other, &insn, &cost);
	check_llc("the other core's data and code", cost, 2, 0);
}

UNIT_MAIN()
