/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests MESI between cores and between packages, by the protocol's definition (SDM 3A, "Cache
 * Control Protocol"): a write leaves no other copy, a read makes all copies shared.
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

/* Checks that a core's fetch shares a line, and that another core's write invalidates it. */
UNIT_TEST(code_is_shared_and_lost_like_data)
{
	bring(&three_levels, 1, M, I);
	do_fetch(&cores, 2, LINE_A);
	check_states("states after the other core's fetch", S, S);
	check_eq_u64("state in the other core's code cache", state_l1i(&cores, 1, LINE_A), S);
	do_access(&cores, 0, REFPMU_WRITE, LINE_A);
	check_states("states after a write", M, I);
	check_eq_u64("references of the second fetch",
	             do_fetch(&cores, 2, LINE_A).llc_references, 1);
	do_access(&cores, 0, REFPMU_WRITE, LINE_A);
	check_eq_u64("references of the third fetch, of the line fetched last",
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
			check_eq_u64("state after all cores have read",
			             state_of(&cores, i, LINE_A), S);
		do_access(&cores, 2 * writer, REFPMU_WRITE, LINE_A);
		for (unsigned i = 0; i < 3; i++)
			check_eq_u64("state after one core has written",
			             state_of(&cores, i, LINE_A), i == writer ? M : I);
		check_true("the caches are coherent", is_coherent(&cores, LINE_A));
	}
}

/* Each package has a last level of its own, which has the lines of the package's cores. */
UNIT_TEST(packages_agree_on_their_last_levels)
{
	cores_create(&cores, &three_levels, 2, 2);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	check_eq_u64("the first package's state after its own read",
	             state_llc(&cores, 0, LINE_A), E);
	do_access(&cores, 2, REFPMU_READ, LINE_A);
	check_eq_u64("the first package's state after two reads", state_llc(&cores, 0, LINE_A), E);
	do_access(&cores, 4, REFPMU_READ, LINE_A);
	check_eq_u64("the first package's state after both have read",
	             state_llc(&cores, 0, LINE_A), S);
	check_eq_u64("the second package's state after both have read",
	             state_llc(&cores, 1, LINE_A), S);
	do_access(&cores, 4, REFPMU_WRITE, LINE_A);
	check_eq_u64("the first package's state after the other's write",
	             state_llc(&cores, 0, LINE_A), I);
	check_eq_u64("the second package's state after its write", state_llc(&cores, 1, LINE_A), M);
	for (unsigned i = 0; i < 4; i++)
		check_eq_u64("the cores' states after the write",
		             state_of(&cores, i, LINE_A), i == 2 ? M : I);
	do_access(&cores, 6, REFPMU_READ, LINE_A);
	check_eq_u64("the second package's state after its own read",
	             state_llc(&cores, 1, LINE_A), M);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	check_eq_u64("the second package's state after the first one's read",
	             state_llc(&cores, 1, LINE_A), S);
	check_true("the caches are coherent", is_coherent(&cores, LINE_A));
}

/* ------------------------------------------------------------------------------ threads */

UNIT_TEST(threads_of_a_core_share_its_caches)
{
	cores_create(&cores, &three_levels, 1, 2);
	check_eq_u64("references of the first thread's write",
	             do_access(&cores, 0, REFPMU_WRITE, LINE_A).llc_references, 1);
	check_cost("cost of the second thread's access",
	           do_access(&cores, 1, REFPMU_READ_WRITE, LINE_A), 0, 0, 0);
	check_eq_u64("the core's state", state_of(&cores, 0, LINE_A), M);
	do_access(&cores, 2, REFPMU_READ, LINE_A);
	check_states("states after another core's read", S, S);
	check_cost("cost of the second thread's write",
	           do_access(&cores, 1, REFPMU_READ_WRITE, LINE_A), 0, 0, 10);
	check_states("states after the write", M, I);
}

UNIT_TEST(threads_of_a_core_evict_each_others_lines)
{
	cores_create(&cores, &three_levels, 1, 1);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	push_out_of_l1d(1);
	check_cost("cost of a read of a line that the other thread evicted",
	           do_access(&cores, 0, REFPMU_READ, LINE_A), 0, 0, 1);
}

UNIT_TEST(each_thread_has_its_own_tlb)
{
	static const struct cache_invented walks = { .walk_cycles = 7, .history_bits = 1,
		.direction_entries = 1, .pattern_entries = 1, .target_entries = 1,
		.return_entries = 1 };
	struct cache_geometry geometry = three_levels;

	geometry.invented = &walks;
	cores_create(&cores, &geometry, 1, 1);
	check_eq_u64("stall of the first thread's walk",
	             do_access(&cores, 0, REFPMU_READ, LINE_A).backend_cycles, 7);
	check_eq_u64("stall of the second thread's walk",
	             do_access(&cores, 1, REFPMU_READ, LINE_A).backend_cycles, 7);
	check_eq_u64("stall of the first thread's second access",
	             do_access(&cores, 0, REFPMU_READ, LINE_A).backend_cycles, 0);
	cache_tlb_flush(&cores.thread[1]);
	check_eq_u64("stall after the second thread's flush",
	             do_access(&cores, 0, REFPMU_READ, LINE_A).backend_cycles, 0);
}

/* ------------------------------------------------------------------------------ emptying */

UNIT_TEST(an_emptied_core_leaves_the_others_coherent)
{
	for (unsigned state = S; state <= M; state++) {
		bring(&three_levels, 1, state, state == S ? S : I);
		cache_empty_core(&cores.core[0]);
		check_states("states after core 0 was emptied", I, state == S ? S : I);
		do_access(&cores, 2, REFPMU_WRITE, LINE_A);
		check_states("states after the other core's write", I, M);
		check_eq_u64("references of the read that follows",
		             do_access(&cores, 0, REFPMU_READ, LINE_A).llc_references, 1);
		check_states("states after the read", S, S);
	}
}

UNIT_TEST(an_emptied_last_level_leaves_the_cores_coherent)
{
	for (unsigned packages = 1; packages <= 2; packages++)
		for (unsigned state = S; state <= M; state++) {
			bring(&three_levels, packages, state, state == S ? S : I);
			cache_empty_package(&cores.package[0]);
			check_true("the caches are coherent", is_coherent(&cores, LINE_A));
			check_eq_u64("references of the other core's read",
			             do_access(&cores, 2, REFPMU_READ, LINE_A).llc_references,
			             state == S ? 0 : 1);
			check_states("states after the read", S, S);
			do_access(&cores, 0, REFPMU_WRITE, LINE_A);
			check_states("states after the write", M, I);
		}
}

/* ------------------------------------------------------------------------------ passing by */

UNIT_TEST(a_thread_that_fills_no_cache_leaves_no_line)
{
	bring(&three_levels, 1, I, I);
	cores.thread[1].fills_core = cores.thread[1].fills_last = false;
	for (unsigned kind = REFPMU_READ; kind <= REFPMU_READ_WRITE; kind++) {
		do_access(&cores, 1, kind, LINE_A);
		do_fetch(&cores, 1, LINE_A);
		do_fetch(&cores, 1, LINE_A + 64);
		check_states("states: no cache has the line", I, I);
		check_eq_u64("state in the last level", state_llc(&cores, 0, LINE_A), I);
	}
	do_fetch(&cores, 0, LINE_A);
	do_fetch(&cores, 1, LINE_A);
	check_eq_u64("state in the sibling's code cache", state_l1i(&cores, 0, LINE_A), S);
}

UNIT_TEST(a_thread_that_fills_no_cache_changes_states)
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
	check_eq_u64("state in L2, which had the line", state_l2(&cores, 0, LINE_A), M);
	check_states("states after the write", M, I);
}

/*
 * Thread 2 fills the caches of its core, but not the last level, which a thread that counts uses.
 */
UNIT_TEST(a_thread_that_does_not_fill_the_last_level_changes_states_there)
{
	cores_create(&cores, &three_levels, 1, 2);
	cores.thread[2].fills_last = false;
	do_access(&cores, 2, REFPMU_READ, LINE_A);
	check_states("states after the read", I, E);
	check_eq_u64("state in the last level", state_llc(&cores, 0, LINE_A), I);
	do_access(&cores, 0, REFPMU_READ, LINE_A);
	check_states("states after both have read", S, S);
	do_access(&cores, 2, REFPMU_WRITE, LINE_A);
	check_states("states after the write", I, M);
	check_eq_u64("state in the last level after the write", state_llc(&cores, 0, LINE_A), M);
	cache_empty_core(&cores.core[1]);
	do_access(&cores, 2, REFPMU_WRITE, LINE_A);
	check_eq_u64("state in the last level after the second write",
	             state_llc(&cores, 0, LINE_A), M);
}

/* ------------------------------------------------------------------------------ at random */

/*
 * Makes random accesses, and checks that a line in state E or M is in no other cache, and that the
 * last writer has it.
 */
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
			check_eq_u64("the writer's state",
			             state_of(&cores, thread / 2, address), M);
		if (!check_true("the caches are coherent", is_coherent(&cores, address)))
			return;
	}
}

UNIT_TEST(random_accesses_leave_caches_coherent)
{
	run_at_random(&three_levels, 1, 4, 1);
	run_at_random(&three_levels, 2, 2, 2);
	run_at_random(&two_levels, 1, 4, 3);
	run_at_random(&two_levels, 2, 2, 4);
}

UNIT_MAIN()
