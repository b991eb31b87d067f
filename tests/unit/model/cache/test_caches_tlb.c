/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* TLBs: their reach, what flushes them, and that they go by linear address. */
#include <tests/unit/model/cache/caches_machine.h>

/* Two pages' neighbouring lines lie in neighbouring sets: the caches never get in the way. */
enum { NEXT_PAGE = PAGE + LINE };

UNIT_TEST(as_many_pages_as_entries_stay)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = walk(0, NEXT_PAGE, 64);

	check_eq_u64("64 pages, cold", cost.backend_cycles,
	             64u * (g->invented->memory_cycles + g->invented->walk_cycles));
	check_free("64 pages, again", walk(0, NEXT_PAGE, 64));
}

UNIT_TEST(a_page_too_many_in_a_set_always_walks)
{
	const struct cache_geometry *g = start(HASWELL);

	walk(0, 16 * PAGE, 5);
	for (unsigned round = 0; round < 3; round++)
		check_eq_u64("5 pages of one set of 4", walk(0, 16 * PAGE, 5).backend_cycles,
		             5u * g->invented->walk_cycles);
	walk(0, 16 * PAGE, 4);
	check_free("4 pages of it", walk(0, 16 * PAGE, 4));
}

UNIT_TEST(a_flush_empties_the_tlbs_only)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	read4(0);
	check_free("before", read4(0));
	cache_tlb_flush(&thread);
	cost = read4(0);
	check_llc("data and code", cost, 0, 0);
	check_eq_u64("the data's page", cost.backend_cycles, g->invented->walk_cycles);
	check_eq_u64("the code's page", cost.frontend_cycles, g->invented->walk_cycles);
	check_free("after", read4(0));
}

UNIT_TEST(a_store_waits_for_its_translation)
{
	const struct cache_geometry *g = start(HASWELL);

	touch(REFPMU_WRITE, 0, 4);
	check_eq_u64("stall", retire(CODE, 1).backend_cycles, g->invented->walk_cycles);
}

UNIT_TEST(tlbs_go_by_linear_address_caches_by_physical)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	read4(0);
	cache_access(&thread, REFPMU_READ, PAGE, 0, 4, true);
	cost = retire(CODE, 1);
	check_llc("a second name of a line", cost, 0, 0);
	check_eq_u64("its page", cost.backend_cycles, g->invented->walk_cycles);
	cache_access(&thread, REFPMU_READ, PAGE, LINE, 4, true);
	cost = retire(CODE, 1);
	check_llc("another line", cost, 1, 1);
	check_eq_u64("in the page just used", cost.backend_cycles, g->invented->memory_cycles);
}

UNIT_TEST(code_has_its_own_tlb)
{
	const struct cache_geometry *g = start(ATOM);
	uint64_t cycles = 0;

	walk(CODE, PAGE, 64);
	check_free("64 pages of data", retire(CODE, 1));
	for (unsigned i = 1; i < 32; i++)
		retire(CODE + i * NEXT_PAGE, 1);
	for (unsigned i = 0; i < 32; i++)
		cycles += retire(CODE + i * NEXT_PAGE, 1).frontend_cycles;
	check_eq_u64("32 pages of 32, again", cycles, 0);
	retire(CODE + 32 * NEXT_PAGE, 1);
	check_eq_u64("the 33rd replaced the oldest", retire(CODE, 1).frontend_cycles,
	             g->invented->walk_cycles);
}

UNIT_TEST(an_instruction_across_pages_needs_both)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = retire(CODE + PAGE - 1, 2);

	check_llc("two lines", cost, 2, 2);
	check_eq_u64("two lines, one new page", cost.frontend_cycles,
	             2u * g->invented->memory_cycles + g->invented->walk_cycles);
}

UNIT_TEST(the_halves_of_the_address_space_are_told_apart)
{
	const struct cache_geometry *g = start(HASWELL);
	static const uint64_t pages[] = {
		0, UINT64_C(0xFFFF800000000000), UINT64_C(0x0000800000000000),
		UINT64_C(0xFF00000000000000)
	};

	for (unsigned i = 0; i < 4; i++) {
		cache_access(&thread, REFPMU_WRITE, pages[i], 0, 4, true);
		check_eq_u64("walk", retire(CODE, 1).backend_cycles, g->invented->walk_cycles);
	}
	for (unsigned i = 0; i < 4; i++) {
		cache_access(&thread, REFPMU_WRITE, pages[i], 0, 4, true);
		check_free("again", retire(CODE, 1));
	}
}

UNIT_MAIN()
