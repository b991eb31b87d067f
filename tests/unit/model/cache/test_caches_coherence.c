/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * MESI between cores and between packages, from the protocol's definition (SDM 3A, "Cache Control
 * Protocol"): a write leaves no other copy, a read makes all copies shared.
 */
#include <tests/unit/model/cache/caches_lines.h>

static void check_table(const struct cache_geometry *geometry, unsigned packages)
{
	for (const struct row *row = rows; row < rows + ROWS; row++) {
		bring(geometry, packages, row->own, row->other);
		do_access(&cores, 0, REFPMU_READ, LINE_A);
		check_states(row->what, row->own_read, row->other_read);
		bring(geometry, packages, row->own, row->other);
		do_access(&cores, 0, REFPMU_WRITE, LINE_A);
		check_states(row->what, M, I);
		bring(geometry, packages, row->own, row->other);
		do_access(&cores, 0, REFPMU_READ_WRITE, LINE_A);
		check_states(row->what, M, I);
	}
}

UNIT_TEST(two_cores_of_a_package_with_three_levels)
{
	check_table(&three_levels, 1);
}

UNIT_TEST(two_cores_of_a_package_with_two_levels)
{
	check_table(&two_levels, 1);
}

UNIT_TEST(two_packages_with_three_levels)
{
	check_table(&three_levels, 2);
}

UNIT_TEST(two_packages_with_two_levels)
{
	check_table(&two_levels, 2);
}

/* Invalid after a shared start stays invalid: the line was shared with a copy that has left. */
UNIT_TEST(code_is_shared_and_lost_like_data)
{
	bring(&three_levels, 1, M, I);
	do_fetch(&cores, 2, LINE_A);
	check_states("fetched by the other one", S, S);
	check_eq_u64("in its code cache", state_l1i(&cores, 1, LINE_A), S);
	do_access(&cores, 0, REFPMU_WRITE, LINE_A);
	check_states("written", M, I);
	check_eq_u64("fetched anew", do_fetch(&cores, 2, LINE_A).llc_references, 1);
	do_access(&cores, 0, REFPMU_WRITE, LINE_A);
	check_eq_u64("fetched anew, the line that it stood in",
	             do_fetch(&cores, 2, LINE_A).llc_references, 1);
}

UNIT_TEST(three_cores_share_and_one_takes_it)
{
	for (unsigned writer = 0; writer < 3; writer++) {
		cores_create(&cores, &three_levels, 1, 3);
		do_access(&cores, 0, REFPMU_WRITE, LINE_A);
		for (unsigned i = 0; i < 3; i++)
			do_access(&cores, 2 * i, REFPMU_READ, LINE_A);
		for (unsigned i = 0; i < 3; i++)
			check_eq_u64("all read it", state_of(&cores, i, LINE_A), S);
		do_access(&cores, 2 * writer, REFPMU_WRITE, LINE_A);
		for (unsigned i = 0; i < 3; i++)
			check_eq_u64("one wrote it", state_of(&cores, i, LINE_A),
			             i == writer ? M : I);
		check_true("coherent", is_coherent(&cores, LINE_A));
	}
}

/* The last level of a package is its own, and it has what its cores have. */
UNIT_TEST(packages_agree_on_their_last_levels)
{
	cores_create(&cores, &three_levels, 2, 2);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	check_eq_u64("one package", state_llc(&cores, 0, LINE_A), E);
	do_access(&cores, 2, REFPMU_READ, LINE_A);
	check_eq_u64("two cores of one package: it has it alone", state_llc(&cores, 0, LINE_A), E);
	do_access(&cores, 4, REFPMU_READ, LINE_A);
	check_eq_u64("both packages", state_llc(&cores, 0, LINE_A), S);
	check_eq_u64("both packages", state_llc(&cores, 1, LINE_A), S);
	do_access(&cores, 4, REFPMU_WRITE, LINE_A);
	check_eq_u64("the other one wrote", state_llc(&cores, 0, LINE_A), I);
	check_eq_u64("the other one wrote", state_llc(&cores, 1, LINE_A), M);
	for (unsigned i = 0; i < 4; i++)
		check_eq_u64("the cores", state_of(&cores, i, LINE_A), i == 2 ? M : I);
	do_access(&cores, 6, REFPMU_READ, LINE_A);
	check_eq_u64("read within its package", state_llc(&cores, 1, LINE_A), M);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	check_eq_u64("and by the first one", state_llc(&cores, 1, LINE_A), S);
	check_true("coherent", is_coherent(&cores, LINE_A));
}

/* ------------------------------------------------------------------------------ threads */

UNIT_TEST(threads_of_a_core_share_its_caches)
{
	cores_create(&cores, &three_levels, 1, 2);
	check_eq_u64("one thread", do_access(&cores, 0, REFPMU_WRITE, LINE_A).llc_references, 1);
	check_cost("the other one", do_access(&cores, 1, REFPMU_READ_WRITE, LINE_A), 0, 0, 0);
	check_eq_u64("state", state_of(&cores, 0, LINE_A), M);
	do_access(&cores, 2, REFPMU_READ, LINE_A);
	check_states("another core read", S, S);
	check_cost("written by the other thread", do_access(&cores, 1, REFPMU_READ_WRITE, LINE_A),
	           0, 0, 10);
	check_states("written", M, I);
}

UNIT_TEST(threads_of_a_core_evict_each_others_lines)
{
	cores_create(&cores, &three_levels, 1, 1);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	push_out_of_l1d(1);
	check_cost("pushed out by the other thread", do_access(&cores, 0, REFPMU_READ, LINE_A),
	           0, 0, 1);
}

UNIT_TEST(each_thread_has_its_own_tlb)
{
	static const struct cache_invented walks = { .walk_cycles = 7, .history_bits = 1,
		.direction_entries = 1, .pattern_entries = 1, .target_entries = 1,
		.return_entries = 1 };
	struct cache_geometry geometry = three_levels;

	geometry.invented = &walks;
	cores_create(&cores, &geometry, 1, 1);
	check_eq_u64("one", do_access(&cores, 0, REFPMU_READ, LINE_A).backend_cycles, 7);
	check_eq_u64("the other", do_access(&cores, 1, REFPMU_READ, LINE_A).backend_cycles, 7);
	check_eq_u64("one again", do_access(&cores, 0, REFPMU_READ, LINE_A).backend_cycles, 0);
	cache_tlb_flush(&cores.thread[1]);
	check_eq_u64("the other flushed", do_access(&cores, 0, REFPMU_READ, LINE_A).backend_cycles,
	             0);
}

/* ------------------------------------------------------------------------------ emptying */

UNIT_TEST(an_emptied_core_leaves_the_others_coherent)
{
	for (unsigned state = S; state <= M; state++) {
		bring(&three_levels, 1, state, state == S ? S : I);
		cache_empty_core(&cores.core[0]);
		check_states("emptied", I, state == S ? S : I);
		do_access(&cores, 2, REFPMU_WRITE, LINE_A);
		check_states("the other one writes", I, M);
		check_eq_u64("and it is read",
		             do_access(&cores, 0, REFPMU_READ, LINE_A).llc_references, 1);
		check_states("and read", S, S);
	}
}

UNIT_TEST(an_emptied_last_level_leaves_the_cores_coherent)
{
	for (unsigned packages = 1; packages <= 2; packages++)
		for (unsigned state = S; state <= M; state++) {
			bring(&three_levels, packages, state, state == S ? S : I);
			cache_empty_package(&cores.package[0]);
			check_true("coherent", is_coherent(&cores, LINE_A));
			check_eq_u64("the other one reads",
			             do_access(&cores, 2, REFPMU_READ, LINE_A).llc_references,
			             state == S ? 0 : 1);
			check_states("read", S, S);
			do_access(&cores, 0, REFPMU_WRITE, LINE_A);
			check_states("written", M, I);
		}
}

/* ------------------------------------------------------------------------------ passing by */

UNIT_TEST(who_passes_by_leaves_no_line)
{
	bring(&three_levels, 1, I, I);
	cores.thread[1].fills_core = cores.thread[1].fills_last = false;
	for (unsigned kind = REFPMU_READ; kind <= REFPMU_READ_WRITE; kind++) {
		do_access(&cores, 1, kind, LINE_A);
		do_fetch(&cores, 1, LINE_A);
		do_fetch(&cores, 1, LINE_A + 64);
		check_states("nothing", I, I);
		check_eq_u64("nothing", state_llc(&cores, 0, LINE_A), I);
	}
	do_fetch(&cores, 0, LINE_A);
	do_fetch(&cores, 1, LINE_A);
	check_eq_u64("its sibling's code", state_l1i(&cores, 0, LINE_A), S);
}

UNIT_TEST(who_passes_by_changes_states)
{
	for (const struct row *row = rows; row < rows + ROWS; row++)
		for (unsigned packages = 1; packages <= 2; packages++) {
			bring(&three_levels, packages, row->own, row->other);
			cores.thread[1].fills_core = cores.thread[1].fills_last = false;
			do_access(&cores, 1, REFPMU_READ, LINE_A);
			check_states(row->what, row->own, row->other && row->own == I ? S :
			             row->other);
			do_access(&cores, 1, REFPMU_WRITE, LINE_A);
			check_states(row->what, row->own == I ? I : M, I);
		}
	bring(&three_levels, 1, S, S);
	push_out_of_l1d(0);
	cores.thread[1].fills_core = false;
	do_access(&cores, 1, REFPMU_WRITE, LINE_A);
	check_eq_u64("what L2 has is written", state_l2(&cores, 0, LINE_A), M);
	check_states("written", M, I);
}

/* Its own caches it fills, not the last level that somebody else uses. */
UNIT_TEST(who_does_not_fill_the_last_level_changes_states_there)
{
	cores_create(&cores, &three_levels, 1, 2);
	cores.thread[2].fills_last = false;
	do_access(&cores, 2, REFPMU_READ, LINE_A);
	check_states("read", I, E);
	check_eq_u64("the last level", state_llc(&cores, 0, LINE_A), I);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	check_states("read by both", S, S);
	do_access(&cores, 2, REFPMU_WRITE, LINE_A);
	check_states("written", I, M);
	check_eq_u64("the last level", state_llc(&cores, 0, LINE_A), M);
	cache_empty_core(&cores.core[1]);
	do_access(&cores, 2, REFPMU_WRITE, LINE_A);
	check_eq_u64("the last level", state_llc(&cores, 0, LINE_A), M);
}

/* ------------------------------------------------------------------------------ at random */

/* Whatever happens, who has a line alone has it alone; and who wrote it last had it. */
static void run_at_random(const struct cache_geometry *geometry, unsigned packages,
                          unsigned cores_each, uint32_t x)
{
	cores_create(&cores, geometry, packages, cores_each);
	for (unsigned i = 0; i < 20000; i++) {
		unsigned thread, kind;
		uint64_t address;

		x = x * 1664525 + 1013904223;
		thread = (x >> 20) % (2 * cores.cores);
		address = LINE_A + (x >> 10) % 40 * 64;
		kind = (x >> 24) % 4;
		cores.thread[thread].fills_core = x & 0x200000;
		cores.thread[thread].fills_last = x & 0x400000;
		if (x >> 28 == 0)
			cache_empty_core(&cores.core[thread / 2]);
		else if (kind == 3)
			do_fetch(&cores, thread, address);
		else
			do_access(&cores, thread, kind, address);
		if (kind == REFPMU_WRITE && x >> 28 && cores.thread[thread].fills_core)
			check_eq_u64("the writer has it", state_of(&cores, thread / 2, address), M);
		if (!check_true("coherent", is_coherent(&cores, address)))
			return;
	}
}

UNIT_TEST(whatever_happens_caches_agree)
{
	run_at_random(&three_levels, 1, 4, 1);
	run_at_random(&three_levels, 2, 2, 2);
	run_at_random(&two_levels, 1, 4, 3);
	run_at_random(&two_levels, 2, 2, 4);
}

UNIT_MAIN()
