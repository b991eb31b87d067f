/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests TLBs: how many pages they hold, what flushes them, and that they translate linear
 * addresses. */
#include <tests/unit/model/cache/caches_machine.h>

/* With this stride the lines of neighbouring pages lie in neighbouring sets, so all of them stay in
 * the caches. */
enum { NEXT_PAGE = PAGE + LINE };

UNIT_TEST(a_tlb_holds_as_many_pages_as_it_has_entries)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = walk(0, NEXT_PAGE, 64);

	check_eq_u64("stall of the first walk over 64 pages", cost.backend_cycles,
	             64u * (g->invented->memory_cycles + g->invented->walk_cycles));
	check_free("the second walk over 64 pages", walk(0, NEXT_PAGE, 64));
}

UNIT_TEST(a_page_too_many_in_a_set_always_walks)
{
	const struct cache_geometry *g = start(HASWELL);

	walk(0, 16 * PAGE, 5);
	for (unsigned round = 0; round < 3; round++)
		check_eq_u64("stall of a walk over 5 pages of a set of 4",
		             walk(0, 16 * PAGE, 5).backend_cycles, 5u * g->invented->walk_cycles);
	walk(0, 16 * PAGE, 4);
	check_free("a walk over 4 pages of the set", walk(0, 16 * PAGE, 4));
}

UNIT_TEST(a_flush_empties_only_the_tlbs)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	read4(0);
	check_free("a read before the flush", read4(0));
	cache_tlb_flush(&thread);
	cost = read4(0);
	check_llc("references after the flush", cost, 0, 0);
	check_eq_u64("stall of the data's walk", cost.backend_cycles, g->invented->walk_cycles);
	check_eq_u64("stall of the code's walk", cost.frontend_cycles, g->invented->walk_cycles);
	check_free("the next read", read4(0));
}

UNIT_TEST(a_store_waits_for_its_translation)
{
	const struct cache_geometry *g = start(HASWELL);

	touch(REFPMU_WRITE, 0, 4);
	check_eq_u64("stall of a store", retire(CODE, 1).backend_cycles, g->invented->walk_cycles);
}

UNIT_TEST(tlbs_go_by_linear_address_caches_by_physical)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost;

	read4(0);
	cache_access(&thread, REFPMU_READ, PAGE, 0, 4, true);
	cost = retire(CODE, 1);
	check_llc("references of a second linear address of a line", cost, 0, 0);
	check_eq_u64("stall of its walk", cost.backend_cycles, g->invented->walk_cycles);
	cache_access(&thread, REFPMU_READ, PAGE, LINE, 4, true);
	cost = retire(CODE, 1);
	check_llc("another line of that page", cost, 1, 1);
	check_eq_u64("stall of another line of that page",
	             cost.backend_cycles, g->invented->memory_cycles);
}

UNIT_TEST(code_has_its_own_tlb)
{
	const struct cache_geometry *g = start(ATOM);
	uint64_t cycles = 0;

	walk(CODE, PAGE, 64);
	check_free("code after 64 pages of data", retire(CODE, 1));
	for (unsigned i = 1; i < 32; i++)
		retire(CODE + i * NEXT_PAGE, 1);
	for (unsigned i = 0; i < 32; i++)
		cycles += retire(CODE + i * NEXT_PAGE, 1).frontend_cycles;
	check_eq_u64("stall of the second run through 32 pages", cycles, 0);
	retire(CODE + 32 * NEXT_PAGE, 1);
	check_eq_u64("stall of the page that the 33rd replaced", retire(CODE, 1).frontend_cycles,
	             g->invented->walk_cycles);
}

UNIT_TEST(an_instruction_across_pages_needs_both)
{
	const struct cache_geometry *g = start(HASWELL);
	struct cache_cost cost = retire(CODE + PAGE - 1, 2);

	check_llc("references of an instruction across two lines", cost, 2, 2);
	check_eq_u64("stall of two lines and one new page", cost.frontend_cycles,
	             2u * g->invented->memory_cycles + g->invented->walk_cycles);
}

UNIT_TEST(both_halves_of_the_address_space_have_pages_of_their_own)
{
	const struct cache_geometry *g = start(HASWELL);
	static const uint64_t pages[] = {
		0, UINT64_C(0xFFFF800000000000), UINT64_C(0x0000800000000000),
		UINT64_C(0xFF00000000000000)
	};

	for (unsigned i = 0; i < 4; i++) {
		cache_access(&thread, REFPMU_WRITE, pages[i], 0, 4, true);
		check_eq_u64("stall of the walk",
		             retire(CODE, 1).backend_cycles, g->invented->walk_cycles);
	}
	for (unsigned i = 0; i < 4; i++) {
		cache_access(&thread, REFPMU_WRITE, pages[i], 0, 4, true);
		check_free("the second read", retire(CODE, 1));
	}
}

UNIT_MAIN()
