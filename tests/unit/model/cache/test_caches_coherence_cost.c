/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests what MESI costs: references to the last level, stalls, and requests to L2. */
#include <tests/unit/model/cache/caches_lines.h>

/* ------------------------------------------------------------------------------ stalls */

UNIT_TEST(a_line_written_by_two_cores_in_turn_is_a_reference_each_time)
{
	cores_create(&cores, &three_levels, 1, 2);
	do_access(&cores, 0, REFPMU_WRITE, LINE_A);
	for (unsigned i = 0; i < 6; i++) {
		unsigned thread = i & 1 ? 0 : 2;

		check_cost("cost of a write",
		           do_access(&cores, thread, REFPMU_READ_WRITE, LINE_A), 1, 0, 10);
		check_cost("cost of a second write",
		           do_access(&cores, thread, REFPMU_READ_WRITE, LINE_A), 0, 0, 0);
	}
}

UNIT_TEST(a_line_written_by_two_packages_in_turn_misses_each_time)
{
	cores_create(&cores, &three_levels, 2, 1);
	do_access(&cores, 0, REFPMU_WRITE, LINE_A);
	for (unsigned i = 0; i < 6; i++)
		check_cost("cost of a write",
		           do_access(&cores, i & 1 ? 0 : 2, REFPMU_READ_WRITE, LINE_A), 1, 1, 100);
}

UNIT_TEST(a_write_to_a_shared_line_waits_only_if_it_also_reads)
{
	bring(&three_levels, 1, S, S);
	check_cost("cost of a store to a shared line",
	           do_access(&cores, 0, REFPMU_WRITE, LINE_A), 0, 0, 0);
	bring(&three_levels, 1, S, S);
	check_cost("cost of a read-write of a shared line",
	           do_access(&cores, 0, REFPMU_READ_WRITE, LINE_A), 0, 0, 10);
	bring(&three_levels, 1, E, I);
	check_cost("cost of a read-write of an exclusive line",
	           do_access(&cores, 0, REFPMU_READ_WRITE, LINE_A), 0, 0, 0);
}

UNIT_TEST(a_line_of_another_core_is_found_in_the_last_level)
{
	for (unsigned state = S; state <= M; state++) {
		bring(&three_levels, 1, I, state);
		check_cost("cost of a read", do_access(&cores, 0, REFPMU_READ, LINE_A), 1, 0, 10);
	}
}

UNIT_TEST(a_line_that_l2_keeps_has_its_state)
{
	static const struct { unsigned own, other; } starts[] = {
		{ E, I }, { M, I }, { S, S }, { S, I }
	};

	for (unsigned i = 0; i < 4; i++) {
		bring(&three_levels, 1, starts[i].own, starts[i].other);
		push_out_of_l1d(0);
		check_eq_u64("state in L1D, which lost the line", state_l1d(&cores, 0, LINE_A), I);
		check_eq_u64("state in L2, which kept the line",
		             state_l2(&cores, 0, LINE_A), starts[i].own);
		check_cost("cost of a read", do_access(&cores, 0, REFPMU_READ, LINE_A), 0, 0, 1);
		check_states("states after the read", starts[i].own, starts[i].other);
		push_out_of_l1d(0);
		check_cost("cost of a read-write",
		           do_access(&cores, 0, REFPMU_READ_WRITE, LINE_A), 0,
		           0, starts[i].own == S ? 11 : 1);
		check_states("states after the read-write", M, I);
		check_eq_u64("state in L2", state_l2(&cores, 0, LINE_A), M);
	}
}

/* ------------------------------------------------------------------------------ requests to L2 */

static void check_l2(const char *what, struct cache_cost cost, unsigned request, unsigned state)
{
	if (!check_true(what, cost.l2 != NULL))
		return;
	for (unsigned r = 0; r < CACHE_REQUESTS; r++)
		for (unsigned s = 0; s < CACHE_STATES; s++)
			check_eq_u64(what, cost.l2->count[r][s], r == request && s == state);
}

/* Checks requests as P6 counts them: "L2_LD, L2_ST, L2_IFETCH, by MESI state of the line in L2"
 * (SDM 3B, P6 events). */
static void check_requests(const struct cache_geometry *geometry, unsigned packages)
{
	static const struct { unsigned own, other; } starts[] = {
		{ I, I }, { I, E }, { I, M }, { E, I }, { M, I }, { S, S }
	};

	for (unsigned i = 0; i < 6; i++) {
		unsigned own = starts[i].own, other = starts[i].other;

		bring(geometry, packages, own, other);
		push_out_of_l1d(0);
		check_l2("request of a load",
		         do_access(&cores, 0, REFPMU_READ, LINE_A), CACHE_LOAD, own);
		bring(geometry, packages, own, other);
		push_out_of_l1d(0);
		check_l2("request of a store",
		         do_access(&cores, 0, REFPMU_WRITE, LINE_A), CACHE_STORE, own);
		bring(geometry, packages, own, other);
		check_l2("request of a fetch", do_fetch(&cores, 0, LINE_A), CACHE_FETCH, own);
	}
}

UNIT_TEST(requests_to_an_l2_of_the_core)
{
	check_requests(&three_levels, 1);
	check_requests(&three_levels, 2);
}

UNIT_TEST(requests_to_an_l2_that_is_the_last_level)
{
	check_requests(&two_levels, 2);
}

UNIT_TEST(a_hit_in_the_first_level_requests_only_a_shared_line_of_l2)
{
	static const struct { unsigned own, other; bool is_asked; } starts[] = {
		{ E, I, false }, { M, I, false }, { S, S, true }
	};

	for (unsigned i = 0; i < 3; i++) {
		bring(&two_levels, 2, starts[i].own, starts[i].other);
		check_true("a load makes no request",
		           !do_access(&cores, 0, REFPMU_READ, LINE_A).l2);
		struct cache_cost cost = do_access(&cores, 0, REFPMU_WRITE, LINE_A);

		if (starts[i].is_asked)
			check_l2("request of a store to a shared line", cost, CACHE_STORE, S);
		else
			check_true("a store to an exclusive line makes no request", !cost.l2);
	}
}

UNIT_TEST(a_shared_line_that_l2_lost_is_requested_as_invalid)
{
	bring(&three_levels, 1, S, S);
	for (unsigned i = 1; i < 3; i++)               /* the same set of L2, another set of L1D */
		do_fetch(&cores, 0, LINE_A + i * 8 * 64);
	check_eq_u64("state in L2, which lost the line", state_l2(&cores, 0, LINE_A), I);
	check_eq_u64("state in L1D, which has the line", state_l1d(&cores, 0, LINE_A), S);
	check_l2("request of a store", do_access(&cores, 0, REFPMU_WRITE, LINE_A), CACHE_STORE, I);
	check_states("states after the store", M, I);
}

UNIT_TEST(a_fault_drops_the_requests_to_l2)
{
	struct cache_cost cost;

	cores_create(&cores, &three_levels, 1, 1);
	do_access(&cores, 0, REFPMU_READ, 0);
	cache_access(&cores.thread[0], REFPMU_READ, LINE_A, LINE_A, 4, true);
	cache_drop(&cores.thread[0]);
	cost = do_access(&cores, 0, REFPMU_READ, 0);
	check_true("a NOP after the fault makes no request", !cost.l2 && cost.llc_references == 0);
}

UNIT_MAIN()
