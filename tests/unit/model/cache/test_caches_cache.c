/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests caches: what fits hits, what does not fit misses, and which accesses are references. */
#include <arch/regs/table.h>
#include <tests/unit/model/cache/caches_machine.h>

/* The cycles differ in every digit, so that a sum shows its parts; the number of sets is no power
 * of two. */
static const struct cache_invented price = {
	.l2_cycles = 1, .llc_cycles = 10, .memory_cycles = 100, .walk_cycles = 0,
	.mispredict_cycles = 1000, .history_bits = 4, .direction_entries = 16,
	.pattern_entries = 16, .target_entries = 16, .return_entries = 2
};
static const struct cache_geometry tiny = {
	.line_bytes = 64, .l1i = { 1, 1 }, .l1d = { 1, 1 }, .l2 = { 1, 2 }, .llc = { 3, 2 },
	.itlb = { 1, 1 }, .dtlb = { 1, 1 }, .invented = &price
};

UNIT_TEST(data_that_fits_the_first_level_misses_once)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = walk(0, LINE, 512);

	check_llc("first walk over 32 KB", cost, 512, 512);
	check_eq_u64("stall of 512 lines from memory and 8 pages", cost.backend_cycles,
	             512u * g->invented->memory_cycles + 8u * g->invented->walk_cycles);
	check_free("second walk over 32 KB", walk(0, LINE, 512));
}

/* With LRU a walk over one line more than a set has ways never hits. */
UNIT_TEST(a_line_too_many_in_a_set_always_misses)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	check_llc("first walk over 9 lines of a set", walk(0, 64 * LINE, 9), 9, 9);
	for (unsigned round = 0; round < 3; round++) {
		cost = walk(0, 64 * LINE, 9);
		check_llc("later walk over 9 lines of a set of 8: L2 hits", cost, 0, 0);
		check_eq_u64("stall of 9 hits in L2",
		             cost.backend_cycles, 9u * g->invented->l2_cycles);
	}
	walk(0, 64 * LINE, 8);
	check_free("walk over 8 lines of the set", walk(0, 64 * LINE, 8));
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
	check_free("line 0 is still there", read4(0));
	check_eq_u64("line 1 was replaced", read4(LINE).llc_references, 1);
}

/* L1 holds one line, L2 two, L3 two in each of three sets: lines 0, 3, 6 share a set. */
UNIT_TEST(each_level_costs_its_own_cycles)
{
	start_with(&tiny);
	check_eq_u64("line 0 comes from memory", read4(0).backend_cycles, 100);
	check_eq_u64("line 3 comes from memory", read4(3 * LINE).backend_cycles, 100);
	check_eq_u64("line 0 comes from L2", read4(0).backend_cycles, 1);
	check_eq_u64("line 0 comes from L1", read4(0).backend_cycles, 0);
	check_eq_u64("line 1 comes from memory", read4(LINE).backend_cycles, 100);
	check_llc("line 3 has left L2, comes from L3", read4(3 * LINE), 1, 0);
	check_eq_u64("line 0 has left L2, comes from L3", read4(0).backend_cycles, 10);
	check_llc("line 6 comes from memory", read4(6 * LINE), 1, 1);
	check_llc("line 1 comes from another set of L3", read4(LINE), 1, 0);
	check_llc("line 3 was replaced in L3 by line 6", read4(3 * LINE), 1, 1);
}

/* 17 lines of one set of an L2 with 16 ways never hit L2. In L3 they are in 17 sets, or in one set
 * of 15 ways. */
UNIT_TEST(the_number_of_sets_need_not_be_a_power_of_two)
{
	const uint64_t l2_stride = 2048 * LINE, l3_stride = UINT64_C(90112) * LINE;

	start(SAPPHIRE_RAPIDS);
	check_llc("first walk over 17 sets of L3", walk(0, l2_stride, 17), 17, 17);
	check_llc("second walk over 17 sets of L3", walk(0, l2_stride, 17), 17, 0);
	start(SAPPHIRE_RAPIDS);
	check_llc("first walk over one set of L3", walk(0, l3_stride, 17), 17, 17);
	check_llc("second walk over one set of L3", walk(0, l3_stride, 17), 17, 17);
	check_llc("a line in the last set of L3", read4((90112 - 1) * LINE), 1, 1);
}

UNIT_TEST(without_l3_the_l2_is_the_last_level)
{
	const struct cache_geometry *g = start(PENRYN);
	struct cache_cost cost;

	check_llc("first walk over 64 KB", walk(0, LINE, 1024), 1024, 1024);
	cost = walk(0, LINE, 1024);
	check_llc("second walk over 64 KB", cost, 1024, 0);
	check_eq_u64("stall of hits in the last level",
	             cost.backend_cycles, 1024u * g->invented->llc_cycles);
	check_llc("25 lines of one set of 24; line 0 was there",
	          walk(0, 4096 * LINE, 25), 25, 24);
	check_llc("second walk over the 25 lines", walk(0, 4096 * LINE, 25), 25, 25);
}

UNIT_TEST(the_last_level_uses_all_of_its_lines)
{
	const unsigned lines = 8192 * 16;

	start(HASWELL);
	create(cache_geometry_find(HASWELL));
	for (unsigned i = 0; i < lines; i++)
		touch(REFPMU_READ, (uint64_t)i * LINE, 4);
	cache_drop(&thread);
	for (unsigned i = 0; i < lines; i++)
		touch(REFPMU_READ, (uint64_t)i * LINE, 4);
	check_llc("second walk over 8 MB, too much for L2 but not for L3; and CODE",
	          retire(CODE, 1), lines + 1, 1);
}

UNIT_TEST(stores_allocate_and_do_not_wait)
{
	start_with(&tiny);
	touch(REFPMU_WRITE, 0, 4);
	check_eq_u64("stall of a store", thread.pending.backend_cycles, 0);
	check_llc("references of a store", retire(CODE, 1), 1, 1);
	check_free("the stored line can be read at once", read4(0));
	touch(REFPMU_READ_WRITE, LINE, 4);
	check_eq_u64("stall of a read-write", retire(CODE, 1).backend_cycles, 100);
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
		{ "no byte",               0,   0, 0 },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		start(HASWELL);
		touch(REFPMU_READ, rows[i].offset, rows[i].size);
		check_llc(rows[i].what, retire(CODE, 1), rows[i].lines, rows[i].lines);
	}
}

UNIT_TEST(a_hit_of_the_last_line_covers_only_the_lines_own_bytes)
{
	start(HASWELL);
	read4(0);
	check_free("another byte of the line", read4(8));
	check_llc("an access beyond the line's end", read4(62), 1, 1);
	check_free("the same access again", read4(62));
	check_free("the next line's first byte", read4(LINE));
}

UNIT_TEST(code_and_data_meet_in_the_second_level)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = read4(CODE);

	check_llc("reading the line that was just executed", cost, 0, 0);
	check_eq_u64("stall of the read", cost.backend_cycles,
	             (unsigned)g->invented->l2_cycles + g->invented->walk_cycles);
	read4(0);
	cost = retire(0, 1);
	check_llc("executing the line that was just read", cost, 0, 0);
	check_eq_u64("stall of the fetch", cost.frontend_cycles,
	             (unsigned)g->invented->l2_cycles + g->invented->walk_cycles);
}

UNIT_TEST(instructions_are_fetched_by_lines)
{
	start_with(&tiny);
	check_free("an instruction in the same line", retire(CODE + 60, 4));
	check_llc("an instruction into the next line", retire(CODE + 63, 2), 1, 1);
	check_free("an instruction in that next line", retire(CODE + 65, 5));
	check_llc("an instruction across two new lines", retire(LINE - 1, 15), 2, 2);
	check_eq_u64("back to CODE, which L2 with two lines has lost",
	             retire(CODE, 1).frontend_cycles, 10);
	check_eq_u64("back to a line that L1I with one line has lost",
	             retire(LINE, 1).frontend_cycles, 1);
}

/* Jumps through all lines of an L1I of 64 sets and 8 ways. */
UNIT_TEST(code_that_fits_the_first_level_misses_once)
{
	uint32_t references = 0;

	create(cache_geometry_find(HASWELL));
	for (unsigned i = 0; i < 1024; i++)
		references += retire((i % 512) * LINE, 3).llc_references;
	check_eq_u64("references of two runs through 32 KB of code", references, 512);
}

UNIT_TEST(addresses_that_differ_in_bit_51_are_different_lines)
{
	start_with(&tiny);
	read4(0);
	cache_access(&thread, REFPMU_READ, 0, UINT64_C(1) << 51, 4, true);
	check_eq_u64("misses of the line whose bit 51 differs", retire(CODE, 1).llc_misses, 1);
	check_llc("the first line is still there", read4(0), 0, 0);
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
